"""How much time a side has for its game, and so for its next move."""

from dataclasses import dataclass

from hextui.engine.board import Color

LEAST_MOVES = 8
"""Time is shared out among so many moves to come at least."""
CELLS_A_MOVE = 4
"""A side is taken to move once more for so many empty cells."""


@dataclass
class Clock:
    """One side's time: ``left`` seconds, for ``stones`` moves, or for the game if that is 0."""

    left: float
    stones: int = 0


class Clocks:
    """Both sides' time by ``main`` seconds, then ``period`` seconds for every ``stones`` moves.

    Without any, nobody is in a hurry.
    """

    def __init__(self, main: float = 0.0, period: float = 0.0, stones: int = 0) -> None:
        self._main, self._period, self._stones = main, period, stones
        self._clocks: dict[Color, Clock] = {}
        if main or (period and stones):
            for color in Color:
                self._clocks[color] = Clock(main) if main else Clock(period, stones)

    def rewound(self) -> "Clocks":
        """Return the clocks as they stood at the beginning."""
        return Clocks(self._main, self._period, self._stones)

    def set_left(self, color: Color, left: float, stones: int = 0) -> None:
        """Take over what somebody else's clock says."""
        self._clocks[color] = Clock(left, stones)

    def left(self, color: Color) -> Clock | None:
        """Return a side's clock, None if it has no limit."""
        return self._clocks.get(color)

    def share(self, color: Color, empties: int) -> float | None:
        """Return the seconds to be spent on the next move, None for no limit."""
        clock = self._clocks.get(color)
        if clock is None:
            return None
        if clock.stones:
            return clock.left / clock.stones
        later = self._period / self._stones if self._stones else 0.0
        return max(clock.left / max(LEAST_MOVES, empties / CELLS_A_MOVE), later)

    def spend(self, color: Color, seconds: float) -> None:
        """Note that a side has made a move in so many seconds."""
        clock = self._clocks.get(color)
        if clock is None:
            return
        in_period = clock.stones > 0
        clock.left = max(clock.left - seconds, 0.0)
        clock.stones -= in_period
        if self._stones and not (clock.stones if in_period else clock.left):
            self._clocks[color] = Clock(self._period, self._stones)
