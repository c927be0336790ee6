"""The openings of a board before anything is searched: what was solved before."""

from hextui.engine.board import Board
from hextui.engine.solver.kept import KeptSolutions
from hextui.engine.solver.opening_map import OpeningMap
from hextui.engine.solver.opening_table import solved_openings


def known_openings(board: Board, kept: KeptSolutions) -> OpeningMap:
    """Return the openings with what earlier runs kept on disk, then with what the table knows."""
    found = OpeningMap(board)
    for opening in found.openings:
        known = kept.get(found.position(opening.cell))
        if known is not None:
            found.take(known)
    for cell, solved in solved_openings(board).items():
        found.decide(cell, *solved, source="table")
    return found
