"""The tables about one player of the library, or about several side by side."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from hextui.commands.documents import Document
from hextui.text import Names, counted
from hextui.words.players import (
    SCORE_HEADS,
    TOTAL_HEADS,
    YEAR_HEADS,
    interval_text,
    kind_text,
    lost_text,
    rating_years,
    share_text,
    side_text,
)
from hextui.words.reviews import numbered_move

MOST_ROWS = 15
"""The rows of a table; a last one counts the others, which the JSON document has."""
Label = tuple[str, ...]


@dataclass(frozen=True)
class PlayerTable:
    """A table with its title, the heads of its columns, and its rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


def player_tables(document: Document, names: Names) -> list[PlayerTable]:
    """Return the tables about the players of a document, without those that are empty."""
    players = document["players"]
    tables = [
        _results(players, names),
        _repertoire(players),
        _scores("First moves", ("size", "move", "by", "swapped"), players, _openings),
        _scores("Opponents", ("opponent",), players, _opponents),
        _ratings(players),
        _totals("Mistakes by kind", "kind", players, _kinds),
        _totals("Mistakes by phase of the game", "phase", players, _phases),
        *(_mistakes(player) for player in players),
    ]
    return [table for table in tables if table.rows]


def _joined(
    title: str,
    labels: Label,
    columns: Label,
    players: Sequence[Document],
    rows: Sequence[Mapping[Label, list[object]]],
) -> PlayerTable:
    """Return a table with a row for each label that any player has, and columns for each player."""
    lines = []
    for label in dict.fromkeys(chain.from_iterable(rows)):
        cells: list[object] = [*label]
        for own in rows:
            cells += own.get(label, [""] * len(columns))
        lines.append(tuple(cells))
    return PlayerTable(title, _head(labels, columns, players), tuple(lines))


def _head(labels: Label, columns: Label, players: Sequence[Document]) -> Label:
    """Return the heads of the columns; with several players, the first of each has the name."""
    head = [*labels]
    for player in players:
        prefix = f"{player['name']}: " if len(players) > 1 else ""
        head += [f"{prefix}{columns[0]}", *columns[1:]]
    return tuple(head)


def _score_cells(score: Document) -> list[object]:
    wins = score["wins"]
    losses = score["losses"]
    return [score["games"], share_text(wins, losses), interval_text(wins, losses)]


def _total_cells(total: Document) -> list[object]:
    return [total["proved"], total["estimated"], lost_text(total["lost"])]


def _scores(
    title: str,
    labels: Label,
    players: Sequence[Document],
    rows: Callable[[Document], Mapping[Label, Document]],
) -> PlayerTable:
    """Return a table of scores, whose last row counts those of the labels left out."""
    scores = [rows(player) for player in players]
    all_labels = list(dict.fromkeys(chain.from_iterable(scores)))
    shown = all_labels[:MOST_ROWS]
    others = all_labels[MOST_ROWS:]
    cells = []
    for own in scores:
        lines = {label: _score_cells(own[label]) for label in shown if label in own}
        if others:
            last = (f"{len(others):,} more", *[""] * (len(labels) - 1))
            lines[last] = _score_cells(_sum(own[label] for label in others if label in own))
        cells.append(lines)
    return _joined(title, labels, SCORE_HEADS, players, cells)


def _sum(scores: Iterable[Document]) -> Document:
    total = {"games": 0, "wins": 0, "losses": 0}
    for score in scores:
        for name in total:
            total[name] += score[name]
    return total


def _totals(
    title: str,
    label: str,
    players: Sequence[Document],
    rows: Callable[[Document], Mapping[Label, Document]],
) -> PlayerTable:
    cells = []
    for player in players:
        cells.append({name: _total_cells(total) for name, total in rows(player).items()})
    reviewed = [counted(player["reviewed"], "reviewed game") for player in players]
    is_empty = not any(player["reviewed"] for player in players)
    where = f"{title}, in {' and '.join(reviewed)}"
    return _joined(where, (label,), TOTAL_HEADS, players, [] if is_empty else cells)


