"""The report on a game: who is ahead at each ply, and how far evaluators agree with the moves.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.4: Q of a move, eq. 7.
"""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isinf
from statistics import fmean
from typing import TypeVar

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.engine.board import Color
from hextui.engine.evaluators import improves
from hextui.engine.ranking import Quality
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.engine.swap import winner_under_rule
from hextui.engine.verdicts import ClaimedWinner, VerdictKind

T = TypeVar("T")
WORST = 3


@dataclass(frozen=True)
class JudgedMove:
    """A move, its rank, the evaluator's ``best`` cell, and whether the opponent may swap it."""

    ply: int
    cell: int
    quality: Quality
    best: int
    swappable: bool


@dataclass(frozen=True)
class PlayerReport:
    """How far an evaluator agrees with one player's moves; means are None without moves.

    ``q``, ``mid_q``: mean Q by competition and by mid rank. ``top_1``, ``top_5``: share of moves
    of rank 1, and of rank 5 or better. ``worst``: the moves of lowest Q, without those of rank 1
    and a first move that can be swapped, which ought to be weak.
    """

    moves: int
    q: float | None
    mid_q: float | None
    top_1: float | None
    top_5: float | None
    worst: tuple[JudgedMove, ...]


@dataclass(frozen=True)
class Stretch:
    """Plies, both ends included, with one proved winner."""

    first: int
    last: int
    winner: Color
    kind: VerdictKind


@dataclass(frozen=True)
class ClaimedStretch:
    """Plies, both ends included, with one claim where nothing is proved."""

    first: int
    last: int
    claim: ClaimedWinner


def player_reports(
    positions: Sequence[GamePosition], names: Sequence[str], estimates: Estimates
) -> dict[str, dict[Color, PlayerReport]]:
    """Return reports on the players of a game by evaluator and by the player's colour."""
    players = {}
    for name in names:
        moves: dict[Color, list[JudgedMove]] = {color: [] for color in Color}
        for game_position in positions:
            judged = _judged(game_position, name, estimates)
            if judged is not None:
                moves[game_position.player].append(judged)
        players[name] = {color: _player_report(moves[color]) for color in Color}
    return players


def stretches(positions: Sequence[GamePosition], estimates: Estimates) -> tuple[Stretch, ...]:
    """Return the longest stretches of plies with one winner, proved in one way, if nobody swaps."""
    verdicts = [
        (game_position.ply, estimates.verdict(game_position.position))
        for game_position in positions
    ]
    ways = [(ply, (verdict.winner, verdict.kind)) for ply, verdict in verdicts if verdict]
    return tuple(
        Stretch(first, last, winner=winner, kind=kind)
        for first, last, (winner, kind) in _runs(ways)
    )


def claimed_stretches(
    positions: Sequence[GamePosition], estimates: Estimates
) -> tuple[ClaimedStretch, ...]:
    """Return the longest stretches of plies with one claim, the oldest one of each position."""
    claims = [
        (game_position.ply, estimates.claims(game_position.position)) for game_position in positions
    ]
    first_ones = [(ply, claimed[0]) for ply, claimed in claims if claimed]
    return tuple(ClaimedStretch(first, last, claim) for first, last, claim in _runs(first_ones))


def _runs(values: Iterable[tuple[int, T]]) -> list[tuple[int, int, T]]:
    """Return the first and last of consecutive plies with the same value, and the value."""
    runs: list[tuple[int, int, T]] = []
    for ply, value in values:
        if runs and runs[-1][1:] == (ply - 1, value):
            runs[-1] = runs[-1][0], ply, value
        else:
            runs.append((ply, ply, value))
    return runs


def decided(positions: Sequence[GamePosition], estimates: Estimates) -> int | None:
    """Return the first ply from which on the winner at the end is proved at every ply.

    None if the last ply is unknown. The proofs are of play in which nobody swaps.
    """
    first = None
    winner = None
    for game_position in reversed(positions):
        verdict = estimates.verdict(game_position.position)
        if verdict is None or (winner is not None and verdict.winner is not winner):
            break
        first = game_position.ply
        winner = verdict.winner
    return first


def _judged(game_position: GamePosition, name: str, estimates: Estimates) -> JudgedMove | None:
    estimate = estimates.of(game_position, name)
    quality = estimates.quality(game_position, name)
    if estimate is None or quality is None or game_position.cell is None:
        return None
    swappable = game_position.position.play(game_position.cell).swap_legal
    return JudgedMove(
        ply=game_position.ply + 1,
        cell=game_position.cell,
        quality=quality,
        best=estimate.best[0],
        swappable=swappable,
    )


def _player_report(moves: list[JudgedMove]) -> PlayerReport:
    if not moves:
        return PlayerReport(moves=0, q=None, mid_q=None, top_1=None, top_5=None, worst=())
    worse = [move for move in moves if move.quality.rank > 1 and not move.swappable]
    worse.sort(key=lambda move: (move.quality.q, move.ply))
    return PlayerReport(
        moves=len(moves),
        q=fmean(move.quality.q for move in moves),
        mid_q=fmean(move.quality.mid_q for move in moves),
        top_1=fmean(move.quality.rank == 1 for move in moves),
        top_5=fmean(move.quality.rank <= 5 for move in moves),
        worst=tuple(worse[:WORST]),
    )


