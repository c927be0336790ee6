"""All panels, in the order of their tabs; the first ones are shown first."""

from hextui.ui.widgets.agreement import AgreementPanel
from hextui.ui.widgets.best_lines import LinesPanel
from hextui.ui.widgets.connections import ConnectionsPanel
from hextui.ui.widgets.explorer import ExplorerPanel
from hextui.ui.widgets.graph import GraphPanel
from hextui.ui.widgets.moves import MovesPanel
from hextui.ui.widgets.panel import Panel
from hextui.ui.widgets.record import RecordPanel
from hextui.ui.widgets.solver import SolverPanel

PANELS: tuple[type[Panel], ...] = (
    MovesPanel,
    RecordPanel,
    ConnectionsPanel,
    SolverPanel,
    LinesPanel,
    ExplorerPanel,
    GraphPanel,
    AgreementPanel,
)
