"""An installed package offers an evaluator and a record format; then they work everywhere."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hextui
from hextui.commands import main
from hextui.engine.evaluators import evaluator, improves, listed_names, names
from hextui.engine.evaluators.offered_evaluators import offered_class
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Analyse, Explain
from hextui.entry_points import entries_of
from hextui.records.codecs import suffixes
from hextui.records.codecs.offered_formats import offered_codec
from hextui.ui.record.files import open_session
from hextui.ui.screens.dialogs import EvaluatorDialog
from tests.ui.helpers import game, running, settle, shown

CODE = """
from dataclasses import dataclass
from hextui.engine.evaluators.base import PROBABILITY, Evaluator, Source
from hextui.engine.explanation import Facts, Term
from hextui.engine.ranking import rank_by_value

@dataclass(frozen=True)
class Leftmost(Evaluator):
    method = "leftmost"
    short = "left"
    about = "columns from the right"
    scale = PROBABILITY
    source = Source("A. Reader", 2026, "A toy", "all of it", "https://example.org")
    fails: bool = False

    def rank(self, bench):
        if self.fails:
            raise RuntimeError("no idea\\nat all")
        columns = bench.board.columns
        cells = bench.position.empties
        yield rank_by_value(self.name, {cell: 1 - cell % columns / columns for cell in cells})

    def facts(self, bench, move, ranking):
        column = move % bench.board.columns
        return Facts((Term("c", column, label="column, from 0"),))

class NoEvaluator:
    pass
"""
FORMAT = """
from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.codecs.codec import Codec
from hextui.records.record import Record

class Steps(Codec):
    name = "steps"
    suffixes = (".steps",)

    def read(self, game):
        size, *names = game.text.split()
        board = Board.parse(size)
        return Record.of_moves(board, [Move.parse(name, board) for name in names])

    def write(self, record, node=None):
        names = [turn.move.name(record.board) for turn in record.turns()]
        if len(names) == 3:
            raise RuntimeError("three is too many\\nfor me")
        return " ".join([str(record.board), *names]) + "\\n"
"""
ENTRIES = """[hextui.evaluators]
leftmost = leftmost_package:Leftmost
rightmost = leftmost_package:Leftmost
nothing = leftmost_package:NoEvaluator
missing = no_such_package:Evaluator

