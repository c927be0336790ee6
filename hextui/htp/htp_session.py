"""What a client's commands work on: the game, the parameters, the clocks, and the engine.

The engine is imported with the first command that needs it, so that the first answers are quick.
"""

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.widths import Kernels
from hextui.htp.clocks import Clocks
from hextui.htp.htp_requests import HtpError
from hextui.htp.parameters import DfpnParameters, GameParameters, OwnParameters
from hextui.htp.served_game import ServedGame

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.solver.dfpn import Solver
    from hextui.engines.own.warmup import Warmup

Stop = Callable[[], bool]


class HtpSession:
    """One client's session. ``show`` sends a block of graphics: its kind, then its lines.

    ``log`` takes lines for people.
    """

    def __init__(self, show: Callable[[str, str], None], log: Callable[[str], None]) -> None:
        self.show = show
        self.log = log
        self.game = ServedGame()
        self.rules = GameParameters()
        self.dfpn = DfpnParameters()
        self.own = OwnParameters()
        self.clocks = Clocks()
        self._solver: Solver | None = None
        self._warmup: Warmup | None = None

    def restart(self, position: Position) -> None:
        """Begin a new game at a position, with all the time there is."""
        self.game.start(position)
        self.clocks = self.clocks.rewound()

    def position(self, color: Color) -> Position:
        """Return the position with a colour to move."""
        return self.game.position.with_to_move(color)

    def bench_at(self, position: Position, stop: Stop) -> "Workbench":
        """Return the workbench, looking at a position; raises HtpError if stopped before."""
        self.compile(position.board, stop)
        from hextui.engine.evaluators.workbench import bench_of

        bench = bench_of(position.board)
        bench.look_at(position)
        return bench

    def solver_of(self, board: Board, stop: Stop) -> "Solver":
        """Return the solver of a board; what it found out is kept until the board changes.

        Raises HtpError if stopped before it could begin.
        """
        self.compile(board, stop)
        from hextui.engine.solver.dfpn import Solver

        if self._solver is None or self._solver.board != board:
            self.forget_solutions()
            self._solver = Solver(board)
        return self._solver

    def forget_solutions(self) -> None:
        """Give up what the solver has found out, and its memory."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def compile(self, board: Board, stop: Stop) -> None:
        """Wait until compiled code serves a board; raises HtpError if stopped before."""
        from hextui.engines.own.warmup import Warmup

        self._warmup = warmup = self._warmup or Warmup()
        told = ""
        for progress in chain(warmup.wait(board), warmup.wait(board, Kernels.SEARCH)):
            if stop():
                raise HtpError("interrupted while the engine was being compiled (first run)")
            if (line := f"compiling (first run): {progress.amount}") != told:
                self.log(told := line)

    def close(self) -> None:
        """End the engine's threads, and a child that compiles."""
        self.forget_solutions()
        if self._warmup is not None:
            self._warmup.close()
