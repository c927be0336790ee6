"""The files an import reads, and results of the library: games, explored moves, imports."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.retrograde import Value
from hextui.locations import is_pipe
from hextui.records.summary import PassedOver, ReadSummary
from hextui.records.unpacking import MACOS, is_of_system, not_a_record
from hextui.text import Names

ENOUGH_GAMES = 5  # that agree make a verdict


@dataclass(frozen=True)
class Broken:
    """A game, or a file with ``number`` None, that was skipped, and why."""

    source: str
    number: int | None
    reason: str


def storable(text: str) -> str:
    r"""Return text as the library's file can hold it: halves of surrogate pairs are spelled out.

    They stand for bytes of a file's name that are not UTF-8, or come from escapes in JSON.

    >>> storable("\udcff.sgf")
    '\\udcff.sgf'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def source_of(path: Path) -> str:
    """Return the name of a file or folder as the library keeps it: absolute, links followed.

    Pipes, of which the system has names such as ``pipe:[7]``, keep their names.
    """
    return storable(os.path.abspath(path) if is_pipe(path) else os.path.realpath(path))


def files_of(paths: Sequence[Path], summary: ReadSummary | None = None) -> Iterator[Path | Broken]:
    """Yield the files named, and those in folders whose ending is one of a record, in order.

    Hidden folders inside a folder are skipped: they hold what programs keep. A folder that cannot
    be read is yielded as Broken. ``summary`` gets the other files of folders, except those that
    systems add.
    """
    for path in paths:
        whole = Path(os.path.realpath(path))
        if os.path.isdir(whole):
            yield from _records_in(whole, summary)
        else:
            yield path if is_pipe(path) else whole


def _records_in(folder: Path, summary: ReadSummary | None) -> Iterator[Path | Broken]:
    from hextui.records.codecs import suffixes  # here: the screen needs only the results

    unreadable: list[OSError] = []
    for file in _files_in(folder, unreadable.append):
        reason = not_a_record(file.name, suffixes())
        if not file.is_file():
            continue
        if not reason:
            yield Path(os.path.realpath(file))
        elif summary is not None:
            why, kind = reason
            summary.passed_over.append(PassedOver(storable(str(file)), why, kind))
    for error in unreadable:
        what = f"cannot be read: {error.strerror}"
        yield Broken(storable(str(error.filename)), None, what)


def _files_in(folder: Path, on_error: Callable[[OSError], None]) -> list[Path]:
    """Return the files in a folder and in those inside, in order, but for what programs keep."""
    files = []
    for place, folders, names in os.walk(folder, onerror=on_error):
        folders[:] = (name for name in folders if not name.startswith(".") and name != MACOS)
        files += [Path(place, name) for name in names if not is_of_system(name)]
    return sorted(files)


@dataclass(frozen=True)
class Imported:
    """What an import has done: games added, duplicates found, games skipped, notes of guesses.

    ``contradicting`` of those added have the moves of another game and the other winner.
    ``waiting`` games are read and not in the library yet; if ``stopped`` there may be more.
    ``summary`` counts what was read, and lists what was passed over. ``seconds`` it has taken.
    """

    added: int = 0
    contradicting: int = 0
    duplicates: int = 0
    broken: tuple[Broken, ...] = ()
    notes: tuple[str, ...] = ()
    waiting: int = 0
    stopped: bool = False
    summary: ReadSummary = field(default_factory=ReadSummary)
    seconds: float = field(default=0.0, compare=False)

    @property
    def read(self) -> int:
        """The number of games that were read so far, but for those skipped."""
        return self.added + self.duplicates + self.waiting

    @property
    def seconds_left(self) -> float | None:
        """The seconds that the rest will take if it is read as fast, None if that is not known."""
        done, of = self.summary.read_bytes, self.summary.all_bytes
        return self.seconds * (of - done) / done if 0 < done < of else None


