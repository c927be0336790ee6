"""What the library proves of a position, taken over into the store of verdicts."""

from typing import TYPE_CHECKING

from hextui.engine.board import Color
from hextui.engine.position import MoveKind, Position
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from hextui.library.answers import Explored

if TYPE_CHECKING:
    from hextui.engine.retrograde import Value


def keep_proofs_on_file(position: Position, found: Explored, verdicts: Verdicts) -> None:
    """Keep the certain verdicts of what is on file at a position.

    Those that a swap may change are left out: the store's are of play in which nobody swaps.
    """
    if position.winner is not None or not any(position.stones):
        return
    mover = position.to_move
    moves = {
        move.cell: _verdict(one.value, mover)
        for one in found.moves
        if one.value.certain
        for move in (one.move, *one.same)
        if move.kind is MoveKind.PLAY
    }
    verdicts.prove_moves(position, moves)
    if found.value is not None and found.value.certain and not position.swap_legal:
        verdicts.prove(position, _verdict(found.value, mover))


def _verdict(value: "Value", mover: Color) -> Verdict:
    return Verdict(VerdictKind.LIBRARY, mover if value.winning else mover.opponent)
