"""Rows of text can be selected."""

from textual.geometry import Region
from textual.selection import SELECT_ALL

from hextui.ui.widgets.frame import StatusLine, TextRows

from .helpers import analysing, game, settle


def painted(strips):
    """Return the cells of lines: the sign and what can be seen of its look."""
    return [[cell for segment in strip for cell in cells_of(segment)] for strip in strips]


def cells_of(segment):
    style = segment.style
    seen = (style.bold, style.dim, style.reverse, style.italic, style.underline)
    for sign in segment.text:
        ink = style.color.get_truecolor() if sign != " " or style.reverse else None
        yield sign, ink, style.bgcolor.get_truecolor(), *map(bool, seen)


async def test_what_is_selected_is_marked_and_copied():
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        await settle(pilot)
        line = main.query_one(StatusLine)
        assert isinstance(line, TextRows)
        whole = Region(0, 0, *line.region.size)
        before = painted(line.render_lines(whole))
        main.selections = {line: SELECT_ALL}
        await settle(pilot)
        assert painted(line.render_lines(whole)) != before
        assert "to move" in main.get_selected_text()
