"""Marks, labels and glyphs: read, set, taken away, kept through SGF and undone."""

from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.markup import GLYPHS, MARKS, glyph_of, marks_of, set_glyph, set_mark, signs_of
from hextui.records.record import Record

BOARD = Board(5, 5)


def test_marks_of_a_file() -> None:
    record = read_sgf("(;GM[11]SZ[5]TR[a1]SQ[b2:c3]CR[d4]MA[e5]LB[a5:x\\]:y][b5:12]TR[z9])")
    marks = marks_of(record.root, BOARD)
    assert {BOARD.name(cell): mark for cell, mark in marks.items()} == {
        "a1": "triangle", "b2": "square", "c2": "square", "b3": "square", "c3": "square",
        "d4": "circle", "e5": "cross", "a5": "=x]:y", "b5": "=12",
    }  # fmt: skip
    assert signs_of({0: "triangle", 1: "=1", 2: "=abc"}) == {0: "/\\", 1: "1 ", 2: "ab"}


mark = st.sampled_from(["", *MARKS]) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="  "), min_size=1
).map(lambda text: "=" + " ".join(("x" + text + "x").split()))


@given(st.lists(st.tuples(st.integers(0, 24), mark), max_size=12))
def test_marks_are_kept_and_undone(changes: list[tuple[int, str]]) -> None:
    record = read_sgf("(;GM[11]SZ[5]SQ[b2:c3];B[a1])")
    before = write_sgf(record)
    wanted = marks_of(record.root, BOARD)
    for cell, new in changes:
        set_mark(record, record.root, cell, new)
        wanted.pop(cell, None)
        if new:
            wanted[cell] = new
    assert marks_of(record.root, BOARD) == wanted
    again = read_sgf(write_sgf(record))
    assert marks_of(again.root, BOARD) == wanted
    assert len(record.edits) <= len(changes)
    while record.undo():
        pass
    assert write_sgf(record) == before


def test_glyphs() -> None:
    record = Record.of_moves(BOARD, [Move.play(0)])
    node = record.root.end()
    for glyph in GLYPHS:
        set_glyph(record, node, glyph)
        assert glyph_of(node) == glyph
        assert glyph_of(read_sgf(write_sgf(record)).root.end()) == glyph
    set_glyph(record, node, "")
    assert glyph_of(node) == ""
    record.undo()
    record.undo()
    assert glyph_of(node) == GLYPHS[-2]


def test_a_line_is_made_the_main_line() -> None:
    record = read_sgf("(;GM[11]SZ[5];B[a1](;W[b1])(;W[c1](;B[d1])(;B[e1])))")
    before = write_sgf(record)
    node = record.root.children[0].children[1].children[1]
    record.make_main(node)
    assert record.root.end() is node
    assert record.undo() is node
    assert write_sgf(record) == before
