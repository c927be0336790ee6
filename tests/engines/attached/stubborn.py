"""An engine that ends neither with its input nor when asked to, and starts a program of its own.

``stubborn.py [FOLDER]`` writes its process number and that of its child into FOLDER. It behaves as
KataHex does, see scripted.py. With ``--quits`` it ends when asked to, and leaves its child behind.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else None
QUITS = "--quits" in sys.argv
SLEEP = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
REPORT = "info move a1 visits 100 winrate 0.5 prior 0.1 order 0 pv a1 b2\n"
LISTED = "name\nversion\nlist_commands\nboardsize\nclear_board\nplay\nundo\nkata-analyze\nstop"


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main() -> None:
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", SLEEP])
    if FOLDER is not None:
        (FOLDER / "started").write_text(f"{os.getpid()} {child.pid}")
    for line in sys.stdin:
        number, name = [*line.split(), "", ""][:2]
        if not number.isdigit():
            continue
        if name == "kata-analyze":
            say(f"={number}\n{REPORT}")
        elif name == "stop":
            say(f"\n={number}\n\n")
        elif name == "quit" and QUITS:
            say(f"={number}\n\n")
            return
        else:
            say(f"={number} {LISTED if name == 'list_commands' else 'Stubborn'}\n\n")
    while True:
        time.sleep(600)


if __name__ == "__main__":
    if not QUITS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    main()
