"""What became of the games of files: read, repaired, guessed, passed over."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class PassedKind(StrEnum):
    """What is passed over: a record that cannot be read, a text or archive without, or the rest."""

    BROKEN = "broken"
    NO_GAMES = "no games"
    OTHER = "other"


@dataclass(frozen=True)
class PassedOver:
    """A file, or a member of an archive, of which no game was read, or not the rest; and why."""

    source: str
    reason: str
    kind: PassedKind = PassedKind.NO_GAMES

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


@dataclass
class ReadSummary:
    """Counts the games that are read, and lists what is passed over.

    ``repaired`` games have errors and were read as far as possible; of ``guessed`` ones the board
    or the character set is not certain. Both are among the ``games``.
    """

    games: int = 0
    repaired: int = 0
    guessed: int = 0
    passed_over: list[PassedOver] = field(default_factory=list)

    @property
    def is_broken(self) -> bool:
        """Whether anything was passed over that should hold games."""
        return any(passed.kind is PassedKind.BROKEN for passed in self.passed_over)

    @property
    def text(self) -> str:
        """What is not ordinary, in words: ``2 repaired, 1 guessed, 3 passed over``; else ''."""
        counts = {
            "repaired": self.repaired,
            "guessed": self.guessed,
            "passed over": len(self.passed_over),
        }
        return ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)

    def document(self) -> dict[str, Any]:
        """Return what JSON says of it."""
        return {
            "read": self.games,
            "repaired": self.repaired,
            "guessed": self.guessed,
            "passed_over": [vars(passed) for passed in self.passed_over],
        }
