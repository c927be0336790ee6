"""Reports on runs: Markdown with tables, a JSON document, further files, and figures.

Figures are plain data, which matplotlib draws into SVG and PNG files.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.children import outside_current_folder
from hextui.records.record_text import printable
from hextui.runs.results import Document, RunError

if TYPE_CHECKING:  # numpy and matplotlib, which --help does without
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.legend import Legend

    from hextui.runs.proportions import Interval

Numbers = tuple[float, ...]
# Okabe and Ito's colours, which can be told apart by every type of colour vision
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
WIDTH, HEIGHT = 7.0, 4.4  # inches
SQUARE = 5.2  # both, of a square figure
PNG_DPI = 130
# beyond so many points the SVG holds them as a picture, or it would be megabytes
MOST_VECTOR_POINTS = 3000

# A ] makes a link only before these signs, a # a heading before a space, a _ emphasis at the edge
# of a word.
_MARKUP = re.compile(r"([\\`*{}<>|~&]|\](?=[(\[:])|#(?=[#\s]|$)|(?<!\w)_|_(?!\w))")


def escape_markdown(text: str) -> str:
    """Return plain text, such as a name or a comment, escaped for a line of Markdown.

    >>> print(escape_markdown("<b> *a* [x](y) E_1 _2_"))
    \\<b\\> \\*a\\* [x\\](y) E_1 \\_2\\_
    """
    return _MARKUP.sub(r"\\\1", printable(text))


def markdown_table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table of plain texts, aligned so that it is readable as text too.

    >>> print(markdown_table(["a", "b"], [["1", "22"]]))
    | a | b  |
    |---|----|
    | 1 | 22 |
    """
    cells = []
    for row in (head, *rows):
        cells.append([escape_markdown(str(text)) for text in row])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for texts in cells:
        padded = [text.ljust(width) for text, width in zip(texts, widths, strict=True)]
        lines.append(f"| {' | '.join(padded)} |")
    rule = "|".join("-" * (width + 2) for width in widths)
    lines.insert(1, f"|{rule}|")
    return "\n".join(lines)


@dataclass(frozen=True)
class Series:
    """Points, shown as a cloud or joined by a line."""

    label: str
    x: Numbers
    y: Numbers


@dataclass(frozen=True)
class Bars:
    """A series of values with intervals, one a place on the axis."""

    label: str
    places: Sequence[str]
    intervals: "Sequence[Interval]"


