"""Small games for `best_move`: Hex, tic-tac-toe, which can be drawn, and nim, which has no board.

To add one, write a class of frozen states with the members of `GameState`, an ``EXAMPLE`` and a
static ``parse``. `game_called` finds it in a file or a module, or as an entry point of an installed
package.
"""

import os
import re
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

from hextui.engine.board import Color
from hextui.engine.limit import check_analysed
from hextui.engine.position import Move, MoveKind, Position
from hextui.entry_points import entries_of, load, one_line

MOST_EMPTIES = 9
SWAP = -1  # the move of who takes the place of the other side, where that is legal to begin with


@dataclass(frozen=True)
class HexGame:
    """A Hex position; players are named after their first colours, before an exchange of sides."""

    position: Position
    exchanged: bool = False

    @staticmethod
    def at(position: Position) -> "HexGame":
        """Return the game of a position; raises ValueError if more than 9 cells of it are empty."""
        check_analysed(position.board)
        empties = len(position.empties)
        if empties > MOST_EMPTIES and position.winner is None:
            raise ValueError(f"best-move takes {MOST_EMPTIES} empty cells at most, not {empties}")
        return HexGame(position)

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty cells in row order, then the swap if it is legal; none after the end."""
        if self.winner is not None:
            return ()
        return (*self.position.empties, SWAP) if self.position.swap_legal else self.position.empties

    @property
    def to_move(self) -> Color:
        return self._player(self.position.to_move)

    @cached_property
    def winner(self) -> Color | None:
        """The player who has joined the own sides, if any."""
        color = self.position.winner
        return None if color is None else self._player(color)

    def _player(self, color: Color) -> Color:
        return color.opponent if self.exchanged else color

    @property
    def if_nobody_swaps(self) -> bool:
        """Whether the opponent could swap the next stone in a real game."""
        return self.winner is None and self.position.first_stone_swappable

    def play(self, move: int) -> "HexGame":
        if move == SWAP:
            kind = self._swap
            exchanged = self.exchanged ^ (kind is MoveKind.SWAP_SIDES)
            return HexGame(self.position.apply(Move(kind)), exchanged)
        after = self.position.play(move)
        return HexGame(Position(after.board, after.stones, after.to_move), self.exchanged)

    @property
    def _swap(self) -> MoveKind:
        return self.position.swap_rule.move

    def move_name(self, move: int) -> str:
        return str(self._swap) if move == SWAP else self.position.board.name(move)

    def player_name(self, player: int) -> str:
        return str(Color(player))


SIDE = 3


@dataclass(frozen=True)
class TicTacToe:
    """A board of 3 x 3 cells in row order, and the player to move: 0 is X, 1 is O.

    ``cells`` holds an ``X``, ``O`` or ``.`` for each cell.

    >>> TicTacToe.parse("X.O/.X./..O").play(3)
    TicTacToe(cells='X.OXX...O', to_move=1)
    """

    cells: str
    to_move: int = 0

    EXAMPLE: ClassVar[str] = "X.O/.X./..O"
    MARKS: ClassVar[str] = "XO"
    LINES: ClassVar[tuple[tuple[int, int, int], ...]] = (
        *((r, r + 1, r + 2) for r in (0, 3, 6)),
        *((c, c + 3, c + 6) for c in (0, 1, 2)),
        (0, 4, 8),
        (2, 4, 6),
    )

    @staticmethod
    def parse(text: str) -> "TicTacToe":
        """Read three rows with ``/`` between; raises ValueError for what no game reaches."""
        rows = text.strip().upper().split("/")
        if [len(row) for row in rows] != [SIDE] * SIDE or not set("".join(rows)) <= set("XO."):
            raise ValueError(f"expected three rows of three cells X, O or '.', not {text!r}")
        cells = "".join(rows)
        ahead = cells.count("X") - cells.count("O")
        if ahead not in (0, 1):
            raise ValueError(f"X begins and O follows, so {text!r} has wrong numbers of marks")
        game = TicTacToe(cells, ahead)
        if game._has_line(game.to_move):
            raise ValueError(f"in {text!r} the game went on after a line was complete")
        return game

    @cached_property
    def winner(self) -> int | None:
        """The player with three marks in a line, if any."""
        return next((player for player in (0, 1) if self._has_line(player)), None)

    def _has_line(self, player: int) -> bool:
        three = self.MARKS[player] * SIDE
        return any(self._marks_in(line) == three for line in self.LINES)

    def _marks_in(self, line: tuple[int, int, int]) -> str:
        return "".join(self.cells[cell] for cell in line)

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty cells in row order; none when the game is over."""
        if self.winner is not None:
            return ()
        return tuple(cell for cell, mark in enumerate(self.cells) if mark == ".")

    def play(self, move: int) -> "TicTacToe":
        mark = self.MARKS[self.to_move]
        cells = self.cells[:move] + mark + self.cells[move + 1 :]
        return TicTacToe(cells, 1 - self.to_move)

    def move_name(self, move: int) -> str:
        row, column = divmod(move, SIDE)
        return f"{'abc'[column]}{row + 1}"

    def player_name(self, player: int) -> str:
        return self.MARKS[player]

    def __str__(self) -> str:
        rows = (self.cells[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE))
        lines = (f"{number} {' '.join(row)}" for number, row in enumerate(rows, start=1))
        return "\n".join(["  a b c", *lines])


