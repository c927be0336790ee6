"""The names in a library, such as players and events, and the games that have them.

Table ``name`` has each text of a kind once, ``folded`` as names are compared, with the number of
its mentions. Table ``mentions`` holds which games mention it, like the visits of a position (see
``visit_chunks``): its keys are the ids of names, and in place of the ply stands the colour of a
player, of an outcome the colour that swapped, or of a game without players and title its number in
the file, else 0.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hextui.engine.board import Board, Color
from hextui.library.stored_games import rating_in, swapper_in
from hextui.library.visit_chunks import VisitChunks
from hextui.library.visits import Numbers, Visits, distinct
from hextui.records.dates import iso_date, year_of
from hextui.text import Names, folded

_UNTITLED = "game"  # begins the label of a game without players and title
_BATCH = 10_000  # games whose names are noted at once
_MOST_DIGITS = 15  # of a number that is looked for
_COUNT = """
    INSERT INTO name (kind, text, folded, games) VALUES (?, ?, ?, ?)
    ON CONFLICT (kind, text) DO UPDATE SET games = games + excluded.games
"""
_NAMED_GAMES = """
    SELECT game.id, rows, columns, black, white, event, title, date, winner, how,
    source.name, number, rating_in(text, 'BR'), rating_in(text, 'WR'),
    swapper_in(game.rows, columns, moves, text) FROM game JOIN source ON source.id = game.source
