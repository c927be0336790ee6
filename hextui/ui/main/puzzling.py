"""Puzzles: the position looked at, without its analysis."""

from typing import TYPE_CHECKING

from hextui.ui.main.desk import Desk

if TYPE_CHECKING:
    from hextui.engines.engine import OpenLane


class Puzzling:
    """Shows the position looked at as a puzzle, and then whatever puzzle the user came to."""

    def __init__(self, desk: Desk, open_lane: "OpenLane | None") -> None:
        self._desk = desk
        self._open_lane = open_lane

    async def solve(self) -> None:
        """Hide the analysis until the user leaves the puzzle."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen

        if self._open_lane is None:
            self._desk.complain("There is no engine in this run")
            return
        first = self._desk.session
        palette, names = self._desk.palette, self._desk.shown.names
        last = await self._desk.ask(PuzzleScreen(first, palette, self._open_lane, names))
        if last is None or last is first:
            return
        if first.record.modified:
            self._desk.records.open(last)
        else:
            self._desk.records.replace(first, last)
