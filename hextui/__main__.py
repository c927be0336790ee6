"""Starts the program: the ``hextui`` command, and ``python -m hextui``."""

import sys

INTERRUPTED = 130


def start() -> int:
    """Run the command line and return its exit code; Ctrl+C may come while it is still loaded."""
    try:
        from hextui.commands import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(start())
