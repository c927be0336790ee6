"""HexWorld links, trmph links and Hexata's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import Board, Color
from hextui.records.codecs.hexworld import HexWorld
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.record import Record
from tests.records.trees import colored_names, text_as

ADDRESS = "https://hexworld.org/board/"
read_hexworld = HexWorld().read_text
write_hexworld = HexWorld().write


@pytest.mark.parametrize(
    ("fragment", "moves", "shown"),
    [
        ("#11c1,a10b9", "B:a10 W:b9", None),
        ("#11c1,a10b9,", "B:a10 W:b9", None),
        ("#15c1,e6:sf7i8g10", "B:e6 W:swap-pieces B:f7 W:i8 B:g10", None),
        ("#13,d10j9,d5", "B:d10 W:j9 B:d5", 2),
        ("#13,,d10j9", "B:d10 W:j9", 0),
        ("#5c1,c2:sc2", "B:c2 W:swap-pieces B:c2", None),
        ("#9r9mnc1,a1:pb1", "B:a1 W:pass B:b1", None),
        ("#9,:pa1", "B:pass W:a1", None),
        ("#9,a1:Sb2c3", "B:a1 W:swap-sides W:b2 B:c3", None),
        ("#9,a1b2:rb", "B:a1 W:b2 B:resign", None),
        ("#9,a1b2:rw", "B:a1 W:b2 W:resign", None),
        ("#9,a1b2:fw", "B:a1 W:b2 W:forfeit", None),
        ("#9x3n,i3a1,", "B:i3 W:a1", None),
        ("11", "", None),
        ("7,d4c5", "B:d4 W:c5", None),
    ],
)
def test_reading_and_writing_a_link(fragment: str, moves: str, shown: int | None) -> None:
    assert HexWorld().recognizes(fragment, bare=True)
    record = read_hexworld(fragment)
    assert colored_names(record) == moves
    node = record.shown()
    assert (node.ply if node else None) == shown
    assert write_hexworld(record) == ADDRESS + "#" + fragment.lstrip("#").rstrip(",")
    for address in (ADDRESS, "hexworld.org/board/", "http://www.trmph.com/hex/board"):
        assert read_hexworld(address + "#" + fragment.lstrip("#")).equals(record)
    again = read_sgf(write_sgf(record))
    assert again.equals(record)
    assert write_hexworld(again) == write_hexworld(record)


@pytest.mark.parametrize("flags", ["1", ",a1", "q7", "c1 b", "x2"])
def test_flags_that_no_link_has_are_not_written(flags: str) -> None:
    record = read_sgf(f"(;GM[11]SZ[5]HEXWORLD[{flags}];B[a1])")
    assert write_hexworld(record) == ADDRESS + "#5c1,a1"


def test_a_size_is_columns_by_rows() -> None:
    assert read_hexworld("#9x3").board == Board(rows=3, columns=9)
    assert write_hexworld(Record(Board(rows=3, columns=9))) == ADDRESS + "#9x3c1"


def test_an_address_in_percent_code() -> None:
    assert colored_names(read_hexworld(ADDRESS + "#5c1%2Cc2%3As")) == "B:c2 W:swap-pieces"


def test_the_winner_behind_a_trmph_link() -> None:
    black, white = Color
    winners = {"": None, " b": black, " r": white, " 1": black, " 2\n": white}
    for suffix, winner in winners.items():
        record = read_hexworld("http://www.trmph.com/hex/board#13,a1b2c3" + suffix)
        assert colored_names(record) == "B:a1 W:b2 B:c3"
        assert record.result.winner is winner, suffix


@st.composite
def links(draw: st.DrawFn) -> str:
    columns, rows = draw(st.integers(1, 19)), draw(st.integers(1, 19))
    cells = [f"{chr(97 + c)}{r + 1}" for r in range(rows) for c in range(columns)]
    moves = draw(st.permutations(cells))[: draw(st.integers(0, min(12, len(cells))))]
    words: list[str] = []
    for move in moves:
        passes = draw(st.integers(0, 3)) if draw(st.booleans()) else 0
        words += [*[":p"] * passes, move]
    if len(words) == 1 and columns == rows and draw(st.booleans()):
        words.append(":s")
    if draw(st.booleans()) and words:
        words.append(draw(st.sampled_from([":rb", ":rw", ":fb", ":fw"])))
    cursor = draw(st.integers(0, len(words)))
    flags = draw(st.sampled_from(["", "c1", "r9c1", "m", "nc1", "r12mnc1"]))
    size = str(columns) if rows == columns else f"{columns}x{rows}"
    played, future = "".join(words[:cursor]), "".join(words[cursor:])
    return f"{ADDRESS}#{size}{flags},{played},{future}".rstrip(",")


@given(links())
def test_a_link_survives_reading_and_writing(link: str) -> None:
    record = read_hexworld(link)
    assert write_hexworld(record) == link
    assert read_hexworld(text_as("hexata", record)).equals(record)


def test_a_turn_out_of_order_gets_a_pass_before_it() -> None:
    record = read_sgf("(;GM[11]SZ[5];W[a1];B[b1];B[c1])")
    link = write_hexworld(record)
    assert link == ADDRESS + "#5c1,:pa1b1:pc1"
    assert read_hexworld(link).position(read_hexworld(link).root).stones.count(0) == 25


@pytest.mark.parametrize("side", ["B", "W"])
@pytest.mark.parametrize("setup", ["AB[a1][b1][c1]AW[d1]", "AW[a1][b1]", "AB[c3]", ""])
def test_setup_is_written_as_moves_and_passes(setup: str, side: str) -> None:
    record = read_sgf(f"(;GM[11]SZ[5]{setup}PL[{side}];{side}[e5])")
    again = read_hexworld(write_hexworld(record))
    end = record.root.end()
    assert again.position(again.root.end()) == record.position(end)
    before = again.position(again.root.end().parent or again.root)
    assert before.to_move is Color.parse(side)


def test_the_line_through_a_node_is_written() -> None:
    record = read_sgf("(;GM[11]SZ[5];B[a1](;W[b1];B[c1])(;W[b2];B[c2]))")
    second = record.root.children[0].children[1]
    assert write_hexworld(record, second) == ADDRESS + "#5c1,a1b2,c2"
    assert write_hexworld(record) == ADDRESS + "#5c1,a1b1c1"


def test_hexata_variations_are_beside_the_move_before_the_bracket() -> None:
    record = read_hexworld("14,a3:sk4(j4d11)d5,c6")
    first, second = record.node_at(2).children
    assert [n.name(record.board) for n in record.turns(second.end())[2:]] == ["j4", "d11"]
    assert colored_names(record).endswith("B:k4 W:d5 B:c6")
    shown = record.shown()
    assert shown is first.children[0]


def test_hexata_of_a_setup_with_variations() -> None:
    record = read_sgf("(;GM[11]SZ[5];B[a1](;AB[b1][b2]PL[W];W[c3])(;C[hm](;W[d4])(;W[d5])))")
    text = text_as("hexata", record)
    assert text == "5c1,a1:p(d4)(d5)b1:pb2c3"
    again = read_hexworld(text)
    assert again.position(again.root.end()) == record.position(record.root.end())
