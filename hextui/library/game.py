"""What the library keeps of each record."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color, LargeBoard
from hextui.engine.limit import NOT_ANALYSED
from hextui.engine.position import Move, MoveKind
from hextui.library.answers import Broken, files_of, source_of, storable
from hextui.library.graph_positions import GamePositions, is_resignation, positions_of
from hextui.library.schema import LONGEST_GAME, MIB
from hextui.library.stored_games import packed_moves, stored_text, swapper_of
from hextui.records.codecs.sgf import unreadable_property
from hextui.records.dates import iso_date, year_of
from hextui.records.formats import read_collection
from hextui.records.move_line import MoveLine
from hextui.records.record import Record
from hextui.records.record_text import NoGamesError, RecordError
from hextui.records.summary import PassedOver, ReadSummary
from hextui.records.tree import Node, Turn

_INFO = {"black": "PB", "white": "PW", "event": "EV", "title": "GN", "date": "DT"}
MOST_NOTES = 1000
"""Notes on games that are kept: the summary counts all."""
_GROUP = 256  # records
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Game:
    """One game: its data, ``digest`` of board, main line and winner, and positions.

    ``equals`` and ``contraries`` are digests of this game and of the one that the other player won.
    Each has one where the last turn is the loser's resignation, and one where only the result says
    who won. Its own digest is the first of ``equals``.
    ``date`` is that of `iso_date`. ``how`` says how it ended: ``R``, ``T``, '' if unknown. For
    ``moves`` and ``text`` see ``stored_games``. ``swapper`` is a Color, 0 if nobody swapped.
    """

    digest: bytes
    equals: tuple[bytes, ...]
    contraries: tuple[bytes, ...]
    rows: int
    columns: int
    black: str
    white: str
    event: str
    title: str
    date: str
    year: int | None
    winner: Color | None
    how: str
    plies: int
    number: int
    moves: bytes
    text: str
    swapper: int
    positions: GamePositions


def game_of(record: Record) -> Game:
    """Return the game of a main line. Raises RecordError without turns, or for what is not kept."""
    (game,) = games_of([record])
    if isinstance(game, RecordError):
        raise game
    return game


def games_of(records: Sequence[Record]) -> list[Game | RecordError]:
    """Return the game of each main line, or why it is not kept."""
    refused = [_refusal(record) for record in records]
    kept = [record for record, error in zip(records, refused, strict=True) if error is None]
    positions = iter(positions_of(kept))
    games: list[Game | RecordError] = []
    for record, error in zip(records, refused, strict=True):
        game = error or _game(record, next(positions))
        if isinstance(game, Game) and len(game.text.encode()) > LONGEST_GAME:
            game = RecordError(f"the game has more than {LONGEST_GAME // MIB} MiB as SGF")
        games.append(game)
    return games


def _refusal(record: Record) -> RecordError | None:
    """Return why a game is not kept, None if it is."""
    if record.plies == 0:
        return RecordError("the game has no moves")
    if isinstance(record.board, LargeBoard):
        return RecordError(NOT_ANALYSED)
    if what := unreadable_property(record):
        return RecordError(f"SGF cannot hold {what}")
    return None


def _game(record: Record, game_positions: GamePositions) -> Game:
    winner, how = _outcome(record, game_positions)
    texts = {name: storable(record.info(code)) for name, code in _INFO.items()}
    texts["date"] = iso_date(texts["date"])
    digest, equals, contraries = _digests(record, winner)
    return Game(
        digest=digest,
        equals=equals,
        contraries=contraries,
        rows=record.board.rows,
        columns=record.board.columns,
        **texts,
        year=year_of(texts["date"]),
        winner=winner,
        how=storable(how),
        plies=record.plies,
        number=record.origin.number if record.origin else 1,
        moves=packed_moves(record),
        text=stored_text(record),
        swapper=swapper_of(record),
        positions=game_positions,
    )


def _outcome(record: Record, game_positions: GamePositions) -> tuple[Color | None, str]:
    """Return who won and how: by the chain on the board, or as the record or a resignation says."""
    result = record.result
    winner = result.winner
    how = result.how
    if game_positions.complete:
        return Color(game_positions.movers[-1]).opponent, how or "chain"
    if winner is not None:
        return winner, how
    last = _resignation(record)
    return (last.color.opponent, how or "R") if last else (None, how)


def _resignation(record: Record) -> Turn | None:
    """Return the last turn if it is a resignation."""
    line = record.move_line
    last = record.root.end().turn if line is None else line.end
    return last if last and is_resignation(last) else None


def _digests(
    record: Record, winner: Color | None
) -> tuple[bytes, tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the digests of a game, see `Game`: equal for the same board, setups, turns, winner."""
    line = record.move_line
    nodes = _words_of_nodes(record.main_line()) if line is None else _words_of_line(line)
    words = [str(record.board), *nodes]
    last = _resignation(record)
    if winner is None or (last and last.color is winner):
        digest = _hash_of(words).digest() + bytes([winner or 0])
        return digest, (digest,), ()
    resigned = last is not None
    played = _hash_of(words[:-1] if resigned else words)
    own, other = _won(played, winner)[:: -1 if resigned else 1]
    return own, (own, other), _won(played, winner.opponent)


