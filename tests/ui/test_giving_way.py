"""What a key changes is painted before anything else is done."""

import gc
import time

from hextui.engine.evaluators.base import rank_by_value
from hextui.ui.widgets.lines import LineList
from hextui.ui.widgets.moves import MovesPanel

from .helpers import ScriptedAnalyst, analysing, game, press, tell


def listed(pilot):
    return [line.key for line in pilot.app.main.query_one(MovesPanel).query_one(LineList).lines]


def ranked(*cells):
    values = {cell: -float(place) for place, cell in enumerate(cells)}
    return {"one": rank_by_value("one", values)}


async def test_a_key_stops_garbage_collection_and_the_analysis_for_a_moment(monkeypatch):
    told = []
    monkeypatch.setattr(
        ScriptedAnalyst, "give_way", lambda _, until: told.append((until, gc.isenabled()))
    )
    async with analysing(game("c3", "d2")) as (pilot, _):
        before = time.monotonic()
        await pilot.press("n")
        assert told
        assert before < told[0][0] < time.monotonic() + 0.1
        assert not told[0][1]
        await pilot.pause(0.1)
        assert gc.isenabled()


async def test_an_app_that_a_key_ends_leaves_garbage_collection_on():
    async with analysing(game("c3", "d2")) as (pilot, _):
        pilot.app._make_way()
        pilot.app.exit()
    assert gc.isenabled()


async def test_panels_wait_while_a_key_is_painted():
    async with analysing(game("c3", "d2")) as (pilot, analyst):
        await tell(pilot, analyst, rankings=ranked(0, 1))
        pilot.app.main.desk.give_way(time.monotonic() + 0.6)
        await tell(pilot, analyst, rankings=ranked(1, 0))
        assert listed(pilot) == [0, 1]
        await pilot.pause(0.7)
        assert listed(pilot) == [1, 0]


async def test_panels_do_not_show_what_has_become_stale_while_they_waited():
    async with analysing(game("c3", "d2")) as (pilot, analyst):
        main = pilot.app.main
        await tell(pilot, analyst, rankings=ranked(0, 1))
        main.panels.give_way(time.monotonic() + 0.6)
        await tell(pilot, analyst, rankings=ranked(1, 0))
        assert listed(pilot) == [0, 1]
        await press(pilot, "n")
        await pilot.pause(0.7)
        assert listed(pilot) == [0, 1]
        assert main.query_one(MovesPanel).dimmed