[hextui.formats]
steps = steps_package:Steps
jumps = steps_package:Steps
absent = no_such_package:Codec
"""
BROKEN = {
    "rightmost": "evaluator rightmost: its method is 'leftmost'",
    "nothing": "evaluator nothing: its entry point names no Evaluator class",
    "missing": "evaluator missing cannot be loaded: ModuleNotFoundError: No module named",
}


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "leftmost_package.py").write_text(CODE)
    (tmp_path / "steps_package.py").write_text(FORMAT)
    about = tmp_path / "leftmost-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: leftmost\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    caches = (entries_of, offered_class, offered_codec)
    for cached in caches:
        cached.cache_clear()
    yield
    sys.modules.pop("leftmost_package", None)
    sys.modules.pop("steps_package", None)
    for cached in caches:
        cached.cache_clear()


def test_it_is_listed_without_being_loaded() -> None:
    assert listed_names() == (*names(), "leftmost", "missing", "nothing", "rightmost")
    assert not improves("engine(kata)")
    assert "leftmost_package" not in sys.modules
    assert evaluator("leftmost:fails").name == "leftmost:fails"
    assert "leftmost_package" in sys.modules


def test_commands_and_the_api_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "#4,b2", "--evaluator", "leftmost", "--json"]) == 0
    ranked = json.loads(capsys.readouterr().out)["evaluators"]["leftmost"]
    assert ranked[0] == {"move": "a1", "value": 1.0, "rank": 1}
    explained = ["rank", "#4,b2", "--evaluator", "leftmost", "--explain", "c3"]
    assert main([*explained, "--json"]) == 0
    explanation = json.loads(capsys.readouterr().out)["explanations"]["leftmost"]
    assert explanation["sentence"] == "Columns from the right."
    assert explanation["terms"][0]["meaning"] == "column, from 0"
    assert main(explained) == 0
    assert "column, from 0" in capsys.readouterr().out
    assert hextui.rank(hextui.position("4x4", "b2"), "leftmost").moves[0].move == "a1"
    with pytest.warns(UserWarning, match="cannot be used|cannot be loaded|method|Evaluator class"):
        assert hextui.evaluators()[-1].name == "leftmost"


@pytest.mark.parametrize(("name", "says"), BROKEN.items())
def test_a_broken_one_costs_one_line(name: str, says: str, capsys) -> None:
    assert main(["rank", "#4,b2", "--evaluator", name]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err


def test_one_that_fails_costs_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    says = "evaluator leftmost fails: RuntimeError: no idea"
    assert main(["rank", "#4,b2", "--evaluator", "leftmost:fails"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), says in err) == ("", 1, True)
    session = game("b2")
    session.last()
    question = Analyse(session.position, ("leftmost:fails", "resistance"))
    *_, last = OwnAnswerer().answers(question)
    assert last.evaluators == ("resistance",)
    with pytest.raises(ValueError, match=says):
        list(OwnAnswerer().answers(Explain(session.position, "leftmost:fails", 0)))


async def test_the_screen_offers_it_and_analysis_ranks_by_it() -> None:
    session = game("b2")
    session.last()
    *_, last = OwnAnswerer().answers(Analyse(session.position, ("leftmost", "missing")))
    assert last.rankings["leftmost"].moves[0].cell == 0
    assert list(last.rankings) == ["leftmost"]
    async with running(session) as pilot:
        pilot.app.push_screen(EvaluatorDialog(("resistance",)))
        await settle(pilot)
        await pilot.press("end")
        await settle(pilot)
        assert "leftmost" in shown(pilot)
        assert "columns from the right" in shown(pilot)


def test_a_format_is_read_and_written_by_the_ending_of_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sgf = tmp_path / "game.sgf"
    sgf.write_text("(;FF[4]GM[11]SZ[4];B[b2];W[c3])")
    assert ".steps" in suffixes()
    assert "steps_package" not in sys.modules
    own = tmp_path / "game.steps"
    assert main(["convert", str(sgf), str(own)]) == 0
    assert own.read_text() == "4x4 b2 c3\n"
    assert main(["convert", str(own), "sgf"]) == 0
    assert ";B[b2];W[c3]" in capsys.readouterr().out
    assert main(["rank", str(own), "--evaluator", "leftmost", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["to_move"] == "black"
    game = hextui.read(own)
    assert hextui.write(game, "steps") == "4x4 b2 c3\n"
    with hextui.open_library(tmp_path / "games.sqlite") as library:
        assert library.add(tmp_path).added == 1  # both files hold the same game


async def test_the_screen_opens_and_saves_it(tmp_path: Path) -> None:
    own = tmp_path / "game.steps"
    own.write_text("4x4 b2 c3\n")
    session = open_session(str(own))
    assert [turn.move.cell for turn in session.record.turns()] == [5, 10]
    async with running(session) as pilot:
        await settle(pilot)
        assert "game.steps" in shown(pilot)
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert own.read_text() == "4x4 b2 c3\n"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("jumps", "format jumps: its name is 'steps'"),
        ("absent", "format absent cannot be loaded: ModuleNotFoundError: No module named"),
        ("steps", "format steps fails: RuntimeError: three is too many"),
        ("leaps", "unknown format"),
    ],
)
def test_a_broken_format_costs_one_line(target: str, says: str, tmp_path: Path, capsys) -> None:
    sgf = tmp_path / "game.sgf"
    sgf.write_text("(;FF[4]GM[11]SZ[4];B[b2];W[c3];B[d4])")
    for where in (target, str(tmp_path / f"game.{target}")):
        assert main(["convert", str(sgf), where]) in (1, 2)
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert says in err
