"""A format is one class in one file, listed once: nothing else knows its name."""

from pathlib import Path

import pytest

import hextui
from hextui.commands import main
from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.library.game import files_of
from hextui.records import codecs
from hextui.records.codecs import Codec, GameText, codec_of_file, suffixes
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.tree import Node
from hextui.records.writing import losses, save, write_record, written
from hextui.ui.saver import name_hint


class Toy(Codec):
    """Numbers of cells on a board of a side: ``toy 5: 0 6``."""

    name = "toy"
    suffixes = (".toy",)
    outcomes = frozenset()

    def detects(self, head: str) -> bool:
        return head.startswith("toy ")

    def read(self, game: GameText) -> Record:
        side, _, cells = game.text.removeprefix("toy ").partition(":")
        board = Board(int(side), int(side))
        return Record.of_moves(board, [Move.play(int(cell)) for cell in cells.split()])

    def write(self, record: Record, node: Node | None = None) -> str:
        cells = (turn.move.cell for turn in record.turns((node or record.root).end()))
        return f"toy {record.board.rows}: {' '.join(map(str, cells))}"


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codecs, "CODECS", (Toy(), *codecs.CODECS))


def test_a_new_format_is_used_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "games.toy"
    games.write_text("toy 5: 0 6\ntoy 5: 12\n")
    record = hextui.read(str(games), 2)
    assert (record.board, record.position().board.cells, record.plies) == (Board(5, 5), 25, 1)
    assert record.origin is not None
    assert (record.origin.format, record.origin.alone) == ("toy", False)
    assert read_record("toy 3: 4").plies == 1

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
    assert one.read_text() == "toy 5: 12\n" == written(record, "toy") + "\n"
    record.play(record.root, Move.play(3))
    record.set_comment(record.root, "mine")
    assert losses(record, "toy") == ("variations", "comments")
    assert write_record(record, "toy", record.root.children[1]) == "toy 5: 3"
    assert set(files_of([tmp_path])) >= {games, one, again, sgf}


@pytest.mark.parametrize("codec", codecs.CODECS, ids=lambda codec: codec.name)
def test_every_format_tells_what_it_is(codec: Codec) -> None:
    assert type(codec).__doc__
    assert codec.name == codec.name.lower()
    assert all(codec_of_file(Path(f"A{end.upper()}")) is codec for end in codec.suffixes)
    assert codec.writes or type(codec).write is Codec.write
