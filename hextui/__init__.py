"""hextui: a terminal workstation for analysing Hex."""

__version__ = "0.1.0"
