"""The files of Little Golem, with every trap of theirs."""

import pytest

from hextui.engine.board import Board, Color
from hextui.records.codecs.littlegolem import LittleGolem
from hextui.records.codecs.sgf import read_sgf, write_sgf
from tests.records.trees import colored_names

HEAD = "(;FF[4]EV[hex.ch.23.1.1]PB[Ann]PW[Bob]SZ[13]RE[W]GC[ game #1]SO[http://www.littlegolem.com]"


def test_a_game_with_a_swap() -> None:
    text = HEAD + ";W[mf];B[swap];W[kj];B[ab];B[resign])"
    assert LittleGolem().detects(text)
    record = LittleGolem().read_text(text)
    assert colored_names(record) == "B:m6 W:swap-pieces B:k10 W:a2 W:resign"
    assert record.board == Board(13, 13)
    swapped = record.position(record.node_at(2))
    assert swapped.stones[record.board.cell("f13")] == Color.WHITE
    assert swapped.stones.count(0) == 168
    assert record.player(Color.BLACK) == "Ann"
    assert record.player(Color.WHITE) == "Bob"
    assert record.info("EV") == "hex.ch.23.1.1"
    assert record.info("GC") == "game #1"
    assert record.info("RE") == "W+R"
    assert read_sgf(write_sgf(record)).equals(record)


def test_a_win_without_resignation_and_values_left_out() -> None:
    record = LittleGolem().read_text(HEAD.replace("RE[W]", "RE[B]") + ";W[aa];B[bb])")
    assert record.result.winner is Color.BLACK
    assert record.info("RE") == "B+"
    unfinished = LittleGolem().read_text(
        "(;FF[4]EV[null]PB[a]PW[b]SZ[11]GC[ game #2]SO[http://www.littlegolem.com])\n"
    )
    assert unfinished.info("EV") == ""
    assert unfinished.result.winner is None
    assert unfinished.plies == 0


@pytest.mark.parametrize("name", ["some;]", "a\\b", "[clan] x", "x]y", ":-])", "a;b", "(;)", "]"])
def test_values_are_not_escaped(name: str) -> None:
    text = HEAD.replace("[Bob]", f"[{name}]") + ";W[mf])"
    assert LittleGolem().detects(text)
    record = LittleGolem().read_text(text)
    assert record.player(Color.WHITE) == name
    assert record.board == Board(13, 13)
    assert read_sgf(write_sgf(record)).player(Color.WHITE) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;FF[4]SZ[13];W[mf];B[gg])", True),
        ("(;GM[11]SZ[13]SO[http://www.littlegolem.com];W[a1])", False),
        ("(;SZ[13];B[a1];W[b2])", False),
        ("(;SZ[13])", False),
        ("a1 b2", False),
    ],
)
def test_detection(text: str, expected: bool) -> None:
    assert LittleGolem().detects(text) is expected


def test_what_is_not_from_little_golem() -> None:
    record = LittleGolem().read_text("(;FF[4]CA[UTF-8]AP[x]SZ[5]RE[draw]W[aa];C[hm];B[bb]C[a]b])")
    assert colored_names(record) == "B:a1 W:b2"
    assert record.root.end().comment == "a]b"
    assert record.info("RE") == "draw"
    assert list(record.root.properties) == ["RE"]
    assert read_sgf(write_sgf(record)).equals(record)
