"""Merge the file of another library, which anybody may have written, into a library."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from hextui.library.answers import Broken, Imported, storable
from hextui.library.game import Game
from hextui.library.integrity import open_unchanged, problems_of, sound_games
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
    annotated: list[Game] = []
    with closing(open_unchanged(other)) as database:
        if problems := problems_of(database):
            raise LibraryError(f"{other}: not merged: {problems[0]}")
        done = library.add_games(_games_of(database, other, annotated), progress)
    return Merged(done, library.annotate(annotated))


def _games_of(
    database: sqlite3.Connection, path: Path, annotated: list[Game]
) -> Iterator[tuple[str, Game] | Broken]:
    """Yield the games with their sources; those with more than moves go into ``annotated``."""
    for number, _, saved in sound_games(database):
        if saved is None:
            yield Broken(storable(str(path)), number, "its row is damaged")
            continue
        _, source, game = saved
        if is_whole(game.text):
            annotated.append(game)
        yield source, game
