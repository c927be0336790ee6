"""Reads and writes the settings file, and reads the state file."""
