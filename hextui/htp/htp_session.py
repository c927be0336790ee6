"""The state of a client's session: its game, clocks, parameters and engine.

The engine is imported by the first command that needs it, so that the first answers are quick.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.engine.widths import Kernels
from hextui.engines.engine import Stop
from hextui.engines.limits import cores
from hextui.htp.htp_requests import HtpError, HtpRequest, seconds

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engines.engine_workspace import EngineWorkspace
    from hextui.engines.warmup import Warmup

DEFAULT_SIZE = 11
TABLE_MB = 256  # of the solver


class SwapBoard(StrEnum):
    """Whether swap-pieces keeps stones, as Benzene's scripts do, or reflects them, as HexGui."""

    KEEP = "keep"
    REFLECT = "reflect"


class ServedGame:
    """The game that a client has played: any colour may move at any time."""

    def __init__(self, position: Position) -> None:
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
        return self.position.swap_legal and self.position.to_move is color

    def play(self, color: Color, move: Move, swap: SwapBoard | None = None) -> None:
        """Play a move; ``swap``: None if not allowed; raises HtpError if illegal."""
        if move.kind is MoveKind.RESIGN:
            return
        name = move.name(self.board)
        if problem := self._problem(color, move, swap):
            raise HtpError(f"illegal move: {color} {name} ({problem})")
        if move.kind is MoveKind.PLAY:
            after = self.position.with_to_move(color).play(move.cell)
        elif swap is SwapBoard.KEEP:
            after = self.position.pass_turn()
        else:
            after = self.position.swap_pieces()
        self._turns.append((name, after))

    def _problem(self, color: Color, move: Move, swap: SwapBoard | None) -> str:
        """Return why a move is illegal, '' if it is legal."""
        if move.kind is MoveKind.PLAY:
            return "" if self.position.stones[move.cell] == EMPTY else "occupied"
        if move.kind is not MoveKind.SWAP_PIECES:
            return "no move here"
        if swap is None:
            return "allow_swap is 0"
        if not self.may_swap(color):
            return "only after the first move"
        if swap is SwapBoard.REFLECT and self.board.rows != self.board.columns:
            return "the board is not square"
        return ""

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


LEAST_MOVES = 8  # the least number of moves among which the time left is divided
CELLS_A_MOVE = 4  # each side is expected to make one move per so many empty cells


@dataclass
class Clock:
    """One side's time: ``left`` seconds, for ``stones`` moves, or for the game if that is 0."""

    left: float
    stones: int = 0


class Clocks:
    """Both sides' time: ``main`` seconds, then ``period`` seconds for every ``stones`` moves.

    ``left`` has the clock of each side that has a limit.
    """

    def __init__(self, main: float = 0.0, period: float = 0.0, stones: int = 0) -> None:
        self._main = main
        self._period = period
        self._stones = stones
        self.left: dict[Color, Clock] = {}
        if main:
            self.left = {color: Clock(main) for color in Color}
        elif period and stones:
            self.left = {color: Clock(period, stones) for color in Color}

    def rewound(self) -> "Clocks":
        """Return new clocks with the same settings."""
        return Clocks(self._main, self._period, self._stones)

    def share(self, color: Color, empties: int) -> float | None:
        """Return the seconds for the next move, None for no limit."""
        clock = self.left.get(color)
        if clock is None:
            return None
        if clock.stones:
            return clock.left / clock.stones
        later = self._period / self._stones if self._stones else 0.0
        return max(clock.left / max(LEAST_MOVES, empties / CELLS_A_MOVE), later)

    def spend(self, color: Color, seconds: float) -> None:
        """Subtract the seconds that a side spent on a move."""
        clock = self.left.get(color)
        if clock is None:
            return
        in_period = clock.stones > 0
        clock.left = max(clock.left - seconds, 0.0)
        clock.stones -= in_period
        if self._stones and not (clock.stones if in_period else clock.left):
            self.left[color] = Clock(self._period, self._stones)


