"""The whole game on the screen: the graph, its keys and clicks, hard spots, keeping results."""

import re
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from math import isinf

import pytest

from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_report import AdvantageSource
from hextui.analysis.whole_game import GameAnalyst
from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.search.move_scope import MoveScope
from hextui.engines.snapshot import ReportedMove, SearchReport, Snapshot, Verdict, VerdictKind
from hextui.records.codecs.sgf import write_sgf
from hextui.ui.drawing.palette import DARK
from hextui.ui.live.game_review import GameReviews, LineReview
from hextui.ui.panels.graph_panel import LABEL, RATE, GameGraph, Graph, Plan
from hextui.ui.panels.panel import Change

from .helpers import (
    EVALUATORS,
    MOVES,
    ScriptedGameAnalyst,
    analysing,
    game,
    give_focus,
    judged_game,
    press,
    reviewed,
    running,
    settle,
    shown,
    told,
)


@asynccontextmanager
async def surveying(session, size=(140, 45)):
    """Run the app with the graph on the screen; yields the pilot and the scripted analyst."""
    made = []

    def make(emit):
        made.append(ScriptedGameAnalyst(emit))
        return made[0]

    async with analysing(session, size, make_game_analyst=make) as (pilot, _):
        pilot.app.main.workspace.bring("graph")
        await settle(pilot)
        yield pilot, made[0]


async def analysed(pilot, analyst, plies=None):
    """Ask for the analysis of the game and let it work, so many plies or all."""
    await press(pilot, "a")
    analyst.work(plies)
    await settle(pilot)


def graph(pilot):
    return pilot.app.main.query_one(GameGraph)


@pytest.fixture(scope="module")
def known():
    line, found = reviewed(game(*MOVES, swap=False))
    return LineReview(line, EVALUATORS, found)


@pytest.mark.parametrize("last", [0, 1, 5, 36, 47, 48, 49, 200, 361])
@pytest.mark.parametrize("columns", [1, 24, 30, 80, 194])
def test_every_ply_has_a_column_and_comes_back_from_it(last, columns):
    plan = Plan.of(last, columns)
    assert 1 <= plan.columns <= max(columns, 1)
    assert plan.columns == columns or plan.columns == 6 * (last + 1), "the room is used"
    for ply in range(last + 1):
        column = plan.column(ply)
        assert 0 <= column < plan.columns
        assert ply in plan.plies(column)
    seen = [ply for column in range(plan.columns) for ply in plan.plies(column)]
    assert seen == sorted(seen)
    assert set(seen) == set(range(last + 1))
    assert last in plan.plies(10**6)


@pytest.mark.parametrize("height", range(1, 20))
@pytest.mark.parametrize("width", [8, 20, 34, 40, 60, 80, 138, 200])
def test_the_graph_keeps_to_its_room(known, width, height):
    for ply in (0, 4, 11):
        lines = Graph(known, "k-paths:1", DARK, width, height).lines(ply)
        assert len(lines) <= height
        for line in lines:
            assert line.cell_length <= width
            numbers = re.findall(r"\d+", line.text) if line.text.startswith("ply  ") else []
            assert {int(number) for number in numbers} <= set(range(12)), "no number is cut"


@pytest.mark.parametrize("width", [9, 14, 34, 80])
def test_a_ply_looked_at_is_lit_in_all_of_its_columns_and_nowhere_else(known, width):
    survey = with_verdicts(known, ply_4=Color.BLACK, ply_5=Color.WHITE)
    walked = Graph(survey, "", DARK, width, 10)
    plan = walked.plan
    for ply in (*range(12), 3, 40):
        lines = walked.lines(ply)
        assert lines == Graph(survey, "", DARK, width, 10).lines(ply), "as made anew"
        lit = {
            column
            for column in range(plan.columns)
            for line in lines[1:-2]
            for piece in line.crop(LABEL + column, LABEL + column + 1)
            if DARK.shades[2] in (piece.style.color.name, piece.style.bgcolor.name)
        }
        assert lit == {column for column in range(plan.columns) if ply in plan.plies(column)}