def _results(players: Sequence[Document], names: Names) -> PlayerTable:
    cells = []
    for player in players:
        scores: dict[Label, Document] = {("all games",): player}
        for color, score in player["colors"].items():
            scores[(names.player(color),)] = score
        for score in player["sizes"]:
            scores[(_size(score["size"]),)] = score
        cells.append({label: _score_cells(score) for label, score in scores.items()})
    return _joined("Results", ("",), SCORE_HEADS, players, cells)


def _size(size: Mapping[str, int]) -> str:
    return f"{size['columns']}x{size['rows']}"


def _openings(player: Document) -> dict[Label, Document]:
    scores: dict[Label, Document] = {}
    for opening in player["openings"]:
        by = "player" if opening["opened"] else "opponent"
        swapped = "yes" if opening["swapped"] else "no"
        scores[_size(opening["size"]), opening["move"], by, swapped] = opening
    return scores


def _opponents(player: Document) -> dict[Label, Document]:
    return {(opponent["name"] or "?",): opponent for opponent in player["opponents"]}


def _kinds(player: Document) -> dict[Label, Document]:
    return {(kind_text(total["kind"]),): total for total in player["kinds"]}


def _phases(player: Document) -> dict[Label, Document]:
    return {(total["phase"],): total for total in player["phases"]}


def _ratings(players: Sequence[Document]) -> PlayerTable:
    """Return the ratings of each year: their number, the lowest, the highest and the last."""
    cells: list[dict[Label, list[object]]] = []
    for player in players:
        years = rating_years((rating["date"], rating["rating"]) for rating in player["ratings"])
        cells.append({(year,): [*values] for year, values in years.items()})
    table = _joined("Rating", ("year",), YEAR_HEADS, players, cells)
    return PlayerTable(table.title, table.head, tuple(sorted(table.rows, key=_first)))


def _first(row: Sequence[object]) -> str:
    return str(row[0])


def _mistakes(player: Document) -> PlayerTable:
    """Return the mistakes of a player, the proved ones first."""
    mistakes = sorted(player["mistakes"], key=lambda mistake: mistake["kind"] is None)
    rows: list[tuple[object, ...]] = []
    for mistake in mistakes[:MOST_ROWS]:
        moves = map(numbered_move, mistake["plies"], mistake["moves"])
        lost = "" if mistake["lost"] is None else lost_text(mistake["lost"])
        kind = kind_text(mistake["kind"])
        rows.append((mistake["id"], " ".join(moves), kind, mistake["phase"], lost))
    if more := len(mistakes) - len(rows):
        rows.append((f"{more:,} more", "", "", "", ""))
    head = ("game", "moves", "kind", "phase", "lost")
    return PlayerTable(f"Mistakes of {player['name']}", head, tuple(rows))


def _repertoire(players: Sequence[Document]) -> PlayerTable:
    """Return the trees of openings, a row for each position, indented by its plies."""
    trees = []
    for player in players:
        trees.append({_root_label(root): root for root in player["repertoires"]})
    rows: list[tuple[object, ...]] = []
    for label in dict.fromkeys(chain.from_iterable(trees)):
        nodes = [tree.get(label) for tree in trees]
        for text, below in _tree_rows(label, nodes, 0):
            rows.append((text, *chain.from_iterable(map(_node_cells, below))))
    least = max(player["least"] for player in players)
    title = f"Openings, moves of {least:,} games or more" if least > 1 else "Openings"
    return PlayerTable(title, _head(("moves",), (*SCORE_HEADS, "proved"), players), tuple(rows))


def _root_label(root: Document) -> str:
    return f"{_size(root['size'])}, {side_text(root['opened'])}"


def _node_cells(node: Document | None) -> list[object]:
    return ["", "", "", ""] if node is None else [*_score_cells(node), node["proved"]]


def _tree_rows(
    text: str, nodes: Sequence[Document | None], ply: int
) -> Iterator[tuple[str, Sequence[Document | None]]]:
    """Yield the text of a node and each player's, None without one, then those below it."""
    yield text, nodes
    moves: dict[str, list[Document | None]] = {}
    for place, node in enumerate(nodes):
        following = [] if node is None else node.get("moves", [])
        for after in following:
            moves.setdefault(after["move"], [None] * len(nodes))[place] = after
    for name, below in moves.items():
        after_move = ply + 1
        indent = after_move * "  "
        text = f"{indent}{numbered_move(after_move, name)}"
        yield from _tree_rows(text, below, after_move)