@dataclass
class HtpParameters:
    """What clients may set; 0 seconds stand for no limit.

    ``swap_board``: what a swap does to the board. ``game_time``: each side's seconds for a game.
    ``use_guifx``: whether the solver sends live graphics. ``timelimit``: its seconds per question.
    ``player`` chooses moves, in ``max_time`` seconds each.
    """

    allow_swap: bool = False
    swap_board: SwapBoard = SwapBoard.KEEP
    game_time: float = 0.0
    use_guifx: bool = False
    timelimit: float = 0.0
    player: str = DEFAULT_SEARCH
    max_time: float = 0.0

    @property
    def swap(self) -> SwapBoard | None:
        """What a swap does, None if it is not allowed."""
        return self.swap_board if self.allow_swap else None

    def shown(self, name: str) -> str:
        """Return a parameter as clients read it: kind, name and value."""
        match getattr(self, name):
            case bool(value):
                return f"[bool] {name} {value:d}"
            case SwapBoard() as value:
                return f"[list/{'/'.join(SwapBoard)}] {name} {value}"
            case float(value):
                return f"[string] {name} {value:g}"
            case value:
                return f"[string] {name} {value}"

    def change(self, name: str, text: str) -> None:
        """Set a parameter; raises ValueError."""
        match getattr(self, name):
            case bool() | SwapBoard() as before:
                choices = ("0", "1") if isinstance(before, bool) else tuple(SwapBoard)
                if text not in choices:
                    raise HtpError(f"{' or '.join(choices)}, not {text[:40]!r}")
                value: Any = text == "1" if isinstance(before, bool) else SwapBoard(text)
            case float():
                value = seconds(text)
            case _:
                from hextui.engines.registry import player

                value = player(text).name
        setattr(self, name, value)


class HtpSession:
    """One client's session; ``show`` sends graphics, a kind and lines, ``log`` is for people."""

    def __init__(self, show: Callable[[str, str], None], log: Callable[[str], None]) -> None:
        self.show = show
        self.log = log
        self.game = ServedGame(Position.empty(Board(DEFAULT_SIZE)))
        self.parameters = HtpParameters()
        self.clocks = Clocks()
        self._warmup: Warmup | None = None
        self._workspace: EngineWorkspace | None = None

    def restart(self, position: Position) -> None:
        """Start a new game at a position, with full clocks."""
        self.game = ServedGame(position)
        self.clocks = self.clocks.rewound()

    def position(self, color: Color) -> Position:
        """Return the position with a colour to move, and the swap rule that the client allows."""
        position = self.game.position.with_to_move(color)
        reflects = self.parameters.swap is SwapBoard.REFLECT
        square = position.board.rows == position.board.columns
        allowed = self.parameters.allow_swap and (square or not reflects)
        return position if allowed else position.without_swap

    def asked(self, request: HtpRequest) -> Position:
        """Return the position with the one argument, a colour, to move; raises ValueError."""
        request.take(1)
        return self.position(request.color())

    def bench_at(self, position: Position, stop: Stop) -> "Workbench":
        """Return the workbench at a position; raises HtpError if stopped while compiling."""
        return self.compiled(position.board, stop).bench_at(position)

    def compiled(self, board: Board, stop: Stop) -> "EngineWorkspace":
        """Return the engine once it is compiled for a board; raises HtpError if stopped before."""
        from hextui.engines.engine_workspace import EngineWorkspace, TableCache
        from hextui.engines.warmup import Warmup

        self._warmup = warmup = self._warmup or Warmup()
        tables = TableCache(threads=cores(), table_mb=TABLE_MB)
        self._workspace = self._workspace or EngineWorkspace(tables=tables)
        told = ""
        for progress in chain(warmup.wait(board), warmup.wait(board, Kernels.SEARCH)):
            if stop():
                raise HtpError("interrupted while the engine was being compiled (first run)")
            if (line := f"compiling (first run): {progress.amount}") != told:
                self.log(told := line)
        return self._workspace

    def forget_solutions(self) -> None:
        """Close the solver, which frees its transposition table."""
        if self._workspace is not None:
            self._workspace.close_solver()

    def close(self) -> None:
        """End the solver's threads and the process that compiles."""
        self.forget_solutions()
        if self._warmup is not None:
            self._warmup.close()


Handler = Callable[[HtpSession, HtpRequest], str]  # returns the text of an answer
