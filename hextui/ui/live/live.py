"""The analysis as the screen sees it: on or off, of which position, and whether it is stale."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hextui.analysis import Snapshot
from hextui.analysis.analyst import keep_proofs
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.verdicts import Verdicts

if TYPE_CHECKING:
    from hextui.analysis.analyst import Analyst
    from hextui.engine.connection import Connection
    from hextui.engines.questions import ListConnections, Premises


class Live:
    """Asks the analyst for the position on the board and keeps the newest snapshot.

    What is proved goes into ``verdicts`` and stays there. Without an analyst nothing is ever
    analysed.
    """

    def __init__(self, analyst: "Analyst | None", verdicts: Verdicts | None = None) -> None:
        self._analyst = analyst
        self.verdicts = verdicts or Verdicts()
        self._asked: Position | None = None
        self._generation = -1
        self.on = analyst is not None
        self.snapshot: Snapshot | None = None

    @property
    def possible(self) -> bool:
        """Whether there is anybody to ask."""
        return self._analyst is not None

    def look_at(self, position: Position, played: int | None = None) -> None:
        """Analyse this position, unless the analysis is off or at it already.

        ``played``: the move made there in the game; its verdict is looked for early.
        """
        if self.on and self._analyst and position != self._asked:
            self._asked = position
            self._generation = self._analyst.request(position, played=played)

    def solve_on(self, position: Position) -> bool:
        """Have the solver go on with this position; False if nothing is analysed at all."""
        if not (self.on and self._analyst):
            return False
        self._asked = position
        self._generation = self._analyst.request(position, again=True)
        return True

    def look_again(self, position: Position) -> None:
        """Analyse this position anew: who is asked has changed. Before the first question that is
        no reason to ask: what the user chose is known before there is a screen.
        """
        if self._asked is not None:
            self._asked = None
            self.look_at(position)

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names of the evaluators that rank."""
        return self._analyst.evaluators if self._analyst else ()

    def choose_evaluators(self, names: Sequence[str], position: Position) -> None:
        """Rank by these evaluators, beginning with this position."""
        if self._analyst and tuple(names) != self.evaluators:
            self._analyst.choose_evaluators(names)
            self.look_again(position)

    @property
    def lines_by(self) -> str:
        """The name of the evaluator that lines are searched with."""
        return self._analyst.lines_by if self._analyst else ""

    def choose_lines_by(self, name: str, position: Position) -> None:
        """Search lines with this evaluator, beginning with this position."""
        if self._analyst and name != self.lines_by:
            self._analyst.choose_lines_by(name)
            self.look_again(position)

    @property
    def scope(self) -> MoveScope:
        """Which moves searches think of."""
        return self._analyst.scope if self._analyst else ALL_MOVES

    def choose_scope(self, scope: MoveScope) -> bool:
        """Have searches think of these moves, of the position looked at next; tell if that is new.

        What is known in another scope is not current any more.
        """
        if self._analyst is None or scope == self._analyst.scope:
            return False
        self._analyst.choose_scope(scope)
        self._asked = None
        return True

    def toggle(self, position: Position) -> None:
        """Switch the analysis on, of this position, or off."""
        if self._analyst is None:
            return
        self.on = not self.on
        if not self.on:
            self._analyst.cancel()
            self._asked = None
        self.look_at(position)

    def look_up(
        self,
        question: "ListConnections | Premises",
        hear: "Callable[[tuple[Connection, ...]], object]",
    ) -> None:
        """Have connections listed; ``hear`` gets them from any thread."""
        if self._analyst:
            self._analyst.look_up(question, hear)

    def close(self) -> None:
        """End the analysis for good."""
        if self._analyst:
            self._analyst.close()

    def take(self, snapshot: Snapshot) -> bool:
        """Keep a snapshot; False if it answers an older question: then only its proofs are kept."""
        keep_proofs(snapshot, self.verdicts)
        if snapshot.generation != self._generation or snapshot.position != self._asked:
            return False
        self.snapshot = snapshot
        return True

    def of(self, position: Position) -> Snapshot | None:
        """Return the snapshot if it is of this position, and of the moves to consider."""
        known = self.snapshot
        if known is None or (known.position, known.scope) != (position, self.scope):
            return None
        return known

    def stale(self, position: Position) -> bool:
        """Whether there is a snapshot, but of another position or of other moves."""
        return self.snapshot is not None and self.of(position) is None

    def text(self, position: Position) -> str:
        """Return what the analysis is doing, for the status line."""
        if self._analyst is None:
            return "no analysis"
        if not self.on:
            return "analysis off"
        snapshot = self.of(position)
        if snapshot is None:
            return "starting"
        if snapshot.error:
            return "analysis failed"
        if snapshot.final:
            return "analysed"
        progress = snapshot.progress
        share = f" {100 * progress.done // progress.total}%" if progress.total else ""
        left = "" if progress.seconds_left is None else f", about {progress.seconds_left} s left"
        return f"{progress.label}{share}{left}"
