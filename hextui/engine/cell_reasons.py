"""Why a cell need not be looked at, in words: not must-play, dead, captured, vulnerable, dominated.

``{black}`` and ``{white}`` stand for the players (see player_texts.py). The reasons themselves come
from inferior.py and from the opponent's connections of its edges.
"""

from collections.abc import Sequence

from hextui.engine.board import EMPTY, Color, edges_of
from hextui.engine.connection import Connection
from hextui.engine.inferior_cells import InferiorCells, InferiorRule
from hextui.engine.player_texts import player
from hextui.engine.position import Position
from hextui.words.names import counted


def cell_reason(
    position: Position,
    cell: int,
    threats: Sequence[Connection],
    inferior: InferiorCells | None,
) -> str:
    """Return what is known of a cell as a move of the side to move; '' if nothing speaks of it.

    ``threats``: the opponent's connections of its edges if it were to move.
    """
    if position.stones[cell] != EMPTY:
        return ""
    return (
        (_inferior_reason(cell, inferior) if inferior else "")
        or _threat_reason(position, cell, threats)
        or (_worse_reason(position, cell, inferior) if inferior else "")
        or _must_play_reason(position, cell, threats)
    )


def _inferior_reason(cell: int, inferior: InferiorCells) -> str:
    """Return why it does not matter who takes a cell, or who has it in effect."""
    name = inferior.position.board.name
    if cell in inferior.dead:
        if inferior.rules[cell] is InferiorRule.REGION:
            return f"{name(cell)} is dead: one group cuts it off from its sides"
        return f"{name(cell)} is dead: it joins nothing, whoever has it"
    for color in Color:
        partner = inferior.captured[color].get(cell)
        if partner is not None:
            owner = player(color)
            return f"{name(cell)} is captured by {owner}, who answers it with {name(partner)}"
    return ""


def _threat_reason(position: Position, cell: int, threats: Sequence[Connection]) -> str:
    """Return which threat of the opponent a move there would not meet."""
    threat = next((threat for threat in threats if cell not in threat.carrier), None)
    if threat is None:
        return ""
    name, opponent = position.board.name, player(position.to_move.opponent)
    one, other = edges_of(position.to_move.opponent)
    plays = "" if threat.key is None else f" with {name(threat.key)}"
    return (
        f"{name(cell)} is not must-play: {opponent} joins {one} and {other}{plays} "
        f"without it ({counted(len(threat.carrier), 'cell')})"
    )


def _worse_reason(position: Position, cell: int, inferior: InferiorCells) -> str:
    """Return why another move is at least as good."""
    name, opponent = position.board.name, player(position.to_move.opponent)
    if cell in inferior.vulnerable:
        killer = name(inferior.vulnerable[cell])
        return f"{name(cell)} is vulnerable: {opponent} answers {killer} and the stone is dead"
    if cell in inferior.dominated:
        better = name(inferior.dominated[cell])
        does = (
            "captures it"
            if inferior.rules[cell] is InferiorRule.CAPTURED_AFTER
            else "makes it dead"
        )
        return f"{name(cell)} is dominated by {better}: a stone there {does}"
    return ""


def _must_play_reason(position: Position, cell: int, threats: Sequence[Connection]) -> str:
    if not threats:
        return ""
    opponent = player(position.to_move.opponent)
    return f"{position.board.name(cell)} is must-play: every threat of {opponent} needs it"
