"""The analysis of a game as texts: stored in its record, or on disk.

In a record they are SGF properties of our own. At the node of a position ``HXJ``, one value per
evaluator: its name, its value of the best move, ``exact`` or ``capped``, or ``winrate`` for another
engine whose value is that, the best moves; ``HXB``: who is ahead by resistance; ``HXP``: who wins
and what proved it, or ``unknown`` with the solver's limit in seconds if it was asked; and ``HXW``:
the moves that are proved to win, and ``all`` or ``some`` of them. At the node of a move ``HXQ``,
one value per evaluator: its name, rank, mid rank, number of legal moves. At the first node
``HXS``: the seconds that the solver spent on the game. A value that cannot be read is ignored.

Anybody can write these. ``HXV`` at a node signs them with a key of the user: the position with what
is said of it, the move with its ranks, the game with its time. What is not signed is not used, but
for the winner, which is a `ClaimedWinner`.

On disk are the user's reviews: the same of each game, by its moves, in one file. So a game that is
opened again, moved, or met in another file or in the library is reviewed already. Images of a game
share an entry: each position is stored in its canonical orientation. Proofs hold for good;
estimates only for the version of the program, or of the engine's settings, that made them. Entries
are signed too: version 0.1.0 did not, and believed any record, so its proofs are claims.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isnan
from pathlib import Path
from typing import Any

from hextui import locations
from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_positions, line_key, record_key
from hextui.analysis.mistakes import game_summary
from hextui.engine.board import Color
from hextui.engine.entry_file import EntryFile
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.ranking import Quality
from hextui.engine.verdicts import ClaimedWinner, ClaimSource
from hextui.engines.registry import described
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.record import Record
from hextui.records.record_text import escape, unescape_line
from hextui.records.tree import Node
from hextui.signing import PROOFS, Signer
from hextui.version import __version__

JUDGED = "HXJ"
PROVED = "HXP"
PLACED = "HXQ"
WINNING = "HXW"
BALANCE = "HXB"
SPENT = "HXS"
SIGNED = "HXV"
_ABOUT_POSITION = (JUDGED, PROVED, WINNING, BALANCE)
_LEAST_DUE, _MOST_DUE = 0.001, 60.0  # seconds of the solver for a review that is not signed
NOT_PROVED = "unknown"
WIN_PROBABILITY = "winrate"
Texts = Mapping[str, Sequence[str]]
"""What is stored of a position, by the names of the properties."""


def stored_estimates(record: Record) -> tuple[Sequence[GamePosition], Estimates]:
    """Return the positions of a record's main line, and what the record stores about them."""
    line = game_positions(record, record.main_line())
    estimates = Estimates()
    read(line, estimates)
    return line, estimates


