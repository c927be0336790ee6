"""GAME and HERE at the top of the screen: at once, of the current position, and used by keys."""

from dataclasses import replace

import pytest

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.position import MoveKind
from hextui.engine.verdicts import Verdicts
from hextui.engines.snapshot import ReportedMove, SearchReport, Verdict, VerdictKind
from hextui.ui.panels.moves_panel import MovesPanel
from hextui.ui.widgets.frame import VerdictLines
from tests.samples import some

from .helpers import (
    SIZES,
    all_shown,
    analysing,
    game,
    press,
    ranking,
    row_text,
    running,
    shown,
    tell,
    told,
    until,
)
from .test_proof_panels import solved


def lines(pilot) -> list[str]:
    """Return what the lines at the top say, and see that they are on the screen as they stand."""
    widget = pilot.app.main.query_one(VerdictLines)
    found = widget.render().plain.splitlines()
    assert all(len(line) <= widget.content_size.width for line in found)
    assert all(line.strip() in shown(pilot) for line in found)
    return [" ".join(line.split()) for line in found]


def says(pilot) -> str:
    """Return what HERE says."""
    return lines(pilot)[1].removeprefix("HERE ")


@pytest.mark.parametrize("size", some([(40, 16), *SIZES], 2))
async def test_what_is_proved_is_said_with_the_move_of_the_record(size):
    session = game("a1", "d2", swap=False)
    async with analysing(session, size) as (pilot, analyst):
        assert "Nothing proved yet" in says(pilot)
        await tell(pilot, analyst, solution=solved(session.position))
        for words in ("Red wins", "c3", "w why"):
            assert words in says(pilot)
        if size[0] >= 80:
            assert "Played 1. a1: loses." in says(pilot)
            assert "x add c3" in says(pilot)
        assert "ply 0: Red wins, proved" in shown(pilot) or size[0] <= 80


async def test_it_survives_stepping_and_is_there_before_the_engine_answers():
    session = game("e1", "e2", "a1", "d2")
    session.forward(2)
    async with analysing(session) as (pilot, analyst):
        first = analyst.answer(solution=solved(session.position))
        await press(pilot, "n")
        analyst.emit(first)  # late, but it counts for the position that it is about
        await all_shown(pilot)
        # after a move that loses the other side has won: known at once, from the move before
        assert "Blue wins" in says(pilot)
        assert "c3" not in says(pilot)
        await press(pilot, "p")
        assert "Red wins" in says(pilot)
        assert len(analyst.asked) == 3


async def test_it_never_speaks_of_another_position():
    session = game("a1", "d2")
    async with analysing(session) as (pilot, analyst):
        best = {"resistance": ranking("resistance", session.position, ["b3"])}
        analyst.lines_by = "resistance"
        await tell(pilot, analyst, rankings=best, lines_by="resistance")
        assert "resistance prefers b3" in says(pilot)
        assert "can be swapped" in says(pilot)
        await press(pilot, "n")
        assert "prefers" not in says(pilot)


async def test_it_agrees_with_what_the_board_shows():
    session = game("a1", "d2")
    session.forward(1)
    position = session.position
    async with analysing(session) as (pilot, analyst):
        first = ranking("network", position, ["c3", "b3", "d2"])
        other = ranking("resistance", position, ["b3", "d2", "c3"])
        await tell(pilot, analyst, rankings={"network": first, "resistance": other})
        assert pilot.app.main.workspace.shown.evaluator == "network"
        # no lines yet: what is in focus counts
        assert "network prefers c3" in says(pilot)
        assert "3rd by network" in says(pilot)


async def test_a_move_costs_win_probability_where_the_search_knows_it_before_and_after():
    session = game("e1", "e2", "a1", "d2")
    session.forward(2)
    async with analysing(session) as (pilot, analyst):
        analyst.lines_by = "search"

        async def searched(best: str, winrate: float) -> None:
            line = Cells(session.board, (session.board.cell(best),))
            move = ReportedMove(line, visits=90, winrate=winrate)
            found = SearchReport(session.position, "search", (move,), visits=100, final=True)
            await tell(pilot, analyst, reports={"search": found}, lines_by="search")

        await searched("c3", 0.8)
        assert "costs" not in says(pilot)
        await press(pilot, "n")
        await searched("b3", 0.55)
        await press(pilot, "p")
        await searched("c3", 0.8)
        assert "Played 3. a1: -35%, 45% left." in says(pilot)


async def test_win_probabilities_are_those_of_one_side_if_wanted():
    session = game("e1", "e2", swap=False)
    session.forward()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        analyst.lines_by, cell = "search", session.board.cell("c3")
        move = ReportedMove(Cells(session.board, (cell,)), visits=90, winrate=0.2)
        report = SearchReport(session.position, "search", (move,), visits=90, final=True)
        ranked = {"search": report.ranking}
        known = {"reports": {"search": report}, "lines_by": "search", "rankings": ranked}
        await press(pilot, "f8", "f2")
        await tell(pilot, analyst, final=True, **known)
        for words in ("Blue 20%", "Red 80%", "Blue 20%", "Blue 20%"):
            assert words in says(pilot)
            assert f"win probability of {words.split()[0]}" in shown(pilot)
            listed = pilot.app.main.query_one(MovesPanel).list
            assert words.split()[1][:-1] in row_text(listed.lines[0])
            await press(pilot, "percent_sign")
        assert pilot.app.main.chosen.win_probability_of is Color.BLACK


