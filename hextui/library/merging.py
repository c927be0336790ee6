"""Merge the file of another library, which anybody may have written, into a library."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from hextui.library.answers import Broken, Imported, storable
from hextui.library.game import Game
from hextui.library.integrity import (
    each_source,
    open_unchanged,
    problems_of,
    sound_games,
    sources_of,
)
from hextui.library.library import Library
from hextui.library.schema import LibraryError
from hextui.library.stored_games import is_whole


@dataclass(frozen=True)
class Merged:
    """What a merge has done: the games of the other library, and how many got annotations."""

    games: Imported
    annotated: int


def merge(
    library: Library, other: Path, progress: Callable[[Imported], None] | None = None
) -> Merged:
    """Add the games of another library's file, which is not changed, with their sources.

    A game that is there already is not added again, but gets the comments and variations of the
    other one if it has none. Verdicts of the solver are not taken over. Raises LibraryError.
    """
    if os.path.exists(other) and os.path.samefile(other, library.path):
        raise LibraryError(f"{other}: this is the library itself")
    taken = _Taken()
    with closing(open_unchanged(other)) as database:
        if problems := problems_of(database):
            raise LibraryError(f"{other}: not merged: {problems[0]}")
        done = library.add_games(_games_of(database, other, taken), progress)
    done = replace(done, duplicates=done.duplicates - taken.further_sources)
    return Merged(done, library.annotate(taken.annotated))


@dataclass
class _Taken:
    """Games of the other library with more than moves, and sources of games beyond their first."""

    annotated: list[Game] = field(default_factory=list)
    further_sources: int = 0


def _games_of(
    database: sqlite3.Connection, path: Path, taken: _Taken
) -> Iterator[tuple[str, Game] | Broken]:
    """Yield each game once for each of its sources, and note what was ``taken``."""
    sources = sources_of(database)
    for number, row, saved in sound_games(database, sources):
        if row is None or saved is None:
            yield Broken(storable(str(path)), number, "its row is damaged")
            continue
        if is_whole(saved[-1].text):
            taken.annotated.append(saved[-1])
        taken.further_sources -= 1
        for _, source, game in each_source(saved, row, sources):
            taken.further_sources += 1
            yield source, game
