"""The state of a client's session: its game, clocks, parameters and solver.

The engine is imported by the first command that needs it, so that the first answers are quick.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.engine.widths import Kernels
from hextui.htp.htp_requests import HtpError, HtpRequest, seconds

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.solver.dfpn import Solver
    from hextui.engines.warmup import Warmup

Stop = Callable[[], bool]
DEFAULT_SIZE = 11


class SwapBoard(StrEnum):
    """What swap-pieces does: stones stay where they are, or are reflected.

    HexGui reflects them, and expects us to; tournament scripts for Benzene's programs keep them.
    """

    KEEP = "keep"
    REFLECT = "reflect"


class ServedGame:
    """The game that a client has played: any colour may move at any time."""

    def __init__(self, board: Board | None = None) -> None:
        self.start(Position.empty(board or Board(DEFAULT_SIZE, DEFAULT_SIZE)))

    def start(self, position: Position) -> None:
        """Start a new game at a position."""
        self._turns = [("", position)]  # moves and the positions after them

    @property
    def position(self) -> Position:
        """The present position; the opponent of the last mover is to move."""
        return self._turns[-1][1]

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    def may_swap(self, color: Color) -> bool:
        """Return whether a colour could swap now, if the rule is in use."""
        position = self.position
        return position.swap_legal and position.to_move is color

    def play(self, color: Color, move: Move, swap: SwapBoard | None = None) -> None:
        """Play a move of a colour; resigning changes nothing. ``swap``: None if not allowed.

        Raises HtpError for an illegal move.
        """
        position = self.position.with_to_move(color)
        match move.kind:
            case MoveKind.PLAY:
                if position.stones[move.cell] != EMPTY:
                    raise _illegal(color, move, self.board, "occupied")
                position = position.play(move.cell)
            case MoveKind.SWAP_PIECES:
                if swap is None:
                    raise _illegal(color, move, self.board, "allow_swap is 0")
                if not self.may_swap(color):
                    raise _illegal(color, move, self.board, "only after the first move")
                position = self._swapped(color, swap)
            case MoveKind.RESIGN:
                return
            case _:
                raise _illegal(color, move, self.board, "no move here")
        self._turns.append((move.name(self.board), position))

    def _swapped(self, color: Color, swap: SwapBoard) -> Position:
        if swap is SwapBoard.KEEP:
            return self.position.pass_turn()
        if self.board.rows != self.board.columns:
            raise _illegal(color, Move(MoveKind.SWAP_PIECES), self.board, "the board is not square")
        return self.position.swap_pieces()

    def undo(self) -> None:
        """Undo the last turn; raises HtpError if there is none."""
        if len(self._turns) == 1:
            raise HtpError("nothing to undo")
        self._turns.pop()

    def shown(self) -> str:
        """Return a diagram with coordinates, the side to move and the last move."""
        position, board = self.position, self.board
        letters = " ".join(board.name(column)[0] for column in range(board.columns))
        lines = ["", f"   {letters}"]
        for number, row in enumerate(str(position).split("\n"), start=1):
            lines.append(f"{' ' * (number - 1)}{number:2} {row.strip()} {number}")
        lines.append(f"{' ' * (board.rows + 3)}{letters}")
        move = self._turns[-1][0]
        last = f", last move {move}" if move else ""
        winner = position.winner
        turn = f"{winner} has won" if winner else f"{position.to_move} to move"
        return "\n".join([*lines, turn + last])


def _illegal(color: Color, move: Move, board: Board, why: str) -> HtpError:
    return HtpError(f"illegal move: {color} {move.name(board)} ({why})")


LEAST_MOVES = 8
"""The least number of moves among which the time left is divided."""
CELLS_A_MOVE = 4
"""Each side is expected to make one move per so many empty cells."""


@dataclass
class Clock:
    """One side's time: ``left`` seconds, for ``stones`` moves, or for the game if that is 0."""

    left: float
    stones: int = 0


class Clocks:
    """Both sides' time: ``main`` seconds, then ``period`` seconds for every ``stones`` moves.

    Without either there is no limit.
    """

    def __init__(self, main: float = 0.0, period: float = 0.0, stones: int = 0) -> None:
        self._main, self._period, self._stones = main, period, stones
        self._clocks: dict[Color, Clock] = {}
        if main or (period and stones):
            self._clocks = {c: Clock(main) if main else Clock(period, stones) for c in Color}

    def rewound(self) -> "Clocks":
        """Return new clocks with the same settings."""
        return Clocks(self._main, self._period, self._stones)

    def set_left(self, color: Color, left: float, stones: int = 0) -> None:
        """Set a side's time, as the client's clock has it."""
        self._clocks[color] = Clock(left, stones)

    def left(self, color: Color) -> Clock | None:
        """Return a side's clock, None if it has no limit."""
        return self._clocks.get(color)

    def share(self, color: Color, empties: int) -> float | None:
        """Return the seconds for the next move, None for no limit."""
        clock = self._clocks.get(color)
        if clock is None:
            return None
        if clock.stones:
            return clock.left / clock.stones
        later = self._period / self._stones if self._stones else 0.0
        return max(clock.left / max(LEAST_MOVES, empties / CELLS_A_MOVE), later)

    def spend(self, color: Color, seconds: float) -> None:
        """Subtract the seconds that a side spent on a move."""
        clock = self._clocks.get(color)
        if clock is None:
            return
        in_period = clock.stones > 0
        clock.left = max(clock.left - seconds, 0.0)
        clock.stones -= in_period
        if self._stones and not (clock.stones if in_period else clock.left):
            self._clocks[color] = Clock(self._period, self._stones)


