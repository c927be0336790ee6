"""HexWorld links, trmph links and Hexata's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import Board, Color
from hextui.records.codecs.hexworld import HexWorld
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.errors import RecordError
from hextui.records.record import Record
from hextui.records.writing import write_record

ADDRESS = "https://hexworld.org/board/"
read_hexworld = HexWorld().read_text
write_hexworld = HexWorld().write


def names(record: Record) -> str:
    return " ".join(f"{t.color.name[0]}:{t.name(record.board)}" for t in record.turns())


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
    assert names(record) == moves
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
    assert names(read_hexworld(ADDRESS + "#5c1%2Cc2%3As")) == "B:c2 W:swap-pieces"


def test_the_winner_behind_a_trmph_link() -> None:
    black, white = Color
    winners = {"": None, " b": black, " r": white, " 1": black, " 2\n": white}
    for suffix, winner in winners.items():
        record = read_hexworld("http://www.trmph.com/hex/board#13,a1b2c3" + suffix)
        assert names(record) == "B:a1 W:b2 B:c3"
        assert record.result.winner is winner, suffix


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("#54,a1", 2, "boards have 1 to 19 rows and columns, not 54"),
        ("#0", 2, "boards have 1 to 19 rows and columns, not 0"),
        ("#11c1;a1", 6, "';a1' instead of ',' and moves"),
        ("#11f6", 4, "'f6' instead of ',' and moves: is '#11,f6' meant?"),
        ("#11c1a10b9,c3", 6, "'a10b9,c3' instead of ',' and moves: is '#11c1,a10b9,c3' meant?"),
        ("#5:rb", 3, "':rb' instead of ',' and moves: is '#5,:rb' meant?"),
        ("#11 f6", 4, "' f6' instead of ',' and moves"),
        ("#11q,f6", 4, "'q,f6' instead of ',' and moves; options are r1 to r12, m, n and c1"),
        ("#11rn,f6", 4, "'rn,f6' instead of ',' and moves; options"),
        ("#11C1,f6", 4, "'C1,f6' instead of ',' and moves; options"),
        ("#11x,f6", 4, "'x,f6' instead of ',' and moves; options"),
        ("#11 b", 4, "' b' instead of ',' and moves"),
        (ADDRESS + "#f6", 29, "'f6' instead of ',' and moves"),
        ("#5c\u0663,a1", 3, "'c\u0663,a1' instead of ',' and moves"),
        ("#5,a1b2#", 8, "'#' is not a move"),
        (ADDRESS + "#5,a1#7,b2", 33, "'#7,b2' is not a move"),
        ("#5,a1 red", 6, "' red' is not a move"),
        ("#5,a1B2", 6, "'B2' is not a move"),
        ("#5,a1a1", 6, "a1 is taken"),
        ("#5,a1z9", 6, "no cell 'z9' on a 5x5 board"),
        ("#5,a1b2:s", 8, "a swap is legal as the second move only"),
        ("#5,:pa1:s", 8, "a swap is legal as the second move only"),
        ("#5,a1:x", 6, "':x' is not a move"),
        ("#5,a1,b2,c3", 9, "a third comma"),
        ("#5,(a1)", 4, "a variation before the first move"),
        ("#5,a1)", 6, "')' without '('"),
        ("#5,a1(b2", 9, "a variation is not closed"),
        ("#5x4,a1:s", 8, "swap-pieces needs a square board"),
        ("https://littlegolem.net/game", 1, "links are not fetched"),
    ],
)
def test_a_broken_link_is_refused_with_its_place(text: str, column: int, what: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_hexworld(text)
    assert what in str(caught.value)
    assert (caught.value.line, caught.value.column) == (1, column)


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
    assert read_hexworld(write_record(record, "hexata")).equals(record)


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
    assert names(record).endswith("B:k4 W:d5 B:c6")
    shown = record.shown()
    assert shown is first.children[0]


def test_hexata_of_a_setup_with_variations() -> None:
    record = read_sgf("(;GM[11]SZ[5];B[a1](;AB[b1][b2]PL[W];W[c3])(;C[hm](;W[d4])(;W[d5])))")
    text = write_record(record, "hexata")
    assert text == "5c1,a1:p(d4)(d5)b1:pb2c3"
    again = read_hexworld(text)
    assert again.position(again.root.end()) == record.position(record.root.end())
