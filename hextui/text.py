"""What players are called, counts, lists and suggestions: what texts of every level need."""

import enum
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction

_PLAYERS = {1: 0, 2: 1, "black": 0, "white": 1}
ENDS = {
    "R": ("resign", "resigned"),
    "T": ("time", "ran out of time"),
    "F": ("forfeit", "forfeited"),
}
"""How a game ended, by the code of SGF: as JSON has it, and what the loser did."""
_LOSS = {key.lower(): loss for code, (word, loss) in ENDS.items() for key in (code, word)}
OUTCOMES = {1: "wins", 0: "draws", -1: "loses"}
"""What the side to move does, by the score of `best_move`."""
_MOST_NAMED = 6  # alternatives that are named; the others are counted


class Names(enum.Enum):
    """What the players are called in texts for people; the values are those of the settings."""

    RED_BLUE = "red-blue"
    BLACK_WHITE = "black-white"

    @property
    def both(self) -> tuple[str, str]:
        """The names of both players; the first moves first and joins top and bottom."""
        return ("Red", "Blue") if self is Names.RED_BLUE else ("Black", "White")

    def player(self, player: int | str) -> str:
        """Return the name of a player: a Color, or its name in JSON. Raises KeyError otherwise.

        >>> Names.RED_BLUE.player(1), Names.BLACK_WHITE.player("white")
        ('Red', 'White')
        """
        return self.both[_PLAYERS[player]]

    def result(self, winner: int | str | None, how: str = "") -> str:
        """Return a result as a sentence without its full stop; '' if nothing is known.

        ``winner`` is a player as for `player`, ``how`` what a record gives: ``R``, ``Time`` ...

        >>> Names.RED_BLUE.result(1, "R"), Names.RED_BLUE.result("white", "3")
        ('Red won, Blue resigned', 'Blue won (3)')
        >>> Names.RED_BLUE.result(None, "Void")
        'Void'
        """
        if winner is None:
            return "" if how == "?" else how
        place = _PLAYERS[winner]
        text = f"{self.both[place]} won"
        if how.lower() in ("", "chain"):
            return text
        loss = _LOSS.get(how.lower())
        return f"{text}, {self.both[1 - place]} {loss}" if loss else f"{text} ({how})"

    def fill(self, text: str) -> str:
        """Return a text with the names in place of ``{black}`` and ``{white}``.

        >>> Names.RED_BLUE.fill("{white} minimises E")
        'Blue minimises E'
        """
        black, white = self.both
        return text.format(black=black, white=white)


_LARGEST_COUNT = 1e15


def digits(value: float | Fraction | str) -> str:
    """Return a number for people: whole ones with commas, others with three significant digits.

    A number of JSON may be the text ``inf``.

    >>> digits(3.0), digits(1234), digits(0.1 + 0.2), digits(1e-05), digits(float("inf"))
    ('3', '1,234', '0.3', '1e-05', 'inf')
    """
    if isinstance(value, str):
        return value
    value = float(value)
    is_count = value.is_integer() and abs(value) < _LARGEST_COUNT
    return f"{value:,.0f}" if is_count else f"{value:.3g}"


def counts_text(counts: Sequence[tuple[int, int]]) -> str:
    """Return d and the paths of an E_k, White's and Black's: what tells equal ratios apart.

    >>> counts_text(((4, 3), (12, 7), (80, 68)))
    '4/3 12:7 80:68'
    """
    pairs = []
    for level, (white, black) in enumerate(counts):
        separator = ":" if level else "/"
        pairs.append(f"{white:,}{separator}{black:,}")
    return " ".join(pairs)


def counted(count: int, noun: str) -> str:
    """Return a count and its noun, whose plural ends in s.

    >>> counted(1, "move"), counted(2, "move"), counted(12345, "node")
    ('1 move', '2 moves', '12,345 nodes')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, with hours if there are any.

    >>> clock(75), clock(3675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def visible(text: str) -> str:
    r"""Return a text without characters that cannot be seen (category Cf), wide letters narrow.

    >>> visible("\uff21nn\u200b")
    'Ann'
    """
    if text.isascii():
        return text
    normal = unicodedata.normalize("NFKC", text)
    return "".join(letter for letter in normal if unicodedata.category(letter) != "Cf")


def folded(text: str) -> str:
    r"""Return a text as names are compared: case, width, and how wide blanks are do not matter.

    Characters of formats (category Cf), which cannot be seen, are left out.

    >>> folded(" \uff21nn\u200b  Lee"), folded("ANN LEE")
    ('ann lee', 'ann lee')
    """
    return " ".join(visible(visible(text).casefold()).split())


def is_part_of(part: str, name: str) -> bool:
    """Return whether a text is a part of a name, as `folded` compares them.

    >>> is_part_of("ann", "Jo\u200bAnn Lee")
    True
    """
    return folded(part) in folded(name)


def listed(names: Iterable[str], last: str = "or") -> str:
    """Return names as a list in a sentence; '' for none.

    >>> listed("a"), listed("ab", "and"), listed("abc")
    ('a', 'a and b', 'a, b or c')
    """
    *others, final = list(names) or [""]
    return f"{', '.join(others)} {last} {final}" if others else final


def either(names: Sequence[str]) -> str:
    """Return names as alternatives, at most the first six.

    >>> either("abcdefgh")
    'a, b, c, d, e, f or 2 others'
    """
    alternatives = list(names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    if more > 0:
        alternatives.append(counted(more, "other"))
    return listed(alternatives)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return a question to append to an error about an unknown word; '' without a guess.

    >>> did_you_mean("sovle", ["rank", "solve"])
    ' (did you mean solve?)'
    """
    from difflib import get_close_matches

    close = get_close_matches(word, words, 1)
    return f" (did you mean {close[0]}?)" if close else ""
