"""What is written reads back as the same record, or is not written."""

import gc
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.records.codecs import CODECS, codec_named
from hextui.records.codecs.sgf import read_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.writing import NotReadBackError, save, written
from tests.records.trees import records, text_as

WRITTEN = [codec.name for codec in CODECS if codec.writes]


@given(records())
def test_what_other_formats_hold_reads_back(record: Record) -> None:
    for form in WRITTEN:
        try:
            text = text_as(form, record)
        except RecordError:
            continue
        made = written(record, form)
        assert made.text == text
        if not made.lost:
            assert read_record(text).turns() == record.turns()


SAMPLE = "(;GM[11]SZ[5]GN[one]RE[B+R];B[a1](;W[b2];B[c3])(;W[d4]C[x]))"


@pytest.mark.parametrize(
    ("form", "right", "wrong", "what"),
    [
        ("sgf", "C[x]", "C[y]", "property C at move 2 \\(d4\\)"),
        ("sgf", "C[x]", "1[x]", "it cannot be read again: line 3, column 8"),
        ("sgf", "C[x]", "C[x", "it cannot be read again"),
        ("sgf", "B[c3]", "B[c4]", "the turn at move 3 \\(c3\\)"),
        ("sgf", "SZ[5]", "SZ[6]", "the board, 5x5"),
        ("sgf", "SZ[5]", "SZ[5]AB[e5]", "the setup at the start"),
        ("sgf", "(;W[d4]C[x])", "", "the number of variations at move 1 \\(a1\\)"),
        ("sgf", "C[x]))", "C[x]))(;GM[11])", "it would be several games"),
        ("plain", "c3", "c4", "the moves"),
        ("plain", "red", "blue", "the winner"),
        ("json", "one", "two", "id"),
        ("hexworld", "b2", "b3", "the position at move 2 \\(b2\\)"),
        ("hexworld", "c3", ",c3", "the cursor"),
        ("hexata", "(d4)", "(d3)", "the position at move 2 \\(d4\\)"),
        ("hexata", "c3", ",c3", "the cursor"),
    ],
)
def test_a_text_that_says_something_else_is_found(
    form: str, right: str, wrong: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = read_sgf(SAMPLE)
    text = text_as(form, record)
    assert right in text
    other = text.replace(right, wrong).replace(",,", ",")
    monkeypatch.setattr(type(codec_named(form)), "write", lambda *_: other)
    with pytest.raises(NotReadBackError, match=f"not read back as the same record: {what}"):
        written(record, form)


@pytest.fixture
def unreadable() -> Record:
    record = read_sgf(SAMPLE)
    record.root.children[0].properties["1"] = ("5",)
    return record


def test_a_file_is_replaced_only_by_the_same_record(unreadable: Record, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("mine")
    with pytest.raises(NotReadBackError) as caught:
        save(unreadable, path)
    assert str(caught.value) == (
        f"{path}: it would not read back as the same record: property 1 at move 1 (a1)"
    )
    assert path.read_text() == "mine"
    with pytest.raises(RecordError, match="exists already"):
        save(unreadable, path, as_it_stands=True)
    assert path.read_text() == "mine"
    save(unreadable, tmp_path / "new.sgf", as_it_stands=True)
    assert (tmp_path / "new.sgf").read_text() == text_as("sgf", unreadable)


@pytest.mark.parametrize("values", [(), ("a]b",), ("a\\",)])
def test_a_value_that_is_not_escaped_is_named(values: tuple[str, ...]) -> None:
    record = Record(Board(5, 5))
    record.root.properties["XX"] = values
    with pytest.raises(NotReadBackError, match="property XX at the start"):
        written(record, "sgf")


def test_reading_back_leaves_nothing_to_the_collector() -> None:
    record = Record(Board(9, 9))
    for _ in range(50):
        record.play_line(record.root, [Move.play(cell) for cell in range(60)])
        record.append(record.root)
    forms = ("sgf", "hexata", "plain")
    for form in forms:
        written(record, form)  # what is imported for the first time leaves something too
    gc.freeze()  # what other tests have left is not counted
    gc.disable()
    try:
        for form in forms:
            written(record, form)
        record.snapshot(record.root).close()
        assert gc.collect() < 50
    finally:
        gc.enable()


def test_a_snapshot_is_not_reached_by_edits() -> None:
    record = read_sgf(SAMPLE)
    same = read_sgf(SAMPLE)
    node = record.root.children[0].children[1]
    snapshot = record.snapshot(node)
    record.set_comment(node, "new")
    record.play(node, Move.play(12), Color.WHITE)
    record.make_main(node)
    assert snapshot.record.equals(same)
    assert snapshot.node.comment == "x"
    record.mark_saved(snapshot.last)
    assert record.modified
    while record.undo():
        pass
    assert not record.modified
    assert record.equals(same)


def test_a_snapshot_is_taken_between_edits_of_another_thread() -> None:
    record = Record.of_moves(Board(9, 9), [Move.play(cell) for cell in range(81)])
    line = record.main_line()
    enough = threading.Event()

    def edit() -> None:
        number = 0
        while not enough.is_set():
            number += 1
            record.set_properties({node: {"C": [str(number)]} for node in line})
            time.sleep(0.0005)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    thread = threading.Thread(target=edit)
    thread.start()
    try:
        for _ in range(100):
            snapshot = record.snapshot(record.root).record
            assert len({node.comment for node in snapshot.nodes()}) == 1
    finally:
        enough.set()
        thread.join()
        sys.setswitchinterval(before)
