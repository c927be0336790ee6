"""Experiments behind the program: how its network was trained, and notes on what was tried."""
