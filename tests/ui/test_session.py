import pytest

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.records.record import Record
from hextui.ui.drawing.board_view import Mode
from hextui.ui.session import Session


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
