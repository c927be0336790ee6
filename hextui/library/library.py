"""The library: import, remove and list games, and answer for positions."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hextui import locations
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.retrograde import Value
from hextui.library.games import Game, game_of
from hextui.library.graph import add_games, remove_game
from hextui.library.keys import hashing, keys_of
from hextui.library.schema import LibraryError, connect
from hextui.records.errors import RecordError
from hextui.records.formats import SUFFIXES, BrokenGame, read_collection, read_record

_BATCH = 500  # games of one transaction


@dataclass(frozen=True)
class Broken:
    """A game, or a file with ``number`` None, that was skipped, and why."""

    source: str
    number: int | None
    reason: str


@dataclass(frozen=True)
class Imported:
    """What an import has done: games added, duplicates found, games skipped."""

    added: int = 0
    duplicates: int = 0
    broken: tuple[Broken, ...] = ()


@dataclass(frozen=True)
class GameRow:
    """What the library knows of a game; ``ply`` is the one asked for, 0 without a position."""

    id: int
    board: Board
    black: str
    white: str
    event: str
    date: str
    winner: Color | None
    how: str
    plies: int
    source: str
    number: int
    ply: int = 0


@dataclass(frozen=True)
class ExploredMove:
    """A move on file: games with it and how many of them Black won, value for who makes it.

    ``same`` are the moves that are equal to it by symmetry; ``last_year`` is None if unknown.
    """

    move: Move
    same: tuple[Move, ...]
    games: int
    black_wins: int
    value: Value
    last_year: int | None


@dataclass(frozen=True)
class Explored:
    """What is on file at a position: games through it, moves (the best first)."""

    games: int
    moves: tuple[ExploredMove, ...]

    @property
    def best(self) -> ExploredMove | None:
        """The best move, None if no game goes on from here."""
        return self.moves[0] if self.moves else None


@dataclass(frozen=True)
class Filter:
    """Which games are meant: part of a player's or event's name, beginning of the date, board."""

    player: str | None = None
    event: str | None = None
    date: str | None = None
    board: Board | None = None


@dataclass(frozen=True)
class Stats:
    """How much there is: games, of them with a known winner, positions, moves, bytes."""

    games: int
    decided: int
    positions: int
    moves: int
    bytes: int


def default_path() -> Path:
    """Return the path of the user's library."""
    return locations.data_folder() / "library.sqlite"


class Library:
    """An open library. Each thread or process opens its own; writers wait for each other.

    Methods that write raise LibraryError if the file cannot be written; where a damaged file cannot
    be read, sqlite3.Error comes through.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._database = connect(self.path)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> "Library":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Import and remove

    def import_paths(
        self, paths: Sequence[Path], progress: Callable[[Imported], None] | None = None
    ) -> Imported:
        """Add the games of files and folders; ``progress`` is called after each batch.

        Each batch is one transaction with its retrograde results, so whatever happens the library
        holds whole games only, and the same import again adds the rest. A game whose moves
        are on file already counts as a duplicate.
        """
        done = Imported()
        games = _games_of(paths)
        while batch := list(islice(games, _BATCH)):
            whole = [game for game in batch if not isinstance(game, Broken)]
            added = self._add(whole)
            broken = tuple(game for game in batch if isinstance(game, Broken))
            done = Imported(
                done.added + added,
                done.duplicates + len(whole) - added,
                done.broken + broken,
            )
            if progress:
                progress(done)
        return done

    def _add(self, games: list[tuple[str, Game]]) -> int:
        with _Transaction(self._database):
            new = []
            for source, game in games:
                cursor = self._database.execute(
                    "INSERT INTO game VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT DO NOTHING",
                    (game.digest, game.rows, game.columns, game.black, game.white, game.event,
                     game.date, game.year, game.winner, game.how, game.plies, source,
                     game.number, game.text),
                )  # fmt: skip
                if cursor.rowcount:
                    assert cursor.lastrowid
                    new.append((cursor.lastrowid, game))
            add_games(self._database, new)
        return len(new)

    def remove(self, ids: Sequence[int]) -> int:
        """Remove games by their ids and return how many were there."""
        removed = 0
        with _Transaction(self._database):
            for number in ids:
                text = self.text(number)
                if text is not None:
                    remove_game(self._database, number, game_of(read_record(text)))
                    self._database.execute("DELETE FROM game WHERE id = ?", (number,))
                    removed += 1
        return removed

    def text(self, number: int) -> str | None:
        """Return a game as SGF, None if there is no such game."""
        row = self._database.execute("SELECT text FROM game WHERE id = ?", (number,)).fetchone()
        return None if row is None else str(row[0])

    # Questions

    def explore(self, position: Position) -> Explored:
        """Return what is on file at a position, in its orientation."""
        legal = _moves_after(position)
        keys = keys_of([hashing(position.board).position(position), *(h for _, h in legal)])
        here, *after = keys.key.tolist()
        # the games that ended here and those that went on: faster than counting visits
        known = "SELECT ended FROM position WHERE id = ? AND verify = ?"
        through = self._one(known, here, int(keys.check[0]))
        if through < 0:
            return Explored(0, ())
        by_child: dict[int, list[Move]] = {}
        for (move, _), child in zip(legal, after, strict=True):
            by_child.setdefault(child, []).append(move)
        found = []
        sql = (
            "SELECT child, games, edge.wins, edge.losses, year, winning, certain, moves "
            "FROM edge JOIN position ON position.id = child WHERE parent = ?"
        )
        for child, games, wins, losses, year, *rest in self._database.execute(sql, (here,)):
            moves = by_child[child]
            black = wins if position.to_move is Color.BLACK else losses
            value = Value(bool(rest[0]), bool(rest[1]), rest[2]).of_move()
            found.append(ExploredMove(moves[0], tuple(moves[1:]), games, black, value, year))
        found.sort(key=lambda m: (m.value.preference, -m.games, m.move.cell))
        return Explored(through + sum(m.games for m in found), tuple(found))

    def value(self, position: Position) -> Value | None:
        """Return the value of a position on file, None if no game goes through it."""
        keys = keys_of([hashing(position.board).position(position)])
        sql = "SELECT winning, certain, moves FROM position WHERE id = ? AND verify = ?"
        row = self._database.execute(sql, (int(keys.key[0]), int(keys.check[0]))).fetchone()
        return None if row is None else Value(bool(row[0]), bool(row[1]), row[2])

    def games(
        self, chosen: Filter | None = None, position: Position | None = None, limit: int = -1
    ) -> list[GameRow]:
        """Return games in the order they came, through ``position`` if given (-1: all of them)."""
        where, values = _where(chosen or Filter())
        source, order = "SELECT game.*, 0 FROM game", "game.id"
        if position is not None:
            keys = keys_of([hashing(position.board).position(position)])
            source = "SELECT game.*, ply FROM visit JOIN game ON game.id = visit.game"
            order = "visit.game"  # as the index has them, so that a limit ends the search
            where = [*where, "position = ?"]
            values = [*values, int(keys.key[0])]
        condition = f"WHERE {' AND '.join(where)}" if where else ""
        sql = f"{source} {condition} ORDER BY {order} LIMIT ?"
        return [_row(row) for row in self._database.execute(sql, (*values, limit))]

    def stats(self) -> Stats:
        """Return how much the library holds."""
        return Stats(
            self._one("SELECT count(*) FROM game"),
            self._one("SELECT count(winner) FROM game"),
            self._one("SELECT count(*) FROM position"),
            self._one("SELECT count(*) FROM edge"),
            self.path.stat().st_size,
        )

    def _one(self, sql: str, *values: object) -> int:
        row = self._database.execute(sql, values).fetchone()
        return -1 if row is None else int(row[0])


class _Transaction:
    """All or nothing: waits for other writers, rolls back on an error."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        try:
            self._database.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise LibraryError(f"the library cannot be written: {error}") from None

    def __exit__(self, kind: type[BaseException] | None, error: object, _: object) -> None:
        try:
            if kind is None:
                self._database.execute("COMMIT")
        except sqlite3.Error as failed:
            error = failed
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise LibraryError(f"the library cannot be written: {error}") from None


