"""A format is one class in one file, listed once: nothing else knows its name."""

from pathlib import Path

import pytest

import hextui
from hextui.commands import main
from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.library.answers import files_of
from hextui.records import codecs
from hextui.records.codecs import Codec, GameText, codec_of_file, suffixes
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.summary import LeftOut
from hextui.records.tree import Node
from hextui.records.writing import save, written
from hextui.ui.record.open_records import name_hint
from hextui.version import __version__
from tests.records.trees import text_as


class Toy(Codec):
    """Numbers of cells on a board of a side: ``toy 5: 0 6``."""

    name = "toy"
    suffixes = (".toy",)

    def detects(self, head: str) -> bool:
        return head.startswith("toy ")

    def recognizes(self, word: str, bare: bool = False) -> bool:
        return self.detects(word)

    def read(self, game: GameText) -> Record:
        side, _, cells = game.text.removeprefix("toy ").partition(":")
        board = Board(int(side), int(side))
        return Record.of_moves(board, [Move.play(int(cell)) for cell in cells.split()])

    def write(self, record: Record, node: Node | None = None) -> str:
        cells = (turn.move.cell for turn in record.turns((node or record.root).end()))
        return f"toy {record.board.rows}: {' '.join(map(str, cells))}"


def test_a_new_format_is_used_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codecs, "CODECS", (Toy(), *codecs.CODECS))
    games = tmp_path / "games.toy"
    games.write_text("toy 5: 0 6\ntoy 5: 12\n")
    record = hextui.read(str(games), 2)
    assert (record.board, record.position().board.cells, record.plies) == (Board(5, 5), 25, 1)
    assert record.origin is not None
    assert (record.origin.format, record.origin.alone) == ("toy", False)
    assert read_record("toy 3: 4").plies == hextui.read("toy 3: 4").plies == 1

    sgf, again = tmp_path / "games.sgf", tmp_path / "again.toy"
    assert main(["convert", str(games), str(sgf)]) == 0
    assert main(["convert", str(sgf), str(again)]) == 0
    assert again.read_text() == games.read_text()
    assert main(["convert", str(sgf), "toy"]) == 0
    assert capsys.readouterr().out.endswith(games.read_text())
    assert main(["convert", str(sgf), "gif"]) == 2
    assert "toy" in capsys.readouterr().err

    assert codec_of_file(again) is codecs.CODECS[0]
    assert ".toy" in suffixes()
    assert ".toy" in name_hint()
    one = tmp_path / "one.toy"
    assert save(record, one).lost == ()
    assert one.read_text() == "toy 5: 12\n" == written(record, "toy").text + "\n"
    record.play(record.root, Move.play(3))
    record.set_comment(record.root, "mine")
    assert written(record, "toy").lost == (LeftOut.VARIATIONS, LeftOut.COMMENTS)
    assert text_as("toy", record, record.root.children[1]) == "toy 5: 3"
    assert set(files_of([tmp_path])) >= {games, one, again, sgf}


@pytest.mark.parametrize("codec", codecs.CODECS, ids=lambda codec: codec.name)
def test_every_format_tells_what_it_is(codec: Codec) -> None:
    assert type(codec).__doc__
    assert codec.name == codec.name.lower()
    assert all(codec_of_file(Path(f"A{end.upper()}")) is codec for end in codec.suffixes)
    assert codec.writes or type(codec).write is Codec.write