def copied(survey, verdicts=None):
    """Return what evaluators say of a game, with other verdicts or none."""
    found = Estimates(verdicts)
    for here in survey.positions:
        if (balance := survey.estimates.balance(here.position)) is not None:
            found.keep_balance(here.position, balance)
        for name in survey.names:
            if (said := survey.estimates.of(here, name)) is not None:
                found.keep(here.position, name, said)
    return found


def with_verdicts(survey, **winners):
    """Return what is known, and that a side is proved to win at plies such as ``ply_3``."""
    found = copied(survey)
    for name, color in winners.items():
        here = survey.positions[int(name[4:])]
        found.keep_verdict(here.position, Verdict(VerdictKind.SOLVER, color))
    return LineReview(survey.positions, survey.names, found)


def with_win_probabilities(survey, name, *rates):
    """Return what is known, and win probabilities of the side to move by ply."""
    told = copied(survey, survey.estimates.verdicts)
    for here, rate in zip(survey.positions, rates, strict=False):
        told.keep(here.position, name, Estimate(rate, (), {}, False, rate))
    return LineReview(survey.positions, (*survey.names, name), told)


@pytest.mark.parametrize(("width", "height"), [(80, 12), (38, 8)])
def test_win_probabilities_of_an_engine_are_a_curve_of_their_own(known, width, height):
    # Red is to move at even plies: for Red it is 100 %, 75 %, 25 % and 0 %
    survey = with_win_probabilities(known, "engine(mohex)", 1.0, 0.25, 0.25, 1.0)
    graph = Graph(survey, "", DARK, width, height)
    lines = graph.lines(2)
    curve = [line.text for line in lines[1:-2]]
    rows = [
        next(row for row, line in enumerate(curve) if line[LABEL + graph.plan.column(ply)] == RATE)
        for ply in range(4)
    ]
    last = len(curve) - 1
    assert rows == [0, round(last / 4), round(3 * last / 4), last]
    assert all(line[LABEL + graph.plan.column(4)] != RATE for line in curve), "nothing is told"
    assert lines[-1].text.startswith(f"{RATE} mohex Red 25%")
    assert RATE not in "".join(line.text for line in Graph(known, "", DARK, 80, 12).lines(2))


def test_the_engine_in_focus_has_the_curve(known):
    survey = with_win_probabilities(known, "engine(mohex)", 0.5)
    both = with_win_probabilities(survey, "engine(kata)", 0.9)
    assert both.win_probabilities("engine(kata)") == ("engine(kata)", {0: 0.9})
    for here in survey.positions[:1]:
        both.estimates.keep(here.position, "engine(mohex)", Estimate(0, (), {}, False, 0.5))
    again = LineReview(both.positions, both.names, both.estimates)
    assert again.win_probabilities("resistance") == ("engine(mohex)", {0: 0.5})
    assert again.win_probabilities("engine(kata)")[0] == "engine(kata)"


def column_of(lines, plan, ply):
    """Return the colours of a ply's column from the top."""
    found = []
    for line in lines:
        if line.text.startswith("ply "):
            break
        at = LABEL + plan.column(ply)
        (piece,) = line.crop(at, at + 1)
        found += [piece.style.color.name, piece.style.bgcolor.name]
    return found


def test_a_proof_fills_its_side_and_no_other(known):
    survey = with_verdicts(known, ply_3=Color.BLACK, ply_5=Color.WHITE)
    graph = Graph(survey, "", DARK, 80, 10)
    lines = graph.lines(0)[1:]
    red, blue = DARK.ink(Color.BLACK), DARK.ink(Color.WHITE)
    ground = DARK.shades[0]
    rows = sum(not line.text.startswith("ply") for line in lines[:-1])
    assert column_of(lines, graph.plan, 3) == [red] * rows + [ground] * rows
    assert column_of(lines, graph.plan, 5) == [ground] * rows + [blue] * rows