@dataclass(frozen=True)
class Figure:
    """A figure; ``name`` is that of its files, without ending; ``y_range`` None fits the data.

    All bars have the same places. ``square``: both axes show ``y_range``, at one scale.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    points: tuple[Series, ...] = ()
    lines: tuple[Series, ...] = ()
    bars: tuple[Bars, ...] = ()
    y_range: tuple[float, float] | None = None
    square: bool = False


class RunReport:
    """A report, written part by part.

    ``document`` is what --json prints, ``files`` are further text files by their names, and
    ``figures`` are drawn beside the report. Titles, headings and tables take plain text.
    """

    def __init__(self, title: str, document: Document) -> None:
        self.document = document
        self.files: dict[str, str] = {}
        self.figures: list[Figure] = []
        self._parts = [f"# {escape_markdown(title)}"]
        self._figures_after = 0

    def mark_unfinished(self, text: str) -> None:
        """Say below the title how far the run is."""
        self._parts.insert(1, f"**Unfinished:** {text}")
        self._figures_after += 1
        self.document["unfinished"] = text

    def heading(self, text: str) -> None:
        """Add a heading."""
        self._parts.append(f"## {escape_markdown(text)}")

    def text(self, markdown: str) -> None:
        """Add a paragraph of Markdown."""
        self._parts.append(markdown)

    def table(
        self, head: Sequence[object], rows: Iterable[Sequence[object]], caption: str = ""
    ) -> None:
        """Add a table below its caption, which is Markdown."""
        table = markdown_table(head, rows)
        self._parts.append(f"{caption}\n\n{table}" if caption else table)

    def pictures(self, figures: Sequence[Figure]) -> None:
        """Add figures, once; those of one title stand side by side."""
        self.figures = list(figures)
        self._figures_after = len(self._parts)

    def summary(self, drawn: bool) -> str:
        """Return the Markdown for a terminal: up to the figures, if they are drawn."""
        return "\n\n".join(self._parts[: self._figures_after if drawn and self.figures else None])

    def markdown(self, drawn: bool) -> str:
        """Return the whole report, with links to the figures if they are drawn."""
        parts = list(self._parts)
        if drawn and self.figures:
            pictures = ["## Figures", *_pictures(self.figures)]
            parts[self._figures_after : self._figures_after] = pictures
        return "\n\n".join(parts) + "\n"


def _pictures(figures: Sequence[Figure]) -> Iterator[str]:
    for title, group in groupby(figures, key=lambda figure: figure.title):
        first, *others = group
        if not others:
            yield f"![{title}]({first.name}.png)"
            continue
        links = [f"![{figure.y_label}]({figure.name}.png)" for figure in (first, *others)]
        yield f"{title}\n\n| {' | '.join(links)} |\n|{'---|' * len(links)}"


def effort(document: Document) -> str:
    """Return the processor time of a run, and the version of the program, as a sentence."""
    version = document["versions"]["hextui"]
    seconds = document["cpu_seconds"]
    time = f"{seconds:,.0f}" if seconds >= 10 else f"{seconds:.2g}"
    return f"CPU time {time} s. hextui {version}."


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def draw(figure: Figure, folder: Path) -> tuple[Path, Path]:
    """Write ``NAME.svg`` and ``NAME.png`` into the folder and return their paths.

    Equal figures give equal files. Raises RunError if they cannot be written, or if the name,
    which may come from the rows, leads elsewhere.
    """
    with outside_current_folder():  # it reads settings there when it is imported
        import matplotlib
        from matplotlib.figure import Figure as Canvas

    size = (SQUARE, SQUARE) if figure.square else (WIDTH, HEIGHT)
    if Path(figure.name).name != figure.name:
        raise RunError(f"{folder}: rows name the file {figure.name!r}")
    svg = folder / f"{figure.name}.svg"
    png = folder / f"{figure.name}.png"
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a style of the user's could run LaTeX
        matplotlib.rcParams.update({"svg.hashsalt": figure.name, "svg.fonttype": "none"})
        canvas = Canvas(figsize=size, layout="constrained")
        _fill(canvas, figure)
        try:
            canvas.savefig(svg, metadata={"Date": None}, dpi=PNG_DPI)
            canvas.savefig(png, dpi=PNG_DPI)
        except OSError as error:
            raise RunError(f"{folder}: {error.strerror or error}") from None
    return svg, png


def _fill(canvas: "Canvas", figure: Figure) -> None:
    axes = canvas.add_subplot()
    axes.set_title(figure.title)
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    for cloud, color in zip(figure.points, COLORS, strict=False):
        _points(axes, cloud, color)
    shift = len(figure.points)
    for number, line in enumerate(figure.lines):
        color = COLORS[(number + shift) % len(COLORS)]
        axes.plot(line.x, line.y, color=color, label=line.label, linewidth=1.6)
    for number, bars in enumerate(figure.bars):
        _bars(axes, bars, number, len(figure.bars))
    if figure.y_range:
        axes.set_ylim(*figure.y_range)
        if figure.square:
            axes.set_xlim(*figure.y_range)
            axes.set_aspect("equal")
    axes.grid(alpha=0.3)
    if len(figure.points) + len(figure.lines) + len(figure.bars) > 1:
        legend = _legend(canvas, axes, figure)
        for handle in legend.legend_handles:
            if handle is not None:
                handle.set_alpha(1)


def _points(axes: "Axes", cloud: Series, color: str) -> None:
    many = len(cloud.x) > MOST_VECTOR_POINTS
    axes.scatter(
        cloud.x,
        cloud.y,
        s=3 if many else 12,
        alpha=0.12 if many else 0.5,
        linewidths=0,
        color=color,
        label=cloud.label,
        rasterized=many,
    )


def _legend(canvas: "Canvas", axes: "Axes", figure: Figure) -> "Legend":
    if figure.bars:  # below them, which it would hide
        columns = len(figure.bars)
        return canvas.legend(loc="outside lower center", fontsize="small", ncols=columns)
    # looking for the best place takes long where points are many
    many = any(len(cloud.x) > MOST_VECTOR_POINTS for cloud in figure.points)
    return axes.legend(fontsize="small", loc="lower right" if many else "best")


def _bars(axes: "Axes", bars: Bars, number: int, of: int) -> None:
    width = 0.8 / of
    places = [place + (number - (of - 1) / 2) * width for place in range(len(bars.places))]
    values = [interval.value for interval in bars.intervals]
    errors = [
        # drawn by lot from few games, an interval may end before its estimate
        [max(interval.value - interval.low, 0.0) for interval in bars.intervals],
        [max(interval.high - interval.value, 0.0) for interval in bars.intervals],
    ]
    color = COLORS[number % len(COLORS)]
    axes.bar(
        places, values, width, yerr=errors, color=color, alpha=0.8, capsize=3, label=bars.label
    )
    axes.set_xticks(range(len(bars.places)), bars.places, rotation=30, ha="right", fontsize="small")