"""


class NameKind(IntEnum):
    """What a name is of. A label stands for the players, an outcome is board, winner and how."""

    PLAYER = 1
    EVENT = 2
    DATE = 3
    LABEL = 4
    OUTCOME = 5
    RATING = 6


class NamedGame(NamedTuple):
    """What names a game: its row in the library, with the name of its source."""

    id: int
    rows: int
    columns: int
    black: str
    white: str
    event: str
    title: str
    date: str
    winner: int | None
    how: str
    source: str
    number: int
    black_rating: str
    white_rating: str
    swapper: int

    def mentions(self) -> Iterator[tuple[NameKind, str, int]]:
        """Yield kinds, texts and places of the names."""
        for name, color in ((self.black, Color.BLACK), (self.white, Color.WHITE)):
            if name:
                yield NameKind.PLAYER, name, color
        if not (self.black or self.white):
            label = f"{self.title or _UNTITLED} ({Path(self.source).stem})"
            yield NameKind.LABEL, label, 0 if self.title else self.number
        if self.event:
            yield NameKind.EVENT, self.event, 0
        if self.date:
            yield NameKind.DATE, self.date, 0
        yield from self._ratings()
        outcome = f"{self.rows}x{self.columns} {int(self.winner or 0)} {self.how}"
        yield NameKind.OUTCOME, outcome, self.swapper

    def _ratings(self) -> Iterator[tuple[NameKind, str, int]]:
        for rating, color in ((self.black_rating, Color.BLACK), (self.white_rating, Color.WHITE)):
            if rating:
                yield NameKind.RATING, rating, color


class GameNames:
    """The names in an open library. Changes run in the caller's transaction."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._mentions = VisitChunks(database, "mentions")
        for function, arguments in ((rating_in, 2), (swapper_in, 4)):
            database.create_function(function.__name__, arguments, function, deterministic=True)

    def add(self, games: Sequence[NamedGame]) -> None:
        """Note the names of games."""
        if games:
            self._mentions.add(self._counted(games, 1)[0])

    def add_all(self) -> None:
        """Note the names of all games of a library that has none."""
        rows = self._database.execute(_NAMED_GAMES)
        while part := rows.fetchmany(_BATCH):
            self.add([NamedGame(*row) for row in part])

    def named_games(self, numbers: Sequence[int]) -> list[NamedGame]:
        """Return the games of some ids, with their names as the library has them now."""
        sql = f"{_NAMED_GAMES} WHERE game.id IN (SELECT value FROM json_each(?))"
        return [NamedGame(*row) for row in self._database.execute(sql, (json.dumps(numbers),))]

    def remove(self, games: Sequence[NamedGame]) -> None:
        """Forget the names of games, and those that no other game has."""
        if games:
            mentions, names = self._counted(games, -1)
            self._mentions.remove(mentions)
            unused = [(number,) for number in names]
            self._database.executemany("DELETE FROM name WHERE id = ? AND games <= 0", unused)

    def _counted(self, games: Sequence[NamedGame], times: int) -> tuple[Visits, list[int]]:
        """Count the mentions of names, and return them and the ids of the names."""
        mentions = [
            (kind, text, game.id, place) for game in games for kind, text, place in game.mentions()
        ]
        counts = Counter((kind, text) for kind, text, _, _ in mentions)
        rows = ((*name, folded(name[1]), times * count) for name, count in counts.items())
        self._database.executemany(_COUNT, rows)
        ids = {}
        for name in counts:
            row = self._database.execute("SELECT id FROM name WHERE kind = ? AND text = ?", name)
            ids[name] = row.fetchone()[0]
        columns = ((ids[kind, text], game, place) for kind, text, game, place in mentions)
        return Visits(*np.array(list(columns), np.int64).T).sorted(), [*ids.values()]

    def players(self) -> list[str]:
        """Return the names of all players, those of most games first, as most games spell them."""
        spellings: dict[str, list[tuple[int, str]]] = {}
        sql = "SELECT folded, games, text FROM name WHERE kind = ?"
        for name, games, text in self._database.execute(sql, (NameKind.PLAYER,)):
            spellings.setdefault(name, []).append((-games, text))
        players = []
        for texts in spellings.values():
            _, most_frequent = min(texts)
            players.append((sum(games for games, _ in texts), most_frequent))
        return [text for _, text in sorted(players)]

    def spellings(self, player: str) -> list[str]:
        """Return how games spell the whole name of a player, the most frequent spelling first."""
        sql = "SELECT text FROM name WHERE kind = ? AND folded = ? ORDER BY games DESC, text"
        rows = self._database.execute(sql, (NameKind.PLAYER, folded(player)))
        return [text for (text,) in rows]

    def of_player(self, player: str) -> Numbers:
        """Return the games of the player of this whole name, of either colour."""
        return self._games_with(NameKind.PLAYER, "folded = ?", folded(player))

    def with_player(self, part: str, *colors: Color) -> Numbers:
        """Return the games with a part of the name of a player who had one of some colours."""
        names = self._ids(NameKind.PLAYER, "instr(folded, ?)", folded(part))
        return self._games_at(names, colors)

    def rated(self, first: str, last: str, color: Color) -> Numbers:
        """Return the games whose player of a colour has a rating in a range; '' for an open end."""
        condition = "CAST(text AS INTEGER) BETWEEN ? AND ?"
        names = self._ids(NameKind.RATING, condition, int(first or 0), float(last or "inf"))
        return self._games_at(names, (color,))

    def swapped(self, colors: Collection[int]) -> Numbers:
        """Return the games that some colours swapped, 0 for nobody."""
        return self._games_at(self._ids(NameKind.OUTCOME, "1"), colors)

    def with_event(self, part: str) -> Numbers:
        """Return the games with a part of an event's name."""
        return self._games_with(NameKind.EVENT, "instr(folded, ?)", folded(part))

    def with_date(self, begin: str) -> Numbers:
        """Return the games whose date begins so."""
        return self._games_with(NameKind.DATE, "instr(text, ?) = 1", iso_date(begin))

    def in_dates(self, first: str, last: str) -> Numbers:
        """Return the games of a range of dates, as far as its ends say them; '' for an open end."""
        condition = "text GLOB '[0-9][0-9][0-9][0-9]*' AND text >= ? AND substr(text, 1, ?) <= ?"
        end = last or "9"
        return self._games_with(NameKind.DATE, condition, first, len(end), end)

    def on_board(self, board: Board) -> Numbers:
        """Return the games on a board."""
        return self._games_with(NameKind.OUTCOME, "instr(text, ?) = 1", f"{board} ")

    def with_word(self, word: str, names: Names) -> Numbers:
        """Return the games with a word in something that a list shows, by their ids, each once.

        A number is the whole id of a game, or its number in a file if the list shows that.
        ``word`` is folded, ``names`` call the players in results.
        """
        sql = "SELECT id FROM name WHERE kind NOT IN (?, ?) AND instr(folded, ?)"
        rows = self._database.execute(sql, (NameKind.OUTCOME, NameKind.RATING, word))
        ids = [number for (number,) in rows]
        outcomes = self._database.execute(
            "SELECT id, text FROM name WHERE kind = ?", (NameKind.OUTCOME,)
        )
        ids += [number for number, text in outcomes if word in _shown_outcome(text, names)]
        games = [self._games_of(ids)]
        if word.isdecimal() and len(word) <= _MOST_DIGITS:
            sql = "SELECT id FROM game WHERE id = ?"
            games.append(_numbers(self._database.execute(sql, (int(word),))))
            labels = self._ids(NameKind.LABEL, "1")
            visits = self._mentions.of(labels)
            games.append(visits.games[visits.plies == int(word)])
        return distinct(np.concatenate(games))

    def winners(self, games: Numbers) -> Numbers:
        """Return the Color that won each of sorted games, 0 for nobody."""
        return self._noted(games, NameKind.OUTCOME, lambda text: int(text.split(" ", 2)[1]))

    def years(self, games: Numbers) -> Numbers:
        """Return the year of each of sorted games, 0 where it is unknown."""
        return self._noted(games, NameKind.DATE, lambda text: year_of(text) or 0)

    def _noted(self, games: Numbers, kind: NameKind, number_of: Callable[[str], int]) -> Numbers:
        """Return for each of sorted games the number of its name of a kind, 0 if it has none."""
        sql = "SELECT id, text FROM name WHERE kind = ? ORDER BY id"
        names = self._database.execute(sql, (kind,)).fetchall()
        ids = [number for number, _ in names]
        numbers = np.array([number_of(text) for _, text in names], np.int64)
        mentions = self._mentions.of(ids)
        mentions = mentions[mentions.games <= games[-1]]
        noted = np.zeros(games[-1] + 1, np.int64)
        noted[mentions.games] = numbers[np.searchsorted(ids, mentions.keys)]
        return noted[games]

    def _games_with(self, kind: NameKind, condition: str, *values: object) -> Numbers:
        return self._games_of(self._ids(kind, condition, *values))

    def _ids(self, kind: NameKind, condition: str, *values: object) -> list[int]:
        sql = f"SELECT id FROM name WHERE kind = ? AND {condition} ORDER BY id"
        return [number for (number,) in self._database.execute(sql, (kind, *values))]

    def _games_at(self, names: Iterable[int], places: Collection[int]) -> Numbers:
        mentions = self._mentions.of(sorted(names))
        return distinct(mentions.games[np.isin(mentions.plies, list(places))])

    def _games_of(self, names: Iterable[int]) -> Numbers:
        return distinct(self._mentions.of(sorted(names)).games)


def _numbers(rows: Iterable[tuple[int]]) -> Numbers:
    return np.array([number for (number,) in rows], np.int64)


def _shown_outcome(text: str, names: Names) -> str:
    """Return what a list shows of an outcome, folded."""
    board, winner, how = text.split(" ", 2)
    return folded(f"{names.result(int(winner) or None, how)} {board}")
