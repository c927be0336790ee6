"""The user's reviews: the analysis of each game, by its moves, in one file on disk.

So a game that is opened again, moved, or met in another file or in the library is reviewed already.
Images of a game share an entry: each position is stored in its canonical orientation. Proofs hold
for good; estimates only for the version of the program, or of the engine's settings, that made
them.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hextui import locations
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_key, line_key
from hextui.analysis.mistakes import game_summary
from hextui.analysis.stored_analysis import StoredPosition
from hextui.engine.entry_file import EntryFile
from hextui.engine.orientation import canonical
from hextui.records.record import Record
from hextui.settings.engine_tables import described
from hextui.version import __version__


class ReviewStore(EntryFile):
    """The reviews on disk; see `EntryFile`."""

    TABLE = "reviews"
    ENTRIES = "reviews"
    VERSION = 1
    IS_CACHE = False

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or locations.reviews_file(), most_bytes=256 << 20)

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
        plies = [_stored(here, estimates).texts(stamps) for here in positions]
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

    def mistakes(self, record: Record) -> tuple[tuple[int, ...], ...]:
        """Return the proved mistakes of a game in the order of play, as far as it is reviewed.

        Each is the plies of the moves of which one is the mistake.
        """
        key = game_key(record.board, record.root.end())
        return self.get_entry(key, partial(_mistakes, last=record.plies)) or ()


def _stored(here: GamePosition, estimates: Estimates) -> StoredPosition:
    return StoredPosition(here, canonical(here.position), estimates)


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
        _stored(here, estimates).read(own, valid)
    estimates.keep_spent(positions, float(entry["spent"]))


def _are_texts(own: Any) -> bool:
    return isinstance(own, dict) and all(
        isinstance(values, list) and all(isinstance(value, str) for value in values)
        for values in own.values()
    )


def _mistakes(entry: Any, last: int) -> tuple[tuple[int, ...], ...]:
    mistakes = tuple(map(tuple, entry["mistakes"]))
    plies = [ply for mistake in mistakes for ply in mistake]
    if not all(mistakes) or not all(type(ply) is int and 0 < ply <= last for ply in plies):
        raise ValueError("its mistakes are no plies")
    return mistakes
