"""Read SGF games that are moves in turn by one pattern, which is much faster than node by node.

That is what most files of many games hold. Everything else (variations, setups, several values of
a move, brackets in values, other spellings of names) is left to ``SgfReader``.
"""

import re

from hextui.engine.board import MAX_RECORD_SIDE, Board, Color
from hextui.records.codecs.codec import GameText, board_of
from hextui.records.move_line import MoveLine, move_line
from hextui.records.record_text import encodable
from hextui.records.tree import Properties

_PROPERTY = r"\s*+[A-Z][A-Z0-9]*+(?:\[[^\[\]\\]*+\])++"
_NODE = rf"\s*+;\s*+([BW])\[([^\[\]\\;]*+)\]((?:{_PROPERTY})*+)"
_GAME = re.compile(rf"\s*+\(\s*+;((?:{_PROPERTY})*+)((?:{_NODE})*+)\s*+\)\s*+")
_NODES = re.compile(_NODE)
_PROPERTIES = re.compile(r"([A-Z][A-Z0-9]*+)((?:\[[^\[\]\\]*+\])++)")
_SIDES = re.compile(r"([1-9][0-9]?)(?::([1-9][0-9]?))?")
_OF_MOVES = frozenset(["B", "W", "AB", "AW", "AE", "PL"])
_COLORS = {"B": Color.BLACK, "W": Color.WHITE}
_PAIRS = "BW"


def sgf_line(game: GameText, of_file: frozenset[str]) -> MoveLine | None:
    """Return the line of a game, None if it is not one of moves in turn or leaves a question open.

    Root properties that are ``of_file``, not of the game, are left out.
    """
    match = _GAME.fullmatch(encodable(game.text))
    if match is None:
        return None
    nodes = _NODES.findall(match[2])
    head = _properties(match[1])
    if head is None or head.get("GM", ("11",)) != ("11",):
        return None
    board = _board(head)
    colors = "".join(color for color, _, _ in nodes)
    words = [word for _, word, _ in nodes]
    if board is None or not _is_clear(colors, words, head):
        return None
    of_root = {name: values for name, values in head.items() if name not in of_file}
    properties: dict[int, Properties] = {0: of_root}
    for ply, (_, _, text) in enumerate(nodes, start=1):
        if text:
            of_node = _properties(text)
            if of_node is None or not of_file.isdisjoint(of_node):
                return None
            properties[ply] = of_node
    return move_line(board, words, properties, _COLORS[colors[-1]])


def _board(head: Properties) -> Board | None:
    """Return the board of ``SZ``, None unless it is plainly given."""
    size = _SIDES.fullmatch(head.get("SZ", ("",))[0])
    if size is None:
        return None
    columns = int(size[1])
    rows = int(size[2] or size[1])
    return board_of(rows, columns) if max(rows, columns) <= MAX_RECORD_SIDE else None


def _properties(text: str) -> Properties | None:
    """Return the properties of a node, None if one comes twice or is a turn or a setup."""
    pairs = _PROPERTIES.findall(text)
    properties = {name: tuple(values[1:-1].split("][")) for name, values in pairs}
    if len(properties) < len(pairs) or not _OF_MOVES.isdisjoint(properties):
        return None
    return properties


def _is_clear(colors: str, words: list[str], head: Properties) -> bool:
    """Whether turns alternate from Black on, and a swap among them means what it says.

    What a swap means depends on the program and on the move that follows (see ``SgfReader``). The
    last turn may be a resignation, of either player.
    """
    if not colors or not (_PAIRS * len(colors)).startswith(colors[:-1]):
        return False
    in_turn = (_PAIRS * len(colors)).startswith(colors)
    if not (in_turn or words[-1] in ("resign", "forfeit")):
        return False
    if words[1:2] not in (["swap"], ["swap-pieces"]):
        return "swap-sides" not in words
    return in_turn and len(words) > 2 and "hexgui" not in head.get("AP", ("",))[0].lower()
