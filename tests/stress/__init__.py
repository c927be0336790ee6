"""Attacks by chance on all that reads input or keeps files; each is told by its seed."""
