"""The index of the stories of many games: an HTML file that loads nothing, and the same as CSV."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from hextui.commands.documents import Document
from hextui.commands.report_text import game_columns, game_row
from hextui.commands.story_page import anchor, page_start
from hextui.engine.board import Color
from hextui.records.codecs.diagrams import xml_text
from hextui.records.record_text import shorten
from hextui.text import Names, counted

INDEX, TABLE = "index.html", "games.csv"
_LONGEST_NAME = 60  # characters of a file's name before the number of the game
_LONGEST = 120  # characters of a cell
_OPEN = 1_000_000  # a ply that sorts after all others
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell must not begin with: spreadsheets would compute it."""
_STYLE = """
body { max-width: 70rem; }
.games { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .3rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid #dcd8cf; }
th button { border: 0; padding: 0; background: none; color: inherit; font: inherit;
  font-weight: bold; cursor: pointer; text-decoration: underline dotted; }
"""
_SORTING = """
for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => {
    const head = button.parentElement;
    const rising = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const key = row => row.cells[head.cellIndex].dataset.key;
    const compared = (a, b) => key(a).localeCompare(key(b), undefined, {numeric: true});
    const body = document.querySelector("tbody");
    body.append(...[...body.rows].sort((a, b) => rising ? compared(a, b) : compared(b, a)));
  });
"""


def page_names(places: Iterable[tuple[str, int]]) -> list[str]:
    """Return a name of a file for each game, whose place is its source and its number there.

    No two are equal, whatever the case of letters means to the disk.

    >>> page_names([("a/My game.sgf", 1), ("b/my-game.hsgf", 1), ("a/My game.sgf", 2)])
    ['My-game-1.html', 'my-game-1-2.html', 'My-game-2.html']
    """
    used = Counter[str]()
    names = []
    for source, number in places:
        stem = re.sub(r"[^A-Za-z0-9_]+", "-", Path(source).stem).strip("-")[:_LONGEST_NAME]
        name = f"{stem or 'game'}-{number}"
        used[name.lower()] += 1
        while (times := used[name.lower()]) > 1:
            name = f"{name}-{times}"
            used[name.lower()] += 1
        names.append(f"{name}.html")
    return names


def games_page(document: Document, names: Names) -> str:
    """Return the page: a line for each game, which links its story, and what was left out.

    ``document``: that of the report on many games; each game has the name of its ``page``.
    """
    games = document["games"]
    title = f"Stories of {counted(len(games), 'game')}"
    parts = [
        *page_start(title, _STYLE),
        f"<h1>{title}</h1>",
        f"<p>{_summary(games)} {anchor(TABLE, 'The table as CSV')}.</p>",
        *_table(games, names),
        *_left_out(document["left_out"]),
        f"<script>{_SORTING}</script>",
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _summary(games: Sequence[Document]) -> str:
    """Return how many games are decided, and by what."""
    decisions = [game["decision"] for game in games]
    ends = Counter(decision["proved"] for decision in decisions if decision is not None)
    open_games = len(games) - ends.total()
    return f"Decided by proof: {ends[True]}; by estimate: {ends[False]}; open: {open_games}."


def _table(games: Sequence[Document], names: Names) -> Iterator[str]:
    yield '<div class="games"><table>\n<thead><tr>'
    for column in game_columns(names):
        yield f'<th scope="col"><button type="button">{xml_text(column.capitalize())}</button></th>'
    yield "</tr></thead>\n<tbody>"
    for game in games:
        cells = [xml_text(shorten(text, _LONGEST)) for text in game_row(game, names)]
        keys = _sorting_keys(game, cells)
        cells[0] = f'<a href="{xml_text(quote(game["page"]), quote=True)}">{cells[0]}</a>'
        row = [f'<td data-key="{key}">{cell}</td>' for key, cell in zip(keys, cells, strict=True)]
        yield f"<tr>{''.join(row)}</tr>"
    yield "</tbody>\n</table></div>"


def _sorting_keys(game: Document, cells: Sequence[str]) -> list[str]:
    """Return what sorts each cell of a row: text, a ply, or thousandths of win probability."""
    decision = game["decision"]
    worst = game["worst"]
    *texts, _, _ = cells
    ply = _OPEN if decision is None else decision["ply"]
    lost = 0.0 if worst is None else worst["lost"] or 0.0
    return [*texts, str(ply), str(round(1000 * lost))]


def _left_out(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield "<h2>Left out</h2>\n<ul>"
        for line in lines:
            yield f"<li>{xml_text(line)}</li>"
        yield "</ul>"


def games_csv(games: Sequence[Document]) -> str:
    """Return the table as CSV, a line for each game."""
    lines = io.StringIO()
    table = csv.writer(lines, lineterminator="\n")
    rows = list(map(_fields, games))
    if rows:
        table.writerow(rows[0])
    for row in rows:
        table.writerow([_plain(value) for value in row.values()])
    return lines.getvalue()


def _fields(game: Document) -> Document:
    """Return what the table holds of a game, by column."""
    players = {str(color): game["players"][str(color)] for color in Color}
    place = {name: game[name] for name in ("source", "game", "page")}
    result = {name: game[name] for name in ("result", "winner")}
    decision = game["decision"] or {}
    worst = game["worst"] or {}
    ends = {f"decision_{name}": decision.get(name) for name in ("ply", "winner", "proved")}
    wanted = ("ply", "move", "color", "by", "lost", "words")
    losses = {f"worst_{name}": worst.get(name) for name in wanted}
    return {**place, **players, **result, **ends, **losses}


def _plain(value: object) -> object:
    """Return a value of which no spreadsheet computes anything: text begins with a letter, or '."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
