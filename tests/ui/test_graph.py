"""The whole game on the screen: the graph, its keys and clicks, hard spots, keeping results."""

from contextlib import asynccontextmanager

import pytest

from hextui.analysis import Progress, keeping
from hextui.analysis.judgements import Judgements
from hextui.analysis.stations import stations
from hextui.analysis.whole_game import GameAnalyst, analyse_game
from hextui.engine.board import Color
from hextui.records.sgf import read_sgf, write_sgf
from hextui.ui.drawing.game_graph import LABEL, UPPER_HALF, Graph, Plan
from hextui.ui.drawing.palette import DARK
from hextui.ui.live.survey import Survey
from hextui.ui.session import Session
from hextui.ui.widgets.graph_panel import GameGraph

from .helpers import ScriptedAnalyst, game, press, running, shown, told

MOVES = ("a1", "b2", "c3", "d4", "c2", "b3", "c4", "d2", "c1", "d1", "c5")
NAMES = ("k-paths:1", "resistance")


class ScriptedGameAnalyst:
    """A game analyst that does nothing until the test tells it to."""

    def __init__(self, emit):
        self.emit = emit
        self.started = []
        self.cancelled = 0

    def start(self, stations, names, judgements):
        self.started.append((stations, names, judgements))

    def cancel(self):
        self.cancelled += 1

    def close(self):
        pass

    def work(self, plies=None):
        """Analyse so many plies as the real one does."""
        steps = analyse_game(*self.started[-1])
        for progress in steps:
            self.emit(progress)
            if progress.done == plies:
                return


@asynccontextmanager
async def surveying(session, size=(140, 45)):
    """Run the app with the graph on the screen; yields the pilot and the scripted analyst."""
    made = []

    def make(emit):
        made.append(ScriptedGameAnalyst(emit))
        return made[0]

    async with running(
        session, size, make_analyst=ScriptedAnalyst, make_game_analyst=make
    ) as pilot:
        pilot.app.main.desk.bring("graph")
        await pilot.pause()
        yield pilot, made[0]


def graph(pilot):
    return pilot.app.main.query_one(GameGraph)


def judged(session):
    """Return a session whose record holds the results of its game."""
    line, found = stations(session.record, session.record.main_line()), Judgements()
    list(analyse_game(line, NAMES, found))
    keeping.keep(session.record, line, NAMES, found)
    return Session(read_sgf(write_sgf(session.record)))


@pytest.fixture(scope="module")
def known():
    session = judged(game(*MOVES))
    line, found = stations(session.record, session.record.main_line()), Judgements()
    keeping.read(line, found)
    return Survey(line, NAMES, found)


@pytest.mark.parametrize("last", [0, 1, 5, 36, 47, 48, 49, 200, 361])
@pytest.mark.parametrize("columns", [1, 24, 30, 80])
def test_every_ply_has_a_column_and_comes_back_from_it(last, columns):
    plan = Plan(last, 0, 0)
    fake = [type("Station", (), {"ply": ply})() for ply in range(last + 1)]
    plan = Plan.of(fake, columns)
    assert 1 <= plan.columns <= max(columns, 1)
    for ply in range(last + 1):
        column = plan.column(ply)
        assert 0 <= column < plan.columns
        first = plan.first_ply(column)
        assert first <= ply < first + plan.plies
    assert plan.first_ply(10**6) == plan.column(last) // plan.width * plan.plies


@pytest.mark.parametrize("size", [(34, 17), (34, 9), (34, 3), (60, 30), (28, 12), (12, 5)])
def test_the_graph_keeps_to_its_room(known, size):
    for ply in (0, 4, 11):
        lines = Graph(known, "k-paths:1", ply, DARK, *size).lines()
        assert len(lines) <= size[1]
        for line in lines[1:-4]:
            assert line.cell_len <= size[0]


def test_both_players_have_a_curve_and_proofs_are_marked(known):
    graph = Graph(known, "k-paths:1", 3, DARK, 34, 20)
    lines = graph.lines()
    colors = {
        str(span.style.color.name) for line in lines[1:8] for span in line.spans if span.style.color
    }
    assert set(DARK.stones) <= colors
    axis = next(line for line in lines if line.plain.lstrip().startswith("ply"))
    assert "^" in axis.plain
    assert "()"[0] in axis.plain  # Red's chain at the end
    assert any(line.plain.startswith("paths:1") and UPPER_HALF in line.plain for line in lines)


def test_what_is_proved_lies_under_its_plies(known):
    graph = Graph(known, "k-paths:1", 0, DARK, 60, 20)
    axis = next(line for line in graph.lines() if line.plain.lstrip().startswith("ply"))
    proved = [s.ply for s in known.stations if known.judgements.verdict(s.position)]
    assert proved[-1] == 11
    assert axis.plain[LABEL + graph.plan.column(11)] == "("
    first = graph.plan.column(0)
    assert axis.plain[LABEL + first] == "^"


