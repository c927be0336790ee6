"""The panels beside the board: one, two or all of them, and the tabs that choose."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Tab, Tabs


@dataclass(frozen=True)
class Panel:
    """A panel: its name and the widget that shows it; ``widget.id`` is its id."""

    name: str
    widget: Widget


class Panels(Vertical):
    """Shows the panels used last, as many as there is room for.

    A tab bar names all panels while some are hidden; else the first is as wide as two others.
    """

    DEFAULT_CSS = """
    Panels { width: 1fr; height: 1fr; }
    Panels > Container { height: 1fr; layout: grid; grid-size: 1; grid-gutter: 0 1; }
    Panels.-two-columns > Container { grid-size: 2; }
    Panels.-two-columns > Container > *:first-child { column-span: 2; }
    Panels > Container > * { height: 1fr; padding: 0 1; }
    Panels.-titled > Container > * {
        border-top: solid $secondary;
        border-title-color: $text-muted;
        border-title-style: bold;
        &:focus-within { border-top: solid $primary; border-title-color: $primary; }
    }
    """

    count: reactive[int] = reactive(1)

    def __init__(
        self, panels: Sequence[Panel], first: Sequence[str], id: str | None = None
    ) -> None:
        """Show the panels with the ids ``first`` before others, until one is chosen."""
        super().__init__(id=id)
        self._panels = panels
        self._recent = sorted(
            (panel.widget for panel in panels), key=lambda widget: widget.id not in first
        )

    def compose(self) -> ComposeResult:
        """Make the tab bar and the panels."""
        yield Tabs(*(Tab(panel.name, id=f"tab-{panel.widget.id}") for panel in self._panels))
        with Container():
            for panel in self._panels:
                panel.widget.border_title = panel.name
                yield panel.widget

    def on_mount(self) -> None:
        """Show the first panels."""
        self.query_one(Tabs).can_focus = False
        self._arrange()

    def watch_count(self) -> None:
        """Show more or fewer panels."""
        if self.is_mounted:
            self._arrange()

    def show(self, panel_id: str) -> None:
        """Show a panel, in place of the one not used longest."""
        widget = next(panel.widget for panel in self._panels if panel.widget.id == panel_id)
        self._recent.remove(widget)
        self._recent.insert(0, widget)
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
        return [panel.widget.id or "" for panel in self._panels]

    @property
    def focused(self) -> str | None:
        """The id of the panel that has the focus, if one has."""
        focused = self.screen.focused
        while focused is not None and focused is not self.screen:
            if focused.id in self.ids and focused in self._recent:
                return focused.id
            focused = focused.parent if isinstance(focused.parent, Widget) else None
        return None

    def _arrange(self) -> None:
        shown = self._recent[: self.count]
        for panel in self._panels:
            panel.widget.display = panel.widget in shown
        tabs = self.query_one(Tabs)
        tabs.display = self.count < len(self._panels)
        with self.prevent(Tabs.TabActivated):
            tabs.active = f"tab-{self._recent[0].id}"
        self.set_class(self.count > 1, "-titled")
        self.set_class(self.count > 2, "-two-columns")

    @on(Tabs.TabActivated)
    def _choose(self, event: Tabs.TabActivated) -> None:
        panel_id = (event.tab.id or "").removeprefix("tab-")
        had_focus = self.focused is not None
        self.show(panel_id)
        if had_focus:
            self.focus_on(panel_id)
