"""The mistakes of a player in reviewed games, and the win probability lost, by kind and phase."""

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.mistakes import (
    PROVED,
    MistakeKind,
    blunders,
    costly_moves,
    kind_of,
    opening_mistakes,
)
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.engine.evaluators import improves
from hextui.engine.position import Position
from hextui.records.record import Record

OPENING_ENDS, ENDGAME_BEGINS = 0.1, 0.3
"""The shares of filled cells between the phases of a game."""


class Phase(enum.StrEnum):
    """The phases of a game, by the share of the cells that are filled before a move."""

    OPENING = "opening"
    """Less than a tenth."""
    MIDDLE_GAME = "middle game"
    """Less than three tenths."""
    ENDGAME = "endgame"


def phase_of(position: Position) -> Phase:
    """Return the phase that a position belongs to."""
    cells = position.board.cells
    share = (cells - len(position.empties)) / cells
    if share < OPENING_ENDS:
        return Phase.OPENING
    return Phase.MIDDLE_GAME if share < ENDGAME_BEGINS else Phase.ENDGAME


@dataclass(frozen=True)
class PlayerMistake:
    """A mistake of a player in the game ``game``: one of the moves at ``plies``, from 1, is.

    ``moves``: their names. ``kind``: None for one that is estimated, not proved. ``lost``: the win
    probability that these moves lost by the search of the review, 0 to 1 for each; None if the
    search has none.
    """

    game: int
    plies: tuple[int, ...]
    moves: tuple[str, ...]
    phase: Phase
    kind: MistakeKind | None
    lost: float | None

    @property
    def before(self) -> int:
        """The number of moves before the first of ``moves``."""
        return self.plies[0] - 1


def mistakes_in_game(
    game: int, record: Record, color: Color, reviews: ReviewStore
) -> tuple[PlayerMistake, ...] | None:
    """Return the mistakes in a game of the player of a colour at its end, in the order of play.

    None if the game has no review. Losses of win probability below `LEAST_COST` do not count.
    """
    if not reviews.has_review(record):
        return None
    positions = game_positions(record, record.main_line())
    estimates = Estimates()
    reviews.read(positions, estimates)
    reviewed = _Reviewed(game, record, positions, estimates)
    search = next(filter(improves, estimates.names), "")
    costs = _costs(positions, estimates, search)
    by_player = (*reviewed.in_opening(search), *reviewed.proved(costs))
    mistakes = [mistake for player, mistake in by_player if player is color]
    listed = {ply for mistake in mistakes for ply in mistake.plies}
    for before in positions:
        ply = before.ply + 1
        if before.player is color and ply in costs and ply not in listed:
            mistakes.append(reviewed.mistake((ply,), before.position, None, costs[ply]))
    return tuple(sorted(mistakes, key=lambda mistake: mistake.before))


def _costs(
    positions: Sequence[GamePosition], estimates: Estimates, search: str
) -> dict[int, float]:
    """Return the win probability that moves lost by a search, by ply; none without a search."""
    costly = costly_moves(positions, estimates, search) if search else ()
    return {move.before.ply + 1: move.cost for move in costly}


@dataclass(frozen=True)
class _Reviewed:
    """A game with its review."""

    game: int
    record: Record
    positions: Sequence[GamePosition]
    estimates: Estimates

    def in_opening(self, search: str) -> Iterator[tuple[Color, PlayerMistake]]:
        """Yield the mistakes in the opening, each with its player: proved, or by the ``search``."""
        for opening in opening_mistakes(self.positions, self.estimates, search):
            kind = MistakeKind.OPENING if opening.by == PROVED else None
            cost = None if opening.win_probability is None else opening.cost
            plies = [move.ply for move in opening.moves]
            yield opening.player, self.mistake(plies, opening.before.position, kind, cost)

    def proved(self, costs: Mapping[int, float]) -> Iterator[tuple[Color, PlayerMistake]]:
        """Yield the other mistakes that are proved, each with its player.

        ``costs``: what moves lost by a search.
        """
        faults = blunders(self.positions, self.estimates)
        for blunder in faults:
            kind = kind_of(blunder, faults, self.estimates)
            plies = [move.ply for move in blunder.moves]
            lost = [costs[ply] for ply in plies if ply in costs]
            cost = sum(lost) if lost else None
            yield blunder.player, self.mistake(plies, blunder.before.position, kind, cost)

    def mistake(
        self, plies: Sequence[int], before: Position, kind: MistakeKind | None, lost: float | None
    ) -> PlayerMistake:
        """Return a mistake in one of the moves at ``plies``, the first of which is made there."""
        turns = self.record.turns()
        return PlayerMistake(
            game=self.game,
            plies=tuple(plies),
            moves=tuple(turns[ply - 1].name(self.record.board) for ply in plies),
            phase=phase_of(before),
            kind=kind,
            lost=lost,
        )


@dataclass(frozen=True)
class MistakeTotal:
    """How many mistakes are proved or estimated, and the win probability that they lost in all."""

    proved: int = 0
    estimated: int = 0
    lost: float = 0.0


def total_of(mistakes: Iterable[PlayerMistake]) -> MistakeTotal:
    """Return the total of some mistakes."""
    mistakes = list(mistakes)
    estimated = sum(mistake.kind is None for mistake in mistakes)
    return MistakeTotal(
        proved=len(mistakes) - estimated,
        estimated=estimated,
        lost=sum(mistake.lost or 0.0 for mistake in mistakes),
    )


def by_mistake_kind(mistakes: Sequence[PlayerMistake]) -> dict[MistakeKind | None, MistakeTotal]:
    """Return the total of each kind that there is; None are those that are estimated."""
    totals = {}
    for kind in (*MistakeKind, None):
        own = [mistake for mistake in mistakes if mistake.kind is kind]
        if own:
            totals[kind] = total_of(own)
    return totals


def by_phase(mistakes: Sequence[PlayerMistake]) -> dict[Phase, MistakeTotal]:
    """Return the total of each phase."""
    totals = {}
    for phase in Phase:
        totals[phase] = total_of(mistake for mistake in mistakes if mistake.phase is phase)
    return totals
