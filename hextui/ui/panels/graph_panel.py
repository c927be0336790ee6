"""The graph panel: who wins or is ahead at each ply of the game, and walking along it."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hextui.ui.drawing.game_graph import LABEL, Graph
from hextui.ui.panels.panel import Panel, PanelInput, PanelText


class GameGraph(Widget, can_focus=True):
    """Draws a game; keys and clicks choose a ply."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "walk(-1)", "Previous ply", show=False),
        Binding("right,l", "walk(1)", "Next ply", show=False),
    ]
    DEFAULT_CSS = """
    GameGraph { height: 1fr; }
    GameGraph:focus { background: $boost; }
    """

    graph: reactive[Graph | None] = reactive(None, always_update=True)
    ply: reactive[int] = reactive(0)

    def __init__(self, choose: Callable[[int], object]) -> None:
        """``choose`` is called with the ply that the user goes to."""
        super().__init__()
        self._when_chosen = choose
        self._lines: Sequence[Strip] = ()
        self._drawn: tuple[Graph | None, int, Style] = (None, 0, Style())

    def render_line(self, y: int) -> Strip:
        """Return a line of the graph, or a blank one below it; all lines are drawn at once."""
        graph, drawn, base = self.graph, self._drawn, self.rich_style
        if graph is not drawn[0] or (self.ply, base) != drawn[1:]:
            self._drawn = graph, self.ply, base
            self._lines = graph.lines(self.ply, base) if graph else ()
        width, back = self.size.width, Style(bgcolor=base.bgcolor)
        if y >= len(self._lines):
            return Strip.blank(width, back)
        return self._lines[y].adjust_cell_length(width, back)

    def action_walk(self, step: int) -> None:
        ply = self.ply + step
        if self.graph and self.graph.survey.at(ply):
            self._choose(ply)

    def on_click(self, event: events.Click) -> None:
        """Choose the first ply of the column clicked, the next ones when clicked again."""
        graph = self.graph
        if graph is None or event.x < LABEL:
            return
        plies = graph.plan.plies(event.x - LABEL)
        again = self.ply in plies and self.ply + 1 in plies
        self._choose(self.ply + 1 if again else plies[0])

    def _choose(self, ply: int) -> None:
        """Go on from this ply: the next key may come before the panel is filled."""
        self.ply = ply
        self._when_chosen(ply)


class GraphPanel(Panel):
    """Shows what is known of the whole game."""

    TITLE = "Graph"
    KEY = "f5"
    TEXT = PanelText(
        "win prob., solid = proved",
        (
            ("curve", "{black} ahead above the even line, {white} below it."),
            ("solid", "Proved: who wins with best play."),
            ("pale", "An estimate: win probability by search, or by resistance."),
            ("dots", "{black}'s win probability by an attached engine, named below."),
            ("line", "The same for the current variation."),
            ("ply", "One turn of one side."),
        ),
        (("left right", "Step"), ("click", "Go there")),
        ("whole-game", "worst-move", "disagreement"),
    )
    OF_ANALYSIS = None  # what is proved anywhere shows here

    def __init__(self) -> None:
        self.graph = GameGraph(self._choose)
        super().__init__(self.graph)

    def fill(self, given: PanelInput) -> None:
        self.graph.ply = given.session.node.ply
        self.fit()

    def fit(self) -> None:
        survey, options, drawn = self.given.survey, self.given.options, self.graph
        judge = survey.judge(options.evaluator)
        graph = Graph(survey, judge, self.given.palette, *drawn.size, options.names)
        # the same graph as long as only the ply changes
        if drawn.graph is None or drawn.graph.survey is not survey or drawn.graph != graph:
            drawn.graph = graph

    def _choose(self, ply: int) -> None:
        if here := self.given.survey.at(ply):
            self.post_message(self.NodeChosen(here.node))
