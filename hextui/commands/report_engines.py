"""Moves that lost win rate by a search or another engine, in the report on a game."""

from collections.abc import Iterator, Mapping, Sequence

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import CostlyMove, costly_moves
from hextui.commands.blocks import Block, Heading, Paragraph, Rows
from hextui.commands.documents import Document
from hextui.words.names import Names


def costly_moves_document(
    line: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> Document:
    """Return the moves that lost win rate, by each evaluator that has win rates."""
    having = [
        name
        for name in names
        if any((j := estimates.of(s, name)) and j.winrate is not None for s in line)
    ]
    return {name: [_lost(lost) for lost in costly_moves(line, estimates, name)] for name in having}


def _lost(lost: CostlyMove) -> Document:
    board = lost.before.position.board
    return {
        "ply": lost.before.ply + 1,
        "move": board.name(lost.cell),
        "color": str(lost.before.position.to_move),
        "player": str(lost.before.player),
        "before": lost.rate_before,
        "after": lost.rate_after,
        "best": board.name(lost.best),
    }


def costly_moves_blocks(found: Mapping[str, Sequence[Document]], names: Names) -> Iterator[Block]:
    """Yield a table for each evaluator that has win rates, or that no move lost much."""
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
