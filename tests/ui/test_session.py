"""A session: walking, playing, setup, and random sequences of actions against a plain model."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.records.board_view import Mode
from hextui.records.record import Record
from hextui.ui.record.session import Session


@pytest.fixture
def session():
    """A record with the main line c3 d2 b4 and the variation c3 e1."""
    board = Board(5, 5)
    record = Record.of_moves(board, [Move.play(board.cell(name)) for name in ("c3", "d2", "b4")])
    record.play(record.root.children[0], Move.play(board.cell("e1")))
    record.edits.clear()
    return Session(record)


def name(session):
    return session.node.turn.name(session.board) if session.node.turn else ""


def test_walking_on_follows_the_variation_walked_last(session):
    session.forward(2)
    assert session.variation(1)
    assert name(session) == "e1"
    session.first()
    session.last()
    assert name(session) == "e1"
    assert [node.ply for node in session.line()] == [0, 1, 2]
    assert session.variation(-1)
    session.last()
    assert name(session) == "b4"
    assert session.variation(1), "of the nearest branching before"
    assert name(session) == "e1"
    session.first()
    assert not session.variation(1)


def test_last_move_next_move_and_numbers(session):
    cell = session.board.cell
    assert session.last_move is None
    assert session.next_cell == cell("c3")
    session.last()
    assert session.last_move == cell("b4")
    assert session.next_cell is None
    assert session.numbers() == {cell("c3"): 1, cell("d2"): 2, cell("b4"): 3}


def test_a_swap_of_pieces_moves_marks_with_the_stone():
    session = Session(Record(Board(5, 5)))
    session.play(session.board.cell("b4"))
    session.swap()
    assert session.last_move == session.board.cell("d2")
    assert session.numbers() == {session.board.cell("d2"): 1}
    with pytest.raises(IllegalMoveError, match="second move"):
        session.swap()


def test_a_board_that_is_not_square_swaps_sides():
    session = Session(Record(Board(3, 5)))
    session.play(0)
    session.swap()
    assert session.node.turn.move.kind is MoveKind.SWAP_SIDES


def test_setup_places_stones_and_changes_sides_as_edits(session):
    session.last()
    assert session.placing == Color.WHITE
    session.mode, session.stone = Mode.SETUP, EMPTY
    assert session.placing == EMPTY
    session.place(session.board.cell("c3"), EMPTY)
    assert session.position.stones[session.board.cell("c3")] == EMPTY
    assert session.numbers().keys() == {session.board.cell("d2"), session.board.cell("b4")}
    session.change_side()
    assert session.position.to_move is Color.BLACK
    assert session.undo()
    assert session.undo()
    assert name(session) == "b4"


def test_the_cursor_starts_in_the_middle_and_the_record_where_it_asks():
    record = Record.of_moves(Board(3, 3), [Move.play(4), Move.play(1)])
    record.set_properties({record.root.children[0]: {"IP": ("",)}})
    session = Session(record)
    assert session.cursor == 4
    assert session.node.ply == 1


# Random sequences of actions against a plain model: positions as lists of stones in a tree


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
