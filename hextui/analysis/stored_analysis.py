"""The analysis of a game as texts: stored in its record, or on disk.

In a record they are SGF properties of our own. At the node of a position ``HXJ``, one value per
evaluator: its name, its value of the best move, ``exact`` or ``capped``, or ``winrate`` for another
engine whose value is that, the best moves; ``HXB``: who is ahead by resistance; ``HXP``: who wins,
what proved it, and the name of another engine that did, or ``unknown`` with the solver's limit in
seconds if it was asked; and ``HXW``: the moves that are proved to win, and ``all`` or ``some`` of
them. At the node of a move ``HXQ``, one value per evaluator: its name, rank, mid rank, number of
legal moves. At the first node ``HXS``: the seconds that the solver spent on the game. A value that
cannot be read is ignored.

On disk are the user's reviews: the same of each game, by its moves, in one file. So a game that is
opened again, moved, or met in another file or in the library is reviewed already. Images of a game
share an entry: each position is stored in its canonical orientation. Proofs hold for good;
estimates only for the version of the program, or of the engine's settings, that made them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isnan
from pathlib import Path
from typing import Any

from hextui import locations
from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_key, game_positions, line_key
from hextui.analysis.mistakes import game_summary
from hextui.engine.board import Color
from hextui.engine.entry_file import EntryFile
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.ranking import Quality
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.record import Record
from hextui.records.text import escape, unescape_line
from hextui.records.tree import Node
from hextui.settings.engine_tables import described
from hextui.version import __version__

JUDGED, PROVED, PLACED, WINNING, BALANCE = "HXJ", "HXP", "HXQ", "HXW", "HXB"
SPENT = "HXS"
NOT_PROVED = "unknown"
WIN_PROBABILITY = "winrate"
Texts = Mapping[str, Sequence[str]]
"""What is stored of a position, by the names of the properties."""


def stored_estimates(record: Record) -> tuple[Sequence[GamePosition], Estimates]:
    """Return the positions of a record's main line, and what the record stores about them."""
    line, estimates = game_positions(record, record.main_line()), Estimates()
    read(line, estimates)
    return line, estimates


