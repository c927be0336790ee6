"""Kills process groups once the process that started them is gone: ``python -m hextui.guardian``.

Other programs' engines need not end with their input, and whoever started them may be killed. So
`hextui.children` sends the numbers of their groups here: ``+NUMBER`` when one is started,
``-NUMBER`` when it has ended, each on a line. When the other end of standard input is closed, the
groups that are left are killed.
"""

import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress


def main(lines: Iterable[str]) -> None:
    """Read numbers of groups to the end of the lines, and kill the groups that are left."""
    groups: set[int] = set()
    for line in lines:
        change, number = line[:1], int(line[1:])
        if change == "+":
            groups.add(number)
        else:
            groups.discard(number)
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.stdin)
