"""The game tree: walking, positions, edits, undo and redo."""

import copy
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import IllegalMoveError, Move, MoveKind, Position, SwapRule
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record, Result
from hextui.records.tree import Node
from tests.records.trees import records


def sample() -> Record:
    return read_sgf("(;GM[11]SZ[5];B[a1];W[b2](;B[c3];W[d4])(;B[c1];W[c2](;B[d1])(;B[d2])))")


def put_stone(record: Record, node: Node, cell: int, stone: int) -> Node:
    return record.set_up(node, record.position(node).with_stone(cell, stone))


def test_walking() -> None:
    record = sample()
    assert [node.ply for node in record.main_line()] == [0, 1, 2, 3, 4]
    assert record.plies == 4
    branching = record.node_at(2)
    second = branching.children[1]
    assert second.index == 1
    assert second.siblings == branching.children
    line = [turn.name(record.board) for turn in record.turns(second.end())]
    assert line == ["a1", "b2", "c1", "c2", "d1"]
    assert [node.ply for node in record.nodes()] == [0, 1, 2, 3, 4, 3, 4, 5, 5]
    assert second.line()[0] is record.root
    with pytest.raises(ValueError, match="no ply 5: the main line ends at ply 4"):
        record.node_at(5)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda record: pickle.loads(pickle.dumps(record))]
)
def test_a_record_of_any_length_is_copied(copied: Callable[[Record], Record]) -> None:
    record = sample()
    long = Record.of_moves(Board(19, 19), [Move(MoveKind.PLAY, cell) for cell in range(19 * 19)])
    record.set_comment(record.node_at(4), "last")
    for one in (record, long):
        other = copied(one)
        assert one.equals(other)
        assert other.position() == one.position()
        assert other.undo() is None
        other.play(other.root, Move(MoveKind.PLAY, 24))
        assert not one.equals(other)
    assert record.undo() is not None


def test_a_ply_includes_the_setup_behind_its_turn() -> None:
    record = read_sgf("(;GM[11]SZ[3];AB[a1]PL[W];W[b2];C[think];AE[a1])")
    assert record.position(record.node_at(0)).stones[0] == Color.BLACK
    assert record.position(record.node_at(1)).stones[0] == EMPTY


def test_a_turn_overrides_the_side_to_move() -> None:
    record = read_sgf("(;GM[11]SZ[3];W[a1];W[b2];B[c3])")
    positions = [record.position(node) for node in record.main_line()]
    assert str(positions[-1]) == "W . .\n . W .\n  . . B"
    assert positions[2].to_move is Color.BLACK


@given(records())
def test_positions_do_not_depend_on_the_order_of_asking(record: Record) -> None:
    fresh = read_sgf(write_sgf(record))
    for a, b in reversed(list(zip(record.nodes(), fresh.nodes(), strict=True))):
        position = Position.empty(fresh.board)
        for node in b.line():
            position = node.setup.apply(position) if node.setup else position
            position = node.turn.apply(position) if node.turn else position
        assert record.position(a) == fresh.position(b) == position


def test_playing_goes_to_the_move_that_is_there_or_adds_a_variation() -> None:
    record = sample()
    first = record.root.children[0]
    assert record.play(record.root, Move.play(0)) is first
    assert not record.modified
    assert record.play(record.root, Move.play(0), Color.WHITE) is not first
    record.undo()
    added = record.play(record.root, Move.play(1))
    assert record.root.children == [first, added]
    assert record.modified
    with pytest.raises(IllegalMoveError):
        record.play(first, Move.play(0))
    with pytest.raises(IllegalMoveError):
        record.position(first).play(0)
    assert record.undo() is record.root
    assert record.root.children == [first]
    assert not record.modified
    assert record.redo() is added
    assert record.undo()
    assert record.undo() is None
    assert record.redo()
    assert record.redo() is None


def test_setup_in_place_or_as_a_variation() -> None:
    record = Record(Board(3, 3))
    assert put_stone(record, record.root, 4, Color.BLACK) is record.root
    assert put_stone(record, record.root, 0, Color.WHITE) is record.root
    assert (
        record.set_up(record.root, record.position(record.root).with_to_move(Color.WHITE))
        is record.root
    )
    assert put_stone(record, record.root, 4, Color.BLACK) is record.root
    assert len(record.edits) == 3
    assert str(record.position(record.root)) == "W . .\n . B .\n  . . ."
    put_stone(record, record.root, 4, EMPTY)
    assert record.root.setup.cells == {0: Color.WHITE}
    moved = record.play(record.root, Move.play(8))
    assert moved.turn is not None
    assert moved.turn.color is Color.WHITE
    beside = put_stone(record, record.root, 0, EMPTY)
    assert beside is record.root.children[1]
    assert beside.setup.cells == {0: EMPTY}
    after = put_stone(record, moved, 1, Color.BLACK)
    assert after.parent is moved
    assert record.position(moved).stones[1] == EMPTY
    while record.undo():
        pass
    assert record.position(record.root) == Position.empty(record.board)
    while record.redo():
        pass
    assert record.position(after).stones[8] == Color.WHITE


def test_deleting_and_promoting() -> None:
    record = sample()
    before = write_sgf(record)
    first, second = record.node_at(2).children
    record.promote(second.end())
    assert record.node_at(2).children == [second, first]
    assert record.plies == 5
    record.promote(second.end())
    assert len(record.edits) == 1
    assert record.delete(second) is record.node_at(2)
    assert record.plies == 4
    assert record.undo() is second
    record.undo()
    assert write_sgf(record) == before
    with pytest.raises(ValueError, match="root"):
        record.delete(record.root)


