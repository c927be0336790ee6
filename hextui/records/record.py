"""A record: a game tree with what is known about the game, and the edits a user can make."""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, Self

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position, SwapRule
from hextui.records.move_line import MoveLine
from hextui.records.record_text import (
    PROPERTY_NAME,
    RAW_VALUE,
    RecordError,
    encodable,
    escape,
    unescape_line,
)
from hextui.records.tree import NO_SETUP, Node, Properties, Setup, Turn

MAX_NODES = 500_000
"""Reading takes about a kilobyte a node, so a tree of more would fill a small machine's memory."""
TOO_MANY_NODES = f"more than {MAX_NODES:,} nodes in one game"

_RESULT = re.compile(r"(b|w|black|white|red|blue)(?:\s*\+\s*(.*))?", re.IGNORECASE | re.DOTALL)
_RESERVED = frozenset(["B", "W", "AB", "AW", "AE", "PL", "FF", "GM", "CA", "AP", "SZ"])


@dataclass(frozen=True)
class Result:
    """Who won, None if nobody did or it is not known, and how: the text after ``B+``, or all."""

    winner: Color | None
    how: str

    @staticmethod
    def parse(text: str) -> "Result":
        """Read ``B+``, ``W+Resign``, ``Black``, ``red`` ..., and any other text as a result."""
        match = _RESULT.fullmatch(text.strip())
        if match is None:
            return Result(None, text.strip())
        return Result(Color.parse(match[1]), (match[2] or "").strip())


_NO_SWAP = re.compile(r"\b(no|non|without|swap)\b[\s:=-]*(swap|pie|no|off|none|false|0)\b|noswap")


def swap_rule_in(text: str, board: Board) -> SwapRule:
    """Return the swap rule that a game's rules state in words, by default the usual one.

    >>> board = Board(11, 11)
    >>> [str(swap_rule_in(text, board)) for text in ("no swap", "Swap: 0", "swap-sides", "", "Hex")]
    ['none', 'none', 'sides', 'pieces', 'pieces']
    """
    words = text.lower()
    if _NO_SWAP.search(words):
        return SwapRule.NONE
    return SwapRule.SIDES if re.search(r"swap[\s-]*sides", words) else SwapRule.usual(board)


@dataclass(frozen=True)
class Origin:
    """Where a record was read: file, format, its number there from 1, notes of what was guessed.

    ``alone`` is False if the file holds other games too, ``whole`` if it is packed or the record
    could be read in part only: saving there would lose something. ``board`` and ``charset`` are
    those that were given for games without a size, and for all; ``guessed_charset`` is what users
    call the character set if that was guessed, else ''.
    """

    path: Path | None
    format: str
    number: int
    alone: bool
    notes: tuple[str, ...] = ()
    board: Board | None = None
    whole: bool = True
    charset: str | None = None
    guessed_charset: str = ""


@dataclass(frozen=True, eq=False)
class Edit:
    """One change of a record. Two edits are the same only if they are one object.

    Each of ``changes`` is a node, an attribute of it, and its values before and after. ``before``
    and ``after`` are the nodes to show when the edit has been undone and done.
    """

    changes: Sequence[tuple[Node, str, Any, Any]]
    before: Node
    after: Node

    @property
    def is_review(self) -> bool:
        """Whether it sets properties all over the game."""
        return sum(name == "properties" for _, name, *_ in self.changes) > 1


@dataclass(frozen=True)
class RecordSnapshot:
    """A record as it was after the edit ``last``, and the node that was looked at there."""

    record: "Record"
    node: Node
    last: Edit | None

    def close(self) -> None:
        """Free its memory at once (see ``take_apart``)."""
        self.record.take_apart()


