"""The derivative game by plain recursion over whole games: slow, and nothing shared with the
library but positions and their symmetries."""

from dataclasses import dataclass
from functools import lru_cache

from hextui.engine.board import Color
from hextui.engine.position import Position


@dataclass(frozen=True)
class Line:
    """The positions of a game up to its first chain, and who won (None: unknown)."""

    positions: tuple[Position, ...]
    winner: Color | None


@lru_cache(1 << 12)
def canonical(position: Position) -> bytes:
    """Bytes that are equal for positions that are the same game."""
    turned, mirrored = position.rotated(), position.mirrored()
    return min(p.key for p in (position, turned, mirrored, mirrored.rotated()))


def verdict(lines: list[Line], position: Position) -> tuple[str, bool, int]:
    """Return verdict, certainty and moves to the end for the side to move."""
    here = canonical(position)
    followers: dict[bytes, Position] = {}
    votes = 0
    for line in lines:
        for at, p in enumerate(line.positions):
            if canonical(p) != here:
                continue
            if at + 1 < len(line.positions):
                after = line.positions[at + 1]
                followers[canonical(after)] = after
            elif line.winner is not None:
                votes += 1 if line.winner is p.to_move else -1
    if position.winner is not None:
        return "losing", True, 0
    if not followers:
        return ("winning" if votes > 0 else "losing"), False, 0
    replies = [verdict(lines, after) for after in followers.values()]
    sure = [1 + n for word, certain, n in replies if word == "losing" and certain]
    maybe = [1 + n for word, certain, n in replies if word == "losing" and not certain]
    if sure:
        return "winning", True, min(sure)
    if maybe:
        return "winning", False, min(maybe)
    return "losing", False, max(1 + n for _, _, n in replies)
