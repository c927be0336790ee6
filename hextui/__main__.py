"""Starts the program: the ``hextui`` command, and ``python -m hextui``."""

import platform
import sys
from importlib.util import find_spec

FAILED = 1
INTERRUPTED = 130
_COMPILED = ("numpy", "llvmlite", "numba")  # which not every system has


def start() -> int:
    """Run the command line and return its exit code; Ctrl+C may come while it is still loaded."""
    for package in _COMPILED:
        if find_spec(package) is None:
            system = f"Python {platform.python_version()} on {platform.platform()}"
            print(
                f"hextui: {package} is not installed, which may not exist for {system}: "
                "see docs/settings.md#systems",
                file=sys.stderr,
            )
            return FAILED
    try:
        from hextui.commands import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(start())