def test_what_is_judged_is_pale_on_the_side_that_is_ahead_and_never_fills_it(known):
    survey = with_verdicts(known)
    graph = Graph(survey, "", DARK, 80, 12)
    lines = graph.lines(0)[1:]
    drawn = 0
    for before, here in pairwise(survey.positions):
        found = [survey.estimates.balance(s.position) for s in (before, here)]
        if None in found or abs(sum(found)) < 0.1 or isinf(sum(found)):
            continue
        colors = column_of(lines, graph.plan, here.ply)
        half = len(colors) // 2
        ahead, behind = colors[:half], colors[half:]
        if sum(found) < 0:
            ahead, behind = behind, ahead
        pale = set(ahead) - set(DARK.shades)
        assert len(pale) == 1
        assert not pale & set(DARK.stones)
        assert set(behind) <= {*DARK.shades, DARK.heat[0]}
        assert DARK.shades[0] in ahead
        drawn += 1
    assert drawn > 3


def test_each_mistake_is_marked_with_its_name_at_its_ply(known):
    survey = with_verdicts(known, ply_4=Color.BLACK, ply_5=Color.WHITE, ply_7=Color.BLACK)
    graph = Graph(survey, "", DARK, 80, 10)
    marks = graph.lines(0)[0].text
    assert marks.index("?? 6. b3") == LABEL + graph.plan.column(6)
    assert marks.index("?? ") == LABEL + graph.plan.column(5), "without room for its name"
    assert "?? 5. c2" not in marks
    narrow = Graph(survey, "", DARK, 24, 10).lines(0)[0].text
    assert narrow.count("?") >= 2, "without room for the names at least a mark"


def words_at(survey, ply):
    """Return the line below the graph."""
    return Graph(survey, "", DARK, 80, 10).lines(ply)[-1].text


def test_the_ply_looked_at_is_told_and_the_legend_explains_what_is_drawn_and_no_more(known):
    survey = with_verdicts(known, ply_4=Color.BLACK)
    assert words_at(survey, 4) == "ply 4: Red wins, proved   solid = proved  pale = resistance"
    assert re.search(r"\b4\b", Graph(survey, "", DARK, 80, 10).lines(4)[-2].text)
    unknown = LineReview(known.positions, EVALUATORS, Estimates())
    hint = "not analysed yet; a analyses the game"
    assert words_at(unknown, 0) == hint
    proved = with_verdicts(unknown, ply_4=Color.BLACK)
    assert words_at(proved, 4) == f"ply 4: Red wins, proved   {hint}   solid = proved"
    survey = with_verdicts(searched(known, 0.637, 0.25), ply_4=Color.BLACK)
    legend = "solid = proved  pale = search or resistance"
    assert words_at(survey, 0) == f"ply 0: Red 64% by search   {legend}"
    assert words_at(survey, 1) == f"ply 1: Blue 75% by search   {legend}"
    assert words_at(survey, 4) == f"ply 4: Red wins, proved   {legend}"
    assert re.match(r"ply 6: \w+ favoured \(resistance\) ", words_at(survey, 6))


def searched(survey, *shares):
    """Return what is known, and Red's win probability by search by ply."""
    mine = (1 - c if ply % 2 else c for ply, c in enumerate(shares))
    return with_win_probabilities(survey, "search", *mine)