async def test_a_better_swap_is_advised_listed_and_played():
    session = game("c3", "d2")
    session.forward()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        analyst.lines_by, cell = "search", session.board.cell("e1")
        move = ReportedMove(Cells(session.board, (cell,)), visits=90, winrate=0.2)
        report = SearchReport(session.position, "search", (move,), visits=90, final=True)
        ranked = {"search": report.ranking.with_swap(0.8)}
        await press(pilot, "f8", "f2")
        known = {"reports": {"search": report}, "lines_by": "search", "rankings": ranked}
        await tell(pilot, analyst, final=True, **known)
        assert "Blue should swap: 80% (search, 90 visits)." in says(pilot)
        assert "80.0% by a swap" in shown(pilot)
        listed = pilot.app.main.query_one(MovesPanel).list
        assert [row_text(line).split()[0] for line in listed.lines] == ["swap", "e1"]
        await press(pilot, "enter")
        assert session.node.turn.move.kind is MoveKind.SWAP_PIECES
        await press(pilot, "p", "comma")
        assert session.node.turn.move.kind is MoveKind.SWAP_PIECES
        assert len(session.node.siblings) == 2


async def test_where_the_rules_allow_no_swap_none_is_offered():
    session = game("c3", swap=False)
    session.forward()
    async with analysing(session) as (pilot, _):
        await press(pilot, "s")
        assert "the rules of this game allow no swap" in shown(pilot)
        assert session.node.turn.name(session.board) == "c3"


async def test_only_one_side_is_analysed_if_wanted():
    session = game("e1", "e2")
    async with analysing(session) as (pilot, analyst):
        await press(pilot, "semicolon", "n")
        assert len(analyst.asked) == 1
        assert "Only Red's moves are analysed: ; changes that." in says(pilot)
        await press(pilot, "n")
        assert analyst.asked[1:] == [session.position]
        await press(pilot, "p", "full_stop")
        assert analyst.asked[2:] == [session.position]
        assert pilot.app.main.chosen.analysis_side is Color.BLACK
        await press(pilot, "n", "semicolon")
        await press(pilot, "p")
        assert len(analyst.asked) == 5


@pytest.mark.parametrize("focus", some(["f2", "", "f4"], 1))
async def test_its_keys_work_from_the_board_and_any_panel(focus):
    session = game("a1", "d2", swap=False)
    async with analysing(session, (140, 45)) as (pilot, analyst):
        await tell(pilot, analyst, solution=solved(session.position))
        await press(pilot, *[focus] * bool(focus))
        await press(pilot, "x")
        assert [node.turn.name(session.board) for node in session.node.children] == ["a1", "c3"]
        assert session.node is session.record.root
        await press(pilot, "x")  # once more changes nothing
        assert len(session.record.root.children) == 2
        await press(pilot, "u")
        assert len(session.record.root.children) == 1
        await press(pilot, "comma")
        assert session.node.turn.name(session.board) == "c3"
        await press(pilot, "p", "w")
        assert pilot.app.main.panels.focused == "explain"


async def test_keys_are_named_only_where_they_work():
    session = game("a1", "d2", swap=False)
    async with analysing(session, (140, 45)) as (pilot, analyst):
        await tell(pilot, analyst, solution=solved(session.position))
        assert "w why x add c3" in says(pilot)
        for there, back in (("i", "i"), ("J", "J"), ("c", "escape"), ("ctrl+o", "escape")):
            await press(pilot, there)
            await until(pilot, lambda: not pilot.app.main.verdict_lines.keys)
            await press(pilot, back)
            await until(pilot, lambda: pilot.app.main.verdict_lines.keys)


async def test_the_best_move_is_not_played_before_there_is_one():
    session = game("a1", "d2")
    async with analysing(session) as (pilot, _):
        await press(pilot, "comma")
        assert session.node.ply == 0
        assert told(pilot) == "No best move is known yet"


async def test_where_nothing_is_analysed_it_says_so():
    async with running(game("a1")) as pilot:
        assert "There is no analysis here." in says(pilot)
    session = game("a1")
    async with analysing(session) as (pilot, _):
        await press(pilot, "space")
        assert "The analysis is off" in says(pilot)


async def test_proofs_that_contradict_each_other_are_complained_of_once():
    session = game("a1", "d2")
    async with analysing(session) as (pilot, analyst):
        verdicts: Verdicts = pilot.app.main.workspace.verdicts
        joined = Verdict(VerdictKind.CONNECTION, Color.WHITE)
        verdicts.prove(session.position, joined)
        await tell(pilot, analyst, solution=solved(session.position))
        assert "Two proofs contradict" in says(pilot)
        talk = pilot.app.records.talk
        assert [one.text for one in talk.problems if "contradict" in one.text] == [
            "Two proofs contradict each other: Blue wins by a connection, Red by the solver"
        ]


async def test_where_the_win_goes_within_several_moves_it_says_by_which():
    session = game("c3", "a5", "b5", "a4", "e1", "d2")
    session.forward(2)
    async with analysing(session, (140, 45)) as (pilot, _):
        workspace = pilot.app.main.workspace
        line = workspace.survey.positions
        red = Verdict(VerdictKind.SOLVER, Color.BLACK)
        workspace.keep_proof(line[2].position, red)
        await until(pilot, lambda: "Played 3. b5: undecided" in says(pilot))
        workspace.keep_proof(line[5].position, replace(red, winner=Color.WHITE))
        await until(pilot, lambda: "Played 3. b5 or 5. e1: loses." in says(pilot))
        await press(pilot, "n")
        assert "Red lost the win with 3. b5 or 5. e1 (proved)." in lines(pilot)[0]
