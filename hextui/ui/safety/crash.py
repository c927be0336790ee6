"""What a crash leaves: a log file that tells what happened and where."""

import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

from hextui.locations import make_private_folder, new_private_file
from hextui.records.text import printable
from hextui.version import __version__


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
            with open(path, "x", -1, "utf-8", "replace", opener=new_private_file) as file:
                file.write(text)
        except OSError:
            continue
        return path
    return None


class Crash:
    """What has crashed the program, if anything has; ``folder`` is for the log."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.what = ""
        """The error in one line; '' if there was none."""
        self.log: Path | None = None
        """The log, if one could be written."""

    @property
    def possible(self) -> bool:
        """Whether there is a folder for a log."""
        return self._folder is not None

    def note(self, error: Exception) -> None:
        """Write the log of the first error that ends the program.

        Without a folder to write it to, raises the error again.
        """
        if self._folder is None:
            raise error
        if not self.what:
            self.what = printable(f"{type(error).__name__}: {error}")[:200]
            self.log = write_log(self._folder, error)