class Record:
    """A game tree with the game's data (in the root's properties) and undoable edits.

    Nodes are read freely and changed only by the edits below, each of which ``undo`` takes back. An
    edit changes nothing outside the variation it is made in. The nodes of a ``line`` are made when
    they are first asked for.
    """

    def __init__(
        self, board: Board, root: Node | None = None, line: MoveLine | None = None
    ) -> None:
        self.board = board
        self._line = line
        if line is None:
            self.root = root or Node()
        self.origin: Origin | None = None
        self.edits: list[Edit] = []
        """The edits that can be undone, oldest first."""
        self._undone: list[Edit] = []
        self._saved: Edit | None = None
        self._changes = 0  # counts up at the begin and end of each change: odd while one is made
        self._appended = 0

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or another process gets: the nodes as a list, and no edits."""
        numbers = {node: number for number, node in enumerate(self.nodes())}
        nodes = [
            (node.parent and numbers[node.parent], node.turn, node.setup, node.properties)
            for node in numbers
        ]
        return vars(self) | {"edits": [], "_undone": [], "_saved": None, "root": nodes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        nodes: list[Node] = []
        for number, turn, setup, properties in state["root"]:
            parent = None if number is None else nodes[number]
            node = Node(parent, turn, setup, properties)
            nodes.append(node)
            if parent:
                parent.children.append(node)
        vars(self).update(state, root=nodes[0])

    def __repr__(self) -> str:
        return f"<Record on {self.board}, plies: {self.plies}>"

    @classmethod
    def of_moves(cls, board: Board, moves: Sequence[Move]) -> Self:
        """Return a record of one line, colours by the order of moves. Raises IllegalMoveError."""
        record = cls(board)
        node = record.root
        for move in moves:
            node = record.append(node, Turn(record.position(node).to_move, move))
        return record

    # The tree

    @cached_property
    def root(self) -> Node:
        """The first node."""
        assert self._line
        self._appended = self._line.plies
        return self._line.nodes()

    @property
    def move_line(self) -> MoveLine | None:
        """All that the record holds, as long as no node has been asked for; else None."""
        return None if "root" in vars(self) else self._line

    @property
    def is_empty(self) -> bool:
        """Whether it holds neither turns nor stones that are set up."""
        return self.move_line is None and not (self.root.children or self.root.setup)

    @property
    def swap_rule(self) -> SwapRule:
        """The swap rule that the property ``RU`` states, by default the usual one of the board."""
        return swap_rule_in(self.info("RU"), self.board)

    def position(self, node: Node | None = None, *, ply: int | None = None) -> Position:
        """Return the position after ``node``, under the swap rule of the game.

        Without a node it is that of the main line's ply, by default its end. Raises
        IllegalMoveError if a turn on the way does not fit the position before it, and ValueError
        if the main line has no such ply.
        """
        if node is None:
            node = self.root.end() if ply is None else self.node_at(ply)
        position = self.position_by_usual_rule(node)
        if position.swap_rule is SwapRule.NONE:
            return position
        return replace(position, swap_rule=self.swap_rule)

    def position_by_usual_rule(self, node: Node) -> Position:
        """Return the position after ``node`` as if the game stated no swap rule.

        Computed once a node. Raises IllegalMoveError like `position`.
        """
        pending = []
        step: Node | None = node
        while step is not None and step.known_position is None:
            pending.append(step)
            step = step.parent
        position = step.known_position if step else Position.empty(self.board)
        assert position is not None
        while pending:
            step = pending.pop()
            if step.setup:
                position = step.setup.apply(position)
            if step.turn:
                position = step.turn.apply(position)
            step.known_position = position
        return position

    def append(
        self,
        parent: Node,
        turn: Turn | None = None,
        setup: Setup = NO_SETUP,
        properties: Properties | None = None,
    ) -> Node:
        """Add a node as the last child of ``parent`` and return it: how readers build a tree.

        Raises IllegalMoveError for a turn that does not fit, and RecordError if the tree would have
        more than MAX_NODES nodes; the tree stays as it was.
        """
        if self._appended == MAX_NODES - 1:
            raise RecordError(TOO_MANY_NODES)
        node = Node(parent, turn, setup, properties)
        self.position(node)
        parent.children.append(node)
        self._appended += 1
        return node

    def take_apart(self) -> None:
        """Separate all nodes, which frees their memory at once; nothing may use them after it."""
        nodes = list(self.nodes())
        while nodes:  # one by one, so that threads can take turns
            node = nodes.pop()
            node.parent = None
            node.children = []

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes, each before its children, main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def holds(self, node: Node) -> bool:
        """Return whether a node is one of this tree, not of another one and not cut off."""
        line = node.line()
        linked = all(after in before.children for before, after in pairwise(line))
        return line[0] is self.root and linked

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line, the root first."""
        return [self.root, *self.root.onward()]

    def turns(self, end: Node | None = None) -> list[Turn]:
        """Return the turns from the root to ``end`` (default: the end of the main line)."""
        return [node.turn for node in (end or self.root.end()).line() if node.turn]

    @property
    def plies(self) -> int:
        """The number of turns in the main line."""
        if self.move_line is not None:
            return self.move_line.plies
        return self.root.end().ply

    def node_at(self, ply: int) -> Node:
        """Return the main line's node at a ply, behind setups. Raises ValueError for none."""
        nodes = [node for node in self.main_line() if node.ply == ply]
        if not nodes:
            raise ValueError(f"no ply {ply}: the main line ends at ply {self.plies}")
        return nodes[-1]

    def shown(self) -> Node | None:
        """Return the node the record asks to be shown at first (``IP``), if it names one."""
        return next((node for node in self.nodes() if "IP" in node.properties), None)

    def equals(self, other: "Record") -> bool:
        """Whether board, shape, turns, setups and properties, in order, are all the same."""
        return not self.difference(other)

    def difference(self, other: "Record") -> str:
        """Return the first thing that the other tree does not hold, in words; '' if they equal."""
        if self.board != other.board:
            return f"the board, {self.board}"
        # Same child counts in preorder make the same shape, so no tree ends before the other.
        for a, b in zip(self.nodes(), other.nodes(), strict=False):
            if what := _node_difference(a, b):
                return f"{what} {a.place(self.board)}"
        return ""

    # What is known about the game

    def info(self, name: str) -> str:
        """Return the one-line text of a root property (``PB``, ``EV``, ...), '' without it."""
        line = self.move_line
        properties = self.root.properties if line is None else line.properties[0]
        values = properties.get(name)
        return unescape_line(values[0]) if values else ""

    def player(self, color: Color) -> str:
        """Return the name of the player of a colour, '' if unknown."""
        return self.info("PB" if color is Color.BLACK else "PW")

    @property
    def result(self) -> Result:
        """The result that the record states (not looked up on the board)."""
        return Result.parse(self.info("RE"))

    # Edits

    def play(
        self,
        node: Node,
        move: Move,
        color: Color | None = None,
        properties: Properties | None = None,
    ) -> Node:
        """Go to the child with the move, added with ``properties`` if there is none.

        Raises IllegalMoveError.
        """
        turn = Turn(color or self.position(node).to_move, move)
        return node.child_with(turn) or self._add(Node(node, turn, properties=properties))

    def play_line(self, node: Node, moves: Sequence[Move]) -> Node:
        """Go along moves of both sides in turn, adding what is missing as one edit; return the end.

        Raises IllegalMoveError, and changes nothing, if a move does not fit.
        """
        first = None
        for move in moves:
            turn = Turn(self.position(node).to_move, move)
            child = node.child_with(turn)
            if child is None:
                child = Node(node, turn)
                self.position(child)
                if first:
                    node.children.append(child)
                first = first or child
            node = child
        if first:
            self._add(first)
        return node

    def set_up(self, node: Node, wanted: Position) -> Node:
        """Set stones and the side to move outside the turns; return the node that holds it.

        That is ``node`` itself if it holds no turn and nothing follows, else a new variation.
        """
        position = self.position(node)
        if (wanted.stones, wanted.to_move) == (position.stones, position.to_move):
            return node
        if node.turn is not None or node.children:
            return self._add(Node(node, setup=Setup.between(position, wanted)))
        before = self.position(node.parent) if node.parent else Position.empty(self.board)
        change = node, "setup", node.setup, Setup.between(before, wanted)
        return self._edit(Edit([change], node, node))

    def set_properties(
        self, changes: Mapping[Node, Mapping[str, Sequence[str]]], variations: Sequence[Node] = ()
    ) -> bool:
        """Set properties of nodes and add variations, as one edit; return whether anything changed.

        Values are as SGF writes them; no values remove a property, and a known one keeps its place
        in the order. A variation is a node that is not in the record yet, with its parent in it,
        and with what follows. Raises ValueError for a name that is not one of SGF's, or that turns,
        setups or the file keep for themselves, or a value that needs ``escape``, and
        IllegalMoveError for a first move that does not fit.
        """
        made: list[tuple[Node, str, Any, Any]] = []
        for node, new in changes.items():
            properties = _with_properties(node, new)
            if properties != node.properties:
                made.append((node, "properties", node.properties, properties))
        added: dict[Node, list[Node]] = {}
        for node in variations:
            assert node.parent is not None
            self.position(node)
            added.setdefault(node.parent, []).append(node)
        made += [
            (parent, "children", parent.children, parent.children + new)
            for parent, new in added.items()
        ]
        if made:
            node, name, *_ = made[0]
            self._edit(Edit(made, node, variations[0] if name == "children" else node))
        return bool(made)

    def set_texts(self, node: Node, texts: Mapping[str, str]) -> bool:
        """Set properties of one text each, like ``set_properties``; '' removes the property."""
        values: dict[str, tuple[str, ...]] = {}
        for name, text in texts.items():
            values[name] = (escape(text),) if text else ()
        return self.set_properties({node: values})

    def set_comment(self, node: Node, text: str) -> None:
        """Set a node's comment; an empty one removes it."""
        self.set_texts(node, {"C": text})

    def delete(self, node: Node) -> Node:
        """Remove a node and all below it; returns its parent. Raises ValueError for the root."""
        parent = node.parent
        if parent is None:
            raise ValueError("the root of a record cannot be deleted")
        left = [child for child in parent.children if child is not node]
        return self._edit(Edit([(parent, "children", parent.children, left)], node, parent))

    def promote(self, node: Node) -> None:
        """Move the variation that ``node`` is in, if any, one place up at the nearest branching."""
        branching = next(
            (branching for branching in reversed(node.line()) if branching.index), None
        )
        if branching is not None:
            self._edit(Edit([_moved(branching, branching.index - 1)], branching, branching))

    def make_main(self, node: Node) -> None:
        """Make the line through ``node`` the main line, down to the node, if it is not."""
        moved = [branching for branching in reversed(node.line()) if branching.index]
        if moved:
            self._edit(Edit([_moved(branching, 0) for branching in moved], moved[0], moved[0]))

    def _add(self, node: Node) -> Node:
        """Make a node, with what follows, its parent's last child."""
        self.set_properties({}, [node])
        return node

    def _edit(self, edit: Edit) -> Node:
        """Make an edit; what had been undone can no longer be redone."""
        self._undone.clear()
        return self._done(edit)

    def _done(self, edit: Edit) -> Node:
        self._changes += 1
        for node, name, _, after in edit.changes:
            _change(node, name, after)
        self.edits.append(edit)
        self._changes += 1
        return edit.after

    def undo(self) -> Node | None:
        """Take the last edit back; returns the node to look at, None if there is no edit."""
        if not self.edits:
            return None
        self._changes += 1
        edit = self.edits.pop()
        for node, name, before, _ in edit.changes:
            _change(node, name, before)
        self._undone.append(edit)
        self._changes += 1
        return edit.before

    def redo(self) -> Node | None:
        """Make the last undone edit again; returns the node to look at, None if there is none."""
        return self._done(self._undone.pop()) if self._undone else None

    @property
    def last_edit(self) -> Edit | None:
        """The edit that made the tree what it is, None if there is none."""
        return self.edits[-1] if self.edits else None

    @property
    def modified(self) -> bool:
        """Whether there are edits since the record was read or ``mark_saved`` was called."""
        return self.last_edit is not self._saved

    def mark_saved(self, last: Edit | None) -> None:
        """Note that the record as it was after the edit ``last`` (None: before any) is saved."""
        self._saved = last

    def mark_unsaved(self) -> None:
        """Note that no state of the record that edits lead to has been saved."""
        self._saved = Edit((), self.root, self.root)  # which never is the last one

    def snapshot(self, node: Node) -> RecordSnapshot:
        """Return the record as it is, at ``node`` or its start; other threads may edit it."""
        while True:
            before, last = self._changes, self.last_edit
            nodes = list(self.nodes())
            record = copy(self)
            if before % 2 == 0 and self._changes == before:
                break
        copies = dict(zip(nodes, record.nodes(), strict=True))
        return RecordSnapshot(record, copies.get(node, record.root), last)


