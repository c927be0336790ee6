"""The page about players of the library: one HTML file, which loads nothing from elsewhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from hextui.commands.documents import Document
from hextui.commands.player_tables import PlayerTable, player_tables
from hextui.commands.story_page import page_start
from hextui.records.codecs.diagrams import xml_text
from hextui.records.record_text import shorten
from hextui.text import Names, counted, listed

_LONGEST = 80  # characters of a name
_STYLE = """
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; white-space: pre;
  border-bottom: 1px solid #dcd8cf; }
.number { text-align: right; }
"""
_COLORS = ("#c0392b", "#2471a3")
_WIDTH, _HEIGHT = 640, 240
_MARGIN = 46  # left free on each side
_DAY = 10  # characters of a date with its day
_FIRST_DAY = "-01-01"  # ends a date of a year


def player_page(document: Document, names: Names) -> str:
    """Return the page: a graph of ratings and the tables of `player_tables`."""
    players = document["players"]
    title = xml_text(listed([shorten(player["name"], _LONGEST) for player in players], "and"))
    parts = [*page_start(title, _STYLE), f"<h1>{title}</h1>", *_rating_graph(players)]
    for table in player_tables(document, names):
        parts += _table(table)
    return "\n".join([*parts, "</main>\n</body>\n</html>\n"])


def _table(table: PlayerTable) -> Iterator[str]:
    yield f'<h2>{xml_text(table.title)}</h2>\n<div class="wide"><table>\n<thead><tr>'
    for head in table.head:
        yield f'<th scope="col">{xml_text(shorten(head, _LONGEST))}</th>'
    yield "</tr></thead>\n<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</tbody>\n</table></div>"


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f'<td class="number">{value:,}</td>'
    return f"<td>{xml_text(shorten(str(value), _LONGEST))}</td>"


@dataclass(frozen=True)
class _Axes:
    """The days and ratings that a graph shows, first and last of each."""

    first: int
    last: int
    low: int
    high: int

    def x(self, day: int) -> float:
        return _MARGIN + (day - self.first) * (_WIDTH - 2 * _MARGIN) / max(
            self.last - self.first, 1
        )

    def y(self, rating: int) -> float:
        up = (_HEIGHT - 2 * _MARGIN) / max(self.high - self.low, 1)
        return _HEIGHT - _MARGIN - (rating - self.low) * up


def _rating_graph(players: Sequence[Document]) -> Iterator[str]:
    """Yield the ratings of each player over time, nothing where fewer than two have a day."""
    curves = [_curve(player["ratings"]) for player in players]
    days = [day for curve in curves for day, _ in curve]
    rated = [rating for curve in curves for _, rating in curve]
    if len(days) < 2:
        return
    axes = _Axes(min(days), max(days), low=min(rated), high=max(rated))
    yield '<figure><svg role="img" aria-label="Rating over time" font-family="sans-serif"'
    yield f' font-size="13" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
    yield from _axes(axes)
    for curve, color in zip(curves, _COLORS, strict=False):
        places = [f"{axes.x(day):.1f},{axes.y(rating):.1f}" for day, rating in curve]
        line = " ".join(places)
        yield f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>'
    yield "</svg>"
    yield f"<figcaption>{_caption(players, curves)}</figcaption></figure>"


def _axes(axes: _Axes) -> Iterator[str]:
    """Yield the lines of the lowest and the highest rating, and the first and the last day."""
    for rating in dict.fromkeys((axes.low, axes.high)):
        y = axes.y(rating)
        yield f'<path d="M{_MARGIN} {y:.1f}H{_WIDTH - _MARGIN}" stroke="#dcd8cf"/>'
        yield f'<text x="{_MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{rating}</text>'
    for day, side in ((axes.first, "start"), (axes.last, "end")):
        when = date.fromordinal(day).isoformat()
        place = f'x="{axes.x(day):.1f}" y="{_HEIGHT - 20}" text-anchor="{side}"'
        yield f"<text {place}>{when}</text>"


def _curve(ratings: Sequence[Document]) -> list[tuple[int, int]]:
    """Return days and ratings, of those whose date is one of ISO 8601."""
    points = []
    for rating in ratings:
        text = rating["date"]
        if len(text) < _DAY:
            text += _FIRST_DAY[len(text) - _DAY :]
        try:
            day = date.fromisoformat(text)
        except ValueError:
            continue
        points.append((day.toordinal(), rating["rating"]))
    return points


def _caption(players: Sequence[Document], curves: Sequence[Sequence[object]]) -> str:
    words = []
    colors = ("red", "blue") if len(players) > 1 else ("",)
    for player, curve, color in zip(players, curves, colors, strict=True):
        name = xml_text(shorten(player["name"], _LONGEST))
        line = f" ({color} line)" if color else ""
        words.append(f"{name}{line}: {counted(len(curve), 'rated game')}")
    return f"Rating over time. {'; '.join(words)}."
