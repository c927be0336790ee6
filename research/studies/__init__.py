"""Ratings of evaluators, and the differences between two runs of a study."""
