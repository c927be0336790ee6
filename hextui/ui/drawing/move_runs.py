"""A game tree as rows of moves: the main line in runs, each variation below the move it replaces.

A folded variation is one row, its first moves. Nothing that is folded is looked at, so a record of
any size is laid out in the time that its open lines take.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from hextui.records.tree import Node

CELL = 5
"""Columns of a move."""

_NUMBER = 4  # columns of the ply that a row begins with
_DEEPEST = 4  # depth from which variations are indented no further


@dataclass(frozen=True)
class MoveRun:
    """A row: moves of one line that follow each other.

    ``depth`` is 0 in the main line, ``head`` the first node of the variation if the row begins one
    that can be folded, ``folded`` says whether it is.
    """

    nodes: tuple[Node, ...]
    depth: int
    head: Node | None = None
    folded: bool = False

    @property
    def prefix(self) -> str:
        """What stands before the moves: the ply of the first, and whether it is folded."""
        if not self.depth:
            return f"{self.nodes[0].ply:>3} "
        mark = " " if self.head is None else "+" if self.folded else "-"
        return f"{' ' * (_indent(self.depth) - 1)}{mark}{self.nodes[0].ply:>3} "

    def place(self, node: Node) -> int:
        """Return where a node stands in the row."""
        return next(place for place, other in enumerate(self.nodes) if other is node)


def _indent(depth: int) -> int:
    return 2 * min(depth, _DEEPEST)


def room(width: int, depth: int) -> int:
    """Return how many moves a row takes; in the main line each player has columns of his own."""
    found = (width - _NUMBER - _indent(depth)) // CELL
    return max(found - found % 2 if not depth else found, 2)


def runs(root: Node, opened: Collection[Node], width: int) -> list[MoveRun]:
    """Return the rows of a record; ``opened`` are the first nodes of variations not folded."""
    rows = [MoveRun((root,), 0)]
    waiting: list[MoveRun | tuple[Node, int]] = []
    waiting += reversed(_open_line(list(root.onward()), 0, width))
    while waiting:
        item = waiting.pop()
        if isinstance(item, MoveRun):
            rows.append(item)
            continue
        head, depth = item
        if head in opened:
            waiting += reversed(_open_line([head, *head.onward()], depth, width))
        else:
            rows.append(_folded(head, depth, width))
    return rows


def _open_line(nodes: Sequence[Node], depth: int, width: int) -> list[MoveRun | tuple[Node, int]]:
    """Return the rows of a line, and its variations by their first node and depth."""
    found: list[MoveRun | tuple[Node, int]] = []
    step = room(width, depth)
    head = nodes[0] if depth and (len(nodes) > step or _branches(nodes[1:])) else None
    for begin in range(0, len(nodes), step):
        part = nodes[begin : begin + step]
        found.append(MoveRun(tuple(part), depth, None if begin else head))
        for node in part:
            if node.index == 0:
                found += [(variation, depth + 1) for variation in node.siblings[1:]]
    return found


def _folded(head: Node, depth: int, width: int) -> MoveRun:
    step = room(width, depth)
    nodes = [head, *islice(head.onward(), step)]
    hides = len(nodes) > step or _branches(nodes[1:])
    return MoveRun(tuple(nodes[:step]), depth, head if hides else None, hides)


def _branches(nodes: Sequence[Node]) -> bool:
    return any(len(node.siblings) > 1 for node in nodes)
