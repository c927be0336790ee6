"""What users type as names of files."""

import os
from collections.abc import Sequence
from pathlib import Path

from textual.suggester import Suggester

from hextui.locations import named_path


def read_path(text: str) -> Path:
    """Read the name of a file to write; SGF if it has no ending. Raises ValueError."""
    if not text:
        raise ValueError("a file needs a name")
    try:
        path = named_path(text)
        if path.is_dir():
            raise ValueError(f"{text} is a folder")
        return path if path.suffix else path.with_suffix(".sgf")
    except OSError as error:
        raise ValueError(f"no file can have this name: {error.strerror or error}") from None


def read_existing(text: str) -> Path:
    """Read the name of a file or folder that exists. Raises ValueError."""
    if not text:
        raise ValueError("a file or a folder is needed")
    path = named_path(text)
    if not os.path.exists(path):  # False also for a name that no system takes
        raise ValueError(f"{text}: no such file or folder")
    return path


class PathSuggester(Suggester):
    """Suggests a file used before, else the first name in the folder that goes on as typed."""

    def __init__(self, recent: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._recent = recent

    async def get_suggestion(self, value: str) -> str | None:
        """Return the whole text with what completes it, if anything does."""
        if not value:
            return None
        for name in self._recent:
            if name.startswith(value) and name != value:
                return name
        folder, _, begin = value.rpartition("/")
        if not begin:
            return None
        names = _names_in(named_path(folder + "/" if "/" in value else "."), begin)
        if not names or names[0] == begin:
            return None
        return value + names[0][len(begin) :]


def _names_in(folder: Path, begin: str) -> list[str]:
    """Return the names in a folder that begin so, sorted; those of folders end with a slash."""
    try:
        names = []
        for path in folder.iterdir():
            if path.name.startswith(begin):
                names.append(f"{path.name}/" if path.is_dir() else path.name)
        return sorted(names)
    except (OSError, ValueError):  # no folder, or no name of one
        return []
