"""Edits of a game tree that can be undone and redone, apart from where the user looks."""

import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from hextui.records.tree import Node, Properties, Setup


@dataclass(frozen=True, eq=False)
class Edit:
    """One change of the tree: ``do`` makes it, ``undo`` takes it back.

    Both return the node to show afterwards. Two edits are the same only if they are one object.
    """

    do: Callable[[], Node]
    undo: Callable[[], Node]


def add_subtree(parent: Node, node: Node, index: int) -> Edit:
    """Return the edit that makes ``node`` its parent's child number ``index``."""

    def do() -> Node:
        parent._children.insert(index, node)
        return node

    def undo() -> Node:
        del parent._children[index]
        return parent

    return Edit(do, undo)


def remove_subtree(parent: Node, node: Node, index: int) -> Edit:
    """Return the edit that takes a child and all below it out of the tree."""
    edit = add_subtree(parent, node, index)
    return Edit(edit.undo, edit.do)


def move_sibling(node: Node, before: int, after: int) -> Edit:
    """Return the edit that moves a node among its siblings, from one place to another."""

    def move(old: int, new: int) -> Node:
        assert node.parent is not None
        siblings = node.parent._children
        siblings.insert(new, siblings.pop(old))
        return node

    return Edit(lambda: move(before, after), lambda: move(after, before))


def rewrite(node: Node, setup: Setup, properties: Properties) -> Edit:
    """Return the edit that gives a node another setup and other properties."""
    old = node.setup, node.properties

    def write(setup: Setup, properties: Properties) -> Node:
        if setup != node.setup:
            # Only a leaf's setup is ever rewritten, so no other position depends on it.
            node._position = None
        node._setup = setup
        node._properties = dict(properties)
        return node

    return Edit(lambda: write(setup, properties), lambda: write(*old))


def together(edits: Sequence[Edit]) -> Edit:
    """Return several edits as one, which shows the node of the first and is undone backwards."""

    def do() -> Node:
        nodes = [edit.do() for edit in edits]
        return nodes[0]

    def undo() -> Node:
        nodes = [edit.undo() for edit in reversed(edits)]
        return nodes[-1]

    return Edit(do, undo)


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
