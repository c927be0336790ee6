"""Attached engines beside our own, live: merged, in order, and never of another position."""

import queue
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hextui.analysis.analyst import Analyst, keep_proofs
from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.position import Position
from hextui.engine.ranking import rank_by_value
from hextui.engine.search.move_scope import ALL_MOVES, scope_of
from hextui.engine.verdicts import ClaimedWinner, ClaimSource, Verdict, VerdictKind, Verdicts
from hextui.engines.engine import Answer, AskedQuestion, Done, Hear, Lane
from hextui.engines.engine_session import Direction
from hextui.engines.questions import Analyse, Question
from hextui.engines.registry import AttachedEngines
from hextui.engines.snapshot import ReportedMove, SearchReport, Snapshot
from hextui.settings.engine_config import engine_in
from tests.engines.attached.trickster import PLAYED, START, config
from tests.processes import PATIENCE, wait_for

KATA, HTP = "engine(kata)", "engine(htp)"


class OwnLane(Lane):
    """Our own engine: it answers to the end, at once, and counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Analyse] = []

    def ask(self, question: Question[Any], hear: Hear) -> AskedQuestion:
        assert isinstance(question, Analyse)
        self.asked.append(question)
        position = question.position
        values = dict.fromkeys(position.empties, 0.0)
        known = Snapshot(
            position,
            evaluators=question.evaluators,
            rankings={name: rank_by_value(name, values) for name in question.evaluators},
            lines_by=question.lines_by,
        )
        hear(Answer(known))
        hear(Answer(replace(known, final=True)))
        hear(Done())
        return AskedQuestion(question, hear)

    def close(self) -> None: ...


class Desk:
    """An analyst with two engines that are limited, and what it has emitted."""

    def __init__(self, trick: str = "plain", **more) -> None:
        limited = {"seconds": 5.0, "visits": 1} | more
        configs = {
            "kata": replace(config(trick, **limited), name="kata"),
            "htp": replace(config("htp", **limited), name="htp"),
        }
        self.heard: queue.Queue[Snapshot] = queue.Queue()
        self.own = OwnLane()
        self.engines = AttachedEngines(configs)
        self.analyst = Analyst(
            self.heard.put, lambda: self.own, ("resistance",), "resistance", engines=self.engines
        )

    def until(self, true) -> Snapshot:
        while not true(snapshot := self.heard.get(timeout=PATIENCE)):
            pass
        return snapshot

    def final(self, generation: int) -> Snapshot:
        return self.until(lambda s: s.final and s.generation == generation)


@pytest.fixture
def sit() -> Iterator:
    made: list[Desk] = []

    def make(*args, **more) -> Desk:
        made.append(Desk(*args, **more))
        return made[-1]

    yield make
    for desk in made:
        desk.analyst.close()
        desk.engines.close()


def test_engines_rank_beside_our_own_evaluators(sit) -> None:
    desk = sit()
    desk.analyst.choose_evaluators(["resistance", KATA, HTP])
    found = desk.final(desk.analyst.request(PLAYED))
    assert list(found.rankings) == ["resistance", KATA, HTP]
    assert found.evaluators == desk.analyst.evaluators == ("resistance", KATA, HTP)
    assert found.rankings[KATA].evaluator == KATA
    assert found.rankings[KATA].moves[0].value == 0.75
    assert found.reports[KATA].moves[0].prior == 0.5
    assert found.reports[KATA].position == PLAYED
    assert desk.own.asked[-1].evaluators == ("resistance",)
    assert not found.problems


def test_it_is_not_final_before_the_engines_are(sit) -> None:
    desk = sit(visits=None)
    desk.analyst.choose_evaluators([KATA])
    desk.analyst.request(PLAYED)
    found = desk.until(lambda s: KATA in s.reports)
    assert not found.final
    assert found.progress.label == "kata: 1,010 visits"
    desk.analyst.choose_evaluators([KATA, HTP])
    desk.analyst.request(START)
    found = desk.until(lambda s: s.progress.label and s.position == START)
    assert found.progress.label == "2 engines search"


def test_an_engine_judges_lines_without_ranking(sit) -> None:
    desk = sit()
    desk.analyst.choose_lines_by(HTP)
    found = desk.final(desk.analyst.request(PLAYED))
    assert found.lines_by == HTP
    assert list(found.rankings) == ["resistance"]
    assert found.reports[HTP].moves
    assert desk.own.asked[-1].lines_by == ""


def test_some_moves_only_are_asked_for_and_shown(sit) -> None:
    desk = sit()
    desk.analyst.choose_evaluators(["resistance", KATA, HTP])
    scope = scope_of(PLAYED.board, region="a1:c2")
    desk.analyst.scope = scope
    found = desk.final(desk.analyst.request(PLAYED))
    assert found.scope == desk.own.asked[-1].scope == scope
    (asked,) = analyses(desk)
    assert "avoid b d1,e1," in asked
    assert found.problems == {HTP: "htp cannot be restricted to marked moves"}
    inside = [cell for cell in PLAYED.empties if scope.allows(cell, first=True)]
    ranked = found.rankings["resistance"].moves
    assert [(move.cell, move.rank) for move in ranked] == [(cell, 1) for cell in inside]
    desk.analyst.scope = ALL_MOVES
    found = desk.final(desk.analyst.request(PLAYED))
    assert not found.problems
    assert len(found.rankings["resistance"].moves) == len(PLAYED.empties)


def test_engines_that_are_not_configured_are_left_out(sit) -> None:
    desk = sit()
    desk.analyst.choose_evaluators(["engine(gone)"])
    assert desk.analyst.evaluators == ("resistance",)
    desk.analyst.choose_evaluators(["engine(gone)", KATA])
    assert desk.analyst.evaluators == (KATA,)
    desk.analyst.choose_lines_by("engine(gone)")
    assert desk.analyst.lines_by == "resistance"


def test_one_that_is_removed_while_it_is_chosen_is_a_problem_and_no_crash(sit) -> None:
    desk = sit()
    desk.analyst.choose_evaluators(["resistance", KATA])
    desk.engines.configure({})
    found = desk.final(desk.analyst.request(PLAYED))
    assert found.problems == {KATA: "no engine 'kata' is configured"}


def test_what_an_engine_refuses_is_reported(sit) -> None:
    desk = sit(smallest=7)
    desk.analyst.choose_evaluators(["resistance", KATA])
    found = desk.final(desk.analyst.request(PLAYED))
    assert found.problems == {KATA: "kata takes boards of 7 to 19 rows and columns, not 5x5"}
    assert found.error is None


def test_a_crash_is_reported_until_the_engine_is_back(sit, tmp_path) -> None:
    desk = sit()
    crashing = replace(config("crash once", tmp_path / "been here", visits=10**6), name="kata")
    desk.engines.configure({"kata": crashing})
    desk.analyst.choose_evaluators([KATA])
    desk.analyst.request(PLAYED)
    found = desk.until(lambda s: s.problems)
    assert "exit code 139" in found.problems[KATA]
    assert found.reports[KATA].position == PLAYED  # what was known stays
    assert found.progress.label == "kata is restarting"
    found = desk.until(lambda s: not s.problems)
    assert found.reports[KATA].moves


def test_time_is_given_again_to_one_that_was_done(sit) -> None:
    desk = sit()
    desk.analyst.choose_evaluators([KATA])
    for again, searches in ((False, 1), (False, 1), (True, 2)):
        desk.final(desk.analyst.request(PLAYED, again=again))
        assert len(analyses(desk)) == searches


@pytest.mark.parametrize("trick", ["plain", "late", "interrupted", "wrong order"])
def test_walking_fast_shows_nothing_of_another_position(sit, trick) -> None:
    desk = sit(trick, visits=None)
    desk.analyst.choose_evaluators([KATA])
    positions = [START]
    for cell in range(20):
        positions.append(positions[-1].play(cell))
    generations = [desk.analyst.request(position) for position in positions]
    last = desk.until(lambda s: s.reports and s.generation == generations[-1])
    assert is_told_rightly(last)
    seen = [last]
    while not desk.heard.empty():
        seen.append(desk.heard.get())
    for snapshot in seen:
        assert snapshot.position == positions[generations.index(snapshot.generation)]
        assert is_told_rightly(snapshot)


@pytest.mark.parametrize("name", [KATA, HTP])
def test_an_engine_never_works_at_more_than_the_position_before(sit, monkeypatch, name) -> None:
    monkeypatch.setattr("hextui.engines.limits.REST", 0.0)
    desk = sit(visits=None)
    desk.analyst.choose_evaluators([name])
    engine = desk.engines.engine(engine_in(name))
    desk.analyst.request(START)
    desk.until(lambda s: s.reports)
    for step in range(1, 12):
        position = START.play(step)
        desk.analyst.request(position)
        assert engine.at in (None, START.play(step - 1) if step > 1 else START, position)
        wait_for(lambda: engine.at == position)  # noqa: B023


def is_told_rightly(snapshot: Snapshot) -> bool:
    """Return whether engines speak of the position: their visits tell the stones."""
    stones = snapshot.position.board.cells - len(snapshot.position.empties)
    return all(
        found.position == snapshot.position and found.moves[0].visits == 1000 + stones
        for found in snapshot.reports.values()
    )


def analyses(desk: Desk) -> list[str]:
    lines = desk.engines.engine("kata").traffic.lines(Direction.SENT)
    return [line.text for line in lines if "kata-analyze" in line.text]


@pytest.mark.parametrize("name", ["mohex", "search"])
def test_what_an_engine_claims_is_no_proof(name: str) -> None:
    position = Position.empty(Board(3, 3))
    wins, loses, unknown = (Cells(position.board, (cell,)) for cell in (4, 0, 1))
    proved = (ReportedMove(wins, proved=True), ReportedMove(loses, proved=False))
    moves = (*proved, ReportedMove(unknown))
    found = SearchReport(position, name, moves)
    verdicts = Verdicts()
    keep_proofs(Snapshot(position, reports={f"engine({name})": found}), verdicts)
    assert verdicts.of(position) is None
    assert verdicts.moves(position).by_cell == {}
    assert found.claim == ClaimedWinner(Color.BLACK, ClaimSource.ENGINE, name)
    keep_proofs(Snapshot(position, reports={"search": found}), verdicts)
    assert verdicts.of(position) == Verdict(VerdictKind.SOLVER, Color.BLACK)
