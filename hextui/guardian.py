"""Kills process groups once the process that started them is gone: ``python -m hextui.guardian``.

An engine of another program may go on when its input is closed, and hextui may be killed before it
ends the engine. So `hextui.children` sends the numbers of the groups here, each on a line:
``+NUMBER`` when one is started, ``-NUMBER`` when it has ended. When the other end of standard input
is closed, the groups that are left are killed.
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
        change = line[:1]
        number = int(line[1:])
        if change == "+":
            groups.add(number)
        else:
            groups.discard(number)
    if sys.platform != "win32":
        for group in groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.stdin)
