"""The lines that an attached engine reports, for ``hextui lines``."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from hextui.commands.documents import Document, size_of, table
from hextui.commands.output import ProgressLine
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.search.move_scope import MoveScope
from hextui.engines.attached.engine_config import evaluator_of
from hextui.words.names import Names

if TYPE_CHECKING:
    from hextui.engines.attached.attached_engine import AttachedEngine
    from hextui.engines.snapshot import Examined


def maker(
    engine: "AttachedEngine", count: int, choose: Callable[[Board], MoveScope]
) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position, with so many lines at most.

    ``choose`` tells of a board which moves the engine is to think of.
    """
    from hextui.engines.questions import Examine

    lane = engine.lane()

    def make(position: Position) -> Document:
        progress = ProgressLine()
        scope = choose(position.board)
        for found in lane.answers(Examine(position, scope=scope)):
            progress.show(f"{found.visits:,} visits")
        progress.end()
        return _document(found, count)

    return make


def _document(found: "Examined", count: int) -> Document:
    board = found.position.board
    return {
        "size": size_of(board),
        "to_move": str(found.position.to_move),
        "evaluator": evaluator_of(found.engine),
        "visits": found.visits,
        "lines": [
            {
                "moves": [board.name(cell) for cell in move.line],
                "winrate": move.winrate,
                "score": move.score,
                "visits": move.visits,
                "prior": move.prior,
            }
            for move in found.moves[:count]
        ],
    }


def show(document: Document, names: Names) -> str:
    """Return the document for people: a line a row, best first; - is what is not told."""
    mover = names.player(document["to_move"])
    head = f"{mover} to move, {document['evaluator']}, {document['visits']:,} visits"
    if not document["lines"]:
        return f"{head}\nno lines"
    titles = ["win rate", "score", "visits", "line"]
    rows = [
        [_told(line["winrate"]), _told(line["score"]), line["visits"], " ".join(line["moves"])]
        for line in document["lines"]
    ]
    return f"{head}\n\n{table([titles, *rows])}"


def _told(value: float | None) -> object:
    return "-" if value is None else value
