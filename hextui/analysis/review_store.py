"""The user's reviews: the analysis of each game, by its moves, in one file on disk.

So a game that is opened again, moved, or met in another file or in the library is reviewed already.
Images of a game share an entry: each position is stored in its canonical orientation. Proofs hold
for good; estimates only for the version of the program, or of the engine's settings, that made
them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

from hextui import locations
from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_key, line_key
from hextui.analysis.mistakes import game_summary
from hextui.engine.board import Color
from hextui.engine.entry_file import EntryFile
from hextui.engine.orientation import canonical
from hextui.engine.position import MoveKind
from hextui.records.record import Record
from hextui.settings.engine_tables import described
from hextui.version import __version__


@dataclass(frozen=True)
class StoredMistake:
    """A proved mistake: the move at one of ``plies``, by the ``player`` of a colour at the end."""

    plies: tuple[int, ...]
    player: Color


class ReviewStore(EntryFile):
    """The reviews on disk; a context manager (see `EntryFile`)."""

    TABLE = "reviews"
    ENTRIES = "reviews"
    VERSION = 1
    IS_CACHE = False

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or locations.reviews_file(), most_bytes=256 << 20)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, positions: Sequence[GamePosition], estimates: Estimates) -> None:
        """Add the review of a game to the estimates."""
        take = partial(_take, positions=positions, estimates=estimates)
        self.get_entry(line_key(positions), take)

    def keep(self, positions: Sequence[GamePosition], estimates: Estimates) -> None:
        """Store what is known of a game, with what another program has stored meanwhile.

        A game without moves, or of which nothing is known, has no review.
        """
        self.read(positions, estimates)
        stamps = {name: stamp for name in estimates.names if (stamp := _stamp(name))}
        plies = [
            stored_analysis.texts(here, canonical(here.position), stamps, estimates)
            for here in positions
        ]
        if positions[-1].ply == 0 or not any(any(own.values()) for own in plies):
            return
        mistakes = game_summary(positions, estimates, 0.0).mistakes
        entry = {
            "spent": estimates.spent(positions),
            "evaluators": stamps,
            "plies": plies,
            "mistakes": [[move.ply for move in mistake.moves] for mistake in mistakes],
        }
        self.put_entry(line_key(positions), entry)

    def mistakes(self, record: Record) -> tuple[StoredMistake, ...]:
        """Return the proved mistakes of a game in the order of play, as far as it is reviewed."""
        key = game_key(record.board, record.root.end())
        return self.get_entry(key, partial(_mistakes, record=record)) or ()


def _stamp(name: str) -> str:
    """Return what the estimates of an evaluator depend on; '' if its engine is gone."""
    try:
        return f"{__version__} {described(name)}"
    except ValueError:
        return ""


def _take(entry: Any, positions: Sequence[GamePosition], estimates: Estimates) -> None:
    """Add an entry to the estimates. Raises ValueError, TypeError, KeyError: it is none."""
    stamps, plies = dict(entry["evaluators"]), entry["plies"]
    if not (isinstance(plies, list) and all(map(_are_texts, plies))):
        raise ValueError("its plies are no texts")
    valid = [name for name, stamp in stamps.items() if stamp == _stamp(name)]
    for here, own in zip(positions, plies, strict=False):
        stored_analysis.take(own, here, canonical(here.position), estimates, valid)
    stored_analysis.keep_spent(positions, entry["spent"], estimates)


def _are_texts(own: Any) -> bool:
    return isinstance(own, dict) and all(
        isinstance(values, list) and all(isinstance(value, str) for value in values)
        for values in own.values()
    )


def _mistakes(entry: Any, record: Record) -> tuple[StoredMistake, ...]:
    turns = record.turns()
    found = []
    for plies in map(tuple, entry["mistakes"]):
        if not plies or not all(type(ply) is int and 0 < ply <= len(turns) for ply in plies):
            raise ValueError("its mistakes are no plies")
        color = turns[plies[0] - 1].color
        swaps = sum(turn.move.kind is MoveKind.SWAP_SIDES for turn in turns[plies[0] - 1 :])
        found.append(StoredMistake(plies, color.opponent if swaps % 2 else color))
    return tuple(found)