@dataclass(frozen=True)
class GameRow:
    """What the library knows of a game; ``ply`` is the one asked for, 0 without a position.

    It is game ``number`` of the file ``source``; ``other_sources`` are further files that hold it,
    and its number there.

    ``mistake``: the proved mistake that decided it, or that is listed, in words; '' if unknown.
    """

    id: int
    board: Board
    black: str
    white: str
    event: str
    title: str
    date: str
    winner: Color | None
    how: str
    plies: int
    source: str
    number: int
    ply: int = 0
    mistake: str = ""
    other_sources: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> tuple[str, str]:
        """Both players' names, ``?`` for one unknown."""
        return self.black or "?", self.white or "?"

    @property
    def is_named(self) -> bool:
        """Whether a player is known."""
        return bool(self.black or self.white)

    @property
    def label(self) -> str:
        """The players, or without any the title or number of the game, and its file."""
        if self.is_named:
            return " - ".join(self.names)
        return f"{self.title or f'game {self.number}'} ({Path(self.source).stem})"

    def text(self, names: Names) -> str:
        """Return all that a list may show of it, in one line."""
        result = names.result(self.winner, self.how)
        return " ".join((self.label, result, self.date, self.event, str(self.board), str(self.id)))


@dataclass(frozen=True)
class GameCounts:
    """A number of games, and how many of them each colour won."""

    games: int = 0
    black_wins: int = 0
    white_wins: int = 0

    @property
    def contradicting(self) -> bool:
        """Whether their results contradict each other."""
        return bool(self.black_wins and self.white_wins)


@dataclass(frozen=True)
class ExploredMove:
    """A move of the explorer: games with it, how many each colour won, value for who makes it.

    ``same`` are the moves that are equal to it by symmetry; ``last_year`` is None if unknown.
    ``ended`` are the games of the whole library that end with it. ``best_reply`` is that to a
    losing move, None if no game has one: they end there, or the solver proved it.
    ``swapped``: how many of the games swapped it; None where that is not legal. ``everywhere``: the
    games of the whole library with it. ``mover`` makes it.
    """

    board: Board
    played: Move
    same: tuple[Move, ...]
    games: int
    black_wins: int
    white_wins: int
    value: Value
    last_year: int | None
    ended: GameCounts
    best_reply: Move | None
    swapped: int | None = None
    everywhere: GameCounts = GameCounts()
    mover: Color = Color.BLACK

    @property
    def move(self) -> str:
        """The name of the move, such as ``c4`` or ``swap-pieces``."""
        return self.played.name(self.board)

    @property
    def refutation(self) -> str | None:
        """The name of the best reply to a losing move; None if no game has one."""
        return None if self.best_reply is None else self.best_reply.name(self.board)

    @property
    def winning(self) -> bool:
        """Whether it wins for the side that makes it, as the games end."""
        return self.value.winning

    @property
    def certain(self) -> bool:
        """Whether that is proved."""
        return self.value.certain

    @property
    def decided(self) -> int:
        """The games whose winner is known."""
        return self.black_wins + self.white_wins

    @property
    def red_share(self) -> float | None:
        """The share of the decided games that the first player won, None if there are none."""
        return self.black_wins / self.decided if self.decided else None

    @property
    def agreeing(self) -> int:
        """The decided games that all agree with the value; 0 if one contradicts it."""
        games = self.everywhere
        wins, losses = games.black_wins, games.white_wins
        if self.mover is Color.WHITE:
            wins, losses = losses, wins
        if games.contradicting:
            return 0
        return wins if self.value.winning else losses

    @property
    def supported(self) -> bool:
        """Whether the value is proved, or enough games agree with it and none contradicts."""
        return self.value.certain or self.agreeing >= ENOUGH_GAMES

    @property
    def verdict(self) -> str:
        """``winning``, ``possibly winning``, ``losing`` or ``possibly losing``."""
        word = "winning" if self.value.winning else "losing"
        return word if self.value.certain else f"possibly {word}"


@dataclass(frozen=True)
class Explored:
    """The explorer at a position: games through it, moves (the best first), games that end there.

    ``line`` is the best line of the whole library: the best move, the best answer, to an end;
    ``line_games`` end with it. It is empty if no game that was asked for goes through the position.
    ``rare`` moves are left out: fewer games than were asked for have them. ``value`` is the
    position's for the side to move, by the whole library; None if no game goes through it.
    ``others`` are games in which the same first stone stands with the right to swap it changed.
    """

    games: int = 0
    moves: tuple[ExploredMove, ...] = ()
    ended: GameCounts = GameCounts()
    line: tuple[Move, ...] = ()
    rare: int = 0
    value: Value | None = None
    others: int = 0
    line_games: int = 0


NOTHING = Explored()


@dataclass(frozen=True)
class Stats:
    """How much there is; in ``contradictions`` positions games end with both results."""

    games: int
    decided: int
    positions: int
    moves: int
    contradictions: int
    bytes: int
