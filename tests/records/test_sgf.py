"""SGF: round trips, the dialects of real files, and broken files."""

import pytest
from hypothesis import given

from hextui.engine.board import Board, Color
from hextui.engine.position import MoveKind
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from tests.records.trees import colored_names, records


@given(records())
def test_a_record_survives_writing_and_reading(record: Record) -> None:
    text = write_sgf(record)
    assert read_record(text).equals(record)
    again = read_sgf(text)
    assert again.equals(record)
    assert write_sgf(again) == text
    for a, b in zip(record.nodes(), again.nodes(), strict=True):
        assert record.position(a) == again.position(b)


def test_the_head_of_a_written_file() -> None:
    text = write_sgf(Record(Board(3, 5)))
    assert text.startswith("(;FF[4]GM[11]CA[UTF-8]AP[hextui:")
    assert "SZ[5:3]" in text
    assert text.endswith(")\n")


def test_a_benzene_puzzle() -> None:
    record = read_sgf(
        "(;AP[HexGui:1.0.]FF[4]GM[11]SZ[10];AB[g3][b4][e4]\n[d8]AW[b2]\n  [g2]\n[f3]PL[W])\n"
    )
    position = record.position(record.node_at(0))
    assert [record.board.name(c) for c in record.root.end().setup.cells] != []
    assert position.stones.count(Color.BLACK) == 4
    assert position.stones.count(Color.WHITE) == 3
    assert position.to_move is Color.WHITE
    assert record.plies == 0


def test_a_file_of_twogtp_without_ff() -> None:
    record = read_sgf("(\n;GM[11]SZ[11]PB[Mohex]PW[Six]RE[B+]\n;B[a9]\n;W[f5]\n;B[resign]\n)\n")
    assert colored_names(record) == "B:a9 W:f5 B:resign"
    assert record.result.winner is Color.BLACK
    assert record.player(Color.WHITE) == "Six"


@pytest.mark.parametrize(
    ("head", "swap", "following", "meant"),
    [
        ("AP[HexGui:0.9.GIT]", "swap-pieces", ";W[d8]", "swap-sides"),
        ("AP[HexGui:0.2]", "swap-pieces", "", "swap-sides"),
        ("AP[hexgui : 0.9]", "swap-pieces", "", "swap-sides"),
        ("AP[HexGui:0.10.GIT]", "swap-pieces", ";B[d8]", "swap-pieces"),
        ("AP[HexGui:0.10.GIT]", "swap-pieces", ";W[d8]", "swap-pieces"),
        ("AP[HexGui:0.11]", "swap-pieces", "", "swap-pieces"),
        ("AP[HexGui:0.10]", "swap-sides", ";W[d8]", "swap-sides"),
        ("AP[HexGui]", "swap-pieces", ";W[d8]", "swap-sides"),
        ("AP[HexGui:GIT]", "swap-pieces", "", "swap-pieces"),
        ("AP[HexGui:1.0.]", "swap-pieces", ";W[d8];B[b1]", "swap-sides"),
        ("AP[HexGui:1.0.]", "swap-pieces", ";B[d8]", "swap-pieces"),
        ("AP[Hex-benzene:0.1]", "SWAP", ";W[d7]", "swap-sides"),
        ("AP[Hex-benzene:0.1]", "SWAP", ";C[hm];W[d7]", "swap-sides"),
        ("AP[Hex-benzene:0.1]", "SWAP", "", "swap-sides"),
        ("AP[Hex-benzene:0.1]", "SWAP", ";B[d7]", "swap-pieces"),
        ("", "swap", ";B[d7]", "swap-pieces"),
        ("", "swap", "", "swap-pieces"),
        ("AP[PlayHex:0.0.0]", "Swap-Sides", ";W[d7]", "swap-sides"),
        ("AP[hextui:0.1.0]", "swap-pieces", ";W[d7]", "swap-pieces"),
    ],
)
def test_what_a_swap_means(head: str, swap: str, following: str, meant: str) -> None:
    record = read_sgf(f"(;{head}GM[11]SZ[11];B[a2];W[{swap}]{following})")
    assert colored_names(record).split()[1] == f"W:{meant}"
    assert read_sgf(write_sgf(record)).equals(record)
    swapped = record.position(record.root.children[0].children[0])
    stone = "a2" if meant == "swap-sides" else "b1"
    color = Color.BLACK if meant == "swap-sides" else Color.WHITE
    assert swapped.stones[record.board.cell(stone)] == color
    assert swapped.to_move is (Color.WHITE if meant == "swap-sides" else Color.BLACK)


