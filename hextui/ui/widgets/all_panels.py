"""All panels, in the order of their keys."""

from hextui.ui.widgets.agreement_panel import AgreementPanel
from hextui.ui.widgets.best_lines import LinesPanel
from hextui.ui.widgets.connections_panel import ConnectionsPanel
from hextui.ui.widgets.explain_panel import ExplainPanel
from hextui.ui.widgets.explorer import ExplorerPanel
from hextui.ui.widgets.graph_panel import GraphPanel
from hextui.ui.widgets.mistakes_panel import MistakesPanel
from hextui.ui.widgets.moves_panel import MovesPanel
from hextui.ui.widgets.panel import Panel
from hextui.ui.widgets.record_panel import RecordPanel
from hextui.ui.widgets.solver import SolverPanel

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
)

PANEL_IDS = tuple(panel.TITLE.lower() for panel in PANELS)