@dataclass(frozen=True)
class Nim:
    """The stones in each heap, and the player to move; who takes the last stone wins.

    A move takes stones from one heap: ``heap * 10 + taken``.

    >>> [Nim((1, 3)).move_name(move) for move in Nim((1, 3)).moves]
    ['a-1', 'b-1', 'b-2', 'b-3']
    >>> print(Nim((1, 3)).play(12))
    a  o
    b  o
    """

    heaps: tuple[int, ...]
    to_move: int = 0

    EXAMPLE: ClassVar[str] = "1,2,3"

    @staticmethod
    def parse(text: str) -> "Nim":
        """Read the stones of each heap; raises ValueError above 9 heaps or 9 stones in all."""
        if re.fullmatch(r" *[0-9](, *[0-9]){0,8} *", text):
            heaps = tuple(map(int, text.split(",")))
            if sum(heaps) <= 9:
                return Nim(heaps)
        raise ValueError(f"expected heaps such as 1,2,3 with at most 9 stones in all, not {text!r}")

    @property
    def winner(self) -> int | None:
        """The player who has taken the last stone; of heaps that are empty at first, player 1."""
        return None if any(self.heaps) else 1 - self.to_move

    @property
    def moves(self) -> tuple[int, ...]:
        """All that can be taken, heap by heap."""
        heaps = enumerate(self.heaps)
        return tuple(heap * 10 + taken for heap, most in heaps for taken in range(1, most + 1))

    def play(self, move: int) -> "Nim":
        heap, taken = divmod(move, 10)
        left = self.heaps[heap] - taken
        return Nim((*self.heaps[:heap], left, *self.heaps[heap + 1 :]), 1 - self.to_move)

    def move_name(self, move: int) -> str:
        heap, taken = divmod(move, 10)
        return f"{'abcdefghi'[heap]}-{taken}"

    def player_name(self, player: int) -> str:
        return ("First", "Second")[player]

    def __str__(self) -> str:
        rows = zip("abcdefghi", self.heaps, strict=False)
        return "\n".join(f"{name}  {' '.join('o' * stones)}".rstrip() for name, stones in rows)


GAMES: dict[str, type[TicTacToe] | type[Nim]] = {"tic-tac-toe": TicTacToe, "nim": Nim}
"""``parse`` reads a state, such as the class's ``EXAMPLE``, or raises ValueError."""
GROUP = "hextui.games"
"""The entry points of installed packages that are games."""


def game_names() -> tuple[str, ...]:
    """Return the names of our games, then of those of installed packages; loads none."""
    return (*GAMES, *sorted(entries_of(GROUP).keys() - GAMES.keys()))


def game_called(name: str, *, own: bool = False) -> Any:
    """Return the class of a game by its name.

    With ``own`` also one of the user's own: ``path/to/file.py:Class``, or ``package.module:Class``,
    which is never found in the current folder. Raises ValueError with one line if there is none, or
    it cannot be loaded.
    """
    if name in GAMES:
        return GAMES[name]
    try:
        game = _loaded_game(name, own)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None
    if game is None:
        more = ", FILE.py:CLASS, MODULE:CLASS" if own else ""
        raise ValueError(f"there is no game {name!r}; choose from {', '.join(game_names())}{more}")
    missing = [part for part in ("EXAMPLE", "parse", "play", "moves") if not hasattr(game, part)]
    if missing:
        raise ValueError(f"{name} is not a game: it has no {missing[0]}")
    return game


def _loaded_game(name: str, own: bool) -> Any:
    """Return a class of an installed package or, with ``own``, one named; None if there is none.

    Raises ValueError, in one line, if it cannot be loaded.
    """
    entry = entries_of(GROUP).get(name)
    if entry is not None:
        return load(entry)
    place, _, kind = name.rpartition(":")
    if own and place.endswith(".py"):
        return _class_of_file(place, kind)
    if own and all(map(str.isidentifier, place.split("."))):
        return _class_of_module(place, kind)
    return None


def _class_of_file(path: str, name: str) -> Any:
    """Return a class of a file; raises ValueError, in one line, if that fails."""
    try:
        return runpy.run_path(path)[name]
    except (Exception, SystemExit) as error:
        raise ValueError(f"cannot be loaded: {one_line(error)}") from None


def _class_of_module(module: str, name: str) -> Any:
    """Return a class of a module that is not in the current folder; raises ValueError likewise."""
    with _path_without_current_folder():
        try:
            return load(EntryPoint(name, f"{module}:{name}", GROUP))
        except ValueError as error:
            hint = "the current folder is not searched: name a file of it, FILE.py:CLASS"
            raise ValueError(f"{error} ({hint})" if "No module" in str(error) else error) from None


@contextmanager
def _path_without_current_folder() -> Iterator[None]:
    """Search no modules in the current folder, which somebody may have sent."""
    before = list(sys.path)
    current = os.path.realpath(os.curdir)
    sys.path[:] = [folder for folder in before if os.path.realpath(folder) != current]
    try:
        yield
    finally:
        sys.path[:] = before
