"""Words for people: what players and results are called, and words that numbers change."""

import enum
from collections.abc import Iterable, Sequence


class PlayerWords(enum.Enum):
    """What the players are called on the screen and in texts for people."""

    RED_BLUE = "red-blue"
    BLACK_WHITE = "black-white"


_WORDS = {PlayerWords.RED_BLUE: ("Red", "Blue"), PlayerWords.BLACK_WHITE: ("Black", "White")}
_PLACES = {1: 0, 2: 1, "black": 0, "white": 1}
_HOW = {
    "": "",
    "chain": "",
    "r": "{loser} resigned",
    "resign": "{loser} resigned",
    "t": "{loser} ran out of time",
    "time": "{loser} ran out of time",
    "f": "{loser} forfeited",
    "forfeit": "{loser} forfeited",
}

_NAMED = 6  # alternatives that are named at most; the others are counted

_chosen = PlayerWords.RED_BLUE


def call_players(words: PlayerWords) -> None:
    """Call the players so from now on. A program does this once, before it says anything."""
    global _chosen
    _chosen = words


def player_name(player: int | str) -> str:
    """Return what a player is called: the first one moves first and joins top and bottom.

    ``player`` is a Color, or its name in JSON. Raises KeyError for anything else.

    >>> player_name(1), player_name("white")
    ('Red', 'Blue')
    """
    return _WORDS[_chosen][_PLACES[player]]


def player_names() -> tuple[str, str]:
    """Return what both players are called."""
    return _WORDS[_chosen]


def digits(value: float) -> str:
    """Return a number with as many digits as it takes to read the same number back.

    >>> digits(3.0), digits(0.1), digits(1e-05), digits(0.1 + 0.2), digits(float("inf"))
    ('3', '0.1', '1e-05', '0.30000000000000004', 'inf')
    """
    short = f"{value:.16g}"
    return short if float(short) == value else repr(value)


def result_words(winner: int | str | None, how: str = "") -> str:
    """Return a result as a sentence without its full stop; '' if nothing is known.

    ``winner``: see `player_name`; ``how`` is what a record says of it: ``R``, ``Time`` ...

    >>> result_words(1, "R"), result_words("white", "3"), result_words(None, "Void")
    ('Red won, Blue resigned', 'Blue won (3)', 'Void')
    """
    if winner is None:
        return "" if how == "?" else how
    names = player_names()
    at = _PLACES[winner]
    text = f"{names[at]} won"
    told = _HOW.get(how.lower())
    if told is None:
        return f"{text} ({how})"
    return f"{text}, {told.format(loser=names[1 - at])}" if told else text


def counted(count: int, noun: str) -> str:
    """Return how many there are of something, whose plural ends in s.

    >>> counted(1, "move"), counted(2, "move"), counted(12345, "node")
    ('1 move', '2 moves', '12,345 nodes')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question to be put behind a complaint about an unknown word, '' without a guess.

    >>> did_you_mean("sovle", ["rank", "solve"])
    ' (did you mean solve?)'
    """
    from difflib import get_close_matches

    found = get_close_matches(word, known, 1)
    return f" (did you mean {found[0]}?)" if found else ""


def clock(seconds: float) -> str:
    """Return minutes and seconds, and hours where there are some.

    >>> clock(75), clock(3675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def either(names: Sequence[str]) -> str:
    """Return names as alternatives, the first six if there are many; '' for none.

    >>> either(["e8"]), either("ab"), either("abcdefgh")
    ('e8', 'a or b', 'a, b, c, d, e, f or 2 others')
    """
    shown, more = list(names[:_NAMED]), len(names) - _NAMED
    if more > 0:
        shown.append("1 other" if more == 1 else f"{more} others")
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
