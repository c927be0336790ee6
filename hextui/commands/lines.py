"""``hextui lines``: the best lines of play by selective minimax, best first."""

import sys
from collections.abc import Callable

from hextui.commands.documents import Document, number, size_of, table
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import Evaluator
from hextui.engine.evaluators.benches import bench_of
from hextui.engine.position import Position
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.search.lines import Line, Lines
from hextui.engine.search.minimax import find_lines
from hextui.wording import counted


def maker(evaluator: Evaluator, settings: LineSettings) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position."""

    def make(position: Position) -> Document:
        bench = bench_of(position.board)
        bench.look_at(position)
        for found in find_lines(bench, evaluator, settings):
            _tell(found)
        return _document(found)

    return make


def _tell(found: Lines) -> None:
    """Show how far the search is on one line of a terminal, and wipe it in the end."""
    if sys.stderr.isatty():
        state = "" if found.final else f"depth {found.depth}: {found.searched} of {found.moves}"
        print(f"\r{state:<30}\r", end="", file=sys.stderr, flush=True)


def _document(found: Lines) -> Document:
    return {
        "size": size_of(found.position.board),
        "to_move": str(found.position.to_move),
        "evaluator": found.evaluator,
        "widths": list(found.settings.widths),
        "depth": found.depth,
        "nodes": found.nodes,
        "full_nodes": found.full_nodes,
        "winner": _winner(found.winner),
        "lines": [_line(found.position.board, line) for line in found.lines],
    }


def _line(board: Board, line: Line) -> Document:
    return {
        "moves": [board.name(cell) for cell in line.moves],
        "value": number(line.value),
        "winner": _winner(line.winner),
    }


def _winner(color: Color | None) -> str | None:
    return None if color is None else str(color)


def show(document: Document) -> str:
    """Return the document for people: a line a row, its value for the side to move."""
    widths = ",".join(map(str, document["widths"]))
    head = f"{document['to_move']} to move, {document['evaluator']}, widths {widths}"
    if document["winner"] is not None:
        head += f"; {document['winner']} wins, proved"
    if not document["lines"]:
        return f"{head}\nno lines: the game is over"
    rows = [
        [line["value"], " ".join(line["moves"]), f"{line['winner']} wins" if line["winner"] else ""]
        for line in document["lines"]
    ]
    share = f"{document['nodes']:,} of {counted(document['full_nodes'], 'position')} looked at"
    return f"{head}\n\n{table(rows)}\n\n{share}"
