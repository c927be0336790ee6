"""The library of games: import, remove and list games, and query positions."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce, wraps
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import numpy as np

from hextui import locations
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.retrograde import Value
from hextui.library.answers import Broken, Explored, GameRow, Imported, Stats, storable
from hextui.library.conditions import games_named
from hextui.library.filters import ALL_GAMES, Filter
from hextui.library.game import Game, games_in
from hextui.library.game_names import GameNames, NamedGame
from hextui.library.game_sources import GameSources
from hextui.library.opening_explorer import OpeningExplorer
from hextui.library.packed_games import packed_games
from hextui.library.position_graph import GraphGame, PositionGraph
from hextui.library.position_keys import key_of
from hextui.library.schema import (
    LibraryError,
    check_pages,
    connect,
    raise_if_interrupted,
    reported,
    rows_in,
)
from hextui.library.shape import Shape
from hextui.library.shape_search import ShapeFound, find_shape
from hextui.library.stored_games import (
    INFO_COLUMNS,
    is_whole,
    rating_in,
    sgf_text,
    text_kept,
    without_columns,
)
from hextui.library.visits import VISITS_OF_JSON, Numbers, Visits, distinct, in_both
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.summary import ReadSummary
from hextui.text import Names

Method = TypeVar("Method", bound=Callable[..., Any])

ORDERS = {
    "id": ("id",),
    "size": ("rows", "columns", "id"),
    **{name: (name, "id") for name in ("black", "white", "event", "date", "winner", "plies")},
}
"""The orders in which games can be listed, and their columns."""

_BATCH = 1000  # games of one transaction, while the library is small
_LARGEST_BATCH = 32_000
_REPORT = 100  # games between two reports of an import
_COLUMNS = """
    game.id, game.rows, columns, black, white, event, title, date, winner, how, plies,
    (SELECT name FROM source WHERE source.id = game.source), number,
    CASE other_sources WHEN '' THEN '[]' ELSE (
    SELECT json_group_array(json_array(name, json_extract(value, '$[1]')))
    FROM json_each(other_sources) JOIN source ON source.id = json_extract(value, '$[0]')) END
"""
_GAME = (
    "id",
    "digest",
    "rows",
    "columns",
    "black",
    "white",
    "event",
    "title",
    "date",
    "year",
    "winner",
    "how",
    "plies",
    "source",
    "number",
    "text",
    "moves",
    "first_ply",
    "complete",
    "positions",
    "way",
)
_ADD_GAME = f"""
    INSERT INTO game ({", ".join(_GAME)}) VALUES ({", ".join(f":{name}" for name in _GAME)})
"""
_INFO = ", ".join(INFO_COLUMNS.values())
_IDS = "SELECT id FROM game WHERE id IN"
# of visits in positions where games end with both results, those that end there, with a result
_CONTRADICTING = f"""
    SELECT DISTINCT id FROM {VISITS_OF_JSON} JOIN game ON id = visit.game
    WHERE winner IS NOT NULL AND visit.ply = first_ply + positions - 1
