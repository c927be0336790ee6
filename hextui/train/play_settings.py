"""How a game against the program is played: opponent, board, colour, swap rule, clock, hints."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from hextui.engine.board import Board, Color
from hextui.engines.engine_config import engine_in
from hextui.matches.levels import level_named
from hextui.words.names import Names, clock

NO_CLOCK = "none"
RANDOM = "random"
_TIMES = re.compile(r"([0-9]{1,3})(?:\s*\+\s*([0-9]{1,3}))?", re.ASCII)


@dataclass(frozen=True)
class TimeControl:
    """Minutes for each player, and seconds added after each move."""

    minutes: int
    increment: int = 0

    def __str__(self) -> str:
        return f"{self.minutes}+{self.increment}"

    @staticmethod
    def parse(text: str) -> "TimeControl | None":
        """Read ``10+5``, ``10`` or ``none``; raises ValueError for anything else.

        >>> str(TimeControl.parse("10")), TimeControl.parse("none")
        ('10+0', None)
        """
        if text.strip().lower() in ("", NO_CLOCK):
            return None
        found = _TIMES.fullmatch(text.strip())
        if found is None or int(found[1]) == 0:
            raise ValueError("a clock is minutes + seconds per move (10+5), or none")
        return TimeControl(int(found[1]), int(found[2] or 0))


@dataclass(frozen=True)
class PlaySettings:
    """What the user chose for the next game.

    ``opponent``: a player's name. ``color``: the user's, None for a random one. ``swap``: the swap
    rule, which square boards have. ``time``: None for no clock.
    """

    opponent: str = "level:3"
    board: Board = field(default_factory=lambda: Board(11, 11))
    color: Color | None = None
    swap: bool = True
    time: TimeControl | None = None
    hints: bool = True

    def color_drawn(self, lots: random.Random) -> Color:
        """Return the user's colour; a random one is drawn."""
        return self.color or lots.choice(list(Color))


def read_color(text: str) -> Color | None:
    """Read a colour, None for ``random``; raises ValueError for anything else."""
    word = text.strip().lower()
    return None if word == RANDOM else Color.parse(word)


def color_text(color: Color | None, names: Names) -> str:
    """Return what `read_color` reads."""
    return RANDOM if color is None else names.player(color).lower()


def player_words(name: str) -> str:
    """Return what a player is called in sentences.

    >>> player_words("level:3"), player_words("resistance"), player_words("engine(wolve)")
    ('level 3', 'resistance', 'wolve')
    """
    number = level_named(name)
    return engine_in(name) or name if number is None else f"level {number}"


class GameClock:
    """Counts down the time of the player to move; ``now`` returns seconds that never go back."""

    def __init__(self, time: TimeControl, now: Callable[[], float]) -> None:
        self._increment = time.increment
        self._now = now
        self._left = dict.fromkeys(Color, 60.0 * time.minutes)
        self._running: Color | None = None
        self._since = 0.0

    def start(self, color: Color | None, *, moved: bool = False) -> None:
        """Let the clock of a colour run, or none; ``moved``: the other player has moved."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
            if moved:
                self._left[self._running] += self._increment
        self._running, self._since = color, self._now()

    def left(self, color: Color) -> float:
        """Return the seconds that a colour has left, at least 0."""
        spent = self._now() - self._since if self._running is color else 0.0
        return max(self._left[color] - spent, 0.0)

    @property
    def out_of_time(self) -> Color | None:
        """The colour whose time has run out, if it is to move."""
        color = self._running
        return color if color is not None and self.left(color) == 0.0 else None

    def text(self, names: Names) -> str:
        """Return both times, for the screen."""
        return "   ".join(f"{names.player(color)} {clock(self.left(color))}" for color in Color)
