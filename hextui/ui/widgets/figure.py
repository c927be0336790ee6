"""A figure of a study in the terminal: points and lines as a plot, bars as text.

A line is drawn with a letter of its own, so that no colour is needed to tell lines apart.
"""

from dataclasses import replace

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static
from textual_plot import HiResMode, PlotWidget

from hextui.studies.figures import Bars, Figure, Points

LETTERS = "abcdefghijklmnopqrstuvwxyz"
STYLES = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#f0e442")
POINT_STYLE = "#7f8792"
BAR_WIDTH = 40
# dots that are drawn at most: each costs some microseconds
COLUMNS, ROWS = 120, 60


class FigureView(Vertical):
    """Shows one figure."""

    DEFAULT_CSS = """
    FigureView .title { height: 1; text-style: bold; }
    FigureView .series { height: auto; }
    FigureView PlotWidget { height: 1fr; }
    """

    def __init__(self, figure: Figure) -> None:
        super().__init__()
        self._figure = figure

    def compose(self) -> ComposeResult:
        """Make the title, the plot or the bars, and what the letters stand for."""
        figure = self._figure
        yield Static(figure.title, classes="title", markup=False)
        if figure.bars:
            yield Static(bar_text(figure.bars))
        else:
            yield PlotWidget(allow_pan_and_zoom=False)
            yield Static(self._legend(), classes="series")

    def on_mount(self) -> None:
        """Draw."""
        if not self._figure.bars:
            self._draw(self.query_one(PlotWidget))

    def _draw(self, plot: PlotWidget) -> None:
        figure = self._figure
        plot.margin_top, plot.margin_left, plot.margin_bottom = 0, 6, 2
        if figure.y_range:
            plot.set_ylimits(*figure.y_range)
            if figure.square:
                plot.set_xlimits(*figure.y_range)
        for cloud in figure.points:
            plot.scatter(cloud.x, cloud.y, marker_style=POINT_STYLE, hires_mode=HiResMode.BRAILLE)
        for number, line in enumerate(figure.lines):
            style = STYLES[number % len(STYLES)]
            plot.scatter(line.x, line.y, LETTERS[number % len(LETTERS)], style)

    def _legend(self) -> Text:
        axes = f"{self._figure.y_label} over {self._figure.x_label}"
        parts = [Text(axes, "bold")]
        parts += [Text(f"dots {cloud.label}", POINT_STYLE) for cloud in self._figure.points]
        for number, line in enumerate(self._figure.lines):
            letter, style = LETTERS[number % len(LETTERS)], STYLES[number % len(STYLES)]
            parts.append(Text(f"{letter} {line.label}", style))
        return Text("   ").join(parts)


def thinned(figure: Figure) -> Figure:
    """Return the figure with the points only that differ on a grid, so that it is drawn fast."""
    return replace(figure, points=tuple(_thinned(cloud) for cloud in figure.points))


def _thinned(cloud: Points) -> Points:
    if not cloud.x:
        return cloud
    left, bottom = min(cloud.x), min(cloud.y)
    step_x = (max(cloud.x) - left) / COLUMNS or 1.0
    step_y = (max(cloud.y) - bottom) / ROWS or 1.0
    kept = {
        (round((x - left) / step_x), round((y - bottom) / step_y)): (x, y)
        for x, y in zip(cloud.x, cloud.y, strict=True)
    }
    return Points(
        cloud.label, tuple(x for x, _ in kept.values()), tuple(y for _, y in kept.values())
    )


def bar_text(series: tuple[Bars, ...]) -> Text:
    """Return bars with their values and intervals, place by place."""
    numbers = [n for bars in series for n in (*bars.values, *bars.low, *bars.high)]
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    names = [
        f"{place} {b.label}" if len(series) > 1 else place for b in series for place in b.places
    ]
    width = max(map(len, names))
    digits = 0 if high - low > 20 else 3
    text = Text()
    for at in range(len(series[0].places)):
        for number, bars in enumerate(series):
            name = f"{bars.places[at]} {bars.label}" if len(series) > 1 else bars.places[at]
            value, first, last = bars.values[at], bars.low[at], bars.high[at]
            text.append(f"{name:<{width}}  ")
            text.append(_bar(value, low, high), STYLES[number % len(STYLES)])
            text.append(f"  {value:.{digits}f} [{first:.{digits}f}, {last:.{digits}f}]\n")
        if len(series) > 1:
            text.append("\n")
    return text


def _bar(value: float, low: float, high: float) -> str:
    """Return a bar from 0 to the value on a scale from low to high, ``BAR_WIDTH`` wide."""
    scale = BAR_WIDTH / (high - low or 1.0)
    zero, end = round((0 - low) * scale), round((value - low) * scale)
    start, stop = sorted((zero, end))
    return (" " * start + "█" * (stop - start)).ljust(BAR_WIDTH)
