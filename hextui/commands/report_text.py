"""The text of a report: proofs first, then estimates; for a terminal or as Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hextui.analysis.mistakes import MistakeKind
from hextui.commands.documents import Document, table
from hextui.engine.board import Color
from hextui.engines.snapshot import VerdictKind
from hextui.matches.reports import escape_markdown, markdown_table
from hextui.records.text import printable
from hextui.words.names import Names, either
from hextui.words.reviews import MISTAKE_KINDS

_BY = {
    VerdictKind.CHAIN: "a chain",
    VerdictKind.CONNECTION: "a connection",
    VerdictKind.SOLVER: "the solver",
    VerdictKind.LIBRARY: "the library",
    VerdictKind.ENGINE: "another engine",
}
_LIST = re.compile(r"^(\s*\d+)([.)])(?=\s|$)", re.MULTILINE)


@dataclass(frozen=True)
class Heading:
    """A heading; ``level`` 1 is that of the whole text."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, on one line."""

    text: str


@dataclass(frozen=True)
class Rows:
    """A table; the first row is its head."""

    rows: Sequence[Sequence[object]]


Block = Heading | Paragraph | Rows


def as_text(blocks: Iterable[Block]) -> str:
    """Return the text for a terminal, with an empty line between blocks."""
    return "\n\n".join(_text(block) for block in blocks)


def as_markdown(blocks: Iterable[Block]) -> str:
    """Return the text as Markdown, in which names and comments are escaped."""
    return "\n\n".join(_markdown(block) for block in blocks)


def _text(block: Block) -> str:
    match block:
        case Heading(text) | Paragraph(text):
            return printable(text)
        case Rows(rows):
            return table(rows)


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {escape_markdown(text)}"
        case Paragraph(text):
            return _LIST.sub(r"\1\\\2", escape_markdown(text))
        case Rows([head, *rows]):
            return markdown_table(list(map(str, head)), [list(map(str, row)) for row in rows])
        case _:
            raise ValueError("a table has a head")


def report_blocks(document: Document, names: Names) -> Sequence[Block]:
    """Return the text of the report on one game, whose document is given."""
    size = document["size"]
    players = [f"{document['players'][str(c)] or 'unknown'} ({names.player(c)})" for c in Color]
    title = f"{' against '.join(players)}, {size['columns']}x{size['rows']}"
    return [
        Heading(title, 1),
        *_outcome(document, names),
        *_mistakes(document["mistakes"], names),
        *_judged(document["judged"], names),
        *_costly_moves(_not_listed(document), names),
        *_proved(document["proved"], names),
        *_agreement(document["evaluators"], names),
    ]


def _not_listed(document: Document) -> Document:
    """Return the losses of win rate by evaluators that have no list of mistakes."""
    listed = {entry["by"] for entry in document["judged"]}
    return {name: lost for name, lost in document["lost_chances"].items() if name not in listed}


def _outcome(document: Document, names: Names) -> Iterator[Block]:
    """Yield the winner and the mistake that decided the game."""
    winner, proved, mistakes = document["winner"], document["proved"], document["mistakes"]
    said = [f"{names.player(winner)} won."] if winner else []
    if mistakes:
        said.append(mistakes[-1]["words"])
    else:
        said.append("No move is proved to have given a win away.")
    if document["opening"]:
        said.append(document["opening"]["words"])
    if document["decided"] is not None:
        at_end = proved[-1]["winner"]
        if winner and at_end != winner:
            said.append(f"At the end {names.player(at_end)} is proved to win nevertheless.")
        said.append(f"{names.player(at_end)} is proved to win from ply {document['decided']} on.")
    yield Paragraph(" ".join(said))


def _mistakes(mistakes: Sequence[Document], names: Names) -> Iterator[Block]:
    if not mistakes:
        return
    rows: list[list[object]] = [["by", "move", "what won instead", "kind"]]
    for mistake in mistakes:
        moves = [f"{move['ply']}. {move['move']}" for move in mistake["moves"]]
        wins = ", ".join(mistake["winning_moves"]) or "not found yet"
        more = "" if mistake["all_winning_moves"] else " (others are open)"
        kind = MISTAKE_KINDS[MistakeKind(mistake["kind"])]
        rows.append([names.player(mistake["color"]), either(moves), wins + more, kind])
    yield Heading("Mistakes, proved")
    yield Rows(rows)


def _judged(judged: Sequence[Document], names: Names) -> Iterator[Block]:
    """Yield the table of mistakes by the first evaluator, if there are any."""
    if judged:
        rows: list[list[object]] = [["by", "move", "mark", "what"]]
        for found in judged:
            move = f"{found['ply']}. {found['move']}"
            rows.append([names.player(found["color"]), move, found["mark"], found["words"]])
        yield Heading(f"Mistakes by {judged[0]['by']}: estimates, not proofs")
        yield Rows(rows)


def _costly_moves(found: Mapping[str, Sequence[Document]], names: Names) -> Iterator[Block]:
    """Yield a table per evaluator with win rates, or a line if no move lost a tenth."""
    for name, moves in found.items():
        yield Heading(f"Win rate lost, by {name}")
        if not moves:
            yield Paragraph("No move lost a tenth of the win rate or more.")
            continue
        rows: list[list[object]] = [["by", "move", "win rate before", "after", "its best"]]
        for move in moves:
            rates = [f"{move[key]:.0%}" for key in ("before", "after")]
            side, played = names.player(move["color"]), f"{move['ply']}. {move['move']}"
            rows.append([side, played, *rates, move["best"]])
        yield Rows(rows)


def _proved(stretches: Sequence[Document], names: Names) -> Iterator[Block]:
    if not stretches:
        return
    rows: list[list[object]] = [["plies", "wins", "proved by"]]
    for found in stretches:
        first, last = found["from"], found["to"]
        plies = str(first) if first == last else f"{first} to {last}"
        by = found["engine"] or _BY[VerdictKind(found["by"])]
        rows.append([plies, names.player(found["winner"]), by])
    yield Heading("Who wins, as if nobody swaps")
    yield Rows(rows)


def _agreement(evaluators: Document, names: Names) -> Iterator[Block]:
    """Yield the agreement of each evaluator with each player's moves."""
    if not evaluators:
        return
    rows: list[list[object]] = [
        ["side", "evaluator", "moves", "Q", "mid Q", "top 1", "top 5", "lowest ranked (its best)"]
    ]
    for color in Color:
        for name, players in evaluators.items():
            found = players[str(color)]
            shares = [found[key] for key in ("q", "mid_q", "top_1", "top_5")]
            texts = ["-" if share is None else f"{share:.3f}" for share in shares]
            worst = ", ".join(f"{m['ply']}. {m['move']} ({m['best']})" for m in found["worst"])
            rows.append([names.player(color), name, str(found["moves"]), *texts, worst])
    yield Heading("Agreement with evaluators: estimates, not proofs")
    yield Rows(rows)
