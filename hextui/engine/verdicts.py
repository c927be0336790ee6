"""The store of verdicts: who wins a position or by a move, as proved, and by whom.

A verdict outranks every estimate. It is proved by this user's own program: what a file or another
engine says is a `ClaimedWinner`, which is shown and proves nothing. The store draws all conclusions
between the positions that it has seen: from a position to the moves that lead to it, and from the
moves of a position to itself. So its answers depend neither on the order of the proofs, nor on the
way to a position or its orientation (docs/methods.md#orientation). Verdicts ignore the swap rule.
"""

import enum
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import inf

from hextui.engine.board import EMPTY, Color
from hextui.engine.orientation import seen_by
from hextui.engine.position import Position, mirrored_stones


class VerdictKind(enum.StrEnum):
    """What proves a verdict, the plainest kind first; SOLVER: also a move to a won position."""

    CHAIN = "chain"
    CONNECTION = "connection"
    SOLVER = "solver"


class ClaimSource(enum.StrEnum):
    """What claims a winner; REVIEW: one on disk that this version has not proved."""

    RECORD = "record"
    REVIEW = "review"
    ENGINE = "engine"


@dataclass(frozen=True)
class ClaimedWinner:
    """A winner that is not proved here; ``engine``: the name of the one that claims it, or ''."""

    winner: Color
    source: ClaimSource
    engine: str = ""


@dataclass(frozen=True)
class Verdict:
    """A proved winner.

    ``key`` is the side to move's first move in a semi connection. ``seconds`` is the time of the
    proof, None if unknown.
    """

    kind: VerdictKind
    winner: Color
    key: int | None = None
    seconds: float | None = None

    @property
    def order(self) -> tuple[int, float]:
        """Sorts the plainest proof first."""
        seconds = inf if self.seconds is None else self.seconds
        return list(VerdictKind).index(self.kind), seconds


@dataclass(frozen=True)
class KnownMoves:
    """The moves of a position whose verdict is known, by their cells, and the other empty cells.

    ``wins`` are in the order in which they were proved, so that one that is shown stays first.
    """

    wins: Mapping[int, Verdict] = field(default_factory=dict)
    losses: Mapping[int, Verdict] = field(default_factory=dict)
    unknown: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the verdict of every move is known."""
        return not self.unknown

    @property
    def named(self) -> int | None:
        """The winning move that is named wherever only one is: the first of ``wins``, if any."""
        return next(iter(self.wins), None)

    @property
    def by_cell(self) -> dict[int, bool]:
        """Whether each move that is known wins."""
        return dict.fromkeys(self.losses, False) | dict.fromkeys(self.wins, True)


class Verdicts:
    """The verdicts of positions and moves; any thread may use it. A disputed one is no verdict."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._filed: dict[bytes, _Filed] = {}
        self._changed: dict[bytes, _Filed] = {}  # entries from which conclusions are to be drawn
        self._revision = 0

    @property
    def revision(self) -> int:
        """A number that grows with each proof: while it is the same, so are the answers."""
        return self._revision

    def prove(self, position: Position, verdict: Verdict) -> None:
        """Store the winner of a position; the key of a semi connection is a winning move."""
        form = _form_of(position)
        claim = form.there(replace(verdict, key=None))
        with self._lock:
            filed = self._entry(form.key)
            self._claim(filed, claim)
            if verdict.key is not None:
                self._claim_move(filed, form.places[verdict.key], claim)
            self._conclude()

    def prove_moves(self, position: Position, winners: Mapping[int, Verdict]) -> None:
        """Store who wins after moves of the side to move; raises ValueError for a taken cell."""
        taken = [cell for cell in winners if position.stones[cell] != EMPTY]
        if taken:
            raise ValueError(f"{position.board.name(taken[0])} is taken: it is not a move")
        form = _form_of(position)
        with self._lock:
            filed = self._entry(form.key)
            for cell, verdict in winners.items():
                claim = form.there(replace(verdict, key=None))
                self._claim_move(filed, form.places[cell], claim)
            self._conclude()

    def of(self, position: Position) -> Verdict | None:
        """Return the verdict of a position; None if there is no proof, or two that contradict."""
        form = _form_of(position)
        with self._lock:
            claim = self._entry(form.key).undisputed
        return form.there(claim) if claim else None

    def dispute(self, position: Position) -> tuple[Verdict, Verdict] | None:
        """Return two proofs of a position that contradict each other, or None."""
        form = _form_of(position)
        with self._lock:
            claims = sorted(self._entry(form.key).claims.values(), key=lambda claim: claim.order)
        return (form.there(claims[0]), form.there(claims[1])) if len(claims) == 2 else None

    def moves(self, position: Position) -> KnownMoves:
        """Return the verdicts of the moves of a position."""
        form = _form_of(position)
        with self._lock:
            filed = self._entry(form.key)
            won = dict(filed.moves[MOVER])
            lost = dict(filed.moves[OTHER])
            lost_by_any = filed.lost
        wins: dict[int, Verdict] = {}
        losses: dict[int, Verdict] = {}
        unknown = []
        for cell in position.empties:
            there = form.places[cell]
            win = won.get(there)
            loss = lost.get(there, lost_by_any)
            if win and not loss:
                wins[cell] = form.there(win)
            elif loss and not win:
                losses[cell] = form.there(loss)
            else:
                unknown.append(cell)
        proved = {there: place for place, there in enumerate(won)}
        first = sorted(wins, key=lambda cell: proved[form.places[cell]])
        return KnownMoves({cell: wins[cell] for cell in first}, losses, tuple(unknown))

    def _entry(self, key: bytes) -> "_Filed":
        """Return the entry of a position; a new one gets the conclusions from its neighbours."""
        filed = self._filed.get(key)
        if filed is None:
            filed = self._filed[key] = self._changed[key] = _Filed(key)
            self._conclude()
        return filed

    # What is noted, and what follows from it

    def _claim(self, filed: "_Filed", claim: Verdict) -> None:
        """Store the winner of a position, unless an equally plain proof is known."""
        stored = filed.claims.get(claim.winner)
        if stored is None or claim.order < stored.order:
            filed.claims[claim.winner] = claim
            self._revision += 1
            self._changed[filed.key] = filed

    def _claim_move(self, filed: "_Filed", cell: int, claim: Verdict) -> None:
        """Store who wins after a move; where the stones are their own image, also for its image."""
        stones = filed.key[_HEAD:]
        cells = (cell, len(stones) - 1 - cell) if stones == stones[::-1] else (cell,)
        for each in cells:
            stored = filed.moves[claim.winner].get(each)
            if stored is None or claim.order < stored.order:
                filed.moves[claim.winner][each] = claim
                self._revision += 1
                self._changed[filed.key] = filed

    def _conclude(self) -> None:
        """Draw all conclusions from the entries that have changed."""
        while self._changed:
            _, filed = self._changed.popitem()
            won = filed.moves[MOVER]
            lost = filed.moves[OTHER]
            for claim in won.values():
                self._claim(filed, claim)
            if len(lost) == filed.key.count(EMPTY, _HEAD) > 0:
                self._claim(filed, max(lost.values(), key=lambda loss: loss.order))
            for cell, _, after in _with_each(filed.key, EMPTY, OTHER):
                if (following := self._filed.get(after)) is not None:
                    self._conclude_across(filed, cell, following)
            for _, cell, before in _with_each(filed.key, OTHER, EMPTY):
                if (earlier := self._filed.get(before)) is not None:
                    self._conclude_across(earlier, cell, filed)

    def _conclude_across(self, earlier: "_Filed", cell: int, following: "_Filed") -> None:
        """Conclude from an entry to the one a move later, and back."""
        claims = [moves[cell] for moves in earlier.moves.values() if cell in moves]
        if OTHER in earlier.claims:
            claims.append(earlier.claims[OTHER])
        for claim in claims:
            self._claim(following, _across_a_move(claim))
        for claim in following.claims.values():
            self._claim_move(earlier, cell, _across_a_move(claim))


