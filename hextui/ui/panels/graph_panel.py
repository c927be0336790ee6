"""The graph panel: who wins or is ahead at each ply of the game, and walking along it."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hextui.ui.drawing.game_graph import LABEL, Graph
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.live.game_review import LineReview
from hextui.ui.panels.panel import Panel, PanelInput, PanelText
from hextui.words.names import Names


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

    survey: reactive[LineReview | None] = reactive(None)
    focused_evaluator: reactive[str] = reactive("")
    ply: reactive[int] = reactive(0)
    palette: reactive[Palette] = reactive(DARK)
    names: reactive[Names] = reactive(Names.RED_BLUE)

    _lines: Sequence[Strip] = ()
    _drawn: tuple[object, ...] = ()
    _kept: Graph | None = None

    def __init__(self, choose: Callable[[int], object]) -> None:
        """``choose`` is called with the ply that the user goes to."""
        super().__init__()
        self._when_chosen = choose

    def render_line(self, y: int) -> Strip:
        """Return a line of the graph, or a blank one below it; all lines are drawn at once."""
        base = self.rich_style
        survey, names = id(self.survey), self.names
        shown = survey, self.focused_evaluator, self.ply, self.palette, self.size, names, base
        if self._drawn != shown:
            self._drawn = shown
            graph = self._graph
            self._lines = graph.lines(self.ply, base) if graph else []
        width, back = self.size.width, Style(bgcolor=base.bgcolor)
        if y >= len(self._lines):
            return Strip.blank(width, back)
        return self._lines[y].adjust_cell_length(width, back)

    def action_walk(self, step: int) -> None:
        """Choose the ply so many on."""
        survey = self.survey
        if survey is None:
            return
        plies = [here.ply for here in survey.positions]
        if self.ply + step in plies:
            self._choose(self.ply + step)

    def on_click(self, event: events.Click) -> None:
        """Choose the first ply of the column clicked, the next ones when clicked again."""
        graph = self._graph
        if graph is None or event.x < LABEL:
            return
        plies = graph.plan.plies(event.x - LABEL)
        again = self.ply in plies and self.ply + 1 in plies
        self._choose(self.ply + 1 if again else plies[0])

    def _choose(self, ply: int) -> None:
        """Go on from this ply: the next key may come before the panel is filled."""
        self.ply = ply
        self._when_chosen(ply)

    @property
    def _graph(self) -> Graph | None:
        """The graph, the same one as long as only the ply changes."""
        survey, kept = self.survey, self._kept
        if survey is None or not survey.positions:
            return None
        made = Graph(survey, self.focused_evaluator, self.palette, *self.size, self.names)
        if kept is None or kept.survey is not survey or kept != made:
            self._kept = kept = made
        return kept


class GraphPanel(Panel):
    """Shows what is known of the whole game."""

    TITLE = "Graph"
    KEY = "f5"
    TEXT = PanelText(
        "who is ahead, solid = proved",
        (
            ("curve", "{black} ahead above the even line, {white} below it."),
            ("solid", "Proved: who wins with best play."),
            ("pale", "An estimate: win probability by search, or by resistance."),
            ("dots", "{black}'s win rate by another engine, named below."),
            ("ply", "One turn of one side."),
        ),
        (("left right", "Walk"), ("click", "Go there")),
        ("whole-game", "worst-move", "disagreement"),
    )
    OF_ANALYSIS = None  # what is proved anywhere shows here

    def compose(self) -> ComposeResult:
        yield GameGraph(self._choose)

    @property
    def graph(self) -> GameGraph:
        return self.query_one(GameGraph)

    def fill(self, given: PanelInput) -> None:
        survey, graph = given.survey, self.graph
        graph.focused_evaluator = survey.judge(given.options.evaluator) if survey else ""
        graph.ply = given.session.node.ply
        graph.palette, graph.names = given.palette, given.options.names
        graph.survey = survey

    def _choose(self, ply: int) -> None:
        survey = self.graph.survey
        here = next((s for s in survey.positions if s.ply == ply), None) if survey else None
        if here is not None:
            self.post_message(self.NodeChosen(here.node))