@dataclass(frozen=True)
class GameParameters:
    """The rules: whether swaps are allowed, and what they do to the board.

    ``game_time``: each side's seconds for a game, 0 for no limit.
    """

    allow_swap: bool = False
    swap_board: SwapBoard = SwapBoard.KEEP
    game_time: float = 0.0

    @property
    def swap(self) -> SwapBoard | None:
        """What a swap does, None if it is not allowed."""
        return self.swap_board if self.allow_swap else None


@dataclass(frozen=True)
class DfpnParameters:
    """The solver: whether it sends live graphics, and seconds per question, 0 for no limit."""

    use_guifx: bool = False
    timelimit: float = 0.0


@dataclass(frozen=True)
class OwnParameters:
    """The player that chooses moves, and its most seconds per move, 0 for no limit."""

    player: str = DEFAULT_SEARCH
    max_time: float = 0.0


Group = TypeVar("Group", GameParameters, DfpnParameters, OwnParameters)


def listed(group: GameParameters | DfpnParameters | OwnParameters) -> str:
    """Return a group of parameters as clients read it, one a line."""
    lines = [_line(field.name, getattr(group, field.name)) for field in fields(group)]
    return "\n".join(["", *lines])


def _line(name: str, value: Any) -> str:
    match value:
        case bool():
            return f"[bool] {name} {value:d}"
        case StrEnum():
            return f"[list/{'/'.join(type(value))}] {name} {value}"
        case float():
            return f"[string] {name} {value:g}"
        case _:
            return f"[string] {name} {value}"


def changed(group: Group, name: str, text: str) -> Group:
    """Return a group with a parameter changed; raises ValueError."""
    names = [field.name for field in fields(group)]
    if name not in names:
        raise HtpError(f"no parameter {name[:40]!r}; there are {', '.join(names)}")
    return replace(group, **{name: _read(getattr(group, name), text)})


def _read(before: Any, word: str) -> Any:
    """Read a parameter's value, which is of the kind that it was before; raises ValueError."""
    match before:
        case bool() | SwapBoard():
            kind = type(before)
            choices = {"0": False, "1": True} if kind is bool else {str(c): c for c in SwapBoard}
            if word not in choices:
                raise HtpError(f"{' or '.join(choices)}, not {word[:40]!r}")
            return choices[word]
        case float():
            return seconds(word)
        case _:
            from hextui.matches.players import player

            return player(word).name


class HtpSession:
    """One client's session. ``show`` sends a block of graphics: its kind, then its lines.

    ``log`` gets lines for people.
    """

    def __init__(self, show: Callable[[str, str], None], log: Callable[[str], None]) -> None:
        self.show = show
        self.log = log
        self.game = ServedGame()
        self.rules = GameParameters()
        self.dfpn = DfpnParameters()
        self.own = OwnParameters()
        self.clocks = Clocks()
        self._warmup: Warmup | None = None
        self._solver: Solver | None = None

    def restart(self, position: Position) -> None:
        """Start a new game at a position, with full clocks."""
        self.game.start(position)
        self.clocks = self.clocks.rewound()

    def position(self, color: Color) -> Position:
        """Return the position with a colour to move."""
        return self.game.position.with_to_move(color)

    def asked(self, request: HtpRequest) -> Position:
        """Return the position with the one argument, a colour, to move; raises ValueError."""
        request.take(1)
        return self.position(request.color())

    def bench_at(self, position: Position, stop: Stop) -> "Workbench":
        """Return the workbench at a position; raises HtpError if stopped while compiling."""
        self.compile(position.board, stop)
        from hextui.engine.evaluators.workbench import bench_at

        return bench_at(position)

    def solver_of(self, board: Board, stop: Stop) -> "Solver":
        """Return the solver of a board, kept until the board changes.

        Raises HtpError if stopped while compiling.
        """
        self.compile(board, stop)
        from hextui.engine.solver.dfpn import Solver

        if self._solver is None or self._solver.board != board:
            self.forget_solutions()
            self._solver = Solver(board)
        return self._solver

    def forget_solutions(self) -> None:
        """Close the solver, which frees its transposition table."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def compile(self, board: Board, stop: Stop) -> None:
        """Wait until the kernels for a board are compiled; raises HtpError if stopped before."""
        from hextui.engines.warmup import Warmup

        self._warmup = warmup = self._warmup or Warmup()
        told = ""
        for progress in chain(warmup.wait(board), warmup.wait(board, Kernels.SEARCH)):
            if stop():
                raise HtpError("interrupted while the engine was being compiled (first run)")
            if (line := f"compiling (first run): {progress.amount}") != told:
                self.log(told := line)

    def close(self) -> None:
        """End the solver's threads and the process that compiles."""
        self.forget_solutions()
        if self._warmup is not None:
            self._warmup.close()


Handler = Callable[[HtpSession, HtpRequest], str]
"""Executes a command and returns the text of its answer."""
