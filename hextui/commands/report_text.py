"""The report on a game in words: proofs first, then estimates."""

from collections.abc import Iterator, Sequence

from hextui.analysis.mistakes import MistakeKind
from hextui.commands.blocks import Block, Heading, Paragraph, Rows
from hextui.commands.documents import Document
from hextui.commands.report_engines import costly_moves_blocks
from hextui.commands.report_judged import judged_blocks
from hextui.engine.board import Color
from hextui.engines.snapshot import VerdictKind
from hextui.words.names import Names, either
from hextui.words.reviews import MISTAKE_KINDS

_BY = {
    VerdictKind.CHAIN: "a chain",
    VerdictKind.CONNECTION: "a connection",
    VerdictKind.SOLVER: "the solver",
    VerdictKind.LIBRARY: "the library",
    VerdictKind.ENGINE: "another engine",
}


def report_blocks(document: Document, names: Names) -> Sequence[Block]:
    """Return the text of a report's document."""
    size = document["size"]
    players = [f"{document['players'][str(c)] or 'unknown'} ({names.player(c)})" for c in Color]
    title = f"{' against '.join(players)}, {size['columns']}x{size['rows']}"
    return [
        Heading(title, 1),
        *_outcome(document, names),
        *_mistakes(document["mistakes"], names),
        *judged_blocks(document["judged"], names),
        *costly_moves_blocks(_not_listed(document), names),
        *_proved(document["proved"], names),
        *_agreement(document["evaluators"], names),
    ]


def _not_listed(document: Document) -> Document:
    """Return the losses of win rate by evaluators that have no list of mistakes."""
    listed = {entry["by"] for entry in document["judged"]}
    return {name: lost for name, lost in document["lost_chances"].items() if name not in listed}


def _outcome(document: Document, names: Names) -> Iterator[Block]:
    """Yield who won, and the mistake that decided the game."""
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
    """Yield how far evaluators agree with each player's moves."""
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
