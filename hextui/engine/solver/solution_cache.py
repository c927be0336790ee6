"""The cache of solved positions and evaluated first moves on disk.

It may be deleted at any time. A file is dropped, and one line reports it, if its schema or content
is unexpected, or an entry is not signed by this user's program. Images of one game share an entry.
Other entries have keys of their own, which begin with a letter: a position's does not.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hextui import locations
from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.entry_file import EntryFile
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.position import Position
from hextui.engine.solver.solution import MoveVerdict, Reason, Solution
from hextui.signing import PROOFS


def default_path() -> Path:
    """Return the path of the user's file."""
    return locations.cache_folder() / "solved.sqlite"


class SolutionCache(EntryFile):
    """The solutions on disk; see `EntryFile`."""

    TABLE = "solved"
    ENTRIES = "solved positions"
    VERSION = 4
    KEY = PROOFS

    def __init__(self, path: Path | None = None, most_bytes: int = 64 << 20) -> None:
        super().__init__(path or default_path(), most_bytes)

    def get(self, position: Position) -> Solution | None:
        """Return what is on disk of a position, its ``source`` being ``disk``."""
        orientation = _canonical(position)
        solution = self.get_entry(
            orientation.position.key, partial(_solution, orientation.position)
        )
        return solution and replace(solution.back(orientation), position=position)

    def put(self, solution: Solution) -> None:
        """Keep a solution whose winner is known; it takes the place of one that knew less."""
        if solution.winner is None:
            return
        orientation = _canonical(solution.position)
        oriented = solution.back(orientation.inverse(solution.position))
        self.put_entry(orientation.position.key, _entry(oriented))


def _canonical(position: Position) -> Orientation:
    """Return the orientation in which a position is filed, whether it may be swapped or not."""
    return canonical(position.without_swap)


# Entries


def _entry(solution: Solution) -> dict[str, Any]:
    assert solution.winner is not None

    def verdicts(moves: Mapping[int, MoveVerdict]) -> list[Any]:
        return [[cell, str(v.reason), list(v.carrier)] for cell, v in moves.items()]

    return {
        "winner": int(solution.winner),
        "wins": verdicts(solution.wins),
        "losses": verdicts(solution.losses),
        "carrier": solution.carrier.numbers,
        "line": solution.line.numbers,
        "must_play": solution.must_play.numbers,
        "numbers": [solution.proof_number, solution.disproof_number],
        "nodes": solution.nodes,
        "seconds": solution.seconds,
    }


def _solution(position: Position, entry: dict[str, Any]) -> Solution:
    """Return the solution of an entry. Raises ValueError, TypeError, KeyError: it is none."""
    empty = frozenset(position.empties)

    def cells(some: list[int]) -> list[int]:
        if not all(type(cell) is int and cell in empty for cell in some):
            raise ValueError("it names a cell that is not empty")
        return some

    def verdicts(moves: list[Any]) -> dict[int, MoveVerdict]:
        by_cell = {
            cell: MoveVerdict(Reason(reason), frozenset(cells(carrier)))
            for cell, reason, carrier in moves
        }
        return {cell: by_cell[cell] for cell in sorted(cells(list(by_cell)))}

    wins = verdicts(entry["wins"])
    losses = verdicts(entry["losses"])
    proof, disproof = entry["numbers"]
    seconds = entry["seconds"]
    if not isinstance(seconds, float | int) or wins.keys() & losses.keys():
        raise ValueError("a move both wins and loses, or the time is not one")
    board = position.board
    return Solution(
        position=position,
        winner=Color(_whole(entry["winner"])),
        wins=wins,
        losses=losses,
        carrier=Cells.of(board, cells(entry["carrier"])),
        line=Cells(board, tuple(cells(entry["line"]))),
        proof_number=_whole(proof),
        disproof_number=_whole(disproof),
        nodes=_whole(entry["nodes"]),
        seconds=seconds,
        table_used=0.0,
        must_play=Cells.of(board, cells(entry["must_play"])),
        source="disk",
        complete=len(wins) + len(losses) == len(empty),
        final=True,
    )


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("it is not a whole number")
    return value
