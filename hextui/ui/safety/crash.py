"""What a crash leaves: a log file that tells what happened and where."""

import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

from hextui import __version__
from hextui.locations import make_private_file, make_private_folder


def write_log(folder: Path, error: BaseException) -> Path | None:
    """Write what is known of a crash to a new file in ``folder``; return its path.

    If that folder cannot be written to, the system's folder of temporary files is tried; None if
    neither can.
    """
    from importlib.metadata import version

    now = datetime.now(UTC)
    lines = [
        f"hextui {__version__}, textual {version('textual')}, Python {platform.python_version()}, "
        f"{platform.platform()}",
        f"{now.isoformat(timespec='seconds')}  {' '.join(sys.argv)}",
        "",
        *traceback.format_exception(error),
    ]
    text = "\n".join(lines[:3]) + "\n" + "".join(lines[3:])
    for place in (folder, Path(tempfile.gettempdir())):
        path = place / f"crash-{now:%Y%m%d-%H%M%S-%f}.log"
        try:
            if place is folder:
                make_private_folder(place)
            make_private_file(path)
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
        except OSError:
            continue
        return path
    return None