def properties(
    positions: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> dict[Node, dict[str, list[str]]]:
    """Return the properties, by node, that store the analysis of a game, in place of earlier.

    They are signed with the user's key.
    """
    changes: dict[Node, dict[str, list[str]]] = defaultdict(lambda: {SIGNED: []})
    signer = Signer(PROOFS)
    for game_position in positions:
        stored = StoredPosition(game_position, Orientation(game_position.position), estimates)
        texts = stored.texts(names)
        placed = {PLACED: texts.pop(PLACED)}
        about = {name: texts.get(name, []) for name in _ABOUT_POSITION}
        _put(changes[game_position.node], about, stored.signature(signer, about))
        if game_position.next_node is not None:
            _put(changes[game_position.next_node], placed, stored.signature(signer, placed))
    spent = estimates.spent(positions)
    time = {SPENT: [f"{spent:g}"] if spent else []}
    _put(changes[positions[0].node], time, _signature_of_time(signer, positions, time))
    return dict(changes)


def _put(properties: dict[str, list[str]], texts: Texts, signature: str) -> None:
    """Add texts to properties, with their signature; a name without any is a property to remove."""
    for name, values in texts.items():
        properties[name] = [escape(value) for value in values]
    if any(texts.values()):
        properties[SIGNED].append(signature)


def read(positions: Sequence[GamePosition], estimates: Estimates) -> tuple[str, ...]:
    """Add the analysis that a record stores, as far as it is signed; return the evaluators' names.

    The winners of other positions are added as claims.
    """
    names: dict[str, None] = {}
    signer = Signer(PROOFS)
    for game_position in positions:
        stored = StoredPosition(game_position, Orientation(game_position.position), estimates)
        about = _texts_of(game_position.node, _ABOUT_POSITION)
        placed = _texts_of(game_position.next_node, (PLACED,))
        if stored.signature(signer, about) not in _signatures(game_position.node):
            stored.read_claim(about, ClaimSource.RECORD)
            continue
        if stored.signature(signer, placed) in _signatures(game_position.next_node):
            about |= placed
        names |= dict.fromkeys(stored.read(about))
    first = positions[0].node
    time = _texts_of(first, (SPENT,))
    if _signature_of_time(signer, positions, time) in _signatures(first):
        with suppress(ValueError):
            estimates.keep_spent(positions, float(_first(time, SPENT)))
    return tuple(names)


def sign(record: Record) -> None:
    """Sign the analysis in a record that came with the program, so that it counts."""
    line = game_positions(record, record.main_line())
    signer = Signer(PROOFS)
    for game_position in line:
        stored = StoredPosition(game_position, Orientation(game_position.position), Estimates())
        _sign(
            game_position.node,
            stored.signature(signer, _texts_of(game_position.node, _ABOUT_POSITION)),
        )
        if game_position.next_node is not None:
            _sign(
                game_position.next_node,
                stored.signature(signer, _texts_of(game_position.next_node, (PLACED,))),
            )
    first = line[0].node
    _sign(first, _signature_of_time(signer, line, _texts_of(first, (SPENT,))))


def _sign(node: Node, signature: str) -> None:
    if signature in _signatures(node):
        return
    node.properties = {**node.properties, SIGNED: (*_signatures(node), signature)}


def _texts_of(node: Node | None, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of properties that a node has."""
    texts = {}
    for name in names:
        if node is not None and name in node.properties:
            texts[name] = [unescape_line(raw) for raw in node.properties[name]]
    return texts


def _signatures(node: Node | None) -> Sequence[str]:
    return node.properties.get(SIGNED, ()) if node is not None else ()


def _signature_of_time(signer: Signer, positions: Sequence[GamePosition], time: Texts) -> str:
    return signer.sign("game", line_key(positions).hex(), _without_empty(time))


def _without_empty(texts: Texts) -> dict[str, list[str]]:
    return {name: list(values) for name, values in texts.items() if values}


class ReviewStore(EntryFile):
    """The reviews on disk; see `EntryFile`."""

    TABLE = "reviews"
    ENTRIES = "reviews"
    VERSION = 1
    IS_CACHE = False
    KEY = PROOFS

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or locations.reviews_file(), most_bytes=256 << 20)

    def read(self, positions: Sequence[GamePosition], estimates: Estimates) -> bool:
        """Add the review of a game to the estimates; return whether it is to be proved again.

        It is, from when it is found not to be signed, which makes its winners claims, until the
        solver has had as much time as it had for that one.
        """
        return self._read_due(positions, estimates) > estimates.spent(positions)

    def _read_due(self, positions: Sequence[GamePosition], estimates: Estimates) -> float:
        """Add a review to the estimates; return the solver's seconds for one that is not signed."""
        take = partial(add_review, positions=positions, estimates=estimates)
        claim = partial(_take_claims, positions=positions, estimates=estimates)
        return self.get_entry(line_key(positions), take, claim) or 0.0

    def keep(self, positions: Sequence[GamePosition], estimates: Estimates) -> None:
        """Store what is known of a game, with what another program has stored meanwhile.

        A game without moves, or of which nothing is known, has no review.
        """
        due = self._read_due(positions, estimates)
        entry = review_entry(positions, estimates, due)
        if positions[-1].ply > 0 and any(any(own.values()) for own in entry["plies"]):
            self.put_entry(line_key(positions), entry)

    def has_review(self, record: Record) -> bool:
        """Return whether there is a signed review of a game."""
        key = record_key(record)
        return self.get_entry(key, lambda entry: True, lambda entry: False) or False

    def mistakes(self, record: Record) -> tuple[tuple[int, ...], ...]:
        """Return the proved mistakes of a game in the order of play, as far as it is reviewed.

        Each is the plies of the moves of which one is the mistake.
        """
        key = record_key(record)
        read = partial(_mistakes, last=record.plies)
        return self.get_entry(key, read, lambda entry: ()) or ()

    def seconds(self, record: Record) -> float:
        """Return the solver's seconds in a game's review, 0 without one that is signed."""
        key = record_key(record)
        return self.get_entry(key, _spent, lambda entry: 0.0) or 0.0


def review_entry(
    positions: Sequence[GamePosition], estimates: Estimates, due: float = 0.0
) -> dict[str, Any]:
    """Return the review of a game as values of JSON, which `add_review` reads.

    ``due``: see `add_review`.
    """
    stamps = {name: stamp for name in estimates.names if (stamp := _stamp(name))}
    plies = [
        StoredPosition(played, canonical(played.position), estimates).texts(stamps)
        for played in positions
    ]
    mistakes = []
    for mistake in game_summary(positions, estimates, 0.0).mistakes:
        mistakes.append([move.ply for move in mistake.moves])
    return {
        "spent": estimates.spent(positions),
        "due": due,
        "evaluators": stamps,
        "plies": plies,
        "mistakes": mistakes,
    }


def _stamp(name: str) -> str:
    """Return what the estimates of an evaluator depend on; '' if its engine is gone."""
    try:
        return f"{__version__} {described(name)}"
    except ValueError:
        return ""


def add_review(entry: Any, positions: Sequence[GamePosition], estimates: Estimates) -> float:
    """Add an entry to the estimates; return the solver's seconds that the game has to get again.

    Raises ValueError, TypeError, KeyError: it is none.
    """
    stamps = dict(entry["evaluators"])
    plies = _plies(entry)
    valid = [name for name, stamp in stamps.items() if stamp == _stamp(name)]
    for game_position, own in zip(positions, plies, strict=False):
        StoredPosition(game_position, canonical(game_position.position), estimates).read(own, valid)
    estimates.keep_spent(positions, float(entry["spent"]))
    return float(entry.get("due", 0.0))


def _take_claims(entry: Any, positions: Sequence[GamePosition], estimates: Estimates) -> float:
    """Add the winners in an unsigned entry as claims; return and raise as `add_review`."""
    for game_position, own in zip(positions, _plies(entry), strict=False):
        stored = StoredPosition(game_position, canonical(game_position.position), estimates)
        stored.read_claim(own, ClaimSource.REVIEW)
    return min(max(float(entry["spent"]), _LEAST_DUE), _MOST_DUE)


def _plies(entry: Any) -> list[Texts]:
    plies = entry["plies"]
    if not (isinstance(plies, list) and all(map(_are_texts, plies))):
        raise ValueError("its plies are not texts")
    return plies


def _are_texts(own: Any) -> bool:
    return isinstance(own, dict) and all(map(_is_list_of_texts, own.values()))


def _is_list_of_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _spent(entry: Any) -> float:
    return float(entry["spent"])


def _mistakes(entry: Any, last: int) -> tuple[tuple[int, ...], ...]:
    mistakes = tuple(map(tuple, entry["mistakes"]))
    plies = [ply for mistake in mistakes for ply in mistake]
    if not all(mistakes) or not all(type(ply) is int and 0 < ply <= last for ply in plies):
        raise ValueError("its mistakes are not plies")
    return mistakes


@dataclass(frozen=True)
class StoredPosition:
    """A position, and the orientation whose cells and colours the texts of it name."""

    game_position: GamePosition
    orientation: Orientation
    estimates: Estimates

    def texts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Return what is known of the position and of the move made there."""
        estimates = self.estimates
        position = self.game_position.position
        own: dict[str, list[str]] = {JUDGED: [], PLACED: []}
        for name in names:
            if estimate := estimates.of(self.game_position, name):
                own[JUDGED].append(self._estimate_text(name, estimate))
            if quality := estimates.quality(self.game_position, name):
                place = f"{quality.rank} {quality.mid_rank:g} {quality.candidates}"
                own[PLACED].append(f"{name} {place}")
        if estimates.complete(self.game_position, ()) or estimates.verdict(position):
            own[PROVED] = [self._verdict_text()]
        if (balance := estimates.balance(position)) is not None:
            own[BALANCE] = [repr(-balance if self.orientation.mirrored else balance)]
        proved_moves = estimates.verdicts.moves(position)
        if proved_moves.wins:
            extent = "all" if proved_moves.complete else "some"
            own[WINNING] = [f"{extent} {self._words(proved_moves.wins)}"]
        return own

    def _words(self, cells: Iterable[int]) -> str:
        cell_of = self.orientation.inverse(self.game_position.position).cell_of
        board = self.orientation.position.board
        return " ".join(board.name(cell_of[cell]) for cell in cells)

    def _verdict_text(self) -> str:
        verdict = self.estimates.verdict(self.game_position.position)
        tried = self.estimates.tried(self.game_position.position)
        if verdict is not None:
            return f"{self.orientation.color_back(verdict.winner)} {verdict.kind}"
        return f"{NOT_PROVED} {tried:g}" if tried else NOT_PROVED

    def _estimate_text(self, name: str, estimate: Estimate) -> str:
        exact = "exact" if estimate.exact else "capped"
        if estimate.winrate is not None:
            exact = WIN_PROBABILITY
        return f"{name} {estimate.value!r} {exact} {self._words(estimate.best)}"

    def signature(self, signer: Signer, texts: Texts) -> str:
        """Return the user's signature of texts about the position, or the move made there."""
        place = self.game_position.cell if PLACED in texts else None
        key = self.orientation.position.key.hex()
        return signer.sign("position", key, place, _without_empty(texts))

    def read_claim(self, texts: Texts, source: ClaimSource) -> None:
        """Add the winner that texts name to the estimates, as a claim."""
        with suppress(ValueError):  # there is none, or it is no colour
            word, *_ = _first(texts, PROVED).split()
            winner = self.orientation.color_back(Color.parse(word))
            self.estimates.keep_claim(self.game_position.position, ClaimedWinner(winner, source))

    def read(self, texts: Texts, only: Collection[str] | None = None) -> tuple[str, ...]:
        """Add what texts say to the estimates; return the evaluators' names.

        ``only``: the evaluators whose estimates are used, by default all.
        """
        for read_property in (self._read_verdict, self._read_wins, self._read_balance):
            with suppress(ValueError):
                read_property(texts)
        names = []
        placed = _placed(texts)
        cell = self.game_position.cell
        for value in texts.get(JUDGED, ()):
            try:
                name, estimate = self._estimate(value)
            except ValueError:
                continue
            names.append(name)
            is_used = only is None or name in only
            if is_used and self.estimates.of(self.game_position, name) is None:
                if cell is not None and name in placed:
                    estimate = replace(estimate, qualities={cell: placed[name]})
                self.estimates.keep(self.game_position.position, name, estimate)
        return tuple(names)

    def _cells(self, words: Sequence[str]) -> tuple[int, ...]:
        """Return the empty cells that words name; raises ValueError."""
        board = self.orientation.position.board
        cells = tuple(self.orientation.cell_of[board.cell(word)] for word in words)
        if not set(cells) <= set(self.game_position.position.empties):
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
        estimate = Estimate(
            value=float(value),
            best=self._cells(best),
            qualities={},
            exact=exact == "exact",
            winrate=winrate,
        )
        return name, estimate

    def _read_verdict(self, texts: Texts) -> None:
        """Read who wins, or that it is not known; raises ValueError."""
        word, *rest = _first(texts, PROVED).split()
        if word == NOT_PROVED:
            tried = float(rest[0]) if rest else 0.0
            if len(rest) > 1 or not 0 <= tried < inf:
                raise ValueError(rest)
            verdict = None
        else:
            tried = 0.0
            (kind,) = rest
            winner = self.orientation.color_back(Color.parse(word))
            verdict = Verdict(VerdictKind(kind), winner)
        self.estimates.keep_verdict(self.game_position.position, verdict, tried)

    def _read_wins(self, texts: Texts) -> None:
        """Read which moves win; raises ValueError."""
        extent, *names = _first(texts, WINNING).split()
        if extent in ("all", "some"):
            cells = self._cells(names)
            self.estimates.keep_wins(self.game_position.position, cells, extent == "all")

    def _read_balance(self, texts: Texts) -> None:
        """Read who is ahead by resistance; raises ValueError."""
        balance = float(_first(texts, BALANCE))
        if not isnan(balance):
            balance = -balance if self.orientation.mirrored else balance
            self.estimates.keep_balance(self.game_position.position, balance)


def _placed(texts: Texts) -> Mapping[str, Quality]:
    """Return the stored rank of the move made at a position, by evaluator."""
    placed = {}
    for value in texts.get(PLACED, ()):
        try:
            name, rank, mid_rank, candidates = value.split()
            quality = Quality(int(candidates), int(rank), float(mid_rank))
        except ValueError:
            continue
        if 1 <= quality.rank <= quality.mid_rank <= quality.candidates:
            placed[name] = quality
    return placed


def _first(texts: Texts, name: str) -> str:
    """Return the first value of a property; raises ValueError if there is none."""
    for value in texts.get(name, ()):
        return value
    raise ValueError(name)
