"""Which games of the library are meant: filters, as one types them and as options name them.

A filter is written as ``cup 2019`` or ``player=ann color=red rating=1800.. size=11``.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from hextui.engine.board import Board, Color
from hextui.library.shape import Shape
from hextui.text import Names, did_you_mean

_TO = ".."
CONTRADICTING = "contradicting"
_ANYWHERE = ""  # the name of words that anything of the game may hold
_SWAPS = {"yes": True, "no": False}
_DATE = re.compile(r"\d{4}(-\d\d){0,2}", re.ASCII)


class FilterRange(NamedTuple):
    """Two ends of ratings or dates, each included; '' for an open one."""

    first: str
    last: str

    def __str__(self) -> str:
        return f"{self.first}{_TO}{self.last}"


@dataclass(frozen=True)
class Filter:
    """Which games are meant; None, or '' for ``words``, leaves no game out.

    ``player``, ``opponent``, ``swapper`` and ``event`` are parts of names: the player played
    ``color`` against the opponent, the swapper swapped the first move. ``swap``: whether anybody
    did. Both players have a ``rating`` in the range. ``date``: the beginning of the date, or a
    range of years, months or days. Each of ``words`` is in something that a list shows of the game;
    a number is its whole id, or its whole number in a file. Names are compared as
    `game_names.folded` has them. ``contradicting``: those that end where another one ends that the
    other colour won. ``shape``: those that have it. ``least`` is not about games: the explorer
    leaves out moves that fewer games have.
    """

    words: str | None = None
    player: str | None = None
    color: Color | None = None
    opponent: str | None = None
    swap: bool | None = None
    swapper: str | None = None
    rating: FilterRange | None = None
    event: str | None = None
    date: str | FilterRange | None = None
    board: Board | None = None
    contradicting: bool = False
    shape: Shape | None = None
    least: int = 1

    def __bool__(self) -> bool:
        """Whether it leaves any game out."""
        return self != ALL_GAMES


ALL_GAMES = Filter()

FILTER_NAMES = {
    "player": ("TEXT", "only games of players with this in their name"),
    "color": ("COLOR", "only games in which the player had this colour: red or blue"),
    "opponent": ("TEXT", "only games against players with this in their name"),
    "swap": ("yes|no", "only games in which the first move was swapped, or was not"),
    "swapper": ("TEXT", "only games swapped by a player with this in the name"),
    "rating": ("RANGE", "only games whose players both have such a rating: 1800.., 1800..2000"),
    "event": ("TEXT", "only games of events with this in their name"),
    "date": ("DATE", "only games whose date begins like this, 2019-05, or of a range, 2019..2021"),
    "size": ("N", "only games on boards of this size: 11, or 4x5 (columns x rows)"),
    "results": (
        CONTRADICTING,
        "only games whose final position has another result in another game",
    ),
    "shape": ("SHAPE", "only games with this shape: R.B/.?? top left"),
    "least": ("N", "only moves of at least N games (default: 1)"),
}
"""The names in a filter, what each takes, and what the help says about it."""


def filter_text(chosen: Filter, names: Names = Names.RED_BLUE) -> str:
    """Return a filter as one types it: ``cup 2019``, ``player=ann event=cup date=2019``."""
    color = chosen.color and names.player(chosen.color).lower()
    swap = None if chosen.swap is None else ("no", "yes")[chosen.swap]
    values = {
        "player": chosen.player,
        "color": color,
        "opponent": chosen.opponent,
        "swap": swap,
        "swapper": chosen.swapper,
        "rating": chosen.rating,
        "event": chosen.event,
        "date": chosen.date,
        "results": CONTRADICTING if chosen.contradicting else None,
        "size": chosen.board,
        "shape": chosen.shape and chosen.shape.text(names),
        "least": chosen.least if chosen.least > 1 else None,
    }
    words = [f"{name}={value}" for name, value in values.items() if value is not None]
    return " ".join([chosen.words, *words] if chosen.words else words)


def read_filter(text: str) -> Filter:
    """Read what `filter_text` writes; words without a name belong to the last one, or to any.

    Raises ValueError in one line for a name or a value that is none.
    """
    return filter_of(words_of(text))


def filter_of(words: Mapping[str, str], *, of_player: bool = False) -> Filter:
    """Return the filter of these values by their names, '' for words that may be anywhere.

    ``of_player``: of the games of one player, whose ``color`` it is. Raises ValueError in one line
    for a value that is none.
    """
    color = words.get("color")
    if of_player and "player" in words:
        raise ValueError("the player is named already: opponent= takes the other one")
    if color and not (of_player or words.get("player") or words.get("opponent")):
        raise ValueError("color= is that of a player: add player=NAME")
    return Filter(
        words=words.get(_ANYWHERE),
        player=words.get("player"),
        color=Color.parse(color) if color else None,
        opponent=words.get("opponent"),
        swap=_read_swap(words.get("swap")),
        swapper=words.get("swapper"),
        rating=_read_ratings(words.get("rating")),
        event=words.get("event"),
        date=_read_date(words.get("date")),
        board=Board.parse(words["size"]) if "size" in words else None,
        contradicting=_read_results(words.get("results")),
        shape=Shape.parse(words["shape"]) if "shape" in words else None,
        least=_read_least(words.get("least", "1")),
    )


def words_of(text: str) -> dict[str, str]:
    """Return the words of a filter by the name before them, without names that have none.

    Raises ValueError for a name that is none.
    """
    values: dict[str, list[str]] = {}
    name = _ANYWHERE
    for word in text.split():
        before, equals, value = word.partition("=")
        if equals:
            name = before.lower()
            if name not in FILTER_NAMES:
                guess = did_you_mean(name, FILTER_NAMES)
                raise ValueError(f"{before!r} is not one of {', '.join(FILTER_NAMES)}{guess}")
            values[name] = [value]
        else:
            values.setdefault(name, []).append(word)
    joined = {name: " ".join(words) for name, words in values.items()}
    return {name: words for name, words in joined.items() if words}


def games_filter(text: str) -> Filter:
    """Read a filter for a list of games: `read_filter`, but refuse ``least=``."""
    return without_least(read_filter(text))


def player_filter(text: str) -> Filter:
    """Read a filter for the games of one player, which cannot name the player again."""
    return without_least(filter_of(words_of(text), of_player=True))


def without_least(chosen: Filter) -> Filter:
    """Return a filter. Raises ValueError if it is about moves also."""
    if chosen.least > 1:
        raise ValueError("least= is about moves: use it in the explorer")
    return chosen


def _read_swap(text: str | None) -> bool | None:
    if text is None:
        return None
    if text.lower() not in _SWAPS:
        raise ValueError(f"swap= takes yes or no, not {text!r}; swapper= takes a name")
    return _SWAPS[text.lower()]


def _read_ratings(text: str | None) -> FilterRange | None:
    if text is None:
        return None
    ratings = _read_range(text, _is_count)
    if ratings is None:
        raise ValueError(f"rating= takes 1800.., ..2000 or 1800..2000, not {text!r}")
    if all(ratings) and int(ratings.first) > int(ratings.last):
        raise ValueError(f"rating= begins after it ends: {text!r}")
    return ratings


def _read_date(text: str | None) -> str | FilterRange | None:
    if text is None or _TO not in text:
        return text
    dates = _read_range(text, lambda end: bool(_DATE.fullmatch(end)))
    if dates is None:
        raise ValueError(f"date= takes 2019, 2019-05 or a range like 2019..2021-06, not {text!r}")
    if all(dates) and dates.first[: len(dates.last)] > dates.last:
        raise ValueError(f"date= begins after it ends: {text!r}")
    return dates


def _read_range(text: str, is_end: Callable[[str], bool]) -> FilterRange | None:
    """Return a range of which one end may be open, None for anything else."""
    first, dots, last = (part.strip() for part in text.partition(_TO))
    ends = list(filter(None, (first, last)))
    is_range = dots and ends and all(map(is_end, ends))
    return FilterRange(first, last) if is_range else None


def _read_results(text: str | None) -> bool:
    if text not in (None, CONTRADICTING):
        raise ValueError(f"results= takes only {CONTRADICTING}, not {text!r}")
    return text is not None


def _read_least(text: str) -> int:
    if not (_is_count(text) and int(text)):
        raise ValueError(f"least= takes a number of games, 1 or more, not {text!r}")
    return int(text)


def _is_count(text: str) -> bool:
    """Return whether a text is a whole number of at most nine digits."""
    return text.isascii() and text.isdigit() and len(text) < 10
