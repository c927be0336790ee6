"""Live analysis: asked once, never shown for another position, and panels that follow it."""

import pytest

from hextui.analysis.analyst import Analyst
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.ranking import rank_by_value
from hextui.engines.snapshot import Progress, Snapshot
from hextui.ui.app.situation import progress_text
from hextui.ui.panels.all_panels import PANEL_IDS
from tests.samples import some

from .helpers import ScriptedAnalyst, all_shown, analysing, game, long_game, settle, tell

FIRST = Position.empty(Board(3, 3))
SECOND = FIRST.play(4)


def analyst():
    return ScriptedAnalyst(lambda snapshot: None)


def test_a_position_is_asked_once():
    seen = analyst()
    seen.look_at(FIRST)
    seen.look_at(FIRST)
    seen.look_at(SECOND)
    assert seen.asked == [FIRST, SECOND]


def test_what_is_chosen_before_the_first_question_asks_none():
    """The first screen shall not wait until there is an engine to ask."""
    seen = analyst()
    seen.choose_evaluators(["resistance"])
    seen.choose_lines_by("resistance")
    assert seen.asked == []
    seen.look_at(FIRST)
    seen.choose_evaluators(["blocking"])
    seen.choose_lines_by("k-paths:1")
    assert seen.asked == [FIRST] * 3


def test_answers_to_older_questions_are_dropped():
    seen = analyst()
    seen.look_at(FIRST)
    seen.look_at(SECOND)
    assert not seen.take(Snapshot(FIRST, generation=1))
    assert not seen.take(Snapshot(FIRST, generation=2))
    assert not seen.take(Snapshot(SECOND, generation=1))
    assert seen.snapshot is None
    assert seen.take(Snapshot(SECOND, generation=2))


def test_a_snapshot_of_another_position_is_stale_and_never_current():
    seen = analyst()
    seen.look_at(FIRST)
    seen.take(Snapshot(FIRST, generation=1))
    assert seen.of(FIRST)
    assert not seen.stale(FIRST)
    seen.look_at(SECOND)
    assert seen.of(SECOND) is None
    assert seen.stale(SECOND)


def test_off_asks_nothing_and_drops_what_still_comes():
    seen = analyst()
    seen.look_at(FIRST)
    seen.toggle(FIRST)
    assert seen.cancelled == 1
    assert not seen.take(Snapshot(FIRST, generation=1))
    seen.look_at(SECOND)
    assert seen.asked == [FIRST]
    seen.toggle(SECOND)
    assert seen.asked == [FIRST, SECOND]


def test_it_says_what_it_does():
    assert progress_text(Analyst(print), FIRST) == "no analysis"
    seen = analyst()
    seen.look_at(FIRST)
    assert progress_text(seen, FIRST) == "starting"
    seen.take(Snapshot(FIRST, generation=1, progress=Progress(1, 4, "counting paths")))
    assert progress_text(seen, FIRST) == "counting paths 25%"
    seen.take(Snapshot(FIRST, generation=1, error="no"))
    assert progress_text(seen, FIRST) == "analysis failed"
    seen.take(Snapshot(FIRST, generation=1, final=True))
    assert progress_text(seen, FIRST) == "analysed"
    seen.toggle(FIRST)
    assert progress_text(seen, FIRST) == "analysis off: Space"


def test_without_an_analyst_nothing_happens():
    seen = Analyst(print)
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


def ranked(*cells):
    values = {cell: -float(place) for place, cell in enumerate(cells)}
    return {"one": rank_by_value("one", values)}


@pytest.mark.parametrize(
    "name", some([name for name in PANEL_IDS if name not in ("record", "explorer")], 3)
)
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
