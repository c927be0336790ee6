"""Rows of text are painted as Textual would paint them."""

import pytest
from textual.geometry import Region
from textual.selection import SELECT_ALL
from textual.widget import Widget

from hextui.ui.widgets.legend_line import LegendLine
from hextui.ui.widgets.status import StatusLine
from hextui.ui.widgets.text_rows import TextRows
from hextui.ui.widgets.verdict_card import VerdictCard

from .helpers import analysing, game, press, ranking, settle, tell

KEYS = "n l n s escape o ! t t"


def painted(strips):
    """Return the cells of lines: the sign and what can be seen of its look."""
    return [[cell for segment in strip for cell in cells_of(segment)] for strip in strips]


def cells_of(segment):
    style = segment.style
    seen = (style.bold, style.dim, style.reverse, style.italic, style.underline)
    for sign in segment.text:
        ink = style.color.get_truecolor() if sign != " " or style.reverse else None
        yield sign, ink, style.bgcolor.get_truecolor(), *map(bool, seen)


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_they_look_as_textual_paints_them(size):
    seen = set()
    session = game("c3", "d2", "b4", "a1", side=6)
    async with analysing(session, size) as (pilot, analyst):
        main = pilot.app.main
        for key in KEYS.split():
            await press(pilot, key)
            if key == "n":
                ranked = ranking("one", session.position, ["a6", "b6"])
                await tell(pilot, analyst, rankings={"one": ranked})
            main.say("told a word", 60)
            await settle(pilot)
            for of in (VerdictCard, StatusLine, LegendLine):
                widget = main.query_one(of)
                whole = Region(0, 0, *widget.region.size)
                lines = painted(widget.render_lines(whole))
                other = painted(Widget.render_lines(widget, whole))
                assert lines == other, (key, of)
                seen.add(str(lines))
                part = Region(2, whole.height - 1, whole.width - 5, 1)
                assert painted(widget.render_lines(part)) == [lines[-1][2:-3]]
        assert len(seen) > 3


async def test_what_is_selected_is_marked_and_copied():
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        await settle(pilot)
        line = main.query_one(StatusLine)
        assert isinstance(line, TextRows)
        whole = Region(0, 0, *line.region.size)
        before = painted(line.render_lines(whole))
        main.selections = {line: SELECT_ALL}
        assert painted(line.render_lines(whole)) != before
        assert "to move" in main.get_selected_text()
