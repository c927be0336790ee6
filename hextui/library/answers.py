"""What the library answers: games, moves on file, what an import has done."""

from dataclasses import dataclass
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.retrograde import Value


@dataclass(frozen=True)
class Broken:
    """A game, or a file with ``number`` None, that was skipped, and why."""

    source: str
    number: int | None
    reason: str


@dataclass(frozen=True)
class Imported:
    """What an import has done: games added, duplicates found, games skipped.

    ``waiting`` games are read and not in the library yet; ``stopped`` says that there may be more.
    """

    added: int = 0
    duplicates: int = 0
    broken: tuple[Broken, ...] = ()
    waiting: int = 0
    stopped: bool = False


@dataclass(frozen=True)
class GameRow:
    """What the library knows of a game; ``ply`` is the one asked for, 0 without a position."""

    id: int
    board: Board
    black: str
    white: str
    event: str
    date: str
    winner: Color | None
    how: str
    plies: int
    source: str
    number: int
    ply: int = 0

    @property
    def names(self) -> tuple[str, str]:
        """Both players' names, ``?`` for one unknown; the file and its game if both are."""
        if not (self.black or self.white):
            return Path(self.source).stem, f"game {self.number}"
        return self.black or "?", self.white or "?"

    @property
    def result(self) -> str:
        """The result as SGF writes it: ``B+R``, ``W+``, '' if it is not known."""
        if self.winner is None:
            return self.how
        return f"{'BW'[self.winner - 1]}+{'' if self.how == 'chain' else self.how}"


@dataclass(frozen=True)
class ExploredMove:
    """A move on file: games with it and how many of them each colour won, value for who makes it.

    ``same`` are the moves that are equal to it by symmetry; ``last_year`` is None if unknown.
    """

    move: Move
    same: tuple[Move, ...]
    games: int
    black_wins: int
    white_wins: int
    value: Value
    last_year: int | None

    @property
    def verdict(self) -> str:
        """``winning``, ``possibly winning``, ``losing`` or ``possibly losing``."""
        word = "winning" if self.value.winning else "losing"
        return word if self.value.certain else f"possibly {word}"


@dataclass(frozen=True)
class Explored:
    """What is on file at a position: games through it, moves (the best first)."""

    games: int
    moves: tuple[ExploredMove, ...]

    @property
    def best(self) -> ExploredMove | None:
        """The best move, None if no game goes on from here."""
        return self.moves[0] if self.moves else None


NOTHING = Explored(0, ())


@dataclass(frozen=True)
class Filter:
    """Which games are meant: part of a player's or event's name, beginning of the date, board."""

    player: str | None = None
    event: str | None = None
    date: str | None = None
    board: Board | None = None
    source: str | None = None

    def __bool__(self) -> bool:
        """Whether it leaves any game out."""
        return self != ALL_GAMES


ALL_GAMES = Filter()


@dataclass(frozen=True)
class Stats:
    """How much there is: games, of them with a known winner, positions, moves, bytes."""

    games: int
    decided: int
    positions: int
    moves: int
    bytes: int
