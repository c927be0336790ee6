"""Training data: files of JSON objects, one a line, and which of them are held out.

All kinds have ``id`` (a whole number), ``size`` (rows of a square board) and ``moves`` (separated
by blanks: a1 is top left, Red is first and joins top and bottom, ``swap-pieces`` reflects the
stone in the long diagonal and recolours it). Other keys are ignored.

- A game: ``winner`` (red or blue), and ``winner_rating`` if it is known.
- A proved position, from ``make_proofs``: ``winner``, and ``winning``, every winning move of the
  side to move, separated by blanks; none if it has lost.
- A position of self-play, from ``make_games``: ``shares``, a number above 0 for each cell by its
  name, proportional to the probability that the network plays it after reading ahead.
"""

import argparse
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
from hextui.records.text import RecordError

Made = TypeVar("Made")


def read_json_lines(paths: Iterable[Path], made_of: Callable[[dict[str, Any]], Made]) -> list[Made]:
    """Return what the objects in files stand for, in their order.

    Raises OSError, and ValueError with the file and the line where ``made_of`` raises ValueError,
    TypeError or KeyError.
    """
    found: list[Made] = []
    for path in paths:
        with path.open(encoding="utf-8") as lines:
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


@dataclass(frozen=True)
class TrainingGame:
    """One game; ``winner_rating`` is 0 where it is not known."""

    number: int
    board: Board
    winner: Color
    winner_rating: int
    moves: tuple[Move, ...]

    def plies(self) -> Iterator[tuple[Position, Move]]:
        """Yield each position of the game with the move made there.

        Raises ValueError for a move that the rules do not allow.
        """
        position = Position.empty(self.board)
        for move in self.moves:
            yield position, move
            position = _after(position, move)

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
    return reduce(_after, moves, Position.empty(board))


def _after(position: Position, move: Move) -> Position:
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
    game = TrainingGame(int(found["id"]), board, Color.parse(str(found["winner"])), rating, moves)
    for _ in game.plies():  # raises ValueError at a move that is against the rules
        pass
    return game


@dataclass(frozen=True)
class HeldOut:
    """What learns nothing: a number that ``every`` divides, and of games a rating or more."""

    every: int = 10
    rating: int = 1900

    def __contains__(self, one: "TrainingGame | ProvedPosition") -> bool:
        rated = isinstance(one, ProvedPosition) or one.winner_rating >= self.rating
        return rated and one.number % self.every == 0


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

    A network is overconfident about games that it learned from, so it is calibrated by others, as
    many as are held out.
    """
    others, kept = split(games, held_out)
    learned: list[TrainingGame] = []
    calibrating: list[TrainingGame] = []
    for game in others:
        strong = game.winner_rating >= held_out.rating
        apart = strong and game.number % held_out.every == held_out.every // 2
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
    parser.add_argument(
        "--held-out",
        type=int,
        nargs=2,
        metavar=("EVERY", "RATING"),
        default=(usual.every, usual.rating),
        help=what,
    )


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


@dataclass(frozen=True)
class OwnPosition:
    """A position, and how likely each cell is to be played: the shares add up to 1."""

    position: Position
    shares: dict[int, float]


def read_own(paths: Iterable[Path]) -> list[OwnPosition]:
    """Read positions of own play from files; raises as `read_json_lines` does."""
    return read_json_lines(paths, _own_position)


def _own_position(found: dict[str, Any]) -> OwnPosition:
    size = int(found["size"])
    board = Board(size, size)
    words = str(found["moves"]).split()
    position = after_moves(board, [Move.parse(word, board) for word in words])
    shares = {board.cell(word): float(share) for word, share in found["shares"].items()}
    if not shares or min(shares.values()) <= 0:
        raise ValueError("moves have shares, each above 0")
    if not set(shares) <= set(position.empties):
        raise ValueError("a move with a share is on an empty cell")
    total = sum(shares.values())
    return OwnPosition(position, {cell: share / total for cell, share in shares.items()})