def properties(
    positions: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> dict[Node, dict[str, list[str]]]:
    """Return the properties, by node, that store the analysis of a game, in place of earlier."""
    changes: dict[Node, dict[str, list[str]]] = {}
    for here in positions:
        found = StoredPosition(here, Orientation(here.position), estimates).texts(names)
        own = {name: [escape(value) for value in values] for name, values in found.items()}
        placed = {PLACED: own.pop(PLACED)}
        changes.setdefault(here.node, {}).update(own)
        if here.next_node is not None:
            changes[here.next_node] = placed
    if spent := estimates.spent(positions):
        changes[positions[0].node][SPENT] = [f"{spent:g}"]
    return changes


def read(positions: Sequence[GamePosition], estimates: Estimates) -> tuple[str, ...]:
    """Add the analysis that a record stores to the estimates; return the evaluators' names."""
    names: dict[str, None] = {}
    for here in positions:
        found = dict(here.node.properties)
        found[PLACED] = here.next_node.properties.get(PLACED, ()) if here.next_node else ()
        own = {
            name: [unescape_line(value) for value in found.get(name, ())]
            for name in (JUDGED, PROVED, PLACED, WINNING, BALANCE)
        }
        stored = StoredPosition(here, Orientation(here.position), estimates)
        names |= dict.fromkeys(stored.read(own))
    with suppress(ValueError):
        spent = float(_first(positions[0].node.properties, SPENT))
        estimates.keep_spent(positions, spent)
    return tuple(names)


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
        plies = [
            StoredPosition(here, canonical(here.position), estimates).texts(stamps)
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

    def mistakes(self, record: Record) -> tuple[tuple[int, ...], ...]:
        """Return the proved mistakes of a game in the order of play, as far as it is reviewed.

        Each is the plies of the moves of which one is the mistake.
        """
        key = game_key(record.board, record.root.end())
        return self.get_entry(key, partial(_mistakes, last=record.plies)) or ()


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
        StoredPosition(here, canonical(here.position), estimates).read(own, valid)
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


@dataclass(frozen=True)
class StoredPosition:
    """A position, and the orientation ``seen`` whose cells and colours the texts of it name."""

    here: GamePosition
    seen: Orientation
    estimates: Estimates

    def texts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Return what is known of the position and of the move made there."""
        here, estimates, position = self.here, self.estimates, self.here.position
        judged = {name: found for name in names if (found := estimates.of(here, name))}
        places = {name: q for name in names if (q := estimates.quality(here, name))}
        own = {JUDGED: [self._estimate_text(*item) for item in judged.items()]}
        own[PLACED] = [f"{n} {q.rank} {q.mid_rank:g} {q.candidates}" for n, q in places.items()]
        if estimates.complete(here, ()) or estimates.verdict(position):
            own[PROVED] = [self._verdict_text()]
        if (balance := estimates.balance(position)) is not None:
            own[BALANCE] = [repr(-balance if self.seen.mirrored else balance)]
        if (known := estimates.verdicts.moves(position)).wins:
            own[WINNING] = [f"{'all' if known.complete else 'some'} {self._words(known.wins)}"]
        return own

    def _words(self, cells: Iterable[int]) -> str:
        there, board = self.seen.inverse(self.here.position).cell_of, self.seen.position.board
        return " ".join(board.name(there[cell]) for cell in cells)

    def _verdict_text(self) -> str:
        position = self.here.position
        verdict, tried = self.estimates.verdict(position), self.estimates.tried(position)
        if verdict is not None:
            return f"{self.seen.color_back(verdict.winner)} {verdict.kind} {verdict.by}".rstrip()
        return f"{NOT_PROVED} {tried:g}" if tried else NOT_PROVED

    def _estimate_text(self, name: str, estimate: Estimate) -> str:
        exact = "exact" if estimate.exact else "capped"
        if estimate.winrate is not None:
            exact = WIN_PROBABILITY
        return f"{name} {estimate.value!r} {exact} {self._words(estimate.best)}"

    def read(self, found: Texts, only: Collection[str] | None = None) -> tuple[str, ...]:
        """Add what texts say to the estimates; return the evaluators' names.

        ``only``: the evaluators whose estimates are used, by default all.
        """
        for read_one in (self._read_verdict, self._read_wins, self._read_balance):
            with suppress(ValueError):
                read_one(found)
        here, names, placed = self.here, [], _placed(found)
        for value in found.get(JUDGED, ()):
            try:
                name, estimate = self._estimate(value)
            except ValueError:
                continue
            names.append(name)
            if self.estimates.of(here, name) is None and (only is None or name in only):
                if here.cell is not None and name in placed:
                    estimate = replace(estimate, qualities={here.cell: placed[name]})
                self.estimates.keep(here.position, name, estimate)
        return tuple(names)

    def _cells(self, words: Sequence[str]) -> tuple[int, ...]:
        """Return the empty cells that words name; raises ValueError."""
        board = self.seen.position.board
        cells = tuple(self.seen.cell_of[board.cell(word)] for word in words)
        if not set(cells) <= set(self.here.position.empties):
            raise ValueError(words)
        return cells

    def _estimate(self, text: str) -> tuple[str, Estimate]:
        """Read a value of ``HXJ``; raises ValueError."""
        name, value, exact, *best = text.split()
        if exact not in ("exact", "capped", WIN_PROBABILITY) or not best:
            raise ValueError(text)
        winrate = float(value) if exact == WIN_PROBABILITY else None
        if winrate is not None and not 0 <= winrate <= 1:
            raise ValueError(text)
        return name, Estimate(float(value), self._cells(best), {}, exact == "exact", winrate)

    def _read_verdict(self, found: Texts) -> None:
        """Read who wins, or that it is not known; raises ValueError."""
        word, *rest = _first(found, PROVED).split()
        if word == NOT_PROVED:
            tried = float(rest[0]) if rest else 0.0
            if len(rest) > 1 or not 0 <= tried < inf:
                raise ValueError(rest)
            verdict = None
        else:
            tried, (kind, *by) = 0.0, rest
            winner = self.seen.color_back(Color.parse(word))
            verdict = Verdict(VerdictKind(kind), winner, by=" ".join(by))
            if len(by) != (verdict.kind is VerdictKind.ENGINE):
                raise ValueError(rest)
        self.estimates.keep_verdict(self.here.position, verdict, tried)

    def _read_wins(self, found: Texts) -> None:
        """Read which moves win; raises ValueError."""
        extent, *names = _first(found, WINNING).split()
        if extent in ("all", "some"):
            self.estimates.keep_wins(self.here.position, self._cells(names), extent == "all")

    def _read_balance(self, found: Texts) -> None:
        """Read who is ahead by resistance; raises ValueError."""
        balance = float(_first(found, BALANCE))
        if not isnan(balance):
            balance = -balance if self.seen.mirrored else balance
            self.estimates.keep_balance(self.here.position, balance)


def _placed(found: Texts) -> Mapping[str, Quality]:
    """Return the stored rank of the move made at a position, by evaluator."""
    placed = {}
    for value in found.get(PLACED, ()):
        try:
            name, rank, mid_rank, candidates = value.split()
            quality = Quality(int(candidates), int(rank), float(mid_rank))
        except ValueError:
            continue
        if 1 <= quality.rank <= quality.mid_rank <= quality.candidates:
            placed[name] = quality
    return placed


def _first(found: Texts, name: str) -> str:
    """Return the first value of a property; raises ValueError if there is none."""
    for value in found.get(name, ()):
        return value
    raise ValueError(name)
