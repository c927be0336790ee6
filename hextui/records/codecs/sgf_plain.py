"""Find the ends of plain SGF games at once, so that games before the one wanted are not read.

In a plain game nothing stands between properties, and each bracket and backslash is certain: no
value holds an unescaped bracket, and no character of two bytes can end in one. All patterns of
sgf_values.py read it alike if the next game is plain too.
"""

import re

from hextui.records.codecs.sgf_values import ROOT

_SINGLE_BYTE = r"(?<![\x81-\xfe])"  # what precedes is not the first of two bytes
# Escape characters begin the double bytes of ISO-2022-JP.
_MOVE = rf"[BW]\[[^\[\]\\;\x1b]*+{_SINGLE_BYTE}\]"
_VALUE = rf"\[(?:[^\[\]\\\x1b]++|{_SINGLE_BYTE}\\[^\x1b])*+{_SINGLE_BYTE}\]"
_PROPERTY = rf"(?:{_MOVE}|(?![BW]\[)[A-Z][A-Z0-9]*+(?:{_VALUE})++)"
_USUAL_MOVES = r"(?:;[BW]\[[a-z0-9]*+\])++"  # as `_MOVE`, and quicker
_LEVELS = 3  # of variations in a plain game
_FIRST = 6  # properties of a plain game: sgf_values.py looks at fewer behind the one before


def _nodes(levels: int) -> str:
    """Return what matches nodes, and so many levels of variations among them."""
    variation = rf"|(?!\(\s*+;?\s*+{ROOT})\(\s*+;{_nodes(levels - 1)}\)" if levels else ""
    return rf"(?:{_USUAL_MOVES}|[\s;]++|{_PROPERTY}{variation})*+"


_GAME = re.compile(rf"\(\s*+;(?:[\s;]*+{_PROPERTY}){{{_FIRST}}}{_nodes(_LEVELS)}\)\s*+", re.DOTALL)


def plain_game(text: str, begin: int) -> re.Match[str] | None:
    """Return the plain game at ``begin`` with white space behind it, None without one.

    ``text`` is carried, as in ``Decoding``.
    """
    return _GAME.match(text, begin)
