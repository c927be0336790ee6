"""Dead and captured cells by the six cells around them, for positions that change stone by stone.

A cell is dead if, however its ring is filled, each player's stones in it hang together: then the
cell joins nothing. Two adjacent cells are captured by a player whose stone on either one makes the
other dead (docs/methods.md#inferior-cells).
"""

from collections.abc import Iterable
from functools import cache
from itertools import product

from hextui.engine.board import EMPTY, Board, Color

_RING = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # neighbours in cyclic order


@cache
def _dead_codes() -> bytes:
    """Return for every ring, two bits a cell, whether its middle is dead."""
    dead = bytearray(4**6)
    for ring in product((EMPTY, *Color), repeat=6):
        ways = product(*((stone,) if stone else tuple(Color) for stone in ring))
        hangs = (sum(a != b for a, b in zip(way, (*way[1:], way[0]), strict=True)) for way in ways)
        dead[sum(stone << 2 * place for place, stone in enumerate(ring))] = all(
            changes <= 2 for changes in hangs
        )
    return bytes(dead)


class Rings:
    """The rings of one board. Stones are a bytearray with three places more: see `padded`."""

    def __init__(self, board: Board) -> None:
        self._cells = board.cells
        self._near = board.neighbours
        self._dead = _dead_codes()
        self._ring = [_ring_of(board, cell) for cell in range(board.cells)]

    def padded(self, stones: bytes) -> bytearray:
        """Return stones followed by what lies beyond corners, and beyond the players' edges."""
        return bytearray(stones) + bytes((EMPTY, Color.BLACK, Color.WHITE))

    def is_dead(self, stones: bytearray, cell: int) -> bool:
        """Tell whether the ring of a cell makes it dead."""
        a, b, c, d, e, f = self._ring[cell]
        return bool(
            self._dead[
                stones[a]
                | stones[b] << 2
                | stones[c] << 4
                | stones[d] << 6
                | stones[e] << 8
                | stones[f] << 10
            ]
        )

    def kills(self, stones: bytearray, color: Color, killer: int, cell: int) -> bool:
        """Tell whether a stone of ``color`` on ``killer`` makes ``cell`` dead."""
        stones[killer] = color
        dead = self.is_dead(stones, cell)
        stones[killer] = EMPTY
        return dead

    def killer(self, stones: bytearray, color: Color, cell: int) -> int | None:
        """Return where a stone of ``color`` makes an empty cell dead, if anywhere beside it."""
        for near in self._near[cell]:
            if stones[near] == EMPTY and self.kills(stones, color, near, cell):
                return near
        return None

    def fill(
        self, stones: bytearray, fresh: Iterable[int], winner: Color
    ) -> tuple[tuple[int, int], ...]:
        """Fill in around fresh stones, to a fixpoint; return the pairs that ``winner`` captures.

        Dead cells, and what the other player captures, get the other player's stones.
        """
        loser = winner.opponent
        pairs: list[tuple[int, int]] = []
        waiting = {near for cell in fresh for near in (cell, *self._near[cell])}
        while waiting:
            cell = waiting.pop()
            if stones[cell] != EMPTY:
                continue
            filled: tuple[int, ...] = ()
            if self.is_dead(stones, cell):
                stones[cell] = loser
                filled = (cell,)
            else:
                for near in self._near[cell]:
                    owner = self._captor(stones, cell, near)
                    if owner is not None:
                        stones[cell] = stones[near] = owner
                        filled = (cell, near)
                        if owner is winner:
                            pairs.append((cell, near))
                        break
            waiting.update(near for done in filled for near in self._near[done])
        return tuple(pairs)

    def _captor(self, stones: bytearray, one: int, other: int) -> Color | None:
        if stones[other] == EMPTY:
            for color in Color:
                if self.kills(stones, color, one, other) and self.kills(stones, color, other, one):
                    return color
        return None


def _ring_of(board: Board, cell: int) -> tuple[int, ...]:
    row, column = divmod(cell, board.columns)
    found = []
    for down, right in _RING:
        r, c = row + down, column + right
        above, beside = not 0 <= r < board.rows, not 0 <= c < board.columns
        if above or beside:
            # what lies beyond a corner could be anybody's: as an empty cell it proves least
            place = EMPTY if above and beside else Color.BLACK if above else Color.WHITE
            found.append(board.cells + place)
        else:
            found.append(r * board.columns + c)
    return tuple(found)
