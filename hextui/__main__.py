"""Lets ``python -m hextui`` do what the ``hextui`` command does."""

import sys

from hextui.commands import main

if __name__ == "__main__":
    sys.exit(main())
