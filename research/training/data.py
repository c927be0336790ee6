"""Training data: files of JSON objects, one a line, and which of them are held out.

All kinds have ``id`` (a whole number), ``size`` (rows of a square board) and ``moves`` (separated
by blanks: a1 is top left, Red is first and joins top and bottom, ``swap-pieces`` reflects the
stone in the long diagonal and recolours it). Other keys are ignored.

- A game: ``winner`` (red or blue), and ``winner_rating`` if it is known.
- A game of self-play, from ``self_play``, has more: ``begun``, the plies before the first position
  that was searched; ``values``, the win probability of the side to move in each position that was
  searched, in percent; ``visits``, its most visited moves with their percentages of the visits
  (``c3:60 d4:31``), positions separated by commas; ``proved``, the plies after which, and after
  all later ones, the winner is proved.
- A proved position, from ``make_proofs``: ``winner``, and ``winning``, every winning move of the
  side to move, separated by blanks; none if it has lost.
Files may be compressed by gzip; their names end with .gz then.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

from hextui.engine.board import Board, Color
from hextui.engine.neural.judge import seen_by_mover
from hextui.engine.position import Move, MoveKind, Position
from hextui.records.record_text import RecordError

Made = TypeVar("Made")


def read_json_lines(paths: Iterable[Path], made_of: Callable[[dict[str, Any]], Made]) -> list[Made]:
    """Return what the objects in files stand for, in their order.

    Raises OSError, and ValueError with the file and the line where ``made_of`` raises ValueError,
    TypeError or KeyError.
    """
    found: list[Made] = []
    for path in paths:
        unpacked = gzip.open if path.suffix == ".gz" else open
        with unpacked(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    found.append(made_of(json.loads(line)))
                except (ValueError, TypeError, KeyError) as error:
                    what = f"no {error}" if isinstance(error, KeyError) else str(error)
                    raise ValueError(f"{path}, line {number}: {what}") from None
    return found


def next_number(path: Path) -> int:
    """Return the number that follows the ``id`` of a file's last object, 0 if there is no file.

    Raises ValueError or KeyError if that line is not an object with such a number, and OSError.
    """
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return int(json.loads(lines[-1])["id"]) + 1 if lines else 0


SMALLEST, LARGEST = 3, 19
STRONG = 1900
"""The rating from which on a winner counts as strong."""


@dataclass(frozen=True)
class SearchResults:
    """What the search found in a game of self-play, in each position from ``begun`` plies on.

    ``values``: the win probability of the side to move; ``shares``: how the visits are divided
    among moves, by cell: they add up to 1. After ``proved`` plies and later the winner is proved.
    """

    begun: int
    proved: int
    values: tuple[float, ...]
    shares: tuple[dict[int, float], ...]


@dataclass(frozen=True)
class TrainingGame:
    """One game; ``winner_rating`` is 0 where it is not known, ``searched`` is of self-play."""

    number: int
    board: Board
    winner: Color
    winner_rating: int
    moves: tuple[Move, ...]
    searched: SearchResults | None = None

    def plies(self) -> Iterator[tuple[Position, Move]]:
        """Yield each position of the game with the move made there.

        Raises ValueError for a move that the rules do not allow.
        """
        position = Position.empty(self.board)
        for move in self.moves:
            yield position, move
            position = after_move(position, move)

    @property
    def symmetric_key(self) -> tuple[int, ...]:
        """What all images of the game have in common: its size and cells, seen from one side.

        A stone that was swapped stands where its first owner put it.
        """
        cells: list[int] = []
        mirrored = False
        for move in self.moves:
            if move.kind is MoveKind.PLAY:
                cells.append(self.board.mirror(move.cell) if mirrored else move.cell)
            else:
                mirrored = not mirrored
        turned = [self.board.rotate(cell) for cell in cells]
        return (self.board.rows, *min(cells, turned))


def after_moves(board: Board, moves: Iterable[Move]) -> Position:
    """Return the position after moves; raises ValueError for one that the rules do not allow."""
    return reduce(after_move, moves, Position.empty(board))


def after_move(position: Position, move: Move) -> Position:
    """Return the position after a move; raises ValueError for one that the rules do not allow."""
    if move.kind is MoveKind.PLAY:
        return position.play(move.cell)
    if move.kind is MoveKind.SWAP_PIECES and position.swap_legal:
        return position.swap_pieces()
    raise ValueError(f"no move of a game to learn from: {move.name(position.board)}")


def read_games(paths: Iterable[Path]) -> list[TrainingGame]:
    """Read games from files; raises as `read_json_lines` does."""
    return read_json_lines(paths, _game)


def _game(found: dict[str, Any]) -> TrainingGame:
    size = int(found["size"])
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"a board to learn from has {SMALLEST} to {LARGEST} rows, not {size}")
    board = Board(size, size)
    moves = tuple(Move.parse(word, board) for word in str(found["moves"]).split())
    rating = int(found.get("winner_rating", 0))
    searched = _search_results(found, board) if "values" in found else None
    winner = Color.parse(str(found["winner"]))
    game = TrainingGame(int(found["id"]), board, winner, rating, moves, searched)
    for ply, (position, _) in enumerate(game.plies()):  # raises ValueError at an illegal move
        if searched is None or ply < searched.begun:
            continue
        if not set(searched.shares[ply - searched.begun]) <= set(position.empties):
            raise ValueError("a move with visits is on an empty cell")
    return game


def _search_results(found: dict[str, Any], board: Board) -> SearchResults:
    begun, plies = int(found["begun"]), len(str(found["moves"]).split())
    values = tuple(int(value) / 100 for value in str(found["values"]).split())
    listed = str(found["visits"]).split(",") if found["visits"] else []
    shares = tuple(_shares(text, board) for text in listed)
    if begun < 0 or not len(values) == len(shares) == plies - begun:
        raise ValueError("each position that was searched has a value and visits")
    if not all(0 <= value <= 1 for value in values):
        raise ValueError("a value is 0 to 100 percent")
    return SearchResults(begun, int(found["proved"]), values, shares)


def _shares(text: str, board: Board) -> dict[int, float]:
    """Return the shares of the moves of ``c3:60 d4:31``."""
    pairs = [word.partition(":") for word in text.split()]
    visits = {board.cell(name): int(percent) for name, _, percent in pairs}
    if not visits or min(visits.values()) <= 0:
        raise ValueError("moves have visits, each above 0")
    total = sum(visits.values())
    return {cell: part / total for cell, part in visits.items()}


@dataclass(frozen=True)
class HeldOut:
    """What learns nothing: games and proved positions whose number ``every`` divides."""

    every: int = 10

    def __contains__(self, one: "TrainingGame | ProvedPosition") -> bool:
        return one.number % self.every == 0


Kept = TypeVar("Kept", "TrainingGame", "ProvedPosition")


def split(items: Iterable[Kept], held_out: HeldOut) -> tuple[list[Kept], list[Kept]]:
    """Return the games or proved positions to learn from, and those held out.

    Of those equal in any symmetry one stays; it is held out if one of them is.
    """
    first: dict[object, Kept] = {}
    for item in sorted(items, key=lambda item: item not in held_out):
        first.setdefault(item.symmetric_key, item)
    learned = [item for item in first.values() if item not in held_out]
    return learned, [item for item in first.values() if item in held_out]


def split_in_three(
    games: Iterable[TrainingGame], held_out: HeldOut
) -> tuple[list[TrainingGame], list[TrainingGame], list[TrainingGame]]:
    """Return the games to learn from, those to calibrate by, and those held out.

    A network is overconfident about games that it learned from. So others, as many as are held
    out, stop the training and calibrate it.
    """
    others, kept = split(games, held_out)
    learned: list[TrainingGame] = []
    calibrating: list[TrainingGame] = []
    for game in others:
        apart = game.number % held_out.every == held_out.every // 2
        (calibrating if apart else learned).append(game)
    return learned, calibrating, kept


def run_program(
    parser: argparse.ArgumentParser, work: Callable[[argparse.Namespace], object]
) -> int:
    """Do what the command line asks and return the exit code: 0 done, 1 failed with one line."""
    try:
        work(parser.parse_args())
    except (ValueError, KeyError, OSError, RecordError) as error:
        print(f"{parser.prog.removeprefix('python -m ')}: {error}", file=sys.stderr)
        return 1
    return 0


def add_held_out(parser: argparse.ArgumentParser, what: str, usual: HeldOut | None = None) -> None:
    """Add an option that chooses which games are held out; ``what`` says what that is for."""
    usual = usual or HeldOut()
    parser.add_argument("--held-out", type=int, metavar="EVERY", default=usual.every, help=what)


@dataclass(frozen=True)
class ProvedPosition:
    """A position, who wins, and the cells of all moves that win for the side to move."""

    number: int
    position: Position
    winner: Color
    winning: frozenset[int]

    @property
    def symmetric_key(self) -> tuple[int, bytes]:
        """What all images of the position have in common."""
        seen = seen_by_mover(self.position).tobytes()
        return self.position.board.rows, min(seen, seen[::-1])


def read_proofs(paths: Iterable[Path]) -> list[ProvedPosition]:
    """Read proved positions from files; raises as `read_json_lines` does."""
    return read_json_lines(paths, _proved_position)


def _proved_position(found: dict[str, Any]) -> ProvedPosition:
    size = int(found["size"])
    position = Position.empty(Board(size, size))
    for word in str(found["moves"]).split():
        position = position.play(word)
    winner = Color.parse(str(found["winner"]))
    winning = frozenset(position.board.cell(word) for word in found["winning"].split())
    if not winning <= set(position.empties):
        raise ValueError("a winning move is on an empty cell")
    if bool(winning) != (winner is position.to_move):
        raise ValueError("there are winning moves where the side to move wins, and only there")
    return ProvedPosition(int(found["id"]), position, winner, winning)