def test_where_nothing_is_proved_the_curve_is_the_estimate_of_the_search(known):
    survey = with_verdicts(searched(known, 0.75, 0.25, 1.0, 0.5, 0.1), ply_4=Color.BLACK)
    advantages = survey.advantages
    assert [advantages[ply].win_probability for ply in range(5)] == [0.75, 0.25, 1.0, 0.5, 1.0]
    assert [advantages[0].by, advantages[4].by, advantages[5].by] == [
        AdvantageSource.SEARCH,
        AdvantageSource.PROOF,
        AdvantageSource.RESISTANCE,
    ]
    graph = Graph(survey, "", DARK, 80, 14)
    lines = graph.lines(9)[1:]
    ground = DARK.shades[0]
    high = column_of(lines, graph.plan, 0)
    half = len(high) // 2
    assert high[half:].count(ground) >= half - 1, "nothing on the other side"
    assert sum(colour != ground for colour in high[:half]) == round(half / 2)
    sure = column_of(lines, graph.plan, 2)[:half]
    assert sure[0] == ground, "the end is for what is proved"
    assert set(sure[1:]) == set(high[:half]) - {ground}, "and pale as well"
    assert column_of(lines, graph.plan, 4)[:half] == [DARK.ink(Color.BLACK)] * half
    assert RATE not in "".join(line.text for line in lines), "dots are for other engines"


def test_a_game_is_analysed_once_the_search_has_judged_what_no_proof_decides(known):
    alone = replace(known, estimates=Estimates(), names=("search",))
    some = searched(alone, *[0.6] * (len(known.positions) - 3))
    assert not some.known, "one looked at the plies"
    rest = {f"ply_{len(known.positions) - n}": Color.BLACK for n in (3, 2, 1)}
    assert with_verdicts(some, **rest).known
    assert not with_verdicts(alone, ply_4=Color.BLACK).known


async def test_what_the_search_says_live_in_the_end_stands_in_the_graph():
    session = game(*MOVES, swap=False)
    async with surveying(session) as (pilot, _):

        def said(chance, final=True):
            moves = (ReportedMove(Cells(session.board, (0,)), 5, chance),)
            return {"search": SearchReport(session.position, "search", moves, 5, final=final)}

        workspace = pilot.app.main.workspace
        for final in (False, True):
            workspace.live.answer(reports=said(0.8, final))
            await settle(pilot)
            assert ("ply 0: Red 80% by search" in shown(pilot)) == final
        assert "a analyses the game" in shown(pilot), "one ply is not the game"
        without_moves = {"search": replace(said(0.8)["search"], moves=())}
        workspace.surveys.hear(Snapshot(session.position, reports=without_moves))
        some = MoveScope(region=frozenset(range(5)))
        partial = Snapshot(session.position, reports=said(0.2), scope=some)
        assert not workspace.surveys.hear(partial), "some moves do not make the position's chance"


async def test_a_analyses_the_game_and_stops_and_goes_on_and_keeps_it_as_one_edit():
    async with surveying(game(*MOVES)) as (pilot, analyst):
        record = pilot.app.main.workspace.session.record
        before = write_sgf(record)
        assert "a analyses the game" in shown(pilot)
        await analysed(pilot, analyst, plies=0)
        line, names, found = analyst.started[0]
        assert names == EVALUATORS
        assert "7 s of CPU time" in told(pilot)
        for ply, winner in ((4, Color.BLACK), (5, Color.WHITE)):
            found.keep_verdict(line[ply].position, Verdict(VerdictKind.SOLVER, winner))
        analyst.work(plies=5)
        await settle(pilot)
        assert "whole game: 5 of 12" in shown(pilot)
        await press(pilot, "a")
        assert analyst.cancelled == 1
        assert not re.search(r"whole game: \d", shown(pilot))
        await analysed(pilot, analyst)
        assert not re.search(r"whole game: \d", shown(pilot))
        assert "had it back after 5. c2, and lost it for good with 6. b3" in shown(pilot)
        assert all(found.complete(here, EVALUATORS) for here in line)
        await press(pilot, "A")
        text = write_sgf(record)
        assert "C[Review: Red gave the win away with 5. c2" in text
        assert "BM[2]" in text
        assert "HXJ[k-paths:1 " in text
        assert record.modified
        await press(pilot, "u")
        assert write_sgf(record) == before, "one undo takes it all back"


