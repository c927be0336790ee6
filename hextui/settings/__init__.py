"""Reads the settings file and the state file into classes that their owners give.

An owner's class is a frozen dataclass; each field that a file may set has a `Key`. What
is wrong is told in one line that names the file and the key.
"""
