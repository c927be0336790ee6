"""All panels in the order of their keys, and what fills them one after the other."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from textual.screen import Screen

from hextui.ui.panels.agreement_panel import AgreementPanel
from hextui.ui.panels.connections_panel import ConnectionsPanel
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.explorer_panel import ExplorerPanel
from hextui.ui.panels.graph_panel import GraphPanel
from hextui.ui.panels.lines_panel import LinesPanel
from hextui.ui.panels.mistakes_panel import MistakesPanel
from hextui.ui.panels.moves_panel import MovesPanel
from hextui.ui.panels.must_play_panel import MustPlayPanel
from hextui.ui.panels.panel import Change, Panel, PanelInput
from hextui.ui.panels.record_panel import RecordPanel
from hextui.ui.panels.solver_panel import SolverPanel

PANELS: tuple[type[Panel], ...] = (
    MovesPanel,
    MistakesPanel,
    RecordPanel,
    ConnectionsPanel,
    SolverPanel,
    LinesPanel,
    ExplorerPanel,
    GraphPanel,
    AgreementPanel,
    ExplainPanel,
    MustPlayPanel,
)

PANEL_IDS = tuple(panel.TITLE.lower() for panel in PANELS)
PANEL_TEXTS = {panel.TITLE.lower(): panel.TEXT for panel in PANELS}
"""By the id of the panel."""


_PAUSE = 0.001  # seconds between two panels, in which a waiting key is handled


class Panels:
    """Fills the panels of a screen and gives them the focus."""

    def __init__(self, screen: Screen[None], panels: Sequence[Panel]) -> None:
        self._screen = screen
        self._panels = panels
        self._stale = False
        self.caught_up = True
        """Whether all visible panels show their latest input."""

    def __iter__(self) -> Iterator[Panel]:
        return iter(self._panels)

    def __getitem__(self, panel_id: str) -> Panel:
        return next(panel for panel in self._panels if panel.id == panel_id)

    def show(self, given: PanelInput, change: Change) -> None:
        """Show input on the panels that show such a change, one after the other."""
        for panel in self._panels:
            if change in panel.SHOWS:
                panel.queue(given)
        self._begin()

    def discard(self) -> None:
        """Discard input that the panels have not shown yet: newer input follows."""
        for panel in self._panels:
            panel.queue(None)

    def dim(self, stale: bool) -> None:
        """Dim the panels of the analysis while what they show is stale."""
        self._stale = stale
        self._begin()

    def _begin(self) -> None:
        if self.caught_up:
            self.caught_up = False
            work: Callable[[], Any] = self._catch_up  # which a closing screen never calls
            self._screen.run_worker(work, group="panels")

    async def _catch_up(self) -> None:
        """Bring one panel after the other up to date; waiting keys come between them."""
        await asyncio.sleep(_PAUSE)
        app = self._screen.app
        while app.is_running and any(panel.catch_up(self._stale) for panel in self._panels):
            await asyncio.sleep(_PAUSE)
        self.caught_up = True

    def focus_on(self, panel_id: str) -> None:
        panel = self[panel_id]
        next(widget for widget in (panel, *panel.query("*")) if widget.can_focus).focus()

    @property
    def focused(self) -> str | None:
        focused = self._screen.focused
        around = focused.ancestors_with_self if focused else ()
        return next((node.id for node in around if isinstance(node, Panel)), None)
