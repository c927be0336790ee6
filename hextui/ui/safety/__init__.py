"""Keeps the user's work when something goes wrong."""