_HIGHEST = 0.8
"""The largest advantage by resistance: only a proof is 1."""
_HALF = 0.5
"""The balance of resistances that makes half of it."""


class AdvantageSource(enum.Enum):
    """What an advantage is estimated or proved by."""

    PROOF = "proof"
    SEARCH = "search"
    RESISTANCE = "resistance"


@dataclass(frozen=True)
class Advantage:
    """Who is ahead at a ply, and by how much: ``share``, 0 to 1.

    A proof is 1. By search it is this side's win probability minus the other's; by resistance it
    grows with the balance of resistances.
    """

    color: Color
    share: float
    by: AdvantageSource

    @property
    def proved(self) -> bool:
        """Whether the winner is proved."""
        return self.by is AdvantageSource.PROOF

    @property
    def win_probability(self) -> float | None:
        """Red's (Black's), 0 to 1; None by resistance, which gives none."""
        if self.by is AdvantageSource.RESISTANCE:
            return None
        sign = 1 if self.color is Color.BLACK else -1
        return (1 + sign * self.share) / 2


def advantages(
    positions: Sequence[GamePosition],
    estimates: Estimates,
    names: Sequence[str] = (DEFAULT_SEARCH,),
) -> dict[int, Advantage]:
    """Return who is ahead in a line of play, by ply: proved, else by search, else by resistance."""
    searched = next(filter(improves, names), DEFAULT_SEARCH)
    rates = win_probabilities(positions, estimates, searched)
    advantage_at = {}
    for before, game_position in pairwise([None, *positions]):
        assert game_position is not None
        verdict = estimates.verdict(game_position.position)
        if verdict is not None:
            winner = winner_under_rule(game_position.position, verdict.winner)
            advantage_at[game_position.ply] = Advantage(winner, 1.0, AdvantageSource.PROOF)
        elif game_position.ply in rates:
            share = 2 * rates[game_position.ply] - 1  # above 0 for Black
            color = Color.BLACK if share > 0 else Color.WHITE
            advantage_at[game_position.ply] = Advantage(color, abs(share), AdvantageSource.SEARCH)
        elif (advantage := _balanced(before, game_position, estimates)) is not None:
            advantage_at[game_position.ply] = advantage
    return advantage_at


CLEAR = 0.9
"""The least win probability by search at which the winner counts as clear."""


@dataclass(frozen=True)
class Decision:
    """The first ply from which one side wins at every ply to the last.

    ``proved``: each of these plies is, in play in which nobody swaps; if not, its win probability
    by search is at least `CLEAR` where it is not proved.
    """

    ply: int
    winner: Color
    proved: bool


def decision(
    positions: Sequence[GamePosition],
    estimates: Estimates,
    names: Sequence[str] = (DEFAULT_SEARCH,),
) -> Decision | None:
    """Return where a game was decided, by proof or else by search; None if its end is open."""
    ply = decided(positions, estimates)
    last = estimates.verdict(positions[-1].position)
    if ply is not None and last is not None:
        return Decision(ply, last.winner, proved=True)
    ahead = advantages(positions, estimates, names)
    first = None
    for game_position in reversed(positions):
        advantage = ahead.get(game_position.ply)
        if advantage is None or not _is_clear(advantage):
            break
        if first is not None and first.winner is not advantage.color:
            break
        first = Decision(game_position.ply, advantage.color, proved=False)
    return first


def _is_clear(advantage: Advantage) -> bool:
    win = advantage.win_probability
    return win is not None and max(win, 1 - win) >= CLEAR


def win_probabilities(
    positions: Sequence[GamePosition], estimates: Estimates, name: str
) -> dict[int, float]:
    """Return Red's (Black's) win probability by ply where the search ``name`` has one."""
    win_at = {}
    for game_position in positions:
        win = estimates.win_probability(game_position, name)
        if win is not None:
            win_at[game_position.ply] = (
                win if game_position.position.to_move is Color.BLACK else 1 - win
            )
    return win_at


def _balanced(
    before: GamePosition | None, game_position: GamePosition, estimates: Estimates
) -> Advantage | None:
    """Return the advantage by resistance, if the balance is known at a position."""
    balance = estimates.balance(game_position.position)
    if balance is None:
        return None
    # the mean of two plies, because the side that has just moved is ahead by its stone
    last = None if before is None else estimates.balance(before.position)
    mean = balance if last is None else (balance + last) / 2
    color = Color.BLACK if mean > 0 else Color.WHITE
    share = 1.0 if isinf(mean) else abs(mean) / (abs(mean) + _HALF)
    return Advantage(color, _HIGHEST * share, AdvantageSource.RESISTANCE)
