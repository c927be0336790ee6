"""The swap map of the board looked at: asked for while it is shown, and kept."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.swap_map import SwapMap
from hextui.ui.live.live_messages import hear
from hextui.ui.main.desk import Desk

if TYPE_CHECKING:
    from hextui.engines.engine import OpenLane

LOOKS = 200
"""Positions that the search looks at for each first move: half a second on 11x11, or less."""


class Swapping:
    """Has first moves judged as long as the swap map is looked at; the next time it goes on.

    ``start`` does something in a thread. ``tell`` gets what is known, from that thread; it comes
    back by `take`.
    """

    def __init__(
        self,
        desk: Desk,
        open_lane: "OpenLane | None",
        start: Callable[[Callable[[], None]], object],
        tell: Callable[[SwapMap], object],
    ) -> None:
        self._desk = desk
        self._open_lane = open_lane
        self._start = start
        self._tell = tell
        self._maps: dict[Board, SwapMap] = {}
        self._asked = 0

    def follow(self, board: Board | None) -> None:
        """Turn to the map of a board, or to none: whoever worked at another one ends."""
        self._asked += 1
        if board is None:
            return
        known = replace(self._maps.get(board, SwapMap(board)), note="")
        if not known.complete:
            if self._open_lane is None:
                known = replace(known, note="no engine in this run")
            else:
                self._ask(self._open_lane, known, self._asked)
        self.take(known)

    def take(self, known: SwapMap) -> None:
        """Keep what is known, and show it where it is looked at."""
        self._maps[known.board] = known
        if known.board == self._desk.session.board:
            self._desk.choose(swap_map=known)

    def close(self) -> None:
        """End the work."""
        self._asked += 1

    def _ask(self, open_lane: "OpenLane", known: SwapMap, number: int) -> None:
        from hextui.engines.questions import JudgeOpenings, OpeningsJudged

        question = JudgeOpenings.of(known.board, Limit(nodes=LOOKS), known.openings)
        so_far = known

        def take(found: OpeningsJudged | Progress | None, problem: str) -> None:
            nonlocal so_far
            match found:
                case OpeningsJudged(openings, total):
                    so_far = SwapMap(known.board, openings, total)
                case Progress(done, total, label):
                    so_far = replace(so_far, note=f"{done} of {total} {label}")
                case None:
                    so_far = replace(so_far, note=problem)
            self._tell(so_far)

        self._start(lambda: hear(open_lane, question, lambda: self._asked != number, take))
