"""Proved positions: files of JSON objects, one a line, as ``hextui.learn.make_proofs`` writes them.

An object has ``id`` (a whole number), ``size``, ``moves`` (as in a game), ``winner`` (red or blue)
and ``winning``, every winning move of the side to move, separated by blanks: none if it has lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hextui.engine.board import Board, Color
from hextui.engine.neural.planes import seen_by_mover
from hextui.engine.position import Position
from hextui.learn.json_lines import read_json_lines


@dataclass(frozen=True)
class ProvedPosition:
    """A position, who wins, and the cells of all moves that win for the side to move."""

    number: int
    position: Position
    winner: Color
    winning: frozenset[int]

    @property
    def symmetric_key(self) -> tuple[int, bytes]:
        """What all images of the position have in common."""
        seen = seen_by_mover(self.position).tobytes()
        return self.position.board.rows, min(seen, seen[::-1])


def split_proofs(
    proofs: Iterable[ProvedPosition], every: int
) -> tuple[list[ProvedPosition], list[ProvedPosition]]:
    """Return the positions to learn from, and those held out: whose number ``every`` divides.

    Of positions equal in any symmetry one stays; it is held out if one of them is.
    """
    first: dict[tuple[int, bytes], ProvedPosition] = {}
    for proof in sorted(proofs, key=lambda proof: proof.number % every != 0):
        first.setdefault(proof.symmetric_key, proof)
    learned = [proof for proof in first.values() if proof.number % every]
    return learned, [proof for proof in first.values() if proof.number % every == 0]


def read_proofs(paths: Iterable[Path]) -> list[ProvedPosition]:
    """Read proved positions from files.

    Raises ValueError, with the file and the line, for what is none, and OSError.
    """
    return read_json_lines(paths, _checked)


def _checked(found: dict[str, Any]) -> ProvedPosition:
    size = int(found["size"])
    position = Position.empty(Board(size, size))
    for word in str(found["moves"]).split():
        position = position.play(word)
    winner = Color.parse(str(found["winner"]))
    winning = frozenset(position.board.cell(word) for word in found["winning"].split())
    if not winning <= set(position.empties):
        raise ValueError("a winning move is on an empty cell")
    if bool(winning) != (winner is position.to_move):
        raise ValueError("there are winning moves where the side to move wins, and only there")
    return ProvedPosition(int(found["id"]), position, winner, winning)
