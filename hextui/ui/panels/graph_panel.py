"""The graph panel: who wins or is ahead at each ply of the game, and walking along it.

One curve, Red's side up and Blue's down. Where a winner is proved the curve reaches the end of its
side and is solid. Elsewhere it is pale: the win probability by the tree search, or by resistance
where nothing was searched. Those of another engine are dots, and a variation is a line of its own.
Above stand the mistakes, below the plies, and what is known of one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hextui.analysis.game_report import Advantage, AdvantageSource
from hextui.analysis.mistakes import PROVED
from hextui.engine.board import Color
from hextui.settings.engine_config import engine_in
from hextui.text import Names
from hextui.ui.drawing.painter import UPPER_HALF, style
from hextui.ui.drawing.palette import Palette, blend, contrasting
from hextui.ui.live.game_review import LineReview
from hextui.ui.panels.panel import Change, Panel, PanelInput, PanelText
from hextui.ui.record.session import END_OF_LINE, START_OF_RECORD
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN
from hextui.words.reviews import entry_move

LABEL = 6  # columns before the plot
MOST_CURVE = 15  # lines
_LEAST_CURVE = 3
_WIDEST = 6  # columns of a ply
_PALE = 0.45  # how much of its colour a judged stretch has
EVEN = "─"
RATE = "•"
VARIATION = "━"


@dataclass(frozen=True)
class Plan:
    """How plies 0 to ``last`` share the ``columns`` of the plot: several of one for each other."""

    last: int
    columns: int

    @staticmethod
    def of(last: int, columns: int) -> "Plan":
        """Return the plan for a plot of plies up to ``last`` in at most so many columns."""
        return Plan(last, max(1, min(columns, _WIDEST * (last + 1))))

    def column(self, ply: int) -> int:
        return ply * self.columns // (self.last + 1)

    def plies(self, column: int) -> range:
        """Return the plies of a column; beyond the last column those of the last."""
        column = min(max(column, 0), self.columns - 1)
        plies = range(self.last + 1)
        end = bisect_right(plies, column, key=self.column)
        return plies[min(bisect_left(plies, column, key=self.column), end - 1) : end]


@dataclass(frozen=True)
class _Column:
    """What a column shows: an advantage, Red's win probability, the variation's advantage."""

    advantage: Advantage | None
    rate: float | None
    tried: Advantage | None


@dataclass(frozen=True)
class Graph:
    """A graph of one size. Keep it to walk through the game: most is drawn only once."""

    survey: LineReview
    focus: str
    palette: Palette
    width: int
    height: int
    names: Names = Names.RED_BLUE

    @cached_property
    def plan(self) -> Plan:
        lines = (self.survey.positions, self.survey.line)
        last = max((line[-1].ply for line in lines if line), default=0)
        return Plan.of(last, self.width - LABEL)

    def lines(self, ply: int, base: Style = PLAIN) -> list[Strip]:
        """Return at most ``height`` lines with a ply lit; ``base`` styles what has no colours."""
        lines = []
        if self._beside > 1:
            lines.append(self._marks.apply_style(base))
        if self._rows >= _LEAST_CURVE:
            lines += self._curve_at(ply, base)
        lines.append(self._axis(ply).apply_style(base))
        if self._beside > 2:
            lines.append(self._words(ply).apply_style(base))
        return lines[: self.height]

    @property
    def _beside(self) -> int:
        """How many lines are not of the curve."""
        return min(max(self.height - _LEAST_CURVE, 0), 3)

    @property
    def _rows(self) -> int:
        """How many lines the curve has room for; too few are none."""
        rows = min(self.height - self._beside, MOST_CURVE)
        return rows - 1 + rows % 2  # the even line stands in the middle

    # The lines

    @cached_property
    def _marks(self) -> Strip:
        """Each mistake's mark at its column, with the move's name where there is room."""
        plan = self.plan
        wishes = []
        for entry in self.survey.mistakes(self.focus):
            glyph = entry.severity.value
            ink = self.palette.ink(entry.color)
            texts = (f"{glyph} {entry_move(entry)}", glyph, glyph[:1])
            provisional = self.survey.is_provisional(entry)
            look = DIM if provisional else Style(color=ink, bold=entry.by == PROVED)
            wishes.append((plan.column(min(entry.moves[0].ply, plan.last)), texts, look))
        label = Segment(" " * LABEL)
        return _placed(label, wishes, self.width - LABEL) if wishes else Strip([])

    def _curve_at(self, ply: int, base: Style) -> list[Strip]:
        """Return the curve with the columns of a ply on a ground of their own."""
        plan = self.plan
        curve = self._curve
        if ply <= plan.last:
            start = plan.column(ply)
            end = max(start + 1, plan.column(ply + 1))
            current = self._drawn(self._column(start), self.palette.shades[2])
            curve = [
                Strip.join((line.crop(0, start), _row([(sign, end - start)]), line.crop(end)))
                for line, sign in zip(curve, current, strict=True)
            ]
        labels = (label.apply_style(base) for label in self._labels)
        return [Strip.join(parts) for parts in zip(labels, curve, strict=True)]

    @cached_property
    def _labels(self) -> list[Strip]:
        """What stands before each line of the curve."""
        red, blue = self.names.both
        named = {
            0: Segment(f"{red:<{LABEL}}", Style(color=self.palette.ink(Color.BLACK))),
            self._rows // 2: Segment(f"{'even':<{LABEL}}"),
            self._rows - 1: Segment(f"{blue:<{LABEL}}", Style(color=self.palette.ink(Color.WHITE))),
        }
        blank = Segment(" " * LABEL)
        return [Strip([named.get(row, blank)], LABEL) for row in range(self._rows)]

    @cached_property
    def _curve(self) -> list[Strip]:
        """The curve, two pixels a line, filled from the even line on."""
        ground = self.palette.shades[0]
        columns = map(self._column, range(self.plan.columns))
        runs = [(self._drawn(column, ground), len(list(run))) for column, run in groupby(columns)]
        rows = []
        for row in range(self._rows):
            rows.append(_row((signs[row], width) for signs, width in runs))
        return rows

    def _column(self, column: int) -> "_Column":
        """Return what a column shows: each value at the last of its plies that has one."""
        _, rates = self._rates
        advantage: Advantage | None = None
        rate: float | None = None
        tried: Advantage | None = None
        for ply in self.plan.plies(column):
            advantage = self.survey.advantages.get(ply, advantage)
            rate = rates.get(ply, rate)
            tried = self.survey.variation.get(ply) or tried
        return _Column(advantage, rate, tried)

    @cached_property
    def _rates(self) -> tuple[str, dict[int, float]]:
        return self.survey.win_probabilities(self.focus)

    def _drawn(self, column: "_Column", back: str) -> list[Segment]:
        """Return the characters of a column, one for each line from the top."""
        pixels = self._pixels(column.advantage, back)
        signs = self._signs(column.rate, column.tried)
        segments = []
        for row, (upper, lower) in enumerate(zip(pixels[::2], pixels[1::2], strict=True)):
            if row in signs:
                segments.append(Segment(signs[row], style(contrasting(upper), upper, True)))
            elif row == self._rows // 2 and upper == lower:
                segments.append(Segment(EVEN, style(self.palette.coordinates, back, False)))
            else:
                segments.append(Segment(UPPER_HALF, style(upper, lower, False)))
        return segments

    def _pixels(self, advantage: Advantage | None, back: str) -> list[str]:
        """Return the colours of a column from the top, two for each line."""
        rows = self._rows
        pixels = [back] * (2 * rows)
        if advantage is None:
            return pixels

        most = rows if advantage.proved else rows - 1  # the end is for what is proved
        least = 1 if advantage.share > 0 else 0
        reach = min(max(round(advantage.share * rows), least), most)
        ink = self.palette.ink(advantage.color)
        if not advantage.proved:
            ink = blend(self.palette.shades[0], ink, _PALE)

        start = rows - reach if advantage.color is Color.BLACK else rows
        pixels[start : start + reach] = [ink] * reach
        return pixels

    def _signs(self, rate: float | None, tried: Advantage | None) -> dict[int, str]:
        """Return the signs of an engine's win probability and of the variation, by line."""
        rows = self._rows
        signs = {}
        if rate is not None:
            signs[round((1 - rate) * (rows - 1))] = RATE
        if tried is not None:
            side = -1 if tried.color is Color.BLACK else 1
            most = rows // 2 if tried.proved else rows // 2 - 1
            signs[rows // 2 + side * round(tried.share * most)] = VARIATION
        return signs

    def _axis(self, looked_at: int) -> Strip:
        """Return the numbers of plies, as many as stand apart, and that of the current ply."""
        plan = self.plan
        room = min(plan.columns + len(str(plan.last)), self.width - LABEL)
        wishes = [(plan.column(looked_at), (str(looked_at),), BOLD)]
        wishes += [(plan.column(ply), (str(ply),), DIM) for ply in _ticks(plan)]
        return _placed(Segment("ply".ljust(LABEL), DIM), wishes, room)

    def _words(self, ply: int) -> Strip:
        """Return the progress, or what is known of the current ply, and the legend."""
        text = ""
        for part in self._parts(ply):
            longer = f"{text}   {part}" if text else part
            if len(longer) <= self.width:
                text = longer
        return Strip([Segment(text, DIM)])

    def _parts(self, ply: int) -> Iterator[str]:
        """Yield the parts of the words, the most important first."""
        progress = self.survey.progress
        if progress is not None:
            yield f"{progress.label}: {progress.amount}"
        name, rates = self._rates
        if name:
            rate = f" {self.names.player(Color.BLACK)} {rates[ply]:.0%}" if ply in rates else ""
            yield f"{RATE} {engine_in(name) or name}{rate}"
        if self.survey.advantages:
            yield self._here(ply)
        if progress is None and not self.survey.known:
            yield "not analysed yet; a analyses the game"
        if self.survey.advantages:
            yield self._legend()

    def _legend(self) -> str:
        """Return what the ways of drawing mean, as far as they are drawn."""
        drawn = {advantage.by for advantage in self.survey.advantages.values()}
        proof, *estimates = AdvantageSource
        pale = [by.value for by in estimates if by in drawn]
        parts = []
        if proof in drawn:
            parts.append("solid = proved")
        if pale:
            parts.append(f"pale = {' or '.join(pale)}")
        if self.survey.variation:
            parts.append(f"{VARIATION} variation")
        return "  ".join(parts)

    def _here(self, ply: int) -> str:
        survey = self.survey
        parts = []
        if ply not in survey.variation or ply <= survey.positions[-1].ply:
            parts.append(f"ply {ply}: {self._said(survey.advantages.get(ply))}")
        if ply in survey.variation:
            parts.append(f"variation: {self._said(survey.variation[ply])}")
        return "   ".join(parts)

    def _said(self, advantage: Advantage | None) -> str:
        if advantage is None:
            return "unknown"
        side = self.names.player(advantage.color)
        share = advantage.win_probability
        if advantage.proved:
            return f"{side} wins, proved"
        if share is None:
            return f"{side} favoured (resistance)"
        return f"{side} {max(share, 1 - share):.0%} by search"


def _placed(label: Segment, wishes: Iterable[tuple[int, Sequence[str], Style]], room: int) -> Strip:
    """Return a line with texts at or before their columns, with gaps between them.

    Each wish is a column, texts of which the first that fits is used, and their style.
    """
    blank = Segment(" ", label.style)
    cells = [blank] * room
    for column, texts, look in wishes:
        for text in texts:
            start = min(column, room - len(text))
            end = start + len(text)
            if start >= 0 and all(cell is blank for cell in cells[max(start - 1, 0) : end + 1]):
                cells[start:end] = [Segment(sign, look) for sign in text]
                break
    return Strip([label, *cells]).simplify()


def _row(runs: Iterable[tuple[Segment, int]]) -> Strip:
    """Return a line in which each character fills so many columns."""
    return Strip([Segment(sign.text * width, sign.style) for sign, width in runs]).simplify()


def _ticks(plan: Plan) -> Iterator[int]:
    """Yield the plies that are named: from 0 on in even steps, at least five columns apart."""
    steps = (1, 2, 5, 10, 20, 50, 100)
    step = next((s for s in steps if s * plan.columns >= 5 * (plan.last + 1)), steps[-1])
    yield from range(0, plan.last + 1, step)


class GameGraph(Widget, can_focus=True):
    """Draws a game; keys and clicks choose a ply."""

    BINDINGS = [
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
        graph = self.graph
        drawn = self._drawn
        base = self.rich_style
        if graph is not drawn[0] or (self.ply, base) != drawn[1:]:
            self._drawn = graph, self.ply, base
            self._lines = graph.lines(self.ply, base) if graph else ()
        width = self.size.width
        back = Style(bgcolor=base.bgcolor)
        if y >= len(self._lines):
            return Strip.blank(width, back)
        return self._lines[y].adjust_cell_length(width, back)

    def action_walk(self, step: int) -> None:
        ply = self.ply + step
        if self.graph and self.graph.survey.at(ply):
            self._choose(ply)
        else:
            self.post_message(Panel.Refused(END_OF_LINE if step > 0 else START_OF_RECORD))

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
    SHOWS = frozenset({Change.SESSION, Change.ANALYSIS, Change.GAME})

    def __init__(self) -> None:
        self.graph = GameGraph(self._choose)
        super().__init__(self.graph)

    def fill(self, given: PanelInput) -> None:
        self.graph.ply = given.session.node.ply
        self.fit()

    def fit(self) -> None:
        survey = self.given.survey
        options = self.given.options
        drawn = self.graph
        graph = Graph(
            survey=survey,
            focus=survey.judge(options.evaluator),
            palette=self.given.palette,
            width=drawn.size.width,
            height=drawn.size.height,
            names=options.names,
        )
        # the same graph as long as only the ply changes
        if drawn.graph is None or drawn.graph.survey is not survey or drawn.graph != graph:
            drawn.graph = graph

    def _choose(self, ply: int) -> None:
        if position := self.given.survey.at(ply):
            self.post_message(self.NodeChosen(position.node))
