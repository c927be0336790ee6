"""Swap maps: the win probability of each first move, judged by the engine while it is shown."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.engine import OpenLane, ask_engine
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.overlays import SwapMap

OPENING_NODES = 200
"""Nodes that the search expands for each first move: half a second on 11x11, or less."""


class SwapMaps:
    """Has the first moves of a board judged while its swap map is shown, and keeps the maps.

    ``run`` runs work in a thread; ``hear`` gets each better map, from any thread.
    """

    def __init__(
        self,
        open_lane: OpenLane | None,
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
            known = replace(known, note="no engine is configured")
        self._keep(known)
        if not known.complete and self._open_lane is not None:
            self._run(partial(self._judge, self._open_lane, known, self._asked))

    def _keep(self, known: SwapMap) -> None:
        self._maps[known.board] = known
        self._hear(known)

    def _judge(self, open_lane: OpenLane, known: SwapMap, number: int) -> None:
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

        question = JudgeOpenings(
            Position.empty(known.board), Limit(nodes=OPENING_NODES), known.openings
        )
        ask_engine(open_lane, question, lambda: self._asked != number, take)
