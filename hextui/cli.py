"""Arguments only: one function call per command, heavy imports inside it."""

import argparse
from collections.abc import Sequence

from hextui import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="hextui", description="Analyse Hex in the terminal.")
    parser.add_argument("--version", action="version", version=f"hextui {__version__}")
    parser.parse_args(arguments)
    return 0
