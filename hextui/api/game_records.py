"""Public API: game records, the library of games, the review of a game, and puzzles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hextui.api.positions import Closable, expect, expect_position
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.search.lines import LIVE_EVALUATORS
from hextui.records import record as records
from hextui.records.formats import read_record, source_of_argument
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.train.puzzle import BUILT_IN_FILE, Puzzle, read_puzzles

if TYPE_CHECKING:
    from hextui.analysis.estimates import Estimates
    from hextui.analysis.game_positions import GamePosition
    from hextui.analysis.mistakes import Blunder
    from hextui.library.answers import ExploredMove, GameRow, Imported
    from hextui.library.library import Library
    from hextui.library.player_games import PlayerGames

__all__ = [
    "Puzzle", "Record", "RecordError", "open_library", "puzzles", "read", "report", "write",
]  # fmt: skip


class Record(records.Record):
    """A game record: the tree of moves, with what is known about the game, and undoable edits.

    ``position(ply=20)`` is the position after 20 turns of the main line. ``plies``, ``result``,
    ``player(color)``, ``info("EV")`` read the record; ``play``, ``set_comment`` and others edit it.

    >>> game = read("#5,a5c3b4")
    >>> game.player("black"), game.result.winner, game.plies
    ('', None, 3)
    >>> game.set_comment(game.root, "A short game.")
    >>> game.modified
    True
    """

    def save(self, path: str | Path) -> tuple[str, ...]:
        """Write the record to a file in the format of its ending, else as SGF.

        The file is replaced as a whole or not at all. Returns what the format leaves out, in words.
        Raises RecordError if the file cannot be written, or holds other games that would be lost.
        """
        from hextui.records.writing import save
        from hextui.words.files import loss_words

        expect(path, str | Path, "a file's name")
        lost = save(self, Path(path)).lost
        self.mark_saved(self.last_edit)
        return tuple(loss_words(lost))


def read(source: str | Path, number: int = 1) -> Record:
    """Return a game record, the first of a file by default.

    ``source`` is a file of any supported format, or any POSITION of the command line: a HexWorld
    link or fragment, SGF text, ``-`` for standard input. Raises RecordError, a ValueError in one
    line.

    >>> game = read("(;FF[4]GM[11]SZ[5];B[a5];W[c3];B[b4])")
    >>> game.plies, game.position(ply=2).legal_moves[:3]
    (3, ('a1', 'b1', 'c1'))
    """
    expect(source, str | Path, "a file, a link or SGF text")
    expect(number, int, "the number of a game")
    named = source_of_argument(source) if isinstance(source, str) else source
    record = read_record(named, number)
    game = Record(record.board, record.root)
    game.origin = record.origin
    return game


def write(record: records.Record, target: str | Path) -> str:
    """Return a record as text in a format, or write it to a file whose ending says the format.

    ``target`` is a format (``sgf``, ``hexworld``, ...) or a file. The text is read again to check
    it. Raises RecordError for a target that is neither, or a record that the format cannot hold.

    >>> print(write(read("(;FF[4]GM[11]SZ[5];B[a5];W[c3])"), "hexworld"))
    https://hexworld.org/board/#5c1,a5c3
    """
    from hextui.records.writing import save, target_of, written

    expect(record, records.Record, "a Record (hextui.read makes one)")
    expect(target, str | Path, "a format or a file's name")
    codec, path = target_of(str(target))
    if path is None:
        return written(record, codec.name).text
    save(record, path)
    return codec.write(record)


class GameLibrary(Closable):
    """An open library of games. Use ``with``, or ``close`` it; each thread opens its own.

    All methods raise LibraryError, in one line, if the file cannot be used.
    """

    def __init__(self, library: "Library") -> None:
        self._library = library

    def __len__(self) -> int:
        return self._library.count()

    def close(self) -> None:
        """Close the file."""
        self._library.close()

    def add(self, *paths: str | Path) -> "Imported":
        """Import the games of files and folders; returns how many were added, and what is broken.

        Games that are there already are counted as duplicates.
        """
        for path in paths:
            expect(path, str | Path, "a file's name")
        return self._library.import_paths([Path(path) for path in paths])

    def explore(self, position: Position) -> "tuple[ExploredMove, ...]":
        """Return the moves of the games at a position, the best first."""
        return self._library.explore(expect_position(position)).moves

    def games(
        self,
        position: Position | None = None,
        *,
        player: str | None = None,
        event: str | None = None,
        date: str | None = None,
        limit: int | None = None,
    ) -> "list[GameRow]":
        """Return games, through a position if given; each has an ``id`` for ``read``.

        ``player`` and ``event`` are parts of names, ``date`` is the start of one ("2019-05"), or a
        range ("2019..2021"). Raises ValueError for a range that is none.
        """
        from hextui.library.filters import filter_of

        if position is not None:
            expect_position(position)
        texts = {"player": player, "event": event, "date": date}
        chosen = filter_of({name: text for name, text in texts.items() if text is not None})
        return self._library.games(chosen, position, -1 if limit is None else limit)

    def player(self, name: str) -> "PlayerGames":
        """Return the games of the player of this whole name, with their ``score``.

        Raises UnknownPlayerError, a ValueError in one line with the nearest names.
        """
        from hextui.library.player_games import player_games

        expect(name, str, "a player's name")
        return player_games(self._library, name)

    def read(self, number: int) -> Record:
        """Return a game by its id; raises RecordError if there is none."""
        expect(number, int, "a game's id")
        text = self._library.text(number)
        if text is None:
            raise RecordError(f"there is no game {number} in the library")
        return read(text)

    def remove(self, *numbers: int) -> int:
        """Remove games by their ids; returns how many were there."""
        return self._library.remove(numbers)


def open_library(path: str | Path | None = None) -> GameLibrary:
    """Open a library of games, by default that of the workstation; a new file is created.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     read("(;FF[4]GM[11]SZ[5]RE[B+];B[a5];W[c3];B[b4])").save(f"{folder}/game.sgf")
    ...     with open_library(f"{folder}/games.sqlite") as library:
    ...         added = library.add(f"{folder}/game.sgf").added
    ...         moves = library.explore(read("#5,a5").position())
    ()
    >>> added, moves[0].move, moves[0].black_wins
    (1, 'c3', 1)
    """
    from hextui.library.library import Library

    expect(path, str | Path | None, "a file's name")
    return GameLibrary(Library(None if path is None else Path(path)))


class ReviewedPly(NamedTuple):
    """A position of a game, and the move made there (None at the end, or for a swap or a pass).

    ``winner`` is set if it is proved. ``win_probability`` is Black's, 0 to 1, by a proof or the
    tree search, None if unknown. ``best`` maps evaluators to the moves that they prefer.
    """

    ply: int
    to_move: Color
    move: str | None
    winner: Color | None
    win_probability: float | None
    best: Mapping[str, str]


class GameMistake(NamedTuple):
    """A move that gave a proved win away, or several ``moves`` of ``color`` one of which did.

    ``plies`` count from 1. ``winning_moves`` are those proved to win instead. ``kind`` and ``text``
    say the same in words.
    """

    color: Color
    plies: tuple[int, ...]
    moves: tuple[str, ...]
    winning_moves: tuple[str, ...]
    kind: str
    text: str


@dataclass(frozen=True)
class GameReview:
    """The facts of a game; ``str`` is a short text for people.

    ``decided``: the first ply from which one colour is proved to win to the end; None if unknown.
    ``top_1[evaluator][color]``: the share of a player's moves that the evaluator ranks first, None
    without moves. Proofs assume that nobody swaps.
    """

    plies: tuple[ReviewedPly, ...]
    mistakes: tuple[GameMistake, ...]
    decided: int | None
    top_1: Mapping[str, Mapping[Color, float | None]]

    def __str__(self) -> str:
        texts = [mistake.text for mistake in self.mistakes]
        if self.decided is not None:
            winner = self.plies[-1].winner
            texts.append(f"{winner} is proved to win from ply {self.decided} on.".capitalize())
        return "\n".join(texts) or "No move is proved to have given a win away."


def report(
    record: records.Record,
    evaluators: Sequence[str] = LIVE_EVALUATORS,
    *,
    seconds: float | None = None,
) -> GameReview:
    """Analyse the main line of a game: who wins, which moves gave a win away, what was better.

    ``seconds`` is the solver's budget of processor time, 60 by default; 0 for no proofs by it.
    Results stored in the record are reused; the record is not changed. Raises ValueError for an
    unknown evaluator, EngineError if an attached engine fails.

    >>> print(report(read("#3,b1c1b2"), ["resistance"], seconds=1))
    White gave the win away with 2. c1: only b2 won (proved).
    Black is proved to win from ply 2 on.
    """
    from hextui.analysis.game_report import decided, player_reports
    from hextui.analysis.mistakes import blunders
    from hextui.analysis.stored_analysis import stored_estimates
    from hextui.analysis.whole_game import analyse_game
    from hextui.engines.limits import GAME_SECONDS, cores
    from hextui.engines.registry import evaluator_called, user_engines

    expect(record, records.Record, "a Record (hextui.read makes one)")
    expect(evaluators, Sequence, "a list of evaluators' names")
    names = [evaluator_called(name).name for name in evaluators]
    line, estimates = stored_estimates(record)
    budget = GAME_SECONDS if seconds is None else seconds
    for _ in analyse_game(line, names, estimates, cores(), budget, others=user_engines().lane):
        pass
    faults = blunders(line, estimates)
    top_1: dict[str, dict[Color, float | None]] = {}
    for by, players in player_reports(line, names, estimates).items():
        top_1[by] = {color: report.top_1 for color, report in players.items()}
    return GameReview(
        plies=tuple(_reviewed_plies(line, estimates, names)),
        mistakes=tuple(_mistake(mistake, faults, estimates) for mistake in faults),
        decided=decided(line, estimates),
        top_1=top_1,
    )


def _reviewed_plies(
    line: "Sequence[GamePosition]", estimates: "Estimates", names: Sequence[str]
) -> Iterator[ReviewedPly]:
    """Yield what is known of each position of a game."""
    from hextui.analysis.game_report import advantages

    ahead = advantages(line, estimates, names)
    for game_position in line:
        name = game_position.position.board.name
        verdict = estimates.verdict(game_position.position)
        advantage = ahead.get(game_position.ply)
        best = {}
        for by in names:
            if estimate := estimates.of(game_position, by):
                best[by] = name(estimate.best[0])
        yield ReviewedPly(
            ply=game_position.ply,
            to_move=game_position.position.to_move,
            move=None if game_position.cell is None else name(game_position.cell),
            winner=verdict.winner if verdict else None,
            win_probability=advantage.win_probability if advantage else None,
            best=best,
        )


def _mistake(
    mistake: "Blunder", faults: "Sequence[Blunder]", estimates: "Estimates"
) -> GameMistake:
    from hextui.analysis.mistakes import kind_of
    from hextui.words.reviews import mistake_sentence

    name = mistake.before.position.board.name
    return GameMistake(
        color=mistake.color,
        plies=tuple(move.ply for move in mistake.moves),
        moves=tuple(name(move.cell) for move in mistake.moves),
        winning_moves=tuple(map(name, mistake.wins)),
        kind=str(kind_of(mistake, faults, estimates)),
        text=mistake_sentence(mistake, Names.BLACK_WHITE),
    )


def puzzles(source: str | Path | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file in any format, a folder, or SGF text; by default the built-in.

    Records that set up no stones are left out. Raises RecordError, a ValueError in one line, for
    what cannot be read.

    >>> [puzzle.winning_moves for puzzle in puzzles("(;GM[11]SZ[3]AB[a1]AW[c3]PL[B])")]
    [<Cells>]
    """
    expect(source, str | Path | None, "a file, a folder or SGF text")
    named = source_of_argument(source) if isinstance(source, str) else source or BUILT_IN_FILE
    return tuple(read_puzzles(named))
