"""Random sequences of actions against a plain model: positions as lists of stones in a tree."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board
from hextui.engine.position import IllegalMoveError
from hextui.records.record import Record
from hextui.ui.session import Session

BOARD = Board(3, 3)


@dataclass
class Place:
    """A node of the model: the moves on the way to it, and what follows."""

    moves: tuple[int, ...] = ()
    children: list["Place"] = field(default_factory=list)

    def of(self, cell):
        return next((c for c in self.children if c.moves[-1] == cell), None)

    def copy(self):
        return Place(self.moves, [child.copy() for child in self.children])

    def find(self, moves):
        place = self
        for cell in moves:
            place = place.of(cell)
        return place


class Model:
    """The record as whole copies: every edit keeps the tree before it."""

    def __init__(self):
        self.root = Place()
        self.at: tuple[int, ...] = ()
        self.followed: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.undone, self.done = [], []

    def edit(self, change, target):
        self.done.append((self.root.copy(), self.at))
        self.undone.clear()
        change()
        self.go(target)

    def go(self, moves):
        self.at = moves
        for n in range(len(moves)):
            self.followed[moves[:n]] = moves[: n + 1]

    def play(self, cell):
        place = self.root.find(self.at)
        target = (*self.at, cell)
        if place.of(cell):
            self.go(target)
        else:
            self.edit(lambda: place.children.append(Place(target)), target)

    def delete(self):
        parent = self.root.find(self.at[:-1])
        self.edit(lambda: parent.children.remove(parent.of(self.at[-1])), self.at[:-1])

    def forward(self):
        children = [child.moves for child in self.root.find(self.at).children]
        if children:
            followed = self.followed.get(self.at)
            self.at = followed if followed and followed in children else children[0]

    def back(self):
        if self.at:
            self.followed[self.at[:-1]] = self.at
            self.at = self.at[:-1]

    def undo(self, source, target):
        if source:
            target.append((self.root.copy(), self.at))
            self.root, _ = source.pop()


def tree_of(node):
    return [(child.turn.move.cell, tree_of(child)) for child in node.children]


def model_tree(place):
    return [(child.moves[-1], model_tree(child)) for child in place.children]


ACTIONS = st.one_of(
    st.sampled_from(["forward", "back", "first", "last", "undo", "redo", "delete"]),
    st.integers(0, BOARD.cells - 1),
)


@settings(max_examples=150)
@given(st.lists(ACTIONS, max_size=40))
def test_a_session_is_what_a_plain_model_is(actions):
    session, model = Session(Record(BOARD)), Model()
    for action in actions:
        match action:
            case int(cell):
                try:
                    session.play(cell)
                except IllegalMoveError:
                    assert cell in model.at or session.position.winner
                else:
                    model.play(cell)
            case "forward":
                session.forward()
                model.forward()
            case "back":
                session.back()
                model.back()
            case "first":
                session.first()
                while model.at:
                    model.back()
            case "last":
                session.last()
                for _ in range(BOARD.cells):
                    model.forward()
            case "delete" if session.node.parent:
                session.go_to(session.record.delete(session.node))
                model.delete()
            case "undo" | "redo":
                did = session.undo() if action == "undo" else session.redo()
                ways = (model.done, model.undone)
                assert did == bool(ways[action == "redo"])
                model.undo(*(ways if action == "undo" else ways[::-1]))
                if did:  # where the edit was is looked at: any place that the model has too
                    model.go(tuple(node.turn.move.cell for node in session.node.line()[1:]))
        line = tuple(node.turn.move.cell for node in session.node.line()[1:])
        assert line == model.at
        assert model.root.find(line) is not None
        assert tree_of(session.record.root) == model_tree(model.root)
        stones = [0] * BOARD.cells
        for ply, cell in enumerate(line):
            stones[cell] = 1 + ply % 2
        assert list(session.position.stones) == stones