def test_comments_and_properties() -> None:
    record = sample()
    node = record.root.children[0]
    record.set_comment(node, "a ] \\ b\nc")
    record.set_texts(node, {"N": "x"})
    record.set_comment(node, "d")
    assert list(node.properties.items()) == [("C", ("d",)), ("N", ("x",))]
    record.set_comment(node, "d")
    record.undo()
    assert node.comment == "a ] \\ b\nc"
    record.set_comment(node, "")
    assert list(node.properties) == ["N"]
    for name, values in [("B", ["a1"]), ("c", ["x"]), ("XX", ["a]"]), ("XX", ["a\\"])]:
        with pytest.raises(ValueError, match=name):
            record.set_properties({node: {name: values}})


def test_modified_follows_the_saved_state() -> None:
    record = sample()
    record.set_comment(record.root, "one")
    record.mark_saved(record.last_edit)
    assert not record.modified
    record.undo()
    assert record.modified
    record.redo()
    assert not record.modified
    record.undo()
    record.set_comment(record.root, "one")
    assert record.modified


@given(records(length=6), st.randoms(use_true_random=False))
def test_undoing_everything_gives_the_record_back(record: Record, rng) -> None:
    texts = [write_sgf(record)]
    for _ in range(12):
        node = rng.choice(list(record.nodes()))
        free = record.position(node).empties
        edits = len(record.edits)
        match rng.randrange(6):
            case 0 if free:
                record.play(node, Move.play(rng.choice(free)))
            case 1:
                put_stone(record, node, rng.randrange(record.board.cells), rng.randrange(3))
            case 2:
                record.set_comment(node, rng.choice(["", "hm", "ha"]))
            case 3 if node.parent:
                record.delete(node)
            case 4:
                record.promote(node)
            case _:
                record.set_up(
                    node, record.position(node).with_to_move(rng.choice([Color.BLACK, Color.WHITE]))
                )
        if len(record.edits) > edits:
            texts.append(write_sgf(record))
    for text in reversed(texts[:-1]):
        assert record.undo()
        assert write_sgf(record) == text
    assert not record.modified
    for text in texts[1:]:
        assert record.redo()
        assert write_sgf(record) == text
        again = read_sgf(text)
        for a, b in zip(record.nodes(), again.nodes(), strict=True):
            assert record.position(a) == again.position(b)


@given(records(length=6), st.randoms(use_true_random=False))
def test_an_edit_never_touches_another_variation(record: Record, rng) -> None:
    before = {node: (node.turn, node.setup, record.position(node)) for node in record.nodes()}
    node = rng.choice(list(before))
    put_stone(record, node, rng.randrange(record.board.cells), rng.randrange(3))
    record.play(node, Move(MoveKind.PASS))
    for other, (turn, setup, position) in before.items():
        if other is not node:
            assert (other.turn, other.setup, record.position(other)) == (turn, setup, position)


@pytest.mark.parametrize(
    ("text", "winner", "how"),
    [
        ("B+", Color.BLACK, ""),
        ("W+Resign", Color.WHITE, "Resign"),
        ("Red", Color.BLACK, ""),
        ("b + t", Color.BLACK, "t"),
        ("?", None, "?"),
        ("", None, ""),
    ],
)
def test_results(text: str, winner: Color | None, how: str) -> None:
    assert Result.parse(text) == Result(winner, how)


def test_a_line_is_added_as_one_edit() -> None:
    board = Board(5, 5)
    moves = [Move.parse(name, board) for name in ("a1", "b2", "c3")]
    record = Record.of_moves(board, moves[:1])
    last = record.play_line(record.root, moves)
    assert [node.turn.move for node in last.line() if node.turn] == moves
    assert record.position(last).stones[board.cell("c3")] == 1
    assert len(record.edits) == 1
    assert record.play_line(record.root, moves) is last
    assert len(record.edits) == 1
    assert record.undo() is record.root.children[0]
    assert record.root.children[0].children == []
    assert record.redo() is not None
    assert record.play_line(record.root, moves) is last


def test_a_line_with_an_illegal_move_changes_nothing() -> None:
    board = Board(5, 5)
    record = Record(board)
    moves = [Move.parse(name, board) for name in ("a1", "b2", "a1")]
    with pytest.raises(IllegalMoveError):
        record.play_line(record.root, moves)
    assert not record.root.children
    assert not record.modified


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("(;GM[11]SZ[5];B[c3])", SwapRule.PIECES),
        ("(;GM[11]SZ[5]RU[no swap];B[c3])", SwapRule.NONE),
        ("(;GM[11]SZ[5]RU[Hex, swap-sides];B[c3])", SwapRule.SIDES),
        ("(;GM[11]SZ[4:5];B[c3])", SwapRule.SIDES),
        ("(;GM[11]SZ[5]AB[c3]PL[W])", SwapRule.NONE),
        ("BoardSize: 5x5\nFirst: V\nSwap: 0\nMoves: 1. C3", SwapRule.NONE),
        ("BoardSize: 5x5\nFirst: H\nSwap: 1\nMoves: 1. C3", SwapRule.PIECES),
        ('{"boardsize": 5, "allowSwap": false, "moves": "c3"}', SwapRule.NONE),
        ('{"boardsize": 5, "allowSwap": true, "moves": "c3"}', SwapRule.PIECES),
        ("#5,c3", SwapRule.PIECES),
    ],
)
def test_a_game_has_the_swap_rule_that_its_record_states(text: str, rule: SwapRule) -> None:
    record = read_record(text)
    position = record.position()
    assert (position.swap_rule, position.swap_legal) == (rule, rule is not SwapRule.NONE)
    assert position.play("a1").swap_rule is SwapRule.NONE
    record.set_texts(record.root, {"RU": "no swap"})
    assert not record.position().swap_legal
    record.undo()
    assert record.position() == position
