"""Where the values of SGF end: stray text takes no move away, and no text becomes a move."""

import pytest

from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.tree import Node

GAME = "(;GM[11]SZ[5]PB[Ann];B[d4]%s;W[c3]%s;B[b2])"


def moves(record: Record) -> str:
    return " ".join(turn.name(record.board) for turn in record.turns())


@pytest.mark.parametrize(
    "stray",
    [
        "\n---\n", " good move ", "{t=3}", ",", " // hm\n", "\n# 1\n", "\n> ", "&nbsp;", "!?",
        " (nice) ", " x (see b) y ", "=1.5;", "]", " ] ", "...", " 12 s", ", x hm",
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", ["", "C[hello]", "C[a [b] c]", "N[x]C[(1) a; b]", "TR[a1]"])
def test_stray_text_is_reported_and_takes_no_move_away(stray: str, value: str) -> None:
    for text in (GAME % (value + stray, ""), GAME % (value + stray, value + stray)):
        record = read_record(text)
        assert moves(record) == "d4 c3 b2"
        assert record.origin
        assert record.origin.notes[0].startswith("read as far as possible: line ")
        with pytest.raises(RecordError):
            read_record(text, strict=True)
        two = [game for game in read_collection(text * 2) if isinstance(game, Record)]
        assert [moves(game) for game in two] == ["d4 c3 b2"] * 2


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        # text that an old program did not escape
        ("C[see [a] and B[c3] is better]", "C", "see [a] and B[c3] is better"),
        ("C[see [1] B[c3] TR[a1] hm]", "C", "see [1] B[c3] TR[a1] hm"),
        ("C[hello :] then ;B[a1] is bad]", "C", "hello :] then ;B[a1] is bad"),
        ("C[a [b] (c [d]) :) e]", "C", "a [b] (c [d]) :) e"),
        ("C[[a]; then W[c3] (no)]", "C", "[a]; then W[c3] (no)"),
        ("GC[Ann[2d]]", "GC", "Ann[2d]"),
        ("GC[arr[3]] is odd]", "GC", "arr[3]] is odd"),
        ("C[:] ]", "C", ":] "),
        # text behind a value, before a property that is known
        ("N[a] and then C[b]", "C", "b"),
        ("C[a] x TE[1]", "C", "a"),
        ("C[sad :[] TE[1]", "C", "sad :["),
        ("C[a], N[b] !", "C", "a"),
    ],
)
def test_the_end_of_a_text(text: str, name: str, value: str) -> None:
    for game in (GAME % (text, ""), GAME % ("", text)):
        record = read_record(game)
        assert moves(record) == "d4 c3 b2"
        assert value in [node.text(name) for node in record.nodes()]
        again = [game for game in read_collection(game * 2) if isinstance(game, Record)]
        assert [moves(game) for game in again] == ["d4 c3 b2"] * 2


@pytest.mark.parametrize(
    ("setup", "red"),
    [
        ("AB[a1],[e5]", "a1 e5"),
        ("AB[a1], [e5]", "a1 e5"),
        ("AB[a1]\n- [e5]", "a1 e5"),
        ("AB[a1] good AW[e5]", "a1"),
        ("A[B][a1]AB[a1]", "a1"),
        ("AB[a1:b1],\n[e5]x", "a1 b1 e5"),
        ("AB[a1] PL[B], AE[c1] .", "a1"),
    ],
)
def test_lists_of_points(setup: str, red: str) -> None:
    for head in (f"GM[11]SZ[5]{setup}", f"GM[11]SZ[5] x {setup}", f"SZ[5], GM[11]\n--\n{setup}"):
        record = read_record(f"(;{head};B[d4];W[c3])")
        assert moves(record) == "d4 c3"
        stones = record.position(record.node_at(0)).stones
        black = [record.board.name(cell) for cell, stone in enumerate(stones) if stone == 1]
        assert black == red.split()


def test_a_move_that_is_not_closed_ends_before_the_next_node() -> None:
    for text in ("(;GM[11]SZ[5];B[d4;W[c3];B[b2])", "(;GM[11]SZ[5];B[d4];W[c3;B[b2])"):
        record = read_record(text)
        assert moves(record) == "d4 c3 b2"
        assert record.origin
        assert "is never closed by ']'" in record.origin.notes[0]


@pytest.mark.parametrize("name", ["SZ", "GM", "CA", "FF", "TR", "MA", "C", "LB"])
def test_an_escaped_bracket_ends_no_value(name: str) -> None:
    record = read_record(f"(;GM[11]SZ[5];B[d4](;W[c3])(;{name}[a\\]b[c]))", strict=True)
    nodes: list[Node] = list(record.nodes())
    assert nodes[-1].properties == {name: ("a\\]b[c",)}


@pytest.mark.parametrize(
    ("stray", "what"),
    [("\n---\n", "line 2, column 1: stray text '---'"),
     (" hm ", "line 1, column 28: hm has no value"),
     (" {t=3}", "line 1, column 28: stray text '{t=3}'"), (" good move", "stray text 'good move'"),
     (f" {'long ' * 9}", "stray text 'long long long long long lo...'")],
)  # fmt: skip
def test_stray_text_is_said_with_its_place(stray: str, what: str) -> None:
    record = read_record(GAME % (stray, ""))
    assert record.origin
    assert what in record.origin.notes[0]


def test_words_in_small_letters_that_begin_like_moves_are_texts() -> None:
    (game,) = read_collection("(;GM[11]SZ[5]best[a \\[b; c]whatever[d;e];b[d4] x;w[c3])")
    assert isinstance(game, Record)
    assert game.root.properties == {"BEST": ("a \\[b; c",), "WHATEVER": ("d;e",)}
    assert moves(game) == "d4 c3"


def test_the_values_of_little_golem_end_too() -> None:
    text = "(;FF[4]EV[x]PB[some;]]SZ[13]SO[http://www.littlegolem.com];W[mf] --- ;B[ac],;W[ba])"
    record = read_record(text)
    assert moves(record) == "m6 a3 b1"
    assert record.info("PB") == "some;]"
