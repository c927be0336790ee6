"""What became of the games of files: read, repaired, guessed, passed over, saved with losses."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any


class LeftOut(Enum):
    """What a format leaves out of a record, or writes as something else."""

    VARIATIONS = auto()
    SETUP = auto()  # stones that are set up are written as moves
    TURNS_OUT_OF_ORDER = auto()  # they get passes before them
    COMMENTS = auto()
    PLAYERS = auto()
    RESULT = auto()
    HOW_WON = auto()  # by resignation, say
    MAIN_LINE = auto()  # which line it is
    OTHER = auto()  # other properties of nodes


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
    or the character set is not certain. Both are among the ``games``. ``read_bytes`` of
    ``all_bytes`` of the files have been read, packed as they are; pipes do not count.
    """

    games: int = 0
    repaired: int = 0
    guessed: int = 0
    passed_over: list[PassedOver] = field(default_factory=list)
    read_bytes: int = 0
    all_bytes: int = 0

    @property
    def is_broken(self) -> bool:
        """Whether anything was passed over that should hold games."""
        return any(passed.kind is PassedKind.BROKEN for passed in self.passed_over)

    def document(self) -> dict[str, Any]:
        """Return what JSON says of it."""
        return {
            "read": self.games,
            "repaired": self.repaired,
            "guessed": self.guessed,
            "passed_over": [vars(passed) for passed in self.passed_over],
        }
