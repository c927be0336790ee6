"""The lines of the tree search, for ``hextui lines --evaluator search``."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from hextui.commands.documents import Document, compile_first, size_of, table
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.search.move_scope import MoveScope
from hextui.engine.widths import Kernels
from hextui.words.names import Names

if TYPE_CHECKING:
    from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
    from hextui.engine.search.tree_search import SearchedMove


def maker(
    evaluator: "TreeEvaluator", count: int, choose: Callable[[Board], MoveScope]
) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position, with so many lines at most.

    ``choose`` returns which moves of a board are thought of.
    """
    from hextui.engine.search.front import searched_moves
    from hextui.engine.search.tree_search import TreeSearch

    def make(position: Position) -> Document:
        moves: list[SearchedMove] = []
        winner = position.winner
        if position.empties and winner is None:
            compile_first(position.board, Kernels.SEARCH)
            search = TreeSearch(position.board, threads=evaluator.threads)
            scope = choose(position.board)
            moves = searched_moves(search, position, evaluator.limit, scope=scope)
            if moves and moves[0].proved and moves[0].value:
                winner = position.to_move
            elif search.root.proved and not search.root.won:
                winner = position.to_move.opponent
        name = position.board.name
        return {
            "size": size_of(position.board),
            "to_move": str(position.to_move),
            "evaluator": evaluator.name,
            "winner": None if winner is None else str(winner),
            "lines": [
                {
                    "moves": [name(cell) for cell in move.line],
                    "value": move.value,
                    "proved": move.proved,
                    "visits": move.visits,
                }
                for move in moves[:count]
            ],
        }

    return make


def show(document: Document, names: Names) -> str:
    """Return the document for people: a line a row, best first, for the side to move."""
    head = f"{names.player(document['to_move'])} to move, {document['evaluator']}"
    if document["winner"] is not None:
        head += f"; {names.player(document['winner'])} wins, proved"
    if not document["lines"]:
        return f"{head}\nno lines: the game is over, or lost at once"
    rows = [[_value(line), line["visits"], " ".join(line["moves"])] for line in document["lines"]]
    return f"{head}\n\n{table([['win rate', 'visits', 'line'], *rows])}"


def _value(line: Document) -> str:
    """Return the chance to win, or in a word what is proved."""
    if line["proved"]:
        return "wins" if line["value"] else "loses"
    return f"{line['value']:.0%}"