async def test_the_real_analyst_fills_the_graph_and_says_that_there_is_no_mistake():
    async with analysing(game("a1", "b2"), (140, 45), make_game_analyst=GameAnalyst) as (pilot, _):
        await press(pilot, "f5", "a")
        pilot.app.main.workspace.surveys.analyst.join()
        await settle(pilot)
        assert pilot.app.main.workspace.survey.progress is None
        assert "not analysed" not in shown(pilot)
        assert "GAME" in shown(pilot)
        assert "Not analysed yet" not in shown(pilot)


async def test_results_of_a_record_are_its_own_and_drawn_once(monkeypatch):
    """Most of what the analysis tells of a position changes nothing of the game."""
    drawn = []
    lines = Graph.lines

    def noted(graph, ply, base):
        drawn.append(ply)
        return lines(graph, ply, base)

    monkeypatch.setattr(Graph, "lines", noted)
    async with surveying(judged_game()) as (pilot, _):
        workspace = pilot.app.main.workspace
        assert workspace.survey.known
        for _ in range(2):
            before = len(drawn)
            workspace.changed(Change.GAME)
            await settle(pilot)
        assert len(drawn) == before
        await press(pilot, "n")
        assert drawn[before:] == [1]
        pilot.app.records.open(game("a1", "b2"))
        await settle(pilot)
        assert not workspace.survey.known
        assert workspace.survey.positions[-1].position.to_move is Color.BLACK


async def test_keys_and_clicks_go_along_the_game():
    session = judged_game()
    async with surveying(session) as (pilot, _):
        drawn = graph(pilot)
        await press(pilot, "g")
        await give_focus(pilot, drawn)
        await press(pilot, "right", "right", "left")
        assert session.node.ply == 1
        drawn.action_walk(1)  # also before it is drawn again
        drawn.action_walk(1)
        await settle(pilot)
        assert session.node.ply == 3
        for ply in (6, 9):
            at = LABEL + drawn.graph.plan.column(ply)
            await pilot.click(drawn, offset=(at, 2))
            await settle(pilot)
            assert session.node.ply == ply
        drawn.styles.width = LABEL + 4
        await settle(pilot)
        pilot.app.main.panels["graph"].fit()
        for ply in (3, 4, 5, 3):  # a column has several
            await pilot.click(drawn, offset=(LABEL + 1, 0))
            await settle(pilot)
            assert session.node.ply == ply


async def test_d_goes_round_the_disagreements():
    async with surveying(judged_game()) as (pilot, _):
        workspace = pilot.app.main.workspace
        await press(pilot, "g")
        found = {
            here.ply: how
            for here in workspace.survey.positions
            if (how := workspace.survey.estimates.disagreement(here, EVALUATORS))
        }
        differing = [ply for ply, how in found.items() if how.overlap < 1]
        expected = sorted(
            sorted(differing, key=lambda ply: (found[ply].overlap, -found[ply].spread, ply))[:8]
        )
        visited = []
        for _ in expected:
            await press(pilot, "d")
            visited.append(workspace.session.node.ply)
        assert visited == sorted(expected, key=lambda ply: ply == 0)
        assert "Disagreement" in told(pilot)


def test_survey_is_the_same_until_more_is_known():
    session = game(*MOVES)
    surveys = GameReviews(None)
    survey = surveys.of(session, EVALUATORS)
    session.forward(2)
    assert surveys.of(session, EVALUATORS) is survey
    assert not survey.advantages
    start = session.record.position(session.record.root)
    survey.estimates.keep_balance(start, 1.0)
    judged = surveys.of(session, EVALUATORS)
    assert judged is not survey
    assert judged.advantages[0].color is Color.BLACK
    survey.estimates.keep_verdict(start, Verdict(VerdictKind.SOLVER, Color.WHITE))
    proved = surveys.of(session, EVALUATORS)
    assert proved.advantages[0].proved
    assert proved.advantages[0].color is Color.WHITE
    assert surveys.of(session, EVALUATORS[:1]) is not proved


async def test_the_smallest_screen_says_too_what_is_solid():
    async with running(game(*MOVES, side=11), (80, 24)) as pilot:
        await press(pilot, "f5")
        assert "Graph  win prob., solid = proved" in shown(pilot)
