"""What somebody meets who adds an action or a panel."""

import pytest
from textual.app import App

from hextui.ui.app.keys import Topic, action
from hextui.ui.app.main_screen import screen_actions
from hextui.ui.panels.all_panels import Panels
from hextui.ui.panels.panel import Panel, PanelText
from hextui.ui.parts.record import RecordActions

from .helpers import game, running, settle


def test_two_actions_with_one_key_are_refused_with_their_names(monkeypatch):
    @action("toy", "I", "Toy", Topic.ANALYSIS)
    def toy(self):
        """Do nothing."""

    monkeypatch.setattr(RecordActions, "toy", toy, raising=False)
    with pytest.raises(
        ValueError, match=r"same key: I is bound to (toy and inferior|inferior and toy)"
    ):
        screen_actions()


class Bare(Panel):
    """A panel in which nothing takes the focus."""

    TITLE = "Bare"
    TEXT = PanelText("nothing to see")

    def fill(self, given):
        self.filled = given.session.position


class Host(App):
    """A screen with one panel."""

    def compose(self):
        yield Bare()


async def test_a_panel_without_anything_to_focus_takes_the_focus_itself():
    app = Host()
    async with app.run_test() as pilot:
        panels = Panels(app.screen, [app.query_one(Bare)])  # type: ignore[arg-type]
        panels.focus_on("bare")
        await pilot.pause()
        assert panels.focused == "bare"


async def test_a_panel_with_a_list_leaves_the_focus_to_it():
    async with running(game("b2"), (140, 45)) as pilot:
        await settle(pilot)
        panels = pilot.app.main.panels
        panels.focus_on("moves")
        await settle(pilot)
        assert panels.focused == "moves"
        assert not panels["moves"].can_focus
