"""Live analysis: asked once, never shown for another position, and panels that follow it."""

from typing import Any

import pytest

from hextui.analysis import Progress, Snapshot
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.ranking import rank_by_value
from hextui.ui.live.live_analysis import LiveAnalysis
from hextui.ui.panels.all_panels import PANEL_IDS, Panels
from hextui.ui.panels.move_tree import MoveTree
from hextui.ui.panels.moves_panel import MovesPanel
from hextui.ui.panels.panel import Panel
from hextui.ui.widgets.line_list import LineList

from .helpers import (
    ScriptedAnalyst,
    all_shown,
    analysing,
    become,
    game,
    long_game,
    running,
    settle,
    tell,
    until,
)

FIRST = Position.empty(Board(3, 3))
SECOND = FIRST.play(4)


def live():
    analyst: Any = ScriptedAnalyst(lambda snapshot: None)
    return LiveAnalysis(analyst), analyst


def test_a_position_is_asked_once():
    seen, analyst = live()
    seen.look_at(FIRST)
    seen.look_at(FIRST)
    seen.look_at(SECOND)
    assert analyst.asked == [FIRST, SECOND]


def test_what_is_chosen_before_the_first_question_asks_none():
    """The first screen shall not wait until there is an engine to ask."""
    seen, analyst = live()
    seen.choose_evaluators(["resistance"], FIRST)
    seen.choose_lines_by("resistance", FIRST)
    assert analyst.asked == []
    seen.look_at(FIRST)
    seen.choose_evaluators(["blocking"], FIRST)
    seen.choose_lines_by("blocking", FIRST)
    assert analyst.asked == [FIRST] * 3


def test_answers_to_older_questions_are_dropped():
    seen, _ = live()
    seen.look_at(FIRST)
    seen.look_at(SECOND)
    assert not seen.take(Snapshot(FIRST, generation=1))
    assert not seen.take(Snapshot(FIRST, generation=2))
    assert not seen.take(Snapshot(SECOND, generation=1))
    assert seen.snapshot is None
    assert seen.take(Snapshot(SECOND, generation=2))


def test_a_snapshot_of_another_position_is_stale_and_never_current():
    seen, _ = live()
    seen.look_at(FIRST)
    seen.take(Snapshot(FIRST, generation=1))
    assert seen.of(FIRST)
    assert not seen.stale(FIRST)
    seen.look_at(SECOND)
    assert seen.of(SECOND) is None
    assert seen.stale(SECOND)


def test_off_asks_nothing_and_drops_what_still_comes():
    seen, analyst = live()
    seen.look_at(FIRST)
    seen.toggle(FIRST)
    assert analyst.cancelled == 1
    assert not seen.take(Snapshot(FIRST, generation=1))
    seen.look_at(SECOND)
    assert analyst.asked == [FIRST]
    seen.toggle(SECOND)
    assert analyst.asked == [FIRST, SECOND]


def test_it_says_what_it_does():
    assert LiveAnalysis(None).text(FIRST) == "no analysis"
    seen, _ = live()
    seen.look_at(FIRST)
    assert seen.text(FIRST) == "starting"
    seen.take(Snapshot(FIRST, generation=1, progress=Progress(1, 4, "counting paths")))
    assert seen.text(FIRST) == "counting paths 25%"
    seen.take(Snapshot(FIRST, generation=1, error="no"))
    assert seen.text(FIRST) == "analysis failed"
    seen.take(Snapshot(FIRST, generation=1, final=True))
    assert seen.text(FIRST) == "analysed"
    seen.toggle(FIRST)
    assert seen.text(FIRST) == "analysis off"


def test_without_an_analyst_nothing_happens():
    seen = LiveAnalysis(None)
    seen.look_at(FIRST)
    seen.toggle(FIRST)
    seen.close()
    assert not seen.on


# A held key over a long game never shows the analysis of another ply


class LateAnalyst(ScriptedAnalyst):
    """Answers each question only when another has been asked, and the one before it as well."""

    def request(self, position, again=False, played=None):
        generation = super().request(position, again, played)
        for late in range(max(generation - 2, 1), generation):
            self.tell(late)
        return generation

    def tell(self, generation):
        position = self.asked[generation - 1]
        values = {cell: float(-cell) for cell in position.empties}
        rankings = {"one": rank_by_value("one", values)}
        self.emit(Snapshot(position, generation=generation, rankings=rankings))