ROUND_TRIPS = [
    ("sgf", f"(;FF[4]GM[11]CA[UTF-8]AP[hextui:{__version__}]SZ[5:3];B[a1]\n(;W[b2])\n(;W[c3]))"),
    ("hexworld", "https://hexworld.org/board/#5,a1b2"),
    ("hexworld", "https://hexworld.org/board/#9x3c1,a1:pb2,c3:rb"),
    *(("hexata", text) for text in (
        "14c1,a3:sk4(j4d11)d5,c6", "5c1,a1(b1)(c1d1(d2))a2", "5c1,a1(b1,b2)c1", "5c1,,a1(b1)",
        "5c1", "5,", "5x3,",
    )),
    *(("plain", text) for text in ("5x5 a1 b2", "5x3 e3", "3x3 a1 swap-pieces blue", "7x7")),
    ("json", '{"size": 5, "moves": "a1 b2"}'),
    ("json", '{"id": "7", "size": {"rows": 2, "columns": 3}, "red": "A", "moves": "c1 pass"}'),
    ("json", '{"size": 3, "winner": "blue", "end": "resign", "moves": "a1 swap-pieces"}'),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text"), ROUND_TRIPS)
def test_what_is_read_is_written_alike(form: str, text: str) -> None:
    record = read_record(text)
    assert written(record, form).text.rstrip("\n") == text
    sgf = read_record(written(record, "sgf").text)
    assert sgf.equals(record)
    assert text_as(form, sgf).rstrip("\n") == text


@pytest.mark.parametrize(
    ("forms", "moves", "what"),
    [
        ("hsgf", ";B[a1]", "not written as hsgf: save it as sgf"),
        ("gif", ";B[a1]", "'gif' is not a record format; the formats are hexworld, json"),
        ("plain json", ";B[a1];B[b1]", "move 2, b1: it is the other player's turn"),
        ("plain json", ";AB[a1]", "stones set outside"),
        ("hexworld hexata", ";B[a1];AE[a1]", "the setup that changes a1"),
        ("hexworld hexata", ";B[a1];AW[a1]", "the setup that changes a1"),
        ("hexworld hexata", ";B[a1];W[b1];B[swap-pieces]", "swap-pieces at move 3"),
        ("hexworld hexata", ";B[swap-sides]", "swap-sides at move 1"),
        ("hexworld hexata", ";AB[c1]PL[W];W[swap-pieces]", "swap-pieces at move 1"),
    ],
)
def test_what_a_format_cannot_hold(forms: str, moves: str, what: str) -> None:
    record = read_record(f"(;GM[11]{moves})")
    for form in forms.split():
        with pytest.raises(RecordError, match=what):
            text_as(form, record)


@pytest.mark.parametrize(
    ("forms", "text", "lost"),
    [
        (
            "hexworld", "PB[Ann];B[a1]C[hm](;W[b1]TR[a1])(;W[b2])",
            (LeftOut.VARIATIONS, LeftOut.COMMENTS, LeftOut.PLAYERS, LeftOut.OTHER),
        ),
        (
            "hexata", "PB[Ann];B[a1]C[hm](;W[b1]TR[a1])(;W[b2])",
            (LeftOut.COMMENTS, LeftOut.PLAYERS, LeftOut.OTHER),
        ),
        ("hexata", "(;)(;B[a1])(;B[a2])", (LeftOut.MAIN_LINE,)),
        ("sgf", "PB[Ann]RE[Void];B[a1]C[hm](;W[b1]TR[a1])(;W[b2])", ()),
        ("plain json", "RE[B+];B[a1]", ()),
        ("hexworld hexata", "RE[B+];B[a1]", (LeftOut.RESULT,)),
        ("plain", "RE[B+Resign];B[a1]", (LeftOut.HOW_WON,)),
        ("json", "RE[B+Resign];B[a1]", ()),
        ("plain json", "RE[Void]", (LeftOut.RESULT,)),
        ("hexworld hexata", ";W[a1]", (LeftOut.TURNS_OUT_OF_ORDER,)),
        ("hexworld hexata", "AB[a1]", (LeftOut.SETUP,)),
    ],
)  # fmt: skip
def test_what_a_format_leaves_out(forms: str, text: str, lost: tuple[LeftOut, ...]) -> None:
    record = read_record(f"(;GM[11]SZ[5]{text})")
    assert {written(record, form).lost for form in forms.split()} == {lost}