def _hash_of(words: Iterable[str]) -> blake2b:
    return blake2b("\n".join(words).encode(), digest_size=16)


def _won(played: blake2b, winner: Color) -> tuple[bytes, bytes]:
    """Return the digest of a game that a player won, and that with the loser's resignation."""
    resigned = played.copy()
    resigned.update(f"\n{_RESIGNATIONS[winner.opponent]}".encode())
    ending = bytes([winner])
    return played.digest() + ending, resigned.digest() + ending


def _words_of_nodes(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if node.setup:
            setup = node.setup
            stones = tuple(setup.cells_with(stone) for stone in (*Color, EMPTY))
            yield f"setup {stones} {setup.to_move}"
        if node.turn:
            yield _word_of_turn(node.turn)


def _words_of_line(line: MoveLine) -> list[str]:
    words = _words_of_stones(line.board)
    turns = [words[color][cell] for color, cell in zip(line.colors, line.cells, strict=True)]
    if line.swap is not None:
        turns.insert(1, _word_of_turn(Turn(Color.WHITE, Move(line.swap))))
    if line.end is not None:
        turns.append(_word_of_turn(line.end))
    return turns


@cache
def _words_of_stones(board: Board) -> tuple[list[str], ...]:
    """Return the words of turns that put a stone on the board, by colour and cell."""
    moves = list(map(Move.play, range(board.cells)))
    black = [_word_of_turn(Turn(Color.BLACK, move)) for move in moves]
    white = [_word_of_turn(Turn(Color.WHITE, move)) for move in moves]
    return [], black, white


def _word_of_turn(turn: Turn) -> str:
    return f"{int(turn.color)} {turn.move.kind!s} {turn.move.cell}"


_RESIGNATIONS = {color: _word_of_turn(Turn(color, Move(MoveKind.RESIGN))) for color in Color}


def games_in(
    paths: Sequence[Path],
    board: Board | None,
    notes: dict[str, None],
    strict: bool = False,
    as_hex: bool = False,
    charset: str | None = None,
    summary: ReadSummary | None = None,
) -> Iterator[tuple[str, Game] | Broken]:
    """Yield the games of files and folders; what was guessed or left out goes into ``notes``.

    A file of a folder that is no record is passed over, one that is named is Broken.
    """
    named = {os.path.realpath(path) for path in paths}
    summary = ReadSummary() if summary is None else summary
    for path in _measured(list(files_of(paths, summary)), summary):
        if isinstance(path, Broken):
            yield path
            continue
        source = source_of(path)
        games = read_collection(path, board, strict, as_hex, charset, summary)
        try:
            yield from _games_of(source, games, notes)
        except NoGamesError as error:
            if str(path) in named:
                yield Broken(source, None, error.what)
            else:
                summary.passed_over.append(PassedOver(source, error.what))
        except RecordError as error:
            yield Broken(source, None, error.what)


def _measured(files: Sequence[Path | Broken], summary: ReadSummary) -> Iterator[Path | Broken]:
    """Yield files; the summary gets the bytes of all, and of those that were yielded before."""
    sizes = list(map(_size, files))
    summary.all_bytes = sum(sizes)
    for path, before in zip(files, accumulate(sizes, initial=0), strict=False):
        summary.read_bytes = before  # a file may not have been read to its end
        yield path
    summary.read_bytes = summary.all_bytes


def _size(path: Path | Broken) -> int:
    """Return the bytes of a file, 0 for a pipe, or if that is not known."""
    if isinstance(path, Broken):
        return 0
    try:
        return path.stat().st_size
    except OSError:  # says why when it is read
        return 0


def _games_of(
    source: str, records: Iterable[Record | RecordError], notes: dict[str, None]
) -> Iterator[tuple[str, Game] | Broken]:
    """Yield the games of a file; see `games_in`."""
    number = 0
    for group in _groups(records):
        games = iter(games_of([record for record in group if isinstance(record, Record)]))
        for record in group:
            number += 1
            game = record if isinstance(record, RecordError) else next(games)
            if isinstance(game, RecordError):
                yield Broken(source, number, game.what)
                continue
            if isinstance(record, Record):
                _take_notes(source, record, notes)
            yield source, game


def _groups(records: Iterable[Record | RecordError]) -> Iterator[list[Record | RecordError]]:
    """Yield records in groups, whose positions are computed together; see ``positions_of``.

    One that is read slowly is not waited for.
    """
    group = []
    try:
        for record in records:
            group.append(record)
            slow = isinstance(record, RecordError) or record.move_line is None
            if slow or len(group) == _GROUP:
                yield group
                group = []
    except RecordError:  # the rest of a file cannot be read
        yield group
        raise
    yield group


def _take_notes(source: str, record: Record, notes: dict[str, None]) -> None:
    if record.origin and len(notes) < MOST_NOTES:
        for note in record.origin.notes:
            notes[f"{source}: {note}"] = None