# How positions are filed: as Black's turn, the smaller one of both ways up

MOVER, OTHER = Color.BLACK, Color.WHITE
_HEAD = 2  # bytes of a key before the stones: rows and columns


@dataclass(eq=False, slots=True)
class _Filed:
    """The entry of a position: who wins it, and after which of its moves."""

    key: bytes
    claims: dict[Color, Verdict] = field(default_factory=dict)
    moves: dict[Color, dict[int, Verdict]] = field(default_factory=lambda: {c: {} for c in Color})

    @property
    def undisputed(self) -> Verdict | None:
        """Who wins, unless two proofs contradict each other."""
        claims = tuple(self.claims.values())
        return claims[0] if len(claims) == 1 else None

    @property
    def lost(self) -> Verdict | None:
        """The undisputed proof that the other side wins, whatever the mover plays."""
        verdict = self.undisputed
        return verdict if verdict and verdict.winner is OTHER else None


def _across_a_move(claim: Verdict) -> Verdict:
    """Return what a claim on a filed position implies for one a move away, as that is filed."""
    kind = VerdictKind.CONNECTION if claim.kind is VerdictKind.CHAIN else claim.kind
    return replace(claim, winner=claim.winner.opponent, kind=kind)


@dataclass(frozen=True)
class _FiledForm:
    """How a position is filed, and how to get there; colours come back in the same way."""

    key: bytes
    mirrored: bool
    places: tuple[int, ...]  # of each cell, in the filed stones

    def there(self, verdict: Verdict) -> Verdict:
        """Return a verdict with the colours that it has there, or back here."""
        return replace(verdict, winner=verdict.winner.opponent) if self.mirrored else verdict


@lru_cache(maxsize=512)  # all plies of a game are looked up whenever more is known of it
def _form_of(position: Position) -> _FiledForm:
    oriented = next(seen_by(position, position.to_move))
    board = oriented.position.board
    key = bytes((board.rows, board.columns)) + oriented.position.stones
    return _FiledForm(key, oriented.mirrored, oriented.inverse(position).cell_of)


def _with_each(key: bytes, stone: int, other: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield the positions with one of the stones changed, a move later or earlier.

    Each with the cell, as it is filed in this position and in that one, and the key of that one.
    """
    instead = bytes((other,))
    stones = key[_HEAD:]
    places = _mirror_places(key[0], key[1])
    head = bytes((key[1], key[0]))
    mirrored = mirrored_stones(stones, key[1])
    last = len(stones) - 1
    turned = mirrored[::-1]
    for cell, present in enumerate(stones):
        if present == stone:
            place = places[cell]
            opposite = last - place
            upright = mirrored[:place] + instead + mirrored[place + 1 :]
            upside_down = turned[:opposite] + instead + turned[opposite + 1 :]
            if upright <= upside_down:
                yield cell, place, head + upright
            else:
                yield cell, opposite, head + upside_down


@lru_cache(maxsize=64)
def _mirror_places(rows: int, columns: int) -> tuple[int, ...]:
    """Return where the stone of each cell is after `mirrored_stones`."""
    return tuple(cell % columns * rows + cell // columns for cell in range(rows * columns))
