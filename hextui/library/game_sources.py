"""The files that the games of a library come from.

A game's row has the id of its first source and the game's number in it. The same game of other
files is not added again: ``other_sources`` has these, as a list in JSON of ids and numbers; '' is
none.
"""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from hextui.library.schema import rows_in

_PLACES = re.compile(r"\[(?:\[[0-9]+,[0-9]+\](?:,(?=\[)|(?=\])))+\]")
_SEVERAL = "SELECT id, source, number, other_sources FROM game WHERE other_sources != ''"
_UNUSED = """
    DELETE FROM source WHERE id NOT IN (SELECT source FROM game UNION
    SELECT json_extract(value, '$[0]') FROM game, json_each(other_sources)
    WHERE other_sources != '')
"""


class SourcePlace(NamedTuple):
    """The id of a source, and the number of a game in it."""

    source: int
    number: int


def read_places(text: str) -> list[SourcePlace]:
    """Return other sources, as a row has them. Raises ValueError where they are damaged."""
    if text == "":
        return []
    if not (isinstance(text, str) and _PLACES.fullmatch(text)):
        raise ValueError("the sources of a game are damaged")
    return [SourcePlace(*pair) for pair in json.loads(text)]


def _text_of(places: Iterable[SourcePlace]) -> str:
    pairs = list(map(list, places))
    return json.dumps(pairs, separators=(",", ":")) if pairs else ""


class GameSources:
    """The sources in an open library. Changes run in the caller's transaction."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def ids(self, names: Collection[str]) -> dict[str, int]:
        """Return the ids of sources by their names; those that have none get one."""
        rows = [(name,) for name in sorted(names)]
        self._database.executemany("INSERT OR IGNORE INTO source (name) VALUES (?)", rows)
        sql = "SELECT name, id FROM source WHERE name IN"
        return dict(rows_in(self._database, sql, names))

    def note(self, games: Sequence[tuple[str, bytes, int]]) -> None:
        """Note the sources of games that are there, by their digests, and the number in each.

        Only the first number in a source counts.
        """
        ids = self.ids({source for source, _, _ in games})
        digests = {digest for _, digest, _ in games}
        sql = "SELECT digest, id, source, number, other_sources FROM game WHERE digest IN"
        stored = {}
        for digest, game_id, source, number, others in rows_in(self._database, sql, digests):
            stored[digest] = (game_id, dict([SourcePlace(source, number), *read_places(others)]))
        changed = {}
        for source, digest, number in games:
            game_id, numbers = stored[digest]
            if ids[source] not in numbers:
                numbers[ids[source]] = number
                changed[game_id] = [SourcePlace(*place) for place in numbers.items()]
        self.replace(changed)

    def inside(self, source: str) -> set[int]:
        """Return the id of a source, or those of the files in a folder."""
        folder = source.rstrip("/") + "/"
        sql = "SELECT id FROM source WHERE name = ? OR substr(name, 1, ?) = ?"
        return {number for (number,) in self._database.execute(sql, (source, len(folder), folder))}

    def left_without(self, gone: Collection[int]) -> dict[int, list[SourcePlace]]:
        """Return the places of each game that has some of these sources and others too.

        Only the others are returned.
        """
        left = {}
        for game, source, number, others in self._database.execute(_SEVERAL):
            places = [SourcePlace(source, number), *read_places(others)]
            kept = [place for place in places if place.source not in gone]
            if kept and kept != places:
                left[game] = kept
        return left

    def replace(self, places: dict[int, list[SourcePlace]]) -> None:
        """Give games these sources."""
        sql = "UPDATE game SET source = ?, number = ?, other_sources = ? WHERE id = ?"
        rows = [(*first, _text_of(others), game) for game, (first, *others) in places.items()]
        self._database.executemany(sql, rows)

    def games_of(self, sources: Collection[int]) -> list[int]:
        """Return the games whose first source is one of these."""
        rows = rows_in(self._database, "SELECT id FROM game WHERE source IN", sources)
        return sorted(number for (number,) in rows)

    def drop_unused(self) -> None:
        """Forget the sources that no game has."""
        self._database.execute(_UNUSED)
