"""What a first move is worth under the swap rule. Nothing heavy is imported."""

from dataclasses import dataclass


@dataclass(frozen=True)
class JudgedOpening:
    """A first move: the chance that who makes it wins if nobody swaps, 0 to 1; proved or not."""

    cell: int
    chance: float
    proved: bool

    @property
    def swap(self) -> bool:
        """Whether the other side is to take the move over."""
        return self.chance > 0.5
