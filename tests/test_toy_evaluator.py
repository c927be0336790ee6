"""An evaluator is one class and one line in `EVALUATORS`; then it works everywhere."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pytest
from textual.widgets import Input

import hextui
from hextui.commands import main
from hextui.engine import evaluators
from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator, names, scale_of
from hextui.engine.evaluators.base import PROBABILITY, BestValues, Evaluator, Scale, Source
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.explanation import Facts, Illustration, Shows, Term
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, rank_by_value
from hextui.htp.server import analyze_commands
from hextui.ui.panels.value_texts import short_name
from hextui.ui.screens.dialogs import EvaluatorDialog
from tests.htp.clients import InThread
from tests.ui.helpers import analysing, game, press, settle, shown, tell, until


@dataclass(frozen=True)
class Downwards(Evaluator):
    """Prefers rows further down."""

    method = "downwards"
    short = "down"
    about = "rows from the top"
    scale = PROBABILITY
    source = Source("A. Reader", 2026, "A toy", "all of it", "https://example.org")

    step: Annotated[float, "Adds so much a row."] = 1.0
    flat: bool = False

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        board = bench.board
        rows = {cell: cell // board.columns for cell in bench.position.empties}
        share = 0.0 if self.flat else self.step / board.rows
        yield rank_by_value(self.name, {cell: share * row for cell, row in rows.items()})

    def facts(self, bench: Workbench, move: int, ranking: Ranking) -> Facts:
        pictures = (Illustration(Shows.LIKELY_MOVES, amounts=((move, 0.5),)),)
        return Facts((Term("row", move // bench.board.columns),), pictures)


NAME = "downwards:step=0.5"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluators, "EVALUATORS", (*evaluators.EVALUATORS, Downwards))


def test_its_name_is_read_and_written() -> None:
    assert names()[-1] == "downwards"
    assert evaluator(NAME) == Downwards(step=0.5)
    assert evaluator("downwards:flat,step=1/2").name == f"{NAME},flat"
    assert len({evaluator(NAME), Downwards(0.5), Downwards()}) == 2
    assert short_name(NAME) == "down:step=0.5"
    assert scale_of(NAME) is PROBABILITY
    with pytest.raises(ValueError, match="'downwards:up': unknown option 'up'"):
        evaluator("downwards:up")


def test_the_commands_and_the_api_rank_and_explain_by_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rank", "#4,b2", "--evaluator", NAME, "--json"]) == 0
    ranked = json.loads(capsys.readouterr().out)["evaluators"][NAME]
    assert ranked[0] == {"move": "a4", "value": 0.375, "rank": 1}
    assert main(["rank", "#4,b2", "--evaluator", NAME]) == 0
    assert "rank, move, value, per cent" in capsys.readouterr().out
    assert main(["rank", "#4,b2", "--evaluator", NAME, "--explain", "a3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["explanations"][NAME]
    assert (found["sentence"], found["value"]) == ("Rows from the top.", 0.25)
    assert [(term["symbol"], term["value"]) for term in found["terms"]] == [("row", 2)]
    assert found["source"]["authors"] == "A. Reader"
    assert main(["rank", "#4,b2", "--evaluator", NAME, "--explain", "a3"]) == 0
    assert "likely moves" in capsys.readouterr().out
    position = Position.empty(Board(4, 4))
    assert hextui.rank(position, NAME).moves[0].value == 0.375
    assert hextui.lines(position, evaluator=NAME, widths=(1, 0))


def test_htp_offers_it() -> None:
    client = InThread()
    client.done("boardsize 4 4", "play b b2")
    assert "downwards heat" in analyze_commands()
    assert "a4 0.375" in client.good(f"hextui-values {NAME} white")
    assert "Rows from the top." in client.good(f"hextui-explain white a3 {NAME}")
    client.close()


async def test_the_screen_offers_shows_and_explains_it() -> None:
    session = game("b2")
    session.last()
    session.cursor = session.board.cell("c3")
    async with analysing(session) as (pilot, analyst):
        analyst.choose_evaluators((NAME,))
        bench = Workbench(session.position.board)
        bench.look_at(session.position)
        *_, ranked = evaluator(NAME).rank(bench)
        await tell(pilot, analyst, rankings={NAME: ranked}, final=True)
        assert "down:step=0.5 %" in shown(pilot)
        await press(pilot, "H")
        await until(pilot, lambda: "Rows from the top." in shown(pilot))
        await press(pilot, "escape")
        chosen: list[tuple[str, ...] | None] = []
        pilot.app.push_screen(EvaluatorDialog((NAME,)), chosen.append)
        await settle(pilot)
        await press(pilot, "end")
        assert "rows from the top" in shown(pilot)
        await press(pilot, "o")
        assert "step     Adds so much a row." in shown(pilot)
        await press(pilot, *"flat=", "comma", "u", "enter")
        assert "unknown option 'u'" in shown(pilot)
        pilot.app.screen.query_one(Input).value = "flat"
        await press(pilot, "enter")
        assert "[x] downwards:flat" in shown(pilot)
        await press(pilot, "enter")
        assert chosen == [(NAME, "downwards:flat")]


def test_every_option_has_a_sentence() -> None:
    """At most as wide as the dialog that shows it."""
    shipped = [each for each in evaluators.EVALUATORS if each is not Downwards]
    texts = {
        f"{each.method}:{name}": text for each in shipped for name, text in each.options().items()
    }
    assert {"k-paths:raw", "contribution-own:carriers", "blocking:average"} <= texts.keys()
    assert [name for name, text in texts.items() if not text.endswith(".") or len(text) > 51] == []


@dataclass(frozen=True)
class Upwards(Downwards):
    """Counts the rows above a move, and prefers few of them."""

    method = "upwards"
    scale = Scale("rows above", BestValues.LOW)

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        rows = {cell: float(cell // bench.board.columns) for cell in bench.position.empties}
        yield rank_by_value(self.name, rows, lowest_first=True)


def test_a_position_is_worth_more_if_its_best_value_is_lower() -> None:
    worths = []
    for moves in ("a4", "a1 b1 c1 d1 a2"):
        position = hextui.position("4x4", moves)
        bench = Workbench(position.board)
        bench.look_at(position)
        (ranking,) = Upwards().rank(bench)
        worths.append(Upwards().worth(bench, ranking))
    assert worths == [0.0, -1.0]
