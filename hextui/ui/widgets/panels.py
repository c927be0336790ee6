"""The panels beside the board: as many as there is room for, and the tabs that choose."""

import asyncio
from collections.abc import Iterator, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.reactive import reactive
from textual.widget import Widget

from hextui.ui.refinements import paint
from hextui.ui.widgets.panel import Panel, Sight
from hextui.ui.widgets.tabs import TabBar
from hextui.ui.widgets.verdict_card import VerdictCard

_BREATH = 0.001  # seconds between two panels, in which a key that waits is read


class Panels(Vertical):
    """Shows the panels used last, as many as there is room for; at first the first ones.

    A tab bar names all panels while some are hidden. From three panels on they stand in two
    columns: the first is as wide as two, and so is a fourth.
    """

    DEFAULT_CSS = """
    Panels { width: 1fr; height: 1fr; }
    Panels > Container { height: 1fr; layout: grid; grid-size: 1; grid-gutter: 0 1; }
    Panels.-two-columns > Container { grid-size: 2; }
    Panels > Container > Panel { padding: 0 1; }
    Panels.-titled > Container > Panel {
        border-top: solid $secondary;
        border-title-color: $text-muted;
        border-title-style: bold;
        &:focus-within { border-top: solid $primary; border-title-color: $primary; }
    }
    """

    count: reactive[int] = reactive(1)
    """How many panels are shown at once."""

    def __init__(
        self,
        panels: Sequence[Panel],
        count: int = 1,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=_classes(count))
        self.set_reactive(Panels.count, count)
        self._panels = panels
        self._recent = list(panels)
        self._stale = False
        self._catching_up = False

    def compose(self) -> ComposeResult:
        """Make the verdict card, the tab bar and the panels."""
        yield VerdictCard()
        yield TabBar([panel.TITLE for panel in self._panels])
        with Container():
            for panel in self._panels:
                panel.border_title = panel.TITLE
                yield panel

    def on_mount(self) -> None:
        """Show the first panels."""
        self._arrange()

    def watch_count(self) -> None:
        """Show more or fewer panels."""
        if self.is_mounted:
            self._arrange()

    def __iter__(self) -> Iterator[Panel]:
        """Iterate over all panels in order."""
        return iter(self._panels)

    def show(self, sight: Sight, *, of_analysis: bool) -> None:
        """Show this on the panels of the analysis, or on the others, one after the other."""
        for panel in self._panels:
            if panel.OF_ANALYSIS in (of_analysis, None):
                panel.put(sight)
        self._begin()

    def drop(self) -> None:
        """Give up what the panels of the analysis have not shown yet: it is stale."""
        for panel in self._panels:
            if panel.OF_ANALYSIS is True:
                panel.put(None)

    def dim(self, stale: bool) -> None:
        """Dim the panels of the analysis while what they show is stale."""
        self._stale = stale
        self._begin()

    @property
    def caught_up(self) -> bool:
        """Whether all panels on the screen show what they were last given."""
        return not self._catching_up

    def _begin(self) -> None:
        if not self._catching_up:
            self._catching_up = True
            self._catch_up_soon()

    def _catch_up_soon(self) -> None:
        # no timer of Textual: one of so few milliseconds may never come
        asyncio.get_running_loop().call_later(_BREATH, self._have_caught_up)

    def _have_caught_up(self) -> None:
        """Have the screen do it: what panels tell would not go beyond whoever does."""
        if self.is_attached:
            self.screen.call_later(self._catch_up)

    def _catch_up(self) -> None:
        """Bring one panel up to date and paint it; a key may come before the next."""
        if any(panel.catch_up(self._stale) for panel in self._panels):
            paint(self.screen)
            self._catch_up_soon()
        else:
            self._catching_up = False

    def bring(self, panel_id: str) -> None:
        """Show a panel, in place of the one not used longest."""
        panel = next(panel for panel in self._panels if panel.id == panel_id)
        self._recent.remove(panel)
        self._recent.insert(0, panel)
        self._arrange()

    def focus_on(self, panel_id: str) -> None:
        """Focus the first widget of a panel that can have the focus."""
        panel = self.query_one(f"#{panel_id}")
        for widget in (panel, *panel.query("*")):
            if widget.can_focus:
                widget.focus()
                return

    @property
    def ids(self) -> list[str]:
        """The ids of all panels in order."""
        return [panel.id or "" for panel in self._panels]

    @property
    def newest(self) -> str:
        """The id of the panel used last."""
        return self._recent[0].id or ""

    @property
    def focused(self) -> str | None:
        """The id of the panel that has the focus, if one has."""
        focused = self.screen.focused
        while focused is not None and focused is not self.screen:
            if focused in self._panels:
                return focused.id
            focused = focused.parent if isinstance(focused.parent, Widget) else None
        return None

    def _arrange(self) -> None:
        recent = self._recent[: self.count]
        shown = [panel for panel in self._panels if panel in recent]
        for panel in self._panels:
            panel.display = panel in shown
            panel.styles.column_span = 1
        if len(shown) > 2:
            shown[0].styles.column_span = 2
            shown[-1].styles.column_span = 2 - len(shown) % 2
        tabs = self.query_one(TabBar)
        tabs.display = self.count < len(self._panels)
        tabs.shown = tuple(panel.TITLE for panel in recent)
        self.set_classes(_classes(self.count))

    @on(TabBar.Chosen)
    def _choose(self, event: TabBar.Chosen) -> None:
        event.stop()
        panel_id = event.name.lower()
        self.bring(panel_id)
        self.focus_on(panel_id)


def _classes(count: int) -> str:
    """Return what tells so many panels apart: two have titles, three stand in two columns."""
    return " ".join(("-titled", "-two-columns")[: count - 1])
