"""The inferior cells on the board."""

from hextui.engine.inferior import inferior_cells
from hextui.ui.drawing.overlays import inferior_marks

from .helpers import analysing, game, press, shown, tell, told


async def test_inferior_cells_are_shown_and_hidden():
    session = game("c3", "d2")
    session.last()
    cells = inferior_cells(session.position)
    assert cells.rules
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, inferior=cells)
        view = pilot.app.main.board.view
        assert not view.marks
        await press(pilot, "I")
        view = pilot.app.main.board.view
        assert set(view.marks) == set(cells.rules)
        assert "Inferior cells" in told(pilot)
        assert {mark.text for mark in view.marks.values()} == {"cB", "vu", "dm"}
        assert "cB captured  vu vulnerable  dm dominated" in shown(pilot)
        assert "dead" not in shown(pilot), "there is none"
        assert pilot.app.main.chosen.inferior is True
        await press(pilot, "I")
        assert not pilot.app.main.board.view.marks


def test_every_kind_has_a_mark_of_its_own():
    position = game("c3", "d2", side=7).position
    cells = inferior_cells(position)
    marks = inferior_marks(cells)
    assert {marks[cell].text for cell in cells.dominated} == {"dm"}
    assert {marks[cell].text for cell in cells.vulnerable} == {"vu"}
    for color, owned in cells.captured.items():
        assert all(marks[cell].tint is color for cell in owned if cell not in cells.dead)
    assert marks.keys() == cells.rules.keys()
