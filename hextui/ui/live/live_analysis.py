"""Live analysis for the screen: the newest snapshot of the current position, and swap maps."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from hextui.analysis import Snapshot
from hextui.analysis.analyst import keep_proofs
from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.verdicts import Verdicts
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.swap_map import SwapMap

if TYPE_CHECKING:
    from hextui.analysis.analyst import Analyst
    from hextui.engine.connection import Connection
    from hextui.engines.engine import OpenLane, Stop
    from hextui.engines.questions import ListConnections, Premises, Question

T = TypeVar("T")
OPENING_NODES = 200
"""Nodes that the search expands for each first move: half a second on 11x11, or less."""


class LiveAnalysis:
    """Asks the analyst, if any, about the position, and keeps its newest snapshot and proofs."""

    def __init__(self, analyst: "Analyst | None", verdicts: Verdicts | None = None) -> None:
        self._analyst = analyst
        self.verdicts = verdicts or Verdicts()
        self._asked: Position | None = None
        self._generation = -1
        self.on = self.possible = analyst is not None
        self.snapshot: Snapshot | None = None

    def look_at(self, position: Position, played: int | None = None) -> None:
        """Analyse this position if the analysis is on; ``played`` is the move to judge early."""
        if self.on and self._analyst and position != self._asked:
            self._asked = position
            self._generation = self._analyst.request(position, played=played)

    def solve_on(self, position: Position) -> bool:
        """Continue to solve this position; return False if the analysis is off."""
        if not (self.on and self._analyst):
            return False
        self._asked = position
        self._generation = self._analyst.request(position, again=True)
        return True

    def look_again(self, position: Position) -> None:
        """Analyse this position again if one was analysed: evaluators or scope have changed."""
        if self._asked is not None:
            self._asked = None
            self.look_at(position)

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names of the evaluators that rank."""
        return self._analyst.evaluators if self._analyst else ()

    def choose_evaluators(self, names: Sequence[str], position: Position) -> None:
        """Rank by these evaluators, from this position on."""
        if self._analyst and tuple(names) != self.evaluators:
            self._analyst.choose_evaluators(names)
            self.look_again(position)

    @property
    def lines_by(self) -> str:
        """The name of the evaluator of lines."""
        return self._analyst.lines_by if self._analyst else ""

    def choose_lines_by(self, name: str, position: Position) -> None:
        """Search lines with this evaluator, from this position on."""
        if self._analyst and name != self.lines_by:
            self._analyst.choose_lines_by(name)
            self.look_again(position)

    @property
    def scope(self) -> MoveScope:
        """The moves that searches consider."""
        return self._analyst.scope if self._analyst else ALL_MOVES

    def choose_scope(self, scope: MoveScope) -> bool:
        """Let searches consider these moves from now on; return whether that is new."""
        if self._analyst is None or scope == self._analyst.scope:
            return False
        self._analyst.scope = scope
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
        """List connections; ``hear`` gets them, from any thread."""
        if self._analyst:
            self._analyst.look_up(question, hear)

    def close(self) -> None:
        """End the analysis for good."""
        if self._analyst:
            self._analyst.close()

    def take(self, snapshot: Snapshot) -> bool:
        """Keep a snapshot; return False if it is outdated: then only its proofs are kept."""
        keep_proofs(snapshot, self.verdicts)
        if snapshot.generation != self._generation or snapshot.position != self._asked:
            return False
        self.snapshot = snapshot
        return True

    def of(self, position: Position) -> Snapshot | None:
        """Return the snapshot if it is of this position and scope."""
        known = self.snapshot
        if known is None or (known.position, known.scope) != (position, self.scope):
            return None
        return known

    def stale(self, position: Position) -> bool:
        """Return whether there is a snapshot, but of another position or scope."""
        return self.snapshot is not None and self.of(position) is None

    def text(self, position: Position) -> str:
        """Return the state of the analysis for the status line."""
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


def ask_engine(
    open_lane: "OpenLane",
    question: "Question[T]",
    stop: "Stop",
    tell: Callable[[T | None, str], object],
) -> None:
    """Ask on a new lane and wait; ``tell`` gets each answer, or None and the problem."""
    lane = open_lane()
    try:
        for found in lane.answers(question, stop):
            tell(found, "")
    except ValueError as error:
        tell(None, str(error))
    finally:
        lane.close()


class SwapMaps:
    """Has the first moves of a board judged while its swap map is shown, and keeps the maps.

    ``run`` runs work in a thread; ``hear`` gets each better map, from any thread.
    """

    def __init__(
        self,
        open_lane: "OpenLane | None",
        run: Callable[[Callable[[], None]], object],
        hear: Callable[[SwapMap], object],
    ) -> None:
        self._open_lane = open_lane
        self._run = run
        self._hear = hear
        self._maps: dict[Board, SwapMap] = {}
        self._board: Board | None = None
        self._asked = 0

    def follow(self, board: Board | None) -> None:
        """Judge the first moves of a board, or go on where that ended; None for no board."""
        if board == self._board:
            return
        self._board = board
        self._asked += 1
        if board is None:
            return
        known = replace(self._maps.get(board, SwapMap(board)), note="")
        if not known.complete and self._open_lane is None:
            known = replace(known, note="no engine in this run")
        self._keep(known)
        if not known.complete and self._open_lane is not None:
            self._run(partial(self._judge, self._open_lane, known, self._asked))

    def _keep(self, known: SwapMap) -> None:
        self._maps[known.board] = known
        self._hear(known)

    def _judge(self, open_lane: "OpenLane", known: SwapMap, number: int) -> None:
        from hextui.engines.questions import JudgeOpenings, OpeningsJudged

        def take(found: OpeningsJudged | Progress | None, problem: str) -> None:
            match found:
                case OpeningsJudged(openings, total):
                    better = SwapMap(known.board, openings, total)
                case Progress(done, total, label):
                    better = replace(self._maps[known.board], note=f"{done} of {total} {label}")
                case None:
                    better = replace(self._maps[known.board], note=problem)
            self._keep(better)

        question = JudgeOpenings.of(known.board, Limit(nodes=OPENING_NODES), known.openings)
        ask_engine(open_lane, question, lambda: self._asked != number, take)
