"""The user's own mistakes: asked again, in one game or by kind in the library, kept as puzzles."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import (
    Blunder,
    CostlyMove,
    LowRank,
    MistakeKind,
    OpeningKind,
    OpeningMistake,
    ReviewEntry,
    blunders,
    kind_of,
)
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.verdicts import KnownMoves
from hextui.library.answers import GameRow
from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.locations import PRIVATE, make_private_folder
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.text import Names, is_part_of
from hextui.train.guess import GuessTurn, Wanted, reviewed
from hextui.train.kept_games import KeptGame
from hextui.train.play_settings import player_words
from hextui.train.progress import Known, training_order
from hextui.train.puzzle import Puzzle, Theme, puzzle_record, read_puzzles


@dataclass(frozen=True)
class OwnMistake:
    """A proved mistake of the user: the turn, the kind of mistake, and the date of the game.

    ``is_last``: no other mistake is proved after it.
    """

    turn: GuessTurn
    kind: MistakeKind
    date: str
    is_last: bool = False


def mistake_turns(
    entries: Iterable[ReviewEntry],
    positions: Sequence[GamePosition],
    record: Record,
    name: str,
    estimates: Estimates,
) -> list[GuessTurn]:
    """Return the turns of mistakes of a game, in the same order.

    ``name``: of the game. Swaps are left out: where one was wrong, the other answer is right.
    """
    by_ply = {turn_position.ply: turn_position for turn_position in positions}
    turns = []
    for entry in entries:
        turn_position = by_ply[entry.moves[0].ply - 1]
        turn = GuessTurn(
            record=record,
            name=name,
            game_position=turn_position,
            proved=estimates.verdicts.moves(turn_position.position),
        )
        match entry:
            case OpeningMistake(kind=OpeningKind.TOO_STRONG | OpeningKind.TOO_WEAK):
                proved = KnownMoves()  # what is proved holds if nobody swaps
                turns.append(replace(turn, wanted=Wanted.FIRST_STONE, proved=proved))
            case Blunder():
                turns.append(replace(turn, wanted=Wanted.WINNING))
            case CostlyMove(best=best) | LowRank(best=best):
                turns.append(replace(turn, wanted=Wanted.BETTER, best=best))
    return turns


def my_mistakes(library: Library, reviews: ReviewStore, player: str) -> list[OwnMistake]:
    """Return a player's proved mistakes in the library, those of new games first.

    ``player`` is a part of a name. First stones and swaps are left out.
    """
    mistakes = []
    for row in library.games(Filter(player=player), order="id", descending=True):
        record = read_record(library.text(row.id) or "")
        mistakes += mistakes_in(row, record, reviews, player)
    return mistakes


def mistakes_in(
    row: GameRow, record: Record, reviews: ReviewStore, player: str
) -> list[OwnMistake]:
    """Return a player's proved mistakes in a game of the library, in the order of play.

    ``player`` is a part of a name. First stones and swaps are left out.
    """
    sides = [c for c in Color if is_part_of(player, record.player(c))]
    return _mistakes_of(sides, record, row.label, row.date, reviews)


def mistakes_against_program(games: Iterable[KeptGame], reviews: ReviewStore) -> list[OwnMistake]:
    """Return the user's proved mistakes in games against the program that are over and reviewed.

    Those of new games come first. Games that cannot be read are left out.
    """
    mistakes: list[OwnMistake] = []
    for game in games:
        if game.won is None:
            continue
        with suppress(RecordError):
            record = game.record()
            name = f"vs {player_words(game.settings.opponent)}"
            mistakes[:0] = _mistakes_of([game.color], record, name, record.info("DT"), reviews)
    return mistakes


def _mistakes_of(
    sides: Collection[Color], record: Record, name: str, date: str, reviews: ReviewStore
) -> list[OwnMistake]:
    """Return the proved mistakes of players, by their colours at the end of a game."""
    if not reviews.mistakes(record):
        return []
    positions, estimates = reviewed(record, reviews)
    all_blunders = blunders(positions, estimates)
    own = [blunder for blunder in all_blunders if blunder.player in sides]
    turns = mistake_turns(own, positions, record, name, estimates)
    mistakes = []
    for turn, blunder in zip(turns, own, strict=True):
        kind = kind_of(blunder, all_blunders, estimates)
        mistakes.append(OwnMistake(turn, kind, date, is_last=blunder is all_blunders[-1]))
    return mistakes


@dataclass(frozen=True)
class MistakesOfKind:
    """Mistakes of a kind, None for all: how many were solved at the last try, and their dates.

    ``first`` and ``latest``: of their games, '' where no game has a date.
    """

    kind: MistakeKind | None
    mistakes: tuple[OwnMistake, ...]
    solved: int
    first: str
    latest: str


def by_kind(mistakes: Sequence[OwnMistake], histories: Known) -> list[MistakesOfKind]:
    """Return all mistakes, then those of each kind; ``histories``: the progress with each.

    Each are in the order to try them: those due, new ones, the others.
    """
    puzzles = [puzzle_of_turn(mistake.turn) for mistake in mistakes]
    first = training_order(puzzles, histories)
    order = [*first, *(place for place in range(len(mistakes)) if place not in set(first))]
    groups = [_group(None, order, mistakes, histories)]
    for kind in MistakeKind:
        places = [place for place in order if mistakes[place].kind is kind]
        if places:
            groups.append(_group(kind, places, mistakes, histories))
    return groups


def _group(
    kind: MistakeKind | None,
    places: Sequence[int],
    mistakes: Sequence[OwnMistake],
    histories: Known,
) -> MistakesOfKind:
    chosen = tuple(mistakes[place] for place in places)
    solved = 0
    for place in places:
        progress = histories[place]
        if progress is not None and progress.solved:
            solved += 1
    dates = sorted(filter(None, (mistake.date for mistake in chosen))) or [""]
    return MistakesOfKind(
        kind=kind, mistakes=chosen, solved=solved, first=dates[0], latest=dates[-1]
    )


def puzzle_of_turn(turn: GuessTurn) -> Puzzle:
    """Return the position of a turn as a puzzle, with its solution where that is proved."""
    position = turn.position.without_swap
    wins = tuple(sorted(turn.proved.wins)) if turn.proved.complete else ()
    moves = list(wins)
    if wins and turn.played not in wins:
        moves.append(turn.played)
    return Puzzle(
        position=position,
        wins=wins,
        lines=tuple(Cells(position.board, (move,)) for move in moves),
        theme=Theme.MISTAKE,
        name=f"{turn.name}, ply {turn.game_position.ply}",
    )


def keep_puzzle(path: Path, puzzle: Puzzle) -> None:
    """Add a puzzle to a collection, which is made if there is none, unless it has it already.

    Raises RecordError if the collection cannot be read or written.
    """
    kept = list(read_puzzles(path)) if path.exists() else []
    if puzzle.key in {other.key for other in kept}:
        return
    texts = [write_sgf(puzzle_record(each, Names.BLACK_WHITE)) for each in (*kept, puzzle)]
    make_private_folder(path.parent)
    save_file(path, "\n".join(texts), PRIVATE)
