"""The engine's process: ``python -m hextui.engines.own``, started by the workstation."""

import faulthandler
import os
from contextlib import suppress

from hextui.engines.own.host import Host, end

NICENESS = 19
"""By so much it stands back where the machine has too much to do: the screen comes first.

Where its threads take all cores, what the screen does in 5 ms takes 5 ms longer at 5 (p95), 0.3 ms
at 19.
"""


def main() -> None:
    """Answer until the other end of standard input is closed."""
    faulthandler.enable()  # a crash of compiled code tells its place, to the log
    with suppress(OSError, AttributeError):  # not every system knows priorities
        os.nice(NICENESS)
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # whatever else prints or reads must not meddle with the frames
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    Host(questions, answers).run()
    end()


if __name__ == "__main__":
    main()
