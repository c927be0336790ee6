"""Edits of a game tree that can be undone and redone, apart from where the user looks."""

import enum
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from hextui.records.tree import Node, Properties, Setup


class Edit(Protocol):
    """One change of the tree. ``do`` and ``undo`` return the node to look at afterwards."""

    def do(self) -> Node:
        """Make the change."""
        ...

    def undo(self) -> Node:
        """Take the change back."""
        ...


@dataclass(frozen=True, eq=False)
class Graft:
    """Adds a subtree: ``node`` becomes its parent's child number ``index``."""

    parent: Node
    node: Node
    index: int

    def do(self) -> Node:
        """Add the subtree; returns its first node."""
        self.parent._children.insert(self.index, self.node)
        return self.node

    def undo(self) -> Node:
        """Take the subtree away; returns its parent."""
        del self.parent._children[self.index]
        return self.parent


@dataclass(frozen=True, eq=False)
class Cut:
    """Takes a subtree away: the undoing of a graft."""

    graft: Graft

    def do(self) -> Node:
        """Take the subtree away; returns its parent."""
        return self.graft.undo()

    def undo(self) -> Node:
        """Put the subtree back; returns its first node."""
        return self.graft.do()


@dataclass(frozen=True, eq=False)
class Reorder:
    """Moves a node among its siblings."""

    node: Node
    before: int
    after: int

    def do(self) -> Node:
        """Move the node to ``after``; returns it."""
        return self._move(self.before, self.after)

    def undo(self) -> Node:
        """Move the node back to ``before``; returns it."""
        return self._move(self.after, self.before)

    def _move(self, old: int, new: int) -> Node:
        assert self.node.parent is not None
        siblings = self.node.parent._children
        siblings.insert(new, siblings.pop(old))
        return self.node


@dataclass(frozen=True, eq=False)
class Rewrite:
    """Changes what one node holds: its setup and its properties."""

    node: Node
    before: tuple[Setup, Properties]
    after: tuple[Setup, Properties]

    def do(self) -> Node:
        """Write the new content; returns the node."""
        return self._write(self.after)

    def undo(self) -> Node:
        """Write the old content; returns the node."""
        return self._write(self.before)

    def _write(self, content: tuple[Setup, Properties]) -> Node:
        setup, properties = content
        if setup != self.node.setup:
            # Only a leaf's setup is ever rewritten, so no other position depends on it.
            self.node._position = None
        self.node._setup = setup
        self.node._properties = dict(properties)
        return self.node


@dataclass(frozen=True, eq=False)
class Together:
    """Several edits that are made and taken back as one."""

    edits: tuple[Edit, ...]

    def do(self) -> Node:
        """Make them in order; returns the node of the first."""
        nodes = [edit.do() for edit in self.edits]
        return nodes[0]

    def undo(self) -> Node:
        """Take them back, the last one first; returns the node of the first."""
        nodes = [edit.undo() for edit in reversed(self.edits)]
        return nodes[-1]


class _Never(enum.Enum):
    """Stands where the last edit before saving would."""

    SAVED = enum.auto()


class History:
    """The edits made and undone, and which state is the saved one."""

    def __init__(self) -> None:
        self._done: list[Edit] = []
        self._undone: list[Edit] = []
        self._saved: Edit | _Never | None = None
        self.changes = 0
        """Counts up at the begin and at the end of each change: odd while one is being made."""

    def apply(self, edit: Edit) -> Node:
        """Make an edit; what had been undone can no longer be redone."""
        with self._changing():
            node = edit.do()
            self._done.append(edit)
            self._undone.clear()
        return node

    def undo(self) -> Node | None:
        """Take the last edit back and return the node to look at, None if there is no edit."""
        if not self._done:
            return None
        with self._changing():
            edit = self._done.pop()
            self._undone.append(edit)
            return edit.undo()

    def redo(self) -> Node | None:
        """Make the last undone edit again; returns the node to look at, None if there is none."""
        if not self._undone:
            return None
        with self._changing():
            edit = self._undone.pop()
            self._done.append(edit)
            return edit.do()

    @property
    def done(self) -> Sequence[Edit]:
        """The edits that can be undone, oldest first."""
        return self._done

    @property
    def undone(self) -> Sequence[Edit]:
        """The edits that can be redone, the next one last."""
        return self._undone

    @property
    def modified(self) -> bool:
        """Whether the tree differs from the saved one (by edits, not by comparing)."""
        return self.last is not self._saved

    def mark_saved(self, last: Edit | None) -> None:
        """Say that the tree as it was after the edit ``last`` (None: before any) has been saved."""
        self._saved = last

    def mark_unsaved(self) -> None:
        """Say that no state of the tree that edits lead to has been saved."""
        self._saved = _Never.SAVED

    @property
    def last(self) -> Edit | None:
        """The edit that made the tree what it is, None if there is none."""
        return self._done[-1] if self._done else None

    @contextmanager
    def _changing(self) -> Iterator[None]:
        self.changes += 1
        try:
            yield
        finally:
            self.changes += 1
