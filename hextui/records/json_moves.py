"""The moves of a game in JSON: names in one text, separated by spaces, or in a list."""

from typing import Any

from hextui.engine.position import IllegalMoveError
from hextui.records.record import Record
from hextui.records.tree import Turn


def append_moves(record: Record, moves: Any) -> None:
    """Append moves to an empty record, colours by their order; raises ValueError if one is none."""
    names = moves.split() if isinstance(moves, str) else moves
    if not isinstance(names, list):
        raise ValueError("'moves' is neither a text nor a list")
    node = record.root
    for number, name in enumerate(names, start=1):
        try:
            turn = Turn.parse(record.position(node).to_move, str(name).strip(), record.board)
            node = record.append(node, turn)
        except (ValueError, IllegalMoveError) as error:
            raise ValueError(f"move {number}: {error}") from None
