"""What a game tree loses on its way through a text, in words."""

from itertools import zip_longest

from hextui.engine.board import Board
from hextui.records.sgf_syntax import NAME, RAW_VALUE
from hextui.records.tree import GameTree, Node


def difference(tree: GameTree, other: GameTree) -> str:
    """Return the first thing of a tree that another does not hold, '' if they are equal."""
    if tree.board != other.board:
        return f"the board, {tree.board}"
    # Same child counts in preorder make the same shape, so no tree ends before the other.
    for a, b in zip(tree.nodes(), other.nodes(), strict=False):
        if what := _difference(a, b):
            return f"{what} {place(a, tree.board)}"
    return ""


def place(node: Node, board: Board) -> str:
    """Return where a node stands, in words."""
    if node.parent is None:
        return "at the start"
    turn = f" ({node.turn.name(board)})" if node.turn else ""
    return f"at move {node.ply}{turn}"


def _difference(a: Node, b: Node) -> str:
    if a.turn != b.turn:
        return "the turn"
    if a.setup != b.setup:
        return "the setup"
    for own, other in zip_longest(a.properties.items(), b.properties.items()):
        if own != other:
            return f"property {(own or other)[0]}"
    return "" if len(a.children) == len(b.children) else "the number of variations"


def unreadable_property(tree: GameTree) -> str:
    """Return the first property that SGF cannot hold, and where, '' if it can hold all."""
    for node in tree.nodes():
        for name, values in node.properties.items():
            if not (NAME.fullmatch(name) and values and all(map(RAW_VALUE.fullmatch, values))):
                return f"property {name} {place(node, tree.board)}"
    return ""
