"""A record: a game tree with what is known about the game, and the edits a user can make."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.records.history import (
    Edit,
    History,
    add_subtree,
    move_sibling,
    remove_subtree,
    rewrite,
    together,
)
from hextui.records.text import PROPERTY_NAME, RAW_VALUE, encodable, escape, unescape_line
from hextui.records.tree import GameTree, Node, Setup, Turn, copy_of

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


@dataclass(frozen=True)
class Origin:
    """Where a record was read: file (None: not from a file), format, its number there from 1.

    ``alone`` is False if the file holds other games too, so that saving there would lose them.
    ``notes`` are lines for the user about what was guessed. ``board`` is the one that was given for
    lists of moves without a size.
    """

    path: Path | None
    format: str
    number: int
    alone: bool
    notes: tuple[str, ...] = ()
    board: Board | None = None


@dataclass(frozen=True)
class RecordSnapshot:
    """A record as it was at one moment, and the node that was looked at there.

    ``last`` is the edit that had made it so, None if there was none.
    """

    record: "Record"
    node: Node
    last: Edit | None

    def close(self) -> None:
        """Free its memory at once (see ``take_apart``)."""
        self.record.take_apart()


class Record(GameTree):
    """A game tree with the game's data (in the root's properties) and undoable edits.

    Positions come from ``position(node)``; ``children``, ``properties`` and the like are read
    freely and changed only by the edits below, each of which ``undo`` takes back. An edit changes
    nothing outside the variation it is made in.
    """

    def __init__(self, board: Board, root: Node | None = None) -> None:
        super().__init__(board, root)
        self.history = History()
        self.origin: Origin | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or another process gets: its edits are its own to take back."""
        return super().__getstate__() | {"history": History()}

    def __repr__(self) -> str:
        return f"<Record on {self.board}, plies: {self.plies}>"

    @classmethod
    def of_moves(cls, board: Board, moves: Sequence[Move]) -> Self:
        """Return a record of one line, colours by the order of moves.

        Raises IllegalMoveError if a move does not fit.
        """
        record = cls(board)
        node = record.root
        for move in moves:
            node = record.append(node, Turn(record.position(node).to_move, move))
        return record

    # What is known about the game

    def info(self, name: str) -> str:
        """Return the one-line text of a root property (``PB``, ``EV``, ...), '' without it."""
        return unescape_line("".join(self.root.properties.get(name, ())[:1]))

    def player(self, color: Color) -> str:
        """Return the name of the player of a colour, '' if unknown."""
        return self.info("PB" if color is Color.BLACK else "PW")

    @property
    def event(self) -> str:
        """The event, '' if unknown."""
        return self.info("EV")

    @property
    def date(self) -> str:
        """The date as it was written, '' if unknown."""
        return self.info("DT")

    @property
    def rules(self) -> str:
        """The rules as they were written, '' if unknown."""
        return self.info("RU")

    @property
    def title(self) -> str:
        """The game's name, '' without one."""
        return self.info("GN")

    @property
    def result(self) -> Result:
        """The result that the record states (not looked up on the board)."""
        return Result.parse(self.info("RE"))

    # Edits

    def play(self, node: Node, move: Move, color: Color | None = None) -> Node:
        """Go to the child of ``node`` that holds the move; add it as a variation if there is none.

        ``color`` defaults to the side to move. Raises IllegalMoveError if the move does not fit.
        """
        return self.play_turn(node, Turn(color or self.position(node).to_move, move))

    def play_turn(self, node: Node, turn: Turn) -> Node:
        """Do what ``play`` does with a whole turn."""
        found = node.child_with(turn)
        if found is not None:
            return found
        child = Node(node, turn)
        self.position(child)
        return self.history.apply(add_subtree(node, child, len(node.children)))

    def play_line(self, node: Node, moves: Sequence[Move]) -> Node:
        """Go along moves of both sides in turn, adding what is missing as one edit.

        Returns the node of the last move. Raises IllegalMoveError, and changes nothing, if a
        move does not fit.
        """
        start, first = node, None
        for move in moves:
            turn = Turn(self.position(node).to_move, move)
            found = node.child_with(turn) if first is None else None
            if found is not None:
                start = node = found
                continue
            child = Node(node, turn)
            self.position(child)
            if first is None:
                first = child
            else:
                node._children.append(child)
            node = child
        if first is not None:
            self.history.apply(add_subtree(start, first, len(start.children)))
        return node

    def put_stone(self, node: Node, cell: int, stone: int) -> Node:
        """Set a cell to a colour or EMPTY outside the turns; returns the node that holds it.

        That is ``node`` itself if it holds no turn and nothing follows, else a new variation.
        """
        return self._set_up(node, self.position(node).with_stone(cell, stone))

    def put_to_move(self, node: Node, color: Color) -> Node:
        """Set the side to move outside the turns; returns the node that holds it.

        That is ``node`` itself if it holds no turn and nothing follows, else a new variation.
        """
        return self._set_up(node, self.position(node).with_to_move(color))

    def _set_up(self, node: Node, wanted: Position) -> Node:
        position = self.position(node)
        if (wanted.stones, wanted.to_move) == (position.stones, position.to_move):
            return node
        if node.turn is not None or node.children:
            child = Node(node, setup=Setup.between(position, wanted))
            return self.history.apply(add_subtree(node, child, len(node.children)))
        before = self.position(node.parent) if node.parent else Position.empty(self.board)
        setup = Setup.between(before, wanted)
        return self.history.apply(rewrite(node, setup, node.properties))

    def set_properties(
        self,
        changes: Mapping[Node, Mapping[str, Sequence[str]]],
        variations: Sequence[Node] = (),
    ) -> bool:
        """Set properties of nodes and add variations, as one edit; return whether anything changed.

        Values are as SGF writes them; no values remove a property, and a known one keeps its place
        in the order. A variation is a node that is not in the record yet, with its parent in it,
        and with what follows. Raises ValueError for a name that is not one of SGF's, or that turns,
        setups or the file keep for themselves, or a value that needs ``escape``, and
        IllegalMoveError for a first move that does not fit.
        """
        edits = [edit for node, new in changes.items() if (edit := _rewriting(node, new))]
        places: Counter[Node] = Counter()
        for node in variations:
            assert node.parent is not None
            self.position(node)
            place = len(node.parent.children) + places[node.parent]
            places[node.parent] += 1
            edits.append(add_subtree(node.parent, node, place))
        if edits:
            self.history.apply(together(edits))
        return bool(edits)

    def set_texts(self, node: Node, texts: Mapping[str, str]) -> bool:
        """Set properties of one text each, as one edit; an empty text removes the property.

        Returns whether anything changed. Raises ValueError like ``set_properties``.
        """
        values = {name: (escape(text),) if text else () for name, text in texts.items()}
        return self.set_properties({node: values})

    def set_comment(self, node: Node, text: str) -> None:
        """Set a node's comment; an empty one removes it."""
        self.set_texts(node, {"C": text})

    def delete(self, node: Node) -> Node:
        """Remove a node and all below it; returns its parent. Raises ValueError for the root."""
        if node.parent is None:
            raise ValueError("the root of a record cannot be deleted")
        return self.history.apply(remove_subtree(node.parent, node, node.index))

    def promote(self, node: Node) -> None:
        """Move the variation that ``node`` is in one place up at the nearest branching.

        Nothing happens in the main line.
        """
        at: Node | None = node
        while at is not None and at.index == 0:
            at = at.parent
        if at is not None:
            self.history.apply(move_sibling(at, at.index, at.index - 1))

    def make_main(self, node: Node) -> None:
        """Make the line through ``node`` the main line, down to the node; nothing happens if it is.

        Undoing and redoing it leaves the user at the last branching.
        """
        edits = tuple(move_sibling(at, at.index, 0) for at in reversed(node.line()) if at.index)
        if edits:
            self.history.apply(together(edits))

    def undo(self) -> Node | None:
        """Take the last edit back; returns the node to look at, None if there is no edit."""
        return self.history.undo()

    def redo(self) -> Node | None:
        """Make the last undone edit again; returns the node to look at, None if there is none."""
        return self.history.redo()

    @property
    def modified(self) -> bool:
        """Whether there are edits since the record was read or ``mark_saved`` was called."""
        return self.history.modified

    def mark_saved(self, last: Edit | None) -> None:
        """Say that the record as it was after the edit ``last`` has been saved.

        None: as it was before any edit; ``history.last``: as it is now.
        """
        self.history.mark_saved(last)

    def snapshot(self, node: Node) -> RecordSnapshot:
        """Return the record as it is; may be called in a thread while another one edits.

        If ``node`` is not in it any more, the snapshot looks at its start.
        """
        while True:
            before, last = self.history.changes, self.history.last
            root, nodes = copy_of(self.root)
            if before % 2 == 0 and self.history.changes == before:
                break
        record = Record(self.board, root)
        record.origin = self.origin
        return RecordSnapshot(record, nodes.get(node, root), last)


def _rewriting(node: Node, changes: Mapping[str, Sequence[str]]) -> Edit | None:
    """Return the edit that sets properties, None if they are set already."""
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
    if properties == node.properties:
        return None
    return rewrite(node, node.setup, properties)