async def test_a_analyses_the_game_and_stops_and_goes_on():
    async with surveying(game(*MOVES)) as (pilot, analyst):
        assert "a analyses the game" in shown(pilot)
        await press(pilot, "a")
        assert analyst.started[0][1] == NAMES
        assert "whole game 0 of 12" in shown(pilot)
        analyst.work(plies=5)
        await pilot.pause()
        assert "whole game 5 of 12" in shown(pilot)
        await press(pilot, "a")
        assert analyst.cancelled == 1
        assert "whole game" not in shown(pilot)
        await press(pilot, "a")
        analyst.work()
        await pilot.pause()
        assert "whole game" not in shown(pilot)
        assert "mean Q" in shown(pilot) or graph(pilot).size.height < 17
        survey = pilot.app.main.desk.survey
        assert all(survey.judgements.complete(s, NAMES) for s in survey.stations)


async def test_late_progress_of_a_stopped_analysis_is_not_shown():
    async with surveying(game(*MOVES)) as (pilot, analyst):
        await press(pilot, "a")
        await press(pilot, "a")
        analyst.emit(Progress(3, 12, "whole game"))
        await pilot.pause()
        assert "whole game 3" not in shown(pilot)


async def test_a_failure_is_told_and_ends_the_analysis():
    async with surveying(game(*MOVES)) as (pilot, analyst):
        await press(pilot, "a")
        analyst.emit("MemoryError: no room")
        await pilot.pause()
        assert "no room" in told(pilot)
        assert pilot.app.main.desk.survey.progress is None


async def test_the_real_analyst_fills_the_graph():
    async with running(
        game(*MOVES), (140, 45), make_analyst=ScriptedAnalyst, make_game_analyst=GameAnalyst
    ) as pilot:
        await press(pilot, "a")
        pilot.app.main.desk.surveys._analyst.join()
        await pilot.pause()
        assert pilot.app.main.desk.survey.progress is None
        assert "not analysed" not in shown(pilot)


async def test_results_of_the_record_are_shown_without_asking():
    async with surveying(judged(game(*MOVES))) as (pilot, _):
        await press(pilot, "g")
        assert "best " in shown(pilot)
        assert pilot.app.main.desk.survey.known


async def test_keys_and_clicks_go_along_the_game():
    async with surveying(judged(game(*MOVES))) as (pilot, _):
        main = pilot.app.main
        await press(pilot, "g")
        graph(pilot).focus()
        await press(pilot, "right", "right")
        assert main.desk.session.node.ply == 2
        await press(pilot, "left")
        assert main.desk.session.node.ply == 1
        plan = graph(pilot)._graph.plan
        at = LABEL + plan.column(6)
        await pilot.click(graph(pilot), offset=(at, 2))
        await pilot.pause()
        assert main.desk.session.node.ply == 6
        await pilot.click(graph(pilot), offset=(at, 2))
        await pilot.pause()
        assert main.desk.session.node.ply == 7


async def test_d_goes_round_the_disagreements():
    async with surveying(judged(game(*MOVES))) as (pilot, _):
        main = pilot.app.main
        await press(pilot, "g")
        survey = main.desk.survey
        overlap = {
            s.ply: survey.judgements.disagreement(s, NAMES)
            for s in survey.stations
            if survey.judgements.disagreement(s, NAMES)
        }
        expected = sorted(
            (ply for ply in overlap if overlap[ply].overlap < 1),
            key=lambda ply: (overlap[ply].order, ply),
        )[:8]
        visited = []
        for _ in expected:
            await press(pilot, "d")
            visited.append(main.desk.session.node.ply)
        start = [ply for ply in sorted(expected) if ply > 0]
        assert visited == [*start, *(ply for ply in sorted(expected) if ply == 0)]
        assert "Disagreement" in told(pilot)


@pytest.mark.parametrize("key", ["d", "D", "less_than_sign", "A"])
async def test_without_an_analysis_they_say_so(key):
    async with surveying(game(*MOVES)) as (pilot, _):
        await press(pilot, key)
        assert "a analyses it" in told(pilot)


async def test_results_are_kept_in_the_record_as_one_edit():
    async with surveying(game(*MOVES)) as (pilot, analyst):
        session = pilot.app.main.desk.session
        before = write_sgf(session.record)
        await press(pilot, "a")
        analyst.work()
        await pilot.pause()
        await press(pilot, "A")
        assert "HXJ[k-paths:1 " in write_sgf(session.record)
        assert session.record.modified
        await press(pilot, "u")
        assert write_sgf(session.record) == before


async def test_another_record_has_results_of_its_own():
    async with surveying(judged(game(*MOVES))) as (pilot, _):
        assert pilot.app.main.desk.survey.known
        pilot.app.records.open(game("a1", "b2"))
        await pilot.pause()
        assert not pilot.app.main.desk.survey.known
        assert pilot.app.main.desk.survey.stations[-1].position.to_move is Color.BLACK