async def test_the_analysis_of_another_ply_is_never_shown():
    session = long_game()
    session.first()
    async with analysing(session, (80, 24), LateAnalyst) as (pilot, analyst):
        main = pilot.app.main
        for key in ["n"] * 30 + ["p"] * 10:
            await pilot.press(key)
            assert main.workspace.live.of(session.position) is None
            assert not main.board.view.heat
            assert main.workspace.live.stale(session.position) is (
                main.workspace.live.snapshot is not None
            )
        analyst.tell(len(analyst.asked))
        await all_shown(pilot)
        assert set(main.board.view.heat) <= set(session.position.empties)
        assert main.board.view.heat


# Panels are filled one after the other, and what became stale meanwhile is not shown


def listed(pilot):
    return [line.key for line in pilot.app.main.query_one(MovesPanel).query_one(LineList).lines]


def ranked(*cells):
    values = {cell: -float(place) for place, cell in enumerate(cells)}
    return {"one": rank_by_value("one", values)}


async def test_panels_do_not_show_what_has_become_stale_while_they_waited(monkeypatch):
    async with analysing(game("c3", "d2")) as (pilot, analyst):
        main, waiting = pilot.app.main, []
        await tell(pilot, analyst, rankings=ranked(0, 1))
        with monkeypatch.context() as slow:
            slow.setattr(Panels, "_catch_up_soon", lambda panels: waiting.append(panels))
            analyst.answer(rankings=ranked(1, 0))
            await become(pilot, lambda: waiting)
            assert listed(pilot) == [0, 1]
            await pilot.press("n")
        waiting[0]._catch_up_soon()
        await until(pilot, lambda: main.query_one(MovesPanel).dimmed)
        assert listed(pilot) == [0, 1]


@pytest.mark.parametrize("name", [name for name in PANEL_IDS if name not in ("record", "explorer")])
async def test_a_panel_that_is_filled_with_what_it_shows_is_not_painted_again(name):
    """Those of the record and of the library are filled only where there is more to show."""
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, analyst):
        workspace = pilot.app.main.workspace
        workspace.bring(name)
        await tell(pilot, analyst, rankings=ranked(0, 1))
        panel = pilot.app.main.panels[name]
        for _ in range(2):  # the first time it may learn of more
            await settle(pilot)
            assert panel.display
            panel.queue(workspace.panel_input)
            panel.catch_up(stale=False)
            asked = [each for each in (panel, *panel.query("*")) if each._repaint_regions]
        assert not asked


async def test_what_the_next_key_makes_stale_is_not_filled_before_it(monkeypatch):
    async with running(game("c3", "d2", "b4"), (140, 45)) as pilot:
        main, waiting, filled = pilot.app.main, [], []
        with monkeypatch.context() as slow:
            slow.setattr(Panels, "_catch_up_soon", lambda panels: waiting.append(panels))
            await pilot.press("n")
            await become(pilot, lambda: waiting)
            slow.setattr(main.workspace, "_show_beside", lambda: None)
            await pilot.press("n")
            for panel in main.panels:
                slow.setattr(panel, "fill", lambda given, name=panel.id: filled.append(name))
            main.panels._catch_up()
            assert not filled
        main.workspace._show_beside()
        waiting[0]._catch_up_soon()
        await until(pilot, lambda: main.query_one(MoveTree).node is main.workspace.session.node)


async def test_a_panel_is_dimmed_when_it_comes_to_the_screen_not_before(monkeypatch):
    dimmed, dim = [], Panel._dim

    def noted(panel):
        dimmed.append(panel.id)
        dim(panel)

    monkeypatch.setattr(Panel, "_dim", noted)
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, analyst):
        panels = pilot.app.main.panels
        await tell(pilot, analyst, rankings=ranked(0, 1))
        await pilot.press("n")
        await until(pilot, lambda: panels["moves"].dimmed)
        assert dimmed == ["moves"]
        pilot.app.main.workspace.bring("lines")
        await until(pilot, lambda: panels["lines"].dimmed)
        await tell(pilot, analyst, rankings=ranked(1, 0))
        await until(pilot, lambda: not panels["lines"].dimmed)
