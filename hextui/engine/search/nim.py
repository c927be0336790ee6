"""Nim, a game for `best_move` that has no board: who takes the last stone wins."""

from dataclasses import dataclass

MOST_STONES = 9
"""In all heaps together: the search looks at every line."""
_TAKES = MOST_STONES + 1


@dataclass(frozen=True)
class Nim:
    """The stones in each heap, and the player to move: 0 begins.

    A move takes stones from one heap: ``heap * 10 + taken``.

    >>> game = Nim.parse("1,3")
    >>> [game.move_name(move) for move in game.moves]
    ['a-1', 'b-1', 'b-2', 'b-3']
    >>> print(game.play(12))
    a  o
    b  o
    """

    heaps: tuple[int, ...]
    to_move: int = 0

    @staticmethod
    def parse(text: str) -> "Nim":
        """Read the stones of the heaps with commas between.

        Raises ValueError for anything else, and for more than 9 stones or 9 heaps.
        """
        words = text.split(",")
        if not all(word.strip().isdecimal() and word.strip().isascii() for word in words):
            raise ValueError(f"not heaps of stones such as 1,2,3: {text!r}")
        if len(words) > MOST_STONES or sum(min(int(word[:9]), 10) for word in words) > MOST_STONES:
            raise ValueError(f"nim takes {MOST_STONES} stones and {MOST_STONES} heaps at most")
        return Nim(tuple(map(int, words)))

    @property
    def winner(self) -> int | None:
        """Who has taken the last stone; of heaps that are empty to begin with, player 1."""
        return None if any(self.heaps) else 1 - self.to_move

    @property
    def moves(self) -> tuple[int, ...]:
        """All that can be taken, heap by heap."""
        return tuple(
            heap * _TAKES + taken
            for heap, stones in enumerate(self.heaps)
            for taken in range(1, stones + 1)
        )

    def play(self, move: int) -> "Nim":
        """Return the state after stones are taken."""
        heap, taken = divmod(move, _TAKES)
        left = self.heaps[heap] - taken
        return Nim((*self.heaps[:heap], left, *self.heaps[heap + 1 :]), 1 - self.to_move)

    def move_name(self, move: int) -> str:
        """Return the heap's letter and what is taken: ``b-2``."""
        heap, taken = divmod(move, _TAKES)
        return f"{'abcdefghi'[heap]}-{taken}"

    def player_name(self, player: int) -> str:
        """Return ``First`` or ``Second``."""
        return ("First", "Second")[player]

    def __str__(self) -> str:
        rows = zip("abcdefghi", self.heaps, strict=False)
        return "\n".join(f"{name}  {' '.join('o' * stones)}".rstrip() for name, stones in rows)
