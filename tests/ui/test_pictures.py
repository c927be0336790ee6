"""Pictures of the screen against accepted ones; update them with ``--snapshot-update``."""

import pytest
from textual import constants

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.engines.snapshot import Snapshot
from hextui.records.record import Record
from hextui.ui.app.layout import Activity
from hextui.ui.app.settings import Settings
from hextui.ui.record.session import Session

from .helpers import SIZES, ScriptedAnalyst, all_shown, ranking, workstation


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    """What the pictures depend on besides the program."""
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


def session() -> Session:
    board = Board(9, 9)
    moves = [Move.parse(name, board) for name in ("c2", "e5", "f3", "d6", "g6", "h4")]
    record = Record.of_moves(board, moves)
    record.set_comment(record.root.children[0], "An opening that asks for no swap.")
    made = Session(record, name="record")
    made.first()
    made.forward(4)
    return made


def compare(snap_compare, app, size):
    return snap_compare(app, terminal_size=size, run_before=all_shown)


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]], ids=["80x24", "140x45"])
@pytest.mark.parametrize("theme", ["hextui-dark", "hextui-light", "no color", "16 colors"])
def test_without_analysis(snap_compare, monkeypatch, size, theme):
    if theme == "no color":
        monkeypatch.setenv("NO_COLOR", "1")
    if theme == "16 colors":
        monkeypatch.setattr(constants, "COLOR_SYSTEM", "standard")
    app = workstation(session())
    if theme.startswith("hextui"):
        app.theme = theme
    assert compare(snap_compare, app, size)


class Knowing(ScriptedAnalyst):
    def request(self, position, again=False, played=None):
        generation = super().request(position, again, played)
        rankings = {
            "k-paths:1": ranking("k-paths:1", position, ["e4", "d5"]),
            "resistance": ranking("resistance", position, ["d5", "g6"]),
        }
        self.emit(Snapshot(position, generation=generation, final=True, rankings=rankings))
        return generation


def test_with_an_analysis(snap_compare):
    assert compare(snap_compare, workstation(session(), make_analyst=Knowing), SIZES[-1])


def test_two_evaluators_compared(snap_compare):
    settings = Settings(activity=Activity.COMPARE)
    app = workstation(session(), make_analyst=Knowing, settings=settings)
    assert compare(snap_compare, app, SIZES[-1])