"""


def _reported(method: Method) -> Method:
    """Make a method raise LibraryError for errors that a damaged file causes."""

    @wraps(method)
    def guarded(self: "Library", *arguments: Any, **options: Any) -> Any:
        with reported(self.path):
            return method(self, *arguments, **options)

    return guarded  # type: ignore[return-value]


def _asked(method: Method) -> Method:
    """Make a method read the library as it is at one moment, whatever others write meanwhile."""

    @wraps(method)
    def guarded(self: "Library", *arguments: Any, **options: Any) -> Any:
        with reported(self.path), _one_moment(self._database):
            return method(self, *arguments, **options)

    return guarded  # type: ignore[return-value]


class Library:
    """An open library. Each thread or process opens its own; writers wait for each other.

    ``names`` call the players in the results that words of a filter are looked for in.
    All methods raise LibraryError if the file cannot be read or written, or is damaged.
    """

    def __init__(self, path: Path | None = None, names: Names = Names.RED_BLUE) -> None:
        self.path = path or locations.library_file()
        self._database = connect(self.path)
        self._graph = PositionGraph(self._database)
        self._game_names = GameNames(self._database)
        self._explorer = OpeningExplorer(self._database, self._graph, self._game_names)
        self._sources = GameSources(self._database)
        self._names = names
        self._shape_answer: tuple[object, Visits] | None = None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def interrupt(self) -> None:
        """End the query that another thread runs here, which raises LibraryError there."""
        self._database.interrupt()

    def __enter__(self) -> "Library":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Import and remove

    def import_paths(
        self,
        paths: Sequence[Path],
        progress: Callable[[Imported], None] | None = None,
        stop: Callable[[], bool] | None = None,
        board: Board | None = None,
        strict: bool = False,
        as_hex: bool = False,
        charset: str | None = None,
    ) -> Imported:
        """Add the games of files and folders.

        For ``progress`` and ``stop`` see `add_games`, for ``board`` and what follows it
        ``read_collection``.
        """
        summary = ReadSummary()
        notes: dict[str, None] = {}
        games = games_in(paths, board, notes, strict, as_hex, charset, summary)
        done = self.add_games(games, progress, stop, summary)
        return replace(done, notes=tuple(notes))

    def add_games(
        self,
        games: Iterable[tuple[str, Game] | Broken],
        progress: Callable[[Imported], None] | None = None,
        stop: Callable[[], bool] | None = None,
        summary: ReadSummary | None = None,
    ) -> Imported:
        """Add games with their sources; ``progress`` is called every hundred games.

        Each batch is one transaction with its retrograde results, so the library always holds
        whole games only, and the same games again add the rest. A game whose moves and winner are
        there already is a duplicate: only its source is noted. After ``stop`` what was read is
        still added. The pages of the file are checked before. The result has the ``summary``.
        """
        with reported(self.path):
            check_pages(self._database)
        begin = monotonic()
        done = Imported(summary=summary or ReadSummary())
        broken: list[Broken] = []
        batch: list[tuple[str, Game]] = []
        size = self._batch_size()
        for number, game in enumerate(games, start=1):
            if isinstance(game, Broken):
                broken.append(game)
            else:
                batch.append(game)
            if len(batch) >= size:
                done = self._added(done, batch)
                batch.clear()
                size = self._batch_size()
            if progress and number % _REPORT == 0:
                seconds = monotonic() - begin
                progress(replace(done, waiting=len(batch), broken=tuple(broken), seconds=seconds))
            if stop and stop():
                done = replace(done, stopped=True)
                break
        return replace(self._added(done, batch), broken=tuple(broken))

    def add_batch(self, games: list[tuple[str, Game]]) -> Imported:
        """Add games with their sources in one transaction, without a check of the file."""
        return self._added(Imported(), games)

    @_asked
    def texts_with(self, part: str) -> list[str]:
        """Return text and names, as they are kept, of the games in which a part occurs."""
        whole = " || ' ' || ".join(("text", *INFO_COLUMNS.values()))
        sql = f"SELECT {whole} FROM game WHERE instr({whole}, ?)"
        rows = self._database.execute(sql, (part,))
        return [text for (text,) in rows]

    @_reported
    def _batch_size(self) -> int:
        """Return how many games are added at once: a batch costs as much as the file has pages."""
        games = self._one("SELECT games FROM total")
        return max(_BATCH, min(games // 4, _LARGEST_BATCH))

    @_reported
    def _added(self, done: Imported, games: list[tuple[str, Game]]) -> Imported:
        with _transaction(self._database):
            new = self._inserted([(None, source, game) for source, game in games])
            self._graph.add([row for row, _ in new])
        contradicting = sum(contradicts for _, contradicts in new)
        return replace(
            done,
            added=done.added + len(new),
            contradicting=done.contradicting + contradicting,
            duplicates=done.duplicates + len(games) - len(new),
        )

    def _inserted(
        self, games: Sequence[tuple[int | None, str, Game]]
    ) -> list[tuple[GraphGame, bool]]:
        """Insert those games with their sources that are not there, under their ids if free.

        Return which were inserted, and whether there is one of the other winner. The sources of
        the others are noted.
        """
        there = self._digests_of([game for _, _, game in games])
        new_games = []
        duplicates = []
        contradicts = []
        for number, source, game in games:
            stored = next((digest for digest in game.equals if digest in there), None)
            if stored is None:
                there.add(game.digest)
                new_games.append((number, source, game))
                contradicts.append(not there.isdisjoint(game.contraries))
            else:
                duplicates.append((source, stored, game.number))
        numbers = self._free_numbers([number for number, _, _ in new_games])
        sources = self._sources.ids({source for _, source, _ in new_games})
        rows = []
        inserted = []
        named = []
        for number, (_, source, game) in zip(numbers, new_games, strict=True):
            rows.append(_values(number, sources[source], game))
            inserted.append(GraphGame(number, game.winner, game.year, game.positions))
            named.append(_named(number, source, game))
        self._database.executemany(_ADD_GAME, rows)
        self._game_names.add(named)
        self._sources.note(duplicates)
        return list(zip(inserted, contradicts, strict=True))

    def _digests_of(self, games: Sequence[Game]) -> set[bytes]:
        """Return which digests of games, and of these with the other winner, are there."""
        digests = [digest for game in games for digest in (*game.equals, *game.contraries)]
        sql = "SELECT digest FROM game WHERE digest IN"
        return {digest for (digest,) in rows_in(self._database, sql, digests)}

    def _free_numbers(self, wanted: Sequence[int | None]) -> list[int]:
        """Return an id for each game: the one that is wanted, or a new one if that is taken."""
        numbers = [number for number in wanted if number is not None]
        taken = {number for (number,) in rows_in(self._database, _IDS, numbers)}
        following = max(self._one("SELECT ifnull(max(id), 0) FROM game"), *numbers, 0) + 1
        free = []
        for number in wanted:
            if number is None or number in taken:
                number = following
                following += 1
            taken.add(number)
            free.append(number)
        return free

    @_reported
    def restore(self, games: Sequence[tuple[int, str, Game]]) -> None:
        """Add games of another library with their sources, and their ids if these are free.

        A game with several sources comes once for each.
        """
        with _transaction(self._database):
            self._graph.add([row for row, _ in self._inserted(games)])

    @_reported
    def remove(self, ids: Sequence[int]) -> int:
        """Remove games by their ids and return how many were there."""
        with _transaction(self._database):
            lines = list(self._graph.games(ids))
            self._graph.remove(lines)
            numbers = [line.number for line in lines]
            self._game_names.remove(self._game_names.named_games(numbers))
            rows = [(number,) for number in numbers]
            self._database.executemany("DELETE FROM game WHERE id = ?", rows)
        return len(lines)

    @_reported
    def remove_source(self, source: str) -> int:
        """Remove all games of a source, or of the files in a folder; returns how many.

        Games that other files hold too stay, as those of the others.
        """
        gone = self._sources.inside(source)
        with _transaction(self._database):
            left = self._sources.left_without(gone)
            self._game_names.remove(self._game_names.named_games([*left]))
            self._sources.replace(left)
            self._game_names.add(self._game_names.named_games([*left]))
        ids = self._sources.games_of(gone)
        removed = 0
        for begin in range(0, len(ids), _BATCH):
            removed += self.remove(ids[begin : begin + _BATCH])
        with _transaction(self._database):
            self._sources.drop_unused()
        return removed

    @_asked
    def untried(self, nodes: int) -> list[int]:
        """Return the games whose late positions the solver has not tried with so many nodes."""
        rows = self._database.execute("SELECT id FROM game WHERE tried < ? ORDER BY id", (nodes,))
        return [number for (number,) in rows]

    @_asked
    def boards(self) -> list[Board]:
        """Return the boards of all games, each once."""
        rows = self._database.execute("SELECT DISTINCT game.rows, columns FROM game")
        return [Board(*sides) for sides in rows]

    @_reported
    def settle(self, number: int, wins: Mapping[int, bool], nodes: int) -> int:
        """Store that the side to move wins, or loses, at plies of a game, and that it was tried.

        Plies that the graph does not hold for the game are left out; returns how many were stored.
        """
        settled = 0
        with _transaction(self._database):
            for line in self._graph.games([number]):
                for ply, won in wins.items():
                    place = ply - line.positions.first_ply
                    if 0 <= place < len(line.positions.keys):
                        self._graph.settle(line, place, won)
                        settled += 1
            sql = "UPDATE game SET tried = ? WHERE id = ?"
            self._database.execute(sql, (nodes, number))
        return settled

    @_reported
    def name_player(self, number: int, color: Color, player: str) -> bool:
        """Name a player of a game who has no name; return whether there is such a game."""
        column, name = {Color.BLACK: ("black", "PB"), Color.WHITE: ("white", "PW")}[color]
        with _transaction(self._database):
            named = self._one(f"SELECT count(*) FROM game WHERE id = ? AND {column} != ''", number)
            text = self.text(number)
            if named or text is None:
                return False
            record = read_sgf(text)
            record.set_texts(record.root, {name: player})
            text = text_kept(storable(write_sgf(record)))
            self._game_names.remove(self._game_names.named_games([number]))
            sql = f"UPDATE game SET {column} = ? WHERE id = ?"
            self._database.execute(sql, (storable(player), number))
            sql = f"SELECT {_INFO} FROM game WHERE id = ?"
            columns = self._database.execute(sql, (number,)).fetchone()
            sql = "UPDATE game SET text = ? WHERE id = ?"
            self._database.execute(sql, (without_columns(text, *columns), number))
            self._game_names.add(self._game_names.named_games([number]))
        return True

    @_reported
    def annotate(self, games: Iterable[Game]) -> int:
        """Give games their comments, variations and other properties from equal ones.

        Only a game of which nothing but its moves and the properties of its root is there gets any,
        and keeps these properties. Return how many did.
        """
        sql = f"SELECT id, game.rows, columns, moves, {_INFO}, text FROM game WHERE digest = ?"
        annotated = 0
        with _transaction(self._database):
            for game in games:
                row = self._database.execute(sql, (game.digest,)).fetchone()
                if row is None or is_whole(row[-1]):
                    continue
                number, rows, columns, moves, *info, text = row
                own = read_sgf(sgf_text(Board(rows, columns), moves, text, info))
                record = read_sgf(game.text)
                record.set_properties({record.root: own.root.properties})
                text = storable(write_sgf(record))
                self._database.execute("UPDATE game SET text = ? WHERE id = ?", (text, number))
                annotated += 1
        return annotated

    @_reported
    def compact(self) -> tuple[int, int]:
        """Give free pages back to the disk; return the bytes of the file before and after.

        The file stays as it is if there is not enough room for a copy. Waits for other programs.
        """
        sizes = [self._bytes_on_disk()]
        try:
            self._database.execute("VACUUM")
        except sqlite3.OperationalError as error:
            raise_if_interrupted(error)
            what = f"not compacted: {error}; nothing has changed"
            raise LibraryError(f"{self.path}: {what}") from None
        sizes.append(self._bytes_on_disk())
        return sizes[0], sizes[1]

    def _bytes_on_disk(self) -> int:
        """Return the bytes of the file, after the log beside it has been moved into it."""
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return os.path.getsize(self.path)

    @_asked
    def text(self, number: int) -> str | None:
        """Return a game as SGF, None if there is no such game."""
        sql = f"SELECT game.rows, columns, moves, text, {_INFO} FROM game WHERE id = ?"
        row = self._database.execute(sql, (number,)).fetchone()
        if row is None:
            return None
        rows, columns, moves, text, *info = row
        return sgf_text(Board(rows, columns), moves, text, info)

    # Queries

    @_asked
    def find_shape(
        self, shape: Shape, chosen: Filter = ALL_GAMES, *, exchange: bool = False
    ) -> ShapeFound:
        """Find a shape and its images in the games that a filter selects.

        ``exchange``: also with the colours exchanged; see ``shape_search``.
        """
        games = packed_games(self._database, self._chosen(chosen))
        return find_shape(games, self.text, shape, exchange=exchange)

    @_asked
    def row(self, number: int) -> GameRow | None:
        """Return the data of a game, None if there is no such game."""
        sql = f"SELECT {_COLUMNS}, 0 FROM game WHERE id = ?"
        row = self._database.execute(sql, (number,)).fetchone()
        return None if row is None else _row(row)

    @_asked
    def explore(self, position: Position, chosen: Filter = ALL_GAMES) -> Explored:
        """Return the moves at a position; only ``chosen`` games are counted, all give verdicts."""
        explored = self._explorer.explore(position, self._chosen(chosen))
        moves = tuple(move for move in explored.moves if move.games >= chosen.least)
        return replace(explored, moves=moves, rare=len(explored.moves) - len(moves))

    @_asked
    def value(self, position: Position) -> Value | None:
        """Return the retrograde value of a position, None if no game goes through it."""
        return self._explorer.value(key_of(position))

    @_asked
    def games(
        self,
        chosen: Filter = ALL_GAMES,
        position: Position | None = None,
        limit: int = -1,
        offset: int = 0,
        order: str = "id",
        descending: bool = False,
    ) -> list[GameRow]:
        """Return games, through ``position`` if given, by one of ORDERS; ``limit`` -1: all."""
        visits = self._chosen_visits(chosen, position)
        return self._games_of(visits, limit, offset, order, descending)

    @_reported
    def page(
        self, chosen: Filter, limit: int, offset: int, order: str, descending: bool
    ) -> tuple[list[GameRow], int]:
        """Return so many games of a filter from ``offset`` on, and how many it selects in all."""
        visits = self._chosen_visits(chosen, None)
        games = self._games_of(visits, limit, offset, order, descending)
        return games, self._one("SELECT games FROM total") if visits is None else len(visits)

    def _games_of(
        self, visits: Visits | None, limit: int, offset: int, order: str, descending: bool
    ) -> list[GameRow]:
        """Return games of visits, of all if None; for the others see `games`."""
        source = f"SELECT {_COLUMNS}, 0 FROM game"
        values: list[object] = []
        if visits is not None:
            source = (
                f"SELECT {_COLUMNS}, ply FROM {VISITS_OF_JSON} JOIN game ON game.id = visit.game"
            )
            if order == "id":  # only those listed are looked up
                visits = visits.page(limit, offset, descending)
                limit = -1
                offset = 0
            values.append(visits.json())
        direction = " DESC" if descending else ""
        by = ", ".join(f"game.{name}{direction}" for name in ORDERS[order])
        sql = f"{source} ORDER BY {by} LIMIT ? OFFSET ?"
        return [_row(row) for row in self._database.execute(sql, (*values, limit, offset))]

    def _chosen_visits(self, chosen: Filter, position: Position | None) -> Visits | None:
        """Return the visits of chosen games to a position, None for all games.

        Without a position they are at key 0, and at the ply of the shape if one is chosen, or 0.
        """
        if position is None and chosen.shape is not None:
            return self._shape_visits(chosen.shape, replace(chosen, shape=None))
        ids = self._chosen(chosen)
        if position is not None:
            visits = self._graph.visits.through(key_of(position))
            return visits if ids is None else visits.of_games(ids)
        if ids is None:
            return None
        zeros = np.zeros_like(ids)
        return Visits(zeros, ids, zeros)

    def _shape_visits(self, shape: Shape, others: Filter) -> Visits:
        """Return the visits, at key 0, of games with a shape to the position where it stands first.

        ``others``: the other conditions of the filter. The last answer is kept while the file does
        not change.
        """
        version = self._one("PRAGMA data_version")
        asked = (shape, others, version, self._database.total_changes)
        if self._shape_answer is None or self._shape_answer[0] != asked:
            matches = self.find_shape(shape, others).matches
            visits = Visits(np.zeros_like(matches.games), matches.games, matches.plies)
            self._shape_answer = (asked, visits)
        return self._shape_answer[1]

    @_asked
    def ids(self, chosen: Filter = ALL_GAMES) -> list[int]:
        """Return the ids of the games that a filter selects, in order."""
        ids = self._chosen(chosen)
        if ids is not None:
            return sorted(ids.tolist())
        rows = self._database.execute("SELECT id FROM game ORDER BY id")
        return [number for (number,) in rows]

    @_asked
    def count(self, chosen: Filter = ALL_GAMES) -> int:
        """Return the number of games that a filter selects."""
        ids = self._chosen(chosen)
        return self._one("SELECT games FROM total") if ids is None else len(ids)

    @_asked
    def players(self) -> list[str]:
        """Return the names of all players, those of most games first."""
        return self._game_names.players()

    @_asked
    def spellings(self, player: str) -> list[str]:
        """Return how games spell the whole name of a player, the most frequent spelling first."""
        return self._game_names.spellings(player)

    @_asked
    def games_of_player(self, player: str, chosen: Filter = ALL_GAMES) -> list[NamedGame]:
        """Return the games of the player of this whole name, in order, of those of a filter."""
        ids = self._game_names.of_player(player)
        others = self._chosen(chosen)
        if others is not None:
            ids = in_both(ids, others)
        return sorted(self._game_names.named_games(ids.tolist()))

    @_asked
    def graph_games(self, numbers: Iterable[int]) -> list[GraphGame]:
        """Return the positions of games by their ids, in order, of those that are there."""
        return list(self._graph.games(numbers))

    @_asked
    def stats(self) -> Stats:
        """Return how much the library holds."""
        games, decided, visits = self._database.execute("SELECT * FROM total").fetchone()
        return Stats(
            games=games,
            decided=decided,
            positions=visits - self._one("SELECT ifnull(sum(games - 1), 0) FROM position"),
            moves=visits - games - self._one("SELECT ifnull(sum(games - 1), 0) FROM edge"),
            contradictions=self._one("SELECT count(*) FROM position WHERE wins AND losses"),
            bytes=self._one("PRAGMA page_count") * self._one("PRAGMA page_size"),
        )

    def _chosen(self, chosen: Filter) -> Numbers | None:
        """Return the ids of the games that a filter selects, sorted; None for all."""
        if chosen.shape is not None:
            return self._shape_visits(chosen.shape, replace(chosen, shape=None)).games
        parts = games_named(chosen, self._game_names, self._names)
        if chosen.contradicting:
            visits = self._graph.contradicting()
            rows = self._database.execute(_CONTRADICTING, (visits.json(),)).fetchall()
            parts.append(distinct(np.array(rows, np.int64).ravel()))
        return reduce(in_both, parts) if parts else None

    def _one(self, sql: str, *values: object) -> int:
        return int(self._database.execute(sql, values).fetchone()[0])


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Do all or nothing: wait for other writers, roll back on an error."""
    try:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("COMMIT")
    except sqlite3.Error as error:
        raise_if_interrupted(error)
        raise LibraryError(f"the library cannot be written: {error}") from None
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


