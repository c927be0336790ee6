"""The files that an import reads, and their names as the library stores them."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from hextui.library.answers import Broken
from hextui.records.codecs import suffixes


def storable(text: str) -> str:
    r"""Return text as the library's file can hold it: halves of surrogate pairs are spelled out.

    They stand for bytes of a file's name that are not UTF-8, or come from escapes in JSON.

    >>> storable("\udcff.sgf")
    '\\udcff.sgf'
    """
    return text.encode("utf-8", "backslashreplace").decode()


def source_of(path: Path) -> str:
    """Return the name of a file or folder as the library keeps it: absolute, links followed."""
    return storable(os.path.realpath(path))


def files_of(paths: Sequence[Path]) -> Iterator[Path | Broken]:
    """Yield the files named, and those in folders whose ending is one of a record, in order.

    Hidden folders inside a folder are skipped: they hold what programs keep. A folder that cannot
    be read is yielded as Broken.
    """
    for path in paths:
        whole = Path(os.path.realpath(path))
        if os.path.isdir(whole):
            yield from _inside(whole)
        else:
            yield whole


def _inside(folder: Path) -> Iterator[Path | Broken]:
    endings = suffixes()
    unreadable: list[OSError] = []
    found = []
    for place, folders, names in os.walk(folder, onerror=unreadable.append):
        folders[:] = (name for name in folders if not name.startswith("."))
        found += [Path(place, n) for n in names if os.path.splitext(n)[1].lower() in endings]
    for path in sorted(found):
        if path.is_file():
            yield Path(os.path.realpath(path))
    for error in unreadable:
        what = f"cannot be read: {error.strerror}"
        yield Broken(storable(str(error.filename)), None, what)
