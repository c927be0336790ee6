"""The text of a report on a game: proofs first, then estimates; for a terminal or as Markdown."""

import re
from collections.abc import Mapping, Sequence

from hextui.analysis.mistakes import MistakeKind
from hextui.commands.documents import Document, table
from hextui.engine.board import Color
from hextui.engines.snapshot import VerdictKind
from hextui.matches.reports import escape_markdown, markdown_table
from hextui.records.text import printable
from hextui.words.names import Names, either
from hextui.words.reviews import MISTAKE_KINDS
from hextui.words.verdicts import PROVED_BY

_LIST = re.compile(r"^(\s*\d+)([.)])(?=\s|$)", re.MULTILINE)


class ReportText:
    """Collects the parts of a text: for a terminal, or as Markdown in which names are escaped."""

    def __init__(self, markdown: bool) -> None:
        self._markdown = markdown
        self._parts: list[str] = []

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading; ``level`` 1 is that of the whole text."""
        marked = f"{'#' * level} {escape_markdown(text)}"
        self._parts.append(marked if self._markdown else printable(text))

    def paragraph(self, text: str) -> None:
        """Add a paragraph, which is one line."""
        escaped = _LIST.sub(r"\1\\\2", escape_markdown(text))
        self._parts.append(escaped if self._markdown else printable(text))

    def table(self, head: Sequence[object], rows: Sequence[Sequence[object]]) -> None:
        """Add a table."""
        self._parts.append(markdown_table(head, rows) if self._markdown else table([head, *rows]))

    def __str__(self) -> str:
        return "\n\n".join(self._parts)


def game_text(document: Document, names: Names, markdown: bool) -> str:
    """Return the report on one game, whose document is given."""
    made, size, judged = ReportText(markdown), document["size"], document["judged"]
    players = [f"{document['players'][str(c)] or 'unknown'} ({names.player(c)})" for c in Color]
    made.heading(f"{' against '.join(players)}, {size['columns']}x{size['rows']}", 1)
    made.paragraph(_outcome(document, names))
    if document["mistakes"]:
        made.heading("Mistakes, proved")
        rows = [_mistake(mistake, names) for mistake in document["mistakes"]]
        made.table(["by", "move", "what won instead", "kind"], rows)
    if judged:
        made.heading(f"Mistakes by {judged[0]['by']}: estimates, not proofs")
        rows = [
            [names.player(one["color"]), _move(one), one["mark"], one["words"]] for one in judged
        ]
        made.table(["by", "move", "mark", "what"], rows)
    listed = {entry["by"] for entry in judged}
    for name, moves in document["lost_chances"].items():
        if name not in listed:
            _write_costly_moves(made, name, moves, names)
    if document["proved"]:
        made.heading("Who wins, as if nobody swaps")
        rows = [_stretch(found, names) for found in document["proved"]]
        made.table(["plies", "wins", "proved by"], rows)
    if document["evaluators"]:
        _write_agreement(made, document["evaluators"], names)
    return str(made)


def _move(found: Document) -> str:
    return f"{found['ply']}. {found['move']}"


def _outcome(document: Document, names: Names) -> str:
    winner, mistakes = document["winner"], document["mistakes"]
    said = [f"{names.player(winner)} won."] if winner else []
    if mistakes:
        said.append(mistakes[-1]["words"])
    else:
        said.append("No move is proved to have given a win away.")
    if document["opening"]:
        said.append(document["opening"]["words"])
    if document["decided"] is not None:
        at_end = document["proved"][-1]["winner"]
        if winner and at_end != winner:
            said.append(f"At the end {names.player(at_end)} is proved to win nevertheless.")
        said.append(f"{names.player(at_end)} is proved to win from ply {document['decided']} on.")
    return " ".join(said)


def _mistake(mistake: Document, names: Names) -> list[str]:
    wins = ", ".join(mistake["winning_moves"]) or "not found yet"
    more = "" if mistake["all_winning_moves"] else " (others are open)"
    kind = MISTAKE_KINDS[MistakeKind(mistake["kind"])]
    moves = either([_move(move) for move in mistake["moves"]])
    return [names.player(mistake["color"]), moves, wins + more, kind]


def _write_costly_moves(
    made: ReportText, name: str, moves: Sequence[Document], names: Names
) -> None:
    """Write the table of an evaluator with win probabilities, or a line if no move lost a tenth."""
    made.heading(f"Win probability lost, by {name}")
    if not moves:
        made.paragraph("No move lost 10% win probability or more.")
        return
    rows = []
    for move in moves:
        rates = [f"{move[key]:.0%}" for key in ("before", "after")]
        rows.append([names.player(move["color"]), _move(move), *rates, move["best"]])
    made.table(["by", "move", "win probability before", "after", "its best"], rows)


def _stretch(found: Document, names: Names) -> list[str]:
    first, last = found["from"], found["to"]
    plies = str(first) if first == last else f"{first} to {last}"
    by = found["engine"] or PROVED_BY[VerdictKind(found["by"])]
    return [plies, names.player(found["winner"]), by]


def _write_agreement(made: ReportText, evaluators: Mapping[str, Document], names: Names) -> None:
    rows = []
    for color in Color:
        for name, players in evaluators.items():
            found = players[str(color)]
            shares = [found[key] for key in ("q", "mid_q", "top_1", "top_5")]
            texts = ["-" if share is None else f"{share:.3f}" for share in shares]
            worst = ", ".join(f"{_move(m)} ({m['best']})" for m in found["worst"])
            rows.append([names.player(color), name, str(found["moves"]), *texts, worst])
    made.heading("Agreement with evaluators: estimates, not proofs")
    shown = ["Q", "mid Q", "top 1", "top 5", "lowest ranked (its best)"]
    made.table(["side", "evaluator", "moves", *shown], rows)
