"""Widgets that paint their lines themselves look as Textual would paint them."""

import pytest
from textual.geometry import Region
from textual.widget import Widget

from hextui.ui.activities import PLACES
from hextui.ui.widgets.graph_panel import GameGraph
from hextui.ui.widgets.line_list import LineList
from hextui.ui.widgets.movetree import MoveTree
from hextui.ui.widgets.whole_lines import WholeLines

from .helpers import analysing, game, press, ranking, running, settle, tell
from .test_text_rows import painted

LISTS = {LineList}
ALL = {LineList, MoveTree, GameGraph}


@pytest.mark.parametrize(("size", "expected"), [((80, 24), LISTS), ((140, 45), ALL)])
async def test_they_look_as_textual_paints_them(size, expected):
    seen = set()
    session = game("c3", "d2", "b4", "a1")
    async with analysing(session, size) as (pilot, analyst):
        main = pilot.app.main
        for activity in PLACES:
            await press(pilot, "n")
            ranked = ranking("one", session.position, ["a5", "b5"])
            await tell(pilot, analyst, rankings={"one": ranked})
            main.parts.arranging.choose(activity)
            await settle(pilot)
            for widget in main.query(WholeLines):
                if not widget.region or not widget.is_on_screen:
                    continue
                for focused in (False, True):
                    main.set_focus(widget if focused else None)
                    await settle(pilot)
                    whole = Region(0, 0, *widget.region.size)
                    lines = painted(widget.render_lines(whole))
                    widget._styles_cache.clear()
                    assert lines == painted(Widget.render_lines(widget, whole)), widget
                    part = Region(2, whole.height - 1, whole.width - 5, 1)
                    assert painted(widget.render_lines(part)) == [lines[-1][2:-3]]
                seen.add(type(widget))
    assert expected <= seen


async def test_a_dimmed_one_is_dim():
    async with running(game("c3", "d2"), (140, 45)) as pilot:
        await settle(pilot)
        widget = pilot.app.main.query_one(MoveTree)
        whole = Region(0, 0, *widget.region.size)
        lines = painted(widget.render_lines(whole))
        widget.styles.opacity = 0.5
        assert painted(widget.render_lines(whole)) != lines