def _change(node: Node, name: str, value: Any) -> None:
    if name == "setup":  # only a leaf's is ever changed, so no other position depends on it
        node.known_position = None
    setattr(node, name, value)


def _moved(node: Node, index: int) -> tuple[Node, str, list[Node], list[Node]]:
    """Return the change that moves a node among its siblings."""
    assert node.parent is not None
    siblings = node.parent.children
    others = [sibling for sibling in siblings if sibling is not node]
    return node.parent, "children", siblings, [*others[:index], node, *others[index:]]


def _with_properties(node: Node, changes: Mapping[str, Sequence[str]]) -> Properties:
    """Return a node's properties with changes; raises ValueError like ``set_properties``."""
    properties = dict(node.properties)
    for name, values in changes.items():
        if not PROPERTY_NAME.fullmatch(name) or name in _RESERVED:
            raise ValueError(f"{name!r} cannot be set as a property")
        if not all(RAW_VALUE.fullmatch(value) for value in values):
            raise ValueError(f"a value of {name} is not escaped")
        if values:
            properties[name] = tuple(encodable(value) for value in values)
        else:
            properties.pop(name, None)
    return properties


def _node_difference(a: Node, b: Node) -> str:
    if a.turn != b.turn:
        return "the turn"
    if a.setup != b.setup:
        return "the setup"
    for own, other in zip_longest(a.properties.items(), b.properties.items()):
        if own != other:
            return f"property {(own or other)[0]}"
    return "" if len(a.children) == len(b.children) else "the number of variations"
