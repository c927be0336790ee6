"""Panels are filled one after the other, and what became stale meanwhile is not shown."""

import pytest

from hextui.engine.ranking import rank_by_value
from hextui.ui.panels.all_panels import PANEL_IDS, Panels
from hextui.ui.panels.move_tree import MoveTree
from hextui.ui.panels.moves_panel import MovesPanel
from hextui.ui.panels.panel import Panel
from hextui.ui.widgets.line_list import LineList

from .helpers import analysing, become, game, running, settle, tell, until


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
