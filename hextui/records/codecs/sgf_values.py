"""Where the values of SGF properties end: patterns that real files need, also broken ones.

The values of moves, points, sizes and the like never hold a ``]`` that is not escaped. Others may:
old programs do not escape it in comments and names. There a ``]`` ends the value only if something
can follow it and the next bracket opens a value. Stray text may stand between, unless the ``]``
closes a bracket of the text. All repeats are possessive or limited, so that nothing takes long.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

PROPERTY = r"(?:A[BEW]\b|[A-Z][A-Za-z0-9]*+\s*+\[|[a-z][A-Za-z0-9]*+\[)"
"""What begins a property: its name, and the bracket unless it may have no value."""

ROOT = r"(?:FF|GM|SZ|CA|AP)\s*\["
"""What begins the first node of a game."""

_TREE = rf"(?:\(\s*+)++(?:;|{PROPERTY})"
_NODE = rf";\s*+(?:[;)]|\Z|[BW]\s*+;|{PROPERTY}|{_TREE})"
_FOLLOWING = rf"\s*+(?:[\[)]|\Z|{_NODE}|{PROPERTY}|{_TREE})"
# Old programs quote moves and cells in comments: one more ``]`` behind these ends the comment.
_QUOTED = (
    r"(?:[^\[\]]*?(?<![A-Za-z0-9])(?:[BW]|A[BEW]|PL|SZ|GM|FF|CA|TR|SQ|CR|MA|SL)"
    r"\s*+(?:\[(?:[^\[\]\\]++|\\.)*+\]\s*+)++){1,5}+"
)
_END_OF_TEXT = r"[^\[\]]*+\]"
# Behind the ``]`` of a value that goes on: nothing that can follow, or one more ``]``.
_GOES_ON = (
    rf"(?:(?!;?[A-Z]{{1,2}}\[|{_FOLLOWING})|(?={_END_OF_TEXT}|{_QUOTED}[^\s\[\]]{_END_OF_TEXT}))"
)

# In text, only these names begin a property behind stray words.
_KNOWN = (
    r"(?:[BCNVW]|A[BENPRW]|B[LMRT]|C[APR]|D[DMOT]|EV|F[FG]|G[BCMNW]|H[AO]|I[PSTY]|K[MO]|L[BCNT]"
    r"|M[AN]|O[BNTW]|P[BCLMW]|R[EOU]|S[ELOQTZ]|T[BEMRW]|U[CS]|VW|W[LRT]|HX[A-Z]|HEXWORLD)\s*+\["
)
_WORDS = r"[^\[\]();]"
_STRAY_NODE = rf"(?:{_WORDS}|;(?!\s*+{PROPERTY})|\({_WORDS}*+\))*+;\s*+{PROPERTY}"
_STRAY_PROPERTY = rf"{_WORDS}*?(?<![A-Za-z0-9]){_KNOWN}"
_STRAY_TREE = rf"{_WORDS}*+(?:\)\s*+(?:[();]|\Z)|\(\s*+;)"
_AFTER_STRAY = (
    rf"(?!(?:{_QUOTED})?+{_END_OF_TEXT})(?:{_STRAY_NODE}|{_STRAY_PROPERTY}|{_STRAY_TREE})"
)

_PLAIN = r"[^\[\]\\]++|\\."
_BETWEEN = r"[\s,.&+/|-]*+"  # signs that people write between points
# The value of a move that is not closed ends before the next node.
_MOVE_VALUE = r"\[([^\[\];]*+)(?:\]|(?=;))"


def _value(plain: str) -> str:
    """Return what matches the text of a value up to its end; ``plain`` has no bracket in it."""
    pair = rf"\[(?:{plain})*+\]{_GOES_ON}"
    alone = rf"\]{_GOES_ON}(?!{_AFTER_STRAY})"
    whole = rf"(?:{plain})*+(?:(?:{pair}|\[|{alone})(?:{plain})*+){{0,99}}+(?=\])"
    return rf"(?:{whole}|{_exact_value(plain)}(?=\]))"


def _exact_value(plain: str) -> str:
    """Return what matches the text up to the first ``]`` that is not escaped."""
    return rf"(?:{plain}|\[)*+"


def _spelled(names: Sequence[str]) -> str:
    """Return what matches names of properties, also small or with the small letters of FF[3]."""
    spelled = []
    for name in names:
        spelled.append("".join(f"{letter}[a-z]*+" for letter in name))
    spelled += [name.lower() for name in names]
    return "|".join(spelled)


_MOVES = rf"(?:{_spelled(('B', 'W'))})(?![A-Za-z0-9])"
_OF_GAMES = ("AB", "AW", "AE", "PL", "SZ", "GM", "FF", "CA")
_OF_MARKS = ("TR", "SQ", "CR", "MA", "SL", "AR", "LN", "DD", "VW", "TB", "TW")
_EXACT_NAMES = (*_OF_GAMES, *_OF_MARKS)
_EXACT = rf"(?:{_spelled(_EXACT_NAMES)})(?![A-Za-z0-9])"

TEXT_VALUE = re.compile(rf"\s*\[({_value(_PLAIN)})\]", re.DOTALL)
"""A value of any text; group 1 is what stands between the brackets, here and below."""
_MOVE_VALUES = re.compile(rf"\s*{_MOVE_VALUE}")
_EXACT_VALUES = re.compile(rf"{_BETWEEN}\[({_exact_value(_PLAIN)})\]", re.DOTALL)
_MOVE_NAME = re.compile(_MOVES)
_EXACT_NAME = re.compile(_EXACT)


@lru_cache(maxsize=1024)  # a file has few names
def value_pattern(name: str, others: re.Pattern[str]) -> re.Pattern[str]:
    """Return what matches a value of a property, spelled as in the text, and what precedes it.

    ``others`` is the pattern for values that may hold any text.
    """
    if _MOVE_NAME.fullmatch(name):
        return _MOVE_VALUES
    return _EXACT_VALUES if _EXACT_NAME.fullmatch(name) else others


@cache
def to_parenthesis(leads: str) -> re.Pattern[str]:
    """Return what matches up to the next parenthesis, past whole values.

    ``leads``: see ``Decoding.lead_bytes``. Double bytes of ISO-2022-JP stand between escapes.
    """
    japanese = r"\x1b\$[^\x1b]*+\x1b\(.|\x1b(?!\$)"
    double = rf"[{leads}].|" if leads else ""
    plain = rf"[^\[\]\\\x1b{leads}]++|{double}{japanese}|\\(?:{double}.)"
    move = rf"{_MOVES}\s*+{_MOVE_VALUE}"
    exact = rf"{_EXACT}(?:{_BETWEEN}\[{_exact_value(plain)}\])++"
    word = "[A-Za-z][A-Za-z0-9]*+"
    value = rf"\[{_value(plain)}\]"
    return re.compile(rf"(?:[^\[()A-Za-z]++|{move}|{exact}|{word}|{value})*+", re.DOTALL)