def _games_of(paths: Sequence[Path]) -> Iterator[tuple[str, Game] | Broken]:
    for path in _files(paths):
        source = str(path)
        try:
            for number, record in enumerate(read_collection(path), start=1):
                if isinstance(record, BrokenGame):
                    yield Broken(source, record.number, record.error.what)
                    continue
                try:
                    yield source, game_of(record)
                except RecordError as error:
                    yield Broken(source, number, error.what)
        except RecordError as error:
            yield Broken(source, None, error.what)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files named, and those in folders whose ending is one of a record."""
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
            yield from (p.resolve() for p in inside if p.is_file())
        else:
            yield path.resolve()


def _moves_after(position: Position) -> list[tuple[Move, int]]:
    """Return the moves of the graph in a position, with the hash of the position after each."""
    table = hashing(position.board)
    color = position.to_move
    first = len(position.empties) == position.board.cells
    value = table.position(position) ^ table.turn[color][position.swap_legal]
    value ^= table.turn[color.opponent][first]
    found = [(Move.play(cell), value ^ table.stone[color][cell]) for cell in position.empties]
    if position.swap_legal:
        swaps = [MoveKind.SWAP_SIDES]
        if position.board.rows == position.board.columns:
            swaps.insert(0, MoveKind.SWAP_PIECES)
        for kind in swaps:
            move = Move(kind)
            found.append((move, table.position(position.apply(move))))
    return found


def _where(chosen: Filter) -> tuple[list[str], list[object]]:
    where: list[str] = []
    values: list[object] = []
    if chosen.player is not None:
        where.append("(instr(lower(black), lower(?)) OR instr(lower(white), lower(?)))")
        values += [chosen.player, chosen.player]
    if chosen.event is not None:
        where.append("instr(lower(event), lower(?))")
        values.append(chosen.event)
    if chosen.date is not None:
        where.append("instr(date, ?) = 1")
        values.append(chosen.date)
    if chosen.board is not None:
        where.append("rows = ? AND columns = ?")
        values += [chosen.board.rows, chosen.board.columns]
    return where, values


def _row(row: tuple[int | str | None, ...]) -> GameRow:
    (number, _, rows, columns, black, white, event, date, _, winner, how, plies,
     source, place, _, ply) = row  # fmt: skip
    return GameRow(
        int(number or 0),
        Board(int(rows or 0), int(columns or 0)),
        str(black), str(white), str(event), str(date),
        Color(int(winner)) if winner else None,
        str(how), int(plies or 0), str(source), int(place or 0), int(ply or 0),
    )  # fmt: skip
