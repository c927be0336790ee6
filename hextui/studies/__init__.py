"""Experiments over many games: how moves rank, and evaluators in matches."""
