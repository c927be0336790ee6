"""Reduced networks and their short paths, compiled."""
