"""A hint in a game, in three steps: the region of the best move, the move, the reason."""

from dataclasses import replace

from hextui.engine.position import Position
from hextui.engines.snapshot import SearchReport
from hextui.records.board_view import BoardView

STEPS = 3
_AROUND = 2  # steps from the best move to the border of the region


class MoveHint:
    """The best moves by a search of ``position``; ``step``: how much of it is given, from 1."""

    def __init__(self, position: Position, report: SearchReport) -> None:
        self._position = position
        self._best = report.moves[0]
        self.step = 1

    @property
    def cell(self) -> int:
        """The best move's cell."""
        return self._best.cell

    @property
    def asks_for_proof(self) -> bool:
        """Whether a proof is the reason, and has to be asked for."""
        return self.step == STEPS and bool(self._best.proved)

    def give_more(self) -> None:
        """Go on to the next step, if there is one."""
        self.step = min(self.step + 1, STEPS)

    @property
    def words(self) -> str:
        """What this step says."""
        best = self._best
        if self.step == 1:
            return "Hint 1 of 3: look at the marked region. i shows the move."
        if self.step == 2:
            return f"Hint 2 of 3: {best.move}. i shows the reason."
        worth = "wins (proved)" if best.proved else f"win probability {best.winrate:.0%}"
        replies = " ".join(best.line[1:5])
        follows = f" Expected: {replies}." if replies else ""
        return f"{best.move}: {worth}.{follows}"

    def shown_on(self, view: BoardView) -> BoardView:
        """Return a view of the position with the region or the move."""
        if self.step > 1:
            return replace(view, line=(self.cell,))
        everywhere = frozenset(range(self._position.board.cells))
        return replace(view, outside=everywhere - self._region())

    def _region(self) -> set[int]:
        """Return the cells at most `_AROUND` steps from the best move."""
        neighbours = self._position.board.neighbours
        cells = {self.cell}
        for _ in range(_AROUND):
            cells |= {near for reached in cells for near in neighbours[reached]}
        return cells