@contextmanager
def _one_moment(database: sqlite3.Connection) -> Iterator[None]:
    """Have all queries see what the first one sees."""
    if database.in_transaction:
        yield
        return
    try:
        database.execute("BEGIN")
        yield
    finally:
        if database.in_transaction:
            database.execute("COMMIT")


def _values(number: int, source: int, game: Game) -> dict[str, object]:
    """Return the values of a game's row."""
    positions = game.positions
    others = {
        "id": number,
        "source": source,
        "positions": len(positions.keys),
        "way": b"" if game.moves else positions.packed(),
        "text": without_columns(
            game.text, game.black, game.white, game.event, game.title, game.date
        ),
    }
    return vars(game) | vars(positions) | others


def _named(number: int, source: str, game: Game) -> NamedGame:
    """Return what names a game."""
    return NamedGame(
        id=number,
        rows=game.rows,
        columns=game.columns,
        black=game.black,
        white=game.white,
        event=game.event,
        title=game.title,
        date=game.date,
        winner=game.winner,
        how=game.how,
        source=source,
        number=game.number,
        black_rating=rating_in(game.text, "BR"),
        white_rating=rating_in(game.text, "WR"),
        swapper=game.swapper,
    )


def _row(row: tuple[Any, ...]) -> GameRow:
    (
        number,
        rows,
        columns,
        black,
        white,
        event,
        title,
        date,
        winner,
        how,
        plies,
        source,
        place,
        others,
        ply,
    ) = row
    texts = (black, white, event, title, date, how, source)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"game {number} has bytes instead of text")
    if not all(isinstance(count, int) for count in (number, plies, place, ply)):
        raise TypeError(f"game {number} lacks a whole number")
    color = None if winner is None else Color(winner)
    return GameRow(
        id=number,
        board=Board(rows, columns),
        black=black,
        white=white,
        event=event,
        title=title,
        date=date,
        winner=color,
        how=how,
        plies=plies,
        source=source,
        number=place,
        ply=ply,
        other_sources=tuple((str(name), int(number)) for name, number in json.loads(others)),
    )
