"""A game against the program: its settings, its record, and its clock."""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.search.lines import minimax_named
from hextui.engines.levels import SOLVER_PLAYER, level_named
from hextui.records.record import Record
from hextui.records.record_text import escape
from hextui.records.tree import NO_SETUP, TIME_LEFT, Node
from hextui.settings.engine_config import engine_in
from hextui.text import Names, clock

NO_CLOCK = "none"
RANDOM = "random"
_YES, _NO = "yes", "no"
_PROGRAM = "hextui "
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?", re.ASCII)
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
        match = _TIMES.fullmatch(text.strip())
        if match is None or int(match[1]) == 0:
            raise ValueError("a clock is minutes + seconds per move (10+5), or none")
        return TimeControl(int(match[1]), int(match[2] or 0))


@dataclass(frozen=True)
class PlaySettings:
    """What the user chose for the next game.

    ``opponent``: a player's name. ``color``: the user's, None for a random one. ``swap``: the swap
    rule, on square boards. ``clock``: None for none. ``coach``: whether mistakes are said at once.
    """

    opponent: str = "level:3"
    size: Board = field(default_factory=lambda: Board(11, 11))
    color: Color | None = None
    swap: bool = True
    clock: TimeControl | None = None
    hints: bool = True
    coach: bool = False

    @staticmethod
    def read(texts: Mapping[str, str]) -> "PlaySettings":
        """Read texts by the names of fields, without which they have their defaults.

        Raises ValueError, with one line; whether there is such an opponent is not checked.

        >>> PlaySettings.read({"size": "5", "clock": "10"}).texts()["clock"]
        '10+0'
        """
        for name in texts:
            if name not in _READERS:
                raise ValueError(f"{name!r} is not one of {', '.join(_READERS)}")
        return PlaySettings(**{name: _READERS[name](text.strip()) for name, text in texts.items()})

    def texts(self, names: Names = Names.RED_BLUE) -> dict[str, str]:
        """Return what `read` reads."""
        return {
            "opponent": self.opponent,
            "size": str(self.size),
            "color": RANDOM if self.color is None else names.player(self.color).lower(),
            "swap": _YES if self.swap else _NO,
            "clock": NO_CLOCK if self.clock is None else str(self.clock),
            "hints": _YES if self.hints else _NO,
            "coach": _YES if self.coach else _NO,
        }


def _color(text: str) -> Color | None:
    return None if text.lower() == RANDOM else Color.parse(text)


def _answer(text: str) -> bool:
    """Read yes or no, or the beginning of it."""
    for answer, means in ((_YES, True), (_NO, False)):
        if text and answer.startswith(text.lower()):
            return means
    raise ValueError(f"answer yes or no, not {text!r}")


_READERS: dict[str, Callable[[str], Any]] = {
    "opponent": str,
    "size": Board.parse,
    "color": _color,
    "swap": _answer,
    "clock": TimeControl.parse,
    "hints": _answer,
    "coach": _answer,
}


def player_name(text: str, engines: Collection[str] = ()) -> str:
    """Return the name of a player as typed: ``3`` or ``level 3`` is ``level:3``.

    ``engines``: the names of attached engines as players. Raises ValueError for no player's name.
    """
    name = text.strip()
    number = name.removeprefix("level").lstrip(" :")
    if level_named(f"level:{number}") is not None:
        return f"level:{number}"
    if engine_in(name) is not None:
        if name not in engines:
            raise ValueError(f"there is no engine {engine_in(name)!r} in the settings")
        return name
    if name == SOLVER_PLAYER:
        return name
    minimax = minimax_named(name)
    if not name or (number.isdecimal() and minimax is None):
        raise ValueError("an opponent is a level, 1 to 9, or the name of a player")
    evaluator(minimax[0] if minimax else name)
    return name


def player_words(name: str) -> str:
    """Return what a player is called in sentences.

    >>> player_words("level:3"), player_words("resistance"), player_words("engine(wolve)")
    ('level 3', 'resistance', 'wolve')
    """
    number = level_named(name)
    return engine_in(name) or name if number is None else f"level {number}"


def game_record(
    settings: PlaySettings, color: Color, player: str, board: Board, line: Sequence[Node] = ()
) -> Record:
    """Return the record of a new game, with the names of the players.

    ``color`` is that of the user, whom ``player`` names, '' if unknown. The game begins with a
    copy of a ``line`` from the root of another record, with the times if it had the same clock.
    """
    about = _game_info(settings, color, player, board)
    node = Node(setup=line[0].setup if line else NO_SETUP, properties=about)
    record = Record(board, node)
    same_clock = "TM" in about and line and line[0].properties.get("TM") == about["TM"]
    kept = TIME_LEFT.values() if same_clock else ()
    for turn_node in line[1:]:
        times = {name: turn_node.properties[name] for name in kept if name in turn_node.properties}
        node = record.append(node, turn_node.turn, turn_node.setup, times)
    return record


def _game_info(
    settings: PlaySettings, color: Color, player: str, board: Board
) -> dict[str, tuple[str, ...]]:
    """Return the properties of a new game: the players, the date, the rules and the time."""
    black = escape(player or "Player")
    white = escape(f"{_PROGRAM}{player_words(settings.opponent)}")
    if color is Color.WHITE:
        black, white = white, black
    about: dict[str, tuple[str, ...]] = {
        "PB": (black,),
        "PW": (white,),
        "DT": (date.today().isoformat(),),
    }
    if not settings.swap or board.rows != board.columns:
        about["RU"] = ("no swap",)
    if settings.clock is not None:
        about["TM"] = (str(60 * settings.clock.minutes),)
    return about


def users_color(record: Record) -> Color | None:
    """Return the user's colour in a game against the program, None for another game."""
    ours = [color for color in Color if record.player(color).startswith(_PROGRAM)]
    return ours[0].opponent if len(ours) == 1 else None


class GameClock:
    """Counts down the time of the player to move; ``now`` returns seconds that never go back.

    It goes on with the times in ``line``, if any. Without a time control there is no end.
    """

    def __init__(
        self, control: TimeControl | None, now: Callable[[], float], line: Sequence[Node] = ()
    ) -> None:
        self._increment = control.increment if control else 0
        self._now = now
        self._left = dict.fromkeys(Color, 60.0 * control.minutes if control else math.inf)
        for color, name in TIME_LEFT.items() if control else ():
            for text in (value for node in line for value in node.properties.get(name, ())):
                if _SECONDS.fullmatch(text):
                    self._left[color] = max(float(text), 1.0)
        self._running: Color | None = None
        self._since = 0.0

    def properties(self) -> dict[str, tuple[str]]:
        """Return the time that the player to move has left after a move made now, as in SGF."""
        color = self._running
        if color is None or math.isinf(self._left[color]):
            return {}
        return {TIME_LEFT[color]: (f"{self.left(color) + self._increment:.1f}",)}

    def start(self, color: Color | None, *, moved: bool = False) -> None:
        """Let the clock of a colour run, or none; ``moved``: the other player has moved."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
            if moved:
                self._left[self._running] += self._increment
        self._running = color
        self._since = self._now()

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
