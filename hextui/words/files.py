"""What became of games, in words: read, imported, settled, left out of another format."""

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING

from hextui.records.summary import LeftOut, ReadSummary
from hextui.text import counted

if TYPE_CHECKING:
    from hextui.library.answers import Imported
    from hextui.library.settle import Settled

_LOSSES = {
    LeftOut.VARIATIONS: "variations",
    LeftOut.SETUP: "setup, which is written as moves",
    LeftOut.TURNS_OUT_OF_ORDER: "turns out of order, which get passes before them",
    LeftOut.COMMENTS: "comments",
    LeftOut.PLAYERS: "names of players",
    LeftOut.RESULT: "the result",
    LeftOut.HOW_WON: "how the game was won",
    LeftOut.MAIN_LINE: "which line is the main one",
    LeftOut.OTHER: "other properties",
}


def loss_words(lost: Iterable[LeftOut]) -> list[str]:
    """Return what a format leaves out of a record, in words.

    >>> loss_words([LeftOut.COMMENTS, LeftOut.RESULT])
    ['comments', 'the result']
    """
    return [_LOSSES[loss] for loss in lost]


def summary_text(summary: ReadSummary) -> str:
    """Return what is not ordinary in games that were read; '' for nothing.

    >>> summary_text(ReadSummary(games=9, repaired=2, guessed=1))
    '2 repaired, 1 guessed'
    """
    counts = {"repaired": summary.repaired, "guessed": summary.guessed}
    parts = [f"{count:,} {word}" for word, count in counts.items() if count]
    if summary.passed_over:
        parts.append(f"{counted(len(summary.passed_over), 'file')} skipped")
    return ", ".join(parts)


def import_text(imported: "Imported") -> str:
    """Return the result of an import in one line."""
    contradicting = imported.contradicting
    others = f" ({contradicting:,} with another result)" if contradicting else ""
    parts = [
        f"{imported.added:,} added{others}",
        f"{imported.duplicates:,} there already",
        f"{len(imported.broken):,} skipped",
        summary_text(imported.summary),
    ]
    return ", ".join(filter(None, parts))


def importing_text(imported: "Imported") -> str:
    """Return how far an import is, its rate, and how long the rest takes if that is known.

    >>> from hextui.library.answers import Imported
    >>> from hextui.records.summary import ReadSummary
    >>> half = ReadSummary(read_bytes=5_000_000, all_bytes=10_000_000)
    >>> importing_text(Imported(added=9_000, waiting=1_000, summary=half, seconds=2.0))
    '10,000 read, 9,000 added, 5,000 a second, 2 s left'
    >>> importing_text(Imported(duplicates=500))
    '500 read, 0 added'
    """
    parts = [f"{imported.read:,} read", f"{imported.added:,} added"]
    if imported.seconds:
        parts.append(f"{imported.read / imported.seconds:,.0f} a second")
    if (left := imported.seconds_left) is not None:
        parts.append(f"{_rounded(left)} left")
    return ", ".join(parts)


def _rounded(seconds: float) -> str:
    """Return a time that is not known exactly, in seconds, minutes or hours.

    >>> [_rounded(seconds) for seconds in (0.2, 89, 90, 3600, 7000)]
    ['1 s', '89 s', '2 min', '60 min', '1 h 57 min']
    """
    if seconds < 90:
        return f"{ceil(seconds)} s"
    minutes = ceil(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def settling_text(done: "Settled") -> str:
    """Return how far the settling of games is."""
    games = f"{done.games} of {counted(done.of, 'game')}"
    return f"{games}, {counted(done.positions, 'position')} settled"


def settled_text(done: "Settled") -> str:
    """Return what the settling of games has done."""
    return f"{counted(done.positions, 'position')} of {counted(done.games, 'game')} settled"
