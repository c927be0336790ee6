"""The games of a collection that a study uses, the moves in them, and how high those rank."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path

from hextui.analysis.game_positions import game_positions
from hextui.engine.board import Board, Color, LargeBoard
from hextui.engine.position import Position
from hextui.engine.ranking import normalised
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.runs.results import Document, Table

MOST_FILES = 3
"""A collection's name lists at most this many files; a folder may hold thousands."""
_CHAMPIONSHIP = re.compile(r"\bchampionship: true\b")
_BOT = re.compile(r"\bbot: true\b")


@dataclass(frozen=True)
class Filters:
    """Which games to use; by default all whose winner is known.

    ``event``: part of its name. ``championship``: by a mark in the record or the event's name.
    ``human``: without the games marked as a bot's. ``chain``: ended by a chain on the board.
    ``sample``: at most so many of the games that pass, drawn by a seed.
    """

    size: Board | None = None
    event: str | None = None
    championship: bool = False
    human: bool = False
    chain: bool = False
    sample: int | None = None

    def reason_against(self, record: Record) -> str | None:
        """Return why a game is left out, None if it is used."""
        if isinstance(record.board, LargeBoard):
            return "too large"
        if self.size is not None and record.board != self.size:
            return "another size"
        if self.event is not None and self.event.lower() not in record.info("EV").lower():
            return "another event"
        if self.championship and not _is_of_championship(record):
            return "no championship"
        if self.human and _BOT.search(record.info("GC")):
            return "a bot played"
        if self.chain and record.position().winner is None:
            return "no chain on the board"
        if winner_of(record) is None:
            return "winner unknown"
        return None


def _is_of_championship(record: Record) -> bool:
    marked = _CHAMPIONSHIP.search(record.info("GC")) is not None
    return marked or "championship" in record.info("EV").lower()


@dataclass(frozen=True)
class GameTask:
    """A game on its way to a worker: its number in the collection, from 1, and its SGF."""

    number: int
    cells: int
    text: str


@dataclass(frozen=True)
class Collection:
    """The games used, and why others were left out (``reasons``, with counts)."""

    games: tuple[GameTask, ...]
    read: int
    reasons: tuple[tuple[str, int], ...]


def collect(paths: Sequence[Path], filters: Filters, seed: int = 0) -> Collection:
    """Read files of games, numbered from 1; a broken game is left out. Raises RecordError.

    ``seed`` draws the sample of the filters.
    """
    games: list[GameTask] = []
    reasons: Counter[str] = Counter()
    number = 0
    for number, record in enumerate(chain.from_iterable(map(read_collection, paths)), start=1):
        if isinstance(record, RecordError):
            reasons["cannot be read"] += 1
        elif reason := filters.reason_against(record):
            reasons[reason] += 1
        else:
            games.append(GameTask(number, record.board.cells, write_sgf(record)))
    if filters.sample is not None and filters.sample < len(games):
        reasons["not drawn"] = len(games) - filters.sample
        drawn = random.Random(seed).sample(games, filters.sample)
        games = sorted(drawn, key=attrgetter("number"))
    return Collection(tuple(games), number, tuple(reasons.most_common()))


def collection_name(files: Sequence[Document]) -> str:
    """Return a name for the files of a run's settings: all of them, or the first of many.

    >>> collection_name([{"name": "a.sgf"}, {"name": "b.sgf"}])
    'a.sgf, b.sgf'
    >>> collection_name([{"name": f"{number}.sgf"} for number in range(50)])
    '0.sgf, 1.sgf, 2.sgf and 47 more'
    """
    named = ", ".join(file["name"] for file in files[:MOST_FILES])
    more = len(files) - MOST_FILES
    return f"{named} and {more} more" if more > 0 else named


def winner_of(record: Record) -> Color | None:
    """Return the winner that the record states, or else who has a chain at its end."""
    return record.result.winner or record.position().winner


@dataclass(frozen=True)
class MoveChoice:
    """A player's choice of a cell at turn ``ply``, from 1; ``won``: this player won the game."""

    ply: int
    position: Position
    cell: int
    won: bool


def choices(record: Record) -> Iterator[MoveChoice]:
    """Yield the moves of the main line that put a stone, up to a chain; none without a winner."""
    winner = winner_of(record)
    for turn_position in game_positions(record, record.main_line()) if winner else ():
        if turn_position.cell is not None:
            yield MoveChoice(
                turn_position.ply + 1,
                turn_position.position,
                turn_position.cell,
                turn_position.player is winner,
            )


# Ranks of moves. Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.4, does not say
# how equal moves are ranked, and most cells tie at a contribution of 0.

TIES = ("best", "middle", "worst", "order")
"""The best place, the middle, the worst, or the move's own in the listing."""
SHOWN_TIES = ("middle", "worst")
"""The fair one, and the strictest; the paper's sentences hold under both."""


def q_of_rows(table: Table, evaluator: str, ties: str) -> list[float]:
    """Return Q (eq. 7) of the move of each row by an evaluator, 0 to 1."""
    best, worst, order = (
        map(int, table.column(f"{evaluator} {name}")) for name in ("rank", "worst rank", "place")
    )
    candidates = map(int, table.column("candidates"))
    return [
        normalised({"best": a, "middle": (a + b) / 2, "worst": b, "order": own}[ties], number)
        for a, b, own, number in zip(best, worst, order, candidates, strict=True)
    ]
