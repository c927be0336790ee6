"""Panels are filled one after the other, and what became stale meanwhile is not shown."""

import gc

from hextui.commands import main
from hextui.engine.evaluators.base import rank_by_value
from hextui.ui import refinements
from hextui.ui.widgets import panels
from hextui.ui.widgets.line_list import LineList
from hextui.ui.widgets.moves_panel import MovesPanel

from .helpers import analysing, game, press, running, tell


def listed(pilot):
    return [line.key for line in pilot.app.main.query_one(MovesPanel).query_one(LineList).lines]


def ranked(*cells):
    values = {cell: -float(place) for place, cell in enumerate(cells)}
    return {"one": rank_by_value("one", values)}


async def test_panels_do_not_show_what_has_become_stale_while_they_waited(monkeypatch):
    async with analysing(game("c3", "d2")) as (pilot, analyst):
        main = pilot.app.main
        await tell(pilot, analyst, rankings=ranked(0, 1))
        monkeypatch.setattr(panels, "_BREATH", 0.6)
        await tell(pilot, analyst, rankings=ranked(1, 0))
        assert listed(pilot) == [0, 1]
        await press(pilot, "n")
        await pilot.pause(0.7)
        assert listed(pilot) == [0, 1]
        assert main.query_one(MovesPanel).dimmed


async def test_garbage_is_looked_for_from_the_first_screen_on():
    with refinements.garbage_put_off():
        assert not gc.isenabled()
        async with running(game()):
            assert gc.isenabled()


def test_a_start_that_fails_looks_for_garbage_again(tmp_path):
    assert main([str(tmp_path / "none.sgf")]) != 0
    assert gc.isenabled()