def test_values_are_read_in_any_case_and_empty_is_a_pass() -> None:
    record = read_sgf("(;GM[11]SZ[9];B[C4];W[];B[Pass];W[FORFEIT])")
    assert colored_names(record) == "B:c4 W:pass B:pass W:forfeit"
    assert record.turns()[3].move.kind is MoveKind.RESIGN


def test_names_of_ff3_and_white_space() -> None:
    record = read_sgf("( ; GaMe[11] SiZe [ 7 ]\n; Black\n[a1] ; w[b2] )")
    assert record.board == Board(7, 7)
    assert colored_names(record) == "B:a1 W:b2"


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("x1", "X1"),
        ("f6W", "F6W"),
        ("a1b", "A1B"),
        ("z0Z0", "Z0Z0"),
        ("comMent1", "M1"),
        ("lower", "LOWER"),
        ("XX9", "XX9"),
    ],
)
def test_what_is_read_has_a_name_that_can_be_read_again(word: str, name: str) -> None:
    record = read_sgf(f"(;GM[11]SZ[5]{word}[5];B[a1]{word}[a][b])")
    assert record.root.properties == {name: ("5",)}
    assert record.root.end().properties == {name: ("a", "b")}
    assert read_record(write_sgf(record)).equals(record)


@pytest.mark.parametrize("name", ["SZ", "GM", "CA", "FF", "AP"])
@pytest.mark.parametrize("comment", ["", "C[" + "long " * 40 + "]"])
def test_a_variation_that_begins_as_games_do(name: str, comment: str) -> None:
    text = f"(;GM[11]SZ[5]{comment};B[a1](;{name}[5];W[b1]){comment and '(;W[c1])'}(;{name}[x]))"
    record = read_record(text)
    written = write_sgf(record) * 2
    games = list(read_collection(written))
    assert len(games) == 2
    assert all(isinstance(game, Record) and game.equals(record) for game in games)


def test_rectangles_and_a_board_that_is_not_square() -> None:
    record = read_sgf("(;GM[11]SZ[4:2]AB[a1:b2][d1]AE[c1]PL[w])")
    assert str(record.position(record.root)) == "B B . B\n B B . ."
    assert record.board == Board(rows=2, columns=4)


def test_moves_in_the_root_become_nodes() -> None:
    record = read_sgf("(;GM[11]SZ[5]PB[Ann]C[first]B[a1]AW[c3];AE[a1]W[b1]C[moved])")
    assert record.root.turn is None
    assert record.root.setup.cells == {record.board.cell("c3"): Color.WHITE}
    assert record.player(Color.BLACK) == "Ann"
    first, removal, second = record.main_line()[1:]
    assert first.comment == "first"
    assert removal.turn is None
    assert second.comment == "moved"
    assert colored_names(record) == "B:a1 W:b1"
    assert read_sgf(write_sgf(record)).equals(record)


def test_text_is_unescaped_and_kept_as_it_was() -> None:
    raw = "a \\] b \\\\ c\\: d\\\ne\r\nf\tg"
    record = read_sgf(f"(;GM[11]C[{raw}]XYZ1[x\\:y][][z];;B[a1])")
    assert record.root.comment == "a ] b \\ c: de\nf g"
    assert record.root.properties == {"C": (raw,), "XYZ1": ("x\\:y", "", "z")}
    assert len(record.main_line()) == 3
    assert read_sgf(write_sgf(record)).equals(record)


def test_twenty_thousand_nodes_deep() -> None:
    chain = read_sgf("(;GM[11]" + ";C[x]" * 20_000 + ")")
    assert sum(1 for _ in chain.nodes()) == 20_001
    assert chain.equals(read_sgf(write_sgf(chain)))
    nested = read_sgf("(;GM[11]" + "(;B[pass]" * 20_000 + ")" * 20_001)
    assert nested.plies == 20_000
    assert nested.position(nested.root.end()).to_move is Color.WHITE
