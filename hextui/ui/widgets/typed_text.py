"""What users type: names of files, sizes of boards, and filters of the library's games.

A filter is written as ``cup 2019`` or ``player=ann size=11 least=2``.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from textual.suggester import Suggester

from hextui.engine.board import Board
from hextui.library.answers import Filter
from hextui.locations import named_path

_NAMES = ("player", "event", "date", "size", "results", "least")
_ANYWHERE = ""
_CONTRADICTING = "contradicting"


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


def filter_text(chosen: Filter) -> str:
    """Return a filter as one types it: ``cup 2019``, ``player=ann event=cup date=2019``."""
    named = (("player", chosen.player), ("event", chosen.event), ("date", chosen.date))
    words = [chosen.words] if chosen.words else []
    words += [f"{name}={value}" for name, value in named if value]
    if chosen.contradicting:
        words.append(f"results={_CONTRADICTING}")
    if chosen.board is not None:
        words.append(f"size={chosen.board}")
    if chosen.least > 1:
        words.append(f"least={chosen.least}")
    return " ".join(words)


def read_filter(text: str) -> Filter:
    """Read what `filter_text` writes; words without a name belong to the last one, or to any.

    Raises ValueError for a name that is none, and for results that are not ``contradicting``.
    """
    words = _words(text)
    board = Board.parse(words["size"]) if "size" in words else None
    least = _read_least(words.get("least", "1"))
    results = words.get("results", "")
    if results not in ("", _CONTRADICTING):
        raise ValueError(f"results= takes only {_CONTRADICTING}, not {results!r}")
    return Filter(
        player=words.get("player"),
        event=words.get("event"),
        date=words.get("date"),
        board=board,
        contradicting=bool(results),
        least=least,
        words=words.get(_ANYWHERE),
    )


def _read_least(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise ValueError(f"least= takes a number of games, 1 or more, not {text!r}")
    return int(text)


def _words(text: str) -> dict[str, str]:
    """Return the words of a filter by the name before them, without names that have none.

    Raises ValueError for a name that is none.
    """
    values: dict[str, list[str]] = {}
    name = _ANYWHERE
    for word in text.split():
        before, equals, value = word.partition("=")
        if equals:
            name = before.lower()
            if name not in _NAMES:
                raise ValueError(f"{before!r} is not one of {', '.join(_NAMES)}")
            values[name] = [value]
        else:
            values.setdefault(name, []).append(word)
    joined = {name: " ".join(words) for name, words in values.items()}
    return {name: words for name, words in joined.items() if words}


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
