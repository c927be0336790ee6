"""The mistakes of a player in reviewed games agree with a plain count, ply by ply."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.mistakes import LEAST_COST, MistakeKind
from hextui.analysis.player_mistakes import (
    Phase,
    PlayerMistake,
    by_mistake_kind,
    by_phase,
    mistakes_in_game,
    phase_of,
    total_of,
)
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.records.record import Record
from tests.oracles.winners import Exhaustive

FOUR = Board(4, 4)
SOLVER = Exhaustive(FOUR)
SEARCH = "search"


@dataclass
class Plain:
    """What is stored of a game, by ply, and the game's words."""

    words: list[str]
    winners: dict[int, Color]
    rates: dict[int, float]
    best: dict[int, str]
    last: int

    def mover(self, ply: int) -> Color:
        """Return who moves at a ply: the one who swaps sides moves again with the other colour."""
        later = ply >= 2 and self.words[1] == "swap-sides"
        return Color.WHITE if (ply % 2 == 1) is not later else Color.BLACK

    def player(self, ply: int) -> Color:
        """Return the colour at the end of who moves at a ply."""
        sides = self.words[1] == "swap-sides" and ply < 2
        return self.mover(ply).opponent if sides else self.mover(ply)

    def is_stone(self, ply: int) -> bool:
        """Return whether a stone is put at a ply, other than one that may be swapped."""
        return 1 <= ply < self.last and not self.words[ply].startswith("swap")

    def costs(self) -> dict[int, float]:
        costs = {}
        for ply in filter(self.is_stone, range(self.last)):
            mover = self.mover(ply)
            if self.winners.get(ply, mover) is not mover or self.winners.get(ply + 1) is mover:
                continue
            if {ply, ply + 1} <= self.rates.keys() and self.words[ply] != self.best[ply]:
                cost = self.rates[ply] + self.rates[ply + 1] - 1
                if cost >= LEAST_COST:
                    costs[ply] = cost
        return costs

    def blunders(self) -> Iterator[tuple[Color, list[int]]]:
        """Yield the player and the plies of each change of the proved winner between stones."""
        before: tuple[int, Color] | None = None
        for ply in range(self.last + 1):
            if ply < 2 or not self.is_stone(ply - 1):
                before = None
            if ply >= 1 and ply in self.winners:
                winner = self.winners[ply]
                if before is not None and before[1] is not winner:
                    plies = [p for p in range(before[0], ply) if self.mover(p) is before[1]]
                    yield self.player(plies[0]), plies
                before = ply, winner

    def opening(self) -> Color | None:
        """Return who made a mistake in the opening, if the first stone's value is proved."""
        swapped = self.words[1].startswith("swap")
        first, second = self.player(0), self.player(1)
        if self.winners[1] is Color.BLACK:
            return first if swapped else second
        return second if swapped else None


def drawn_game(chance: random.Random) -> Record:
    position = Position.empty(FOUR)
    moves = []
    while position.winner is None and len(moves) < chance.choice([6, 12, 20]):
        if position.swap_legal and chance.random() < 0.6:
            kinds = (MoveKind.SWAP_SIDES, MoveKind.SWAP_PIECES)
            moves.append(Move(chance.choice(kinds)))
        else:
            moves.append(Move.play(chance.choice(position.empties)))
        position = position.apply(moves[-1])
    return Record.of_moves(FOUR, moves)


def reviewed(record: Record, chance: random.Random, store: ReviewStore) -> Plain:
    """Keep a review of a game: most winners, and win probabilities by lot; return it plainly."""
    line = game_positions(record, record.main_line())
    estimates = Estimates()
    plain = Plain([turn.name(FOUR) for turn in record.turns()], {}, {}, {}, len(line) - 1)
    for ply, each in enumerate(line):
        if each.position.winner is not None:
            continue
        if ply == 1 or chance.random() < 0.7:
            winner = SOLVER.winner(each.position.without_swap)
            estimates.keep_verdict(each.position, Verdict(VerdictKind.SOLVER, winner))
        if chance.random() < 0.8:
            rate = chance.randrange(1001) / 1000
            cell = chance.choice(each.position.empties)
            estimates.keep(each.position, SEARCH, Estimate(rate, (cell,), {}, True, rate))
            plain.rates[ply] = rate
            plain.best[ply] = FOUR.name(cell)
    for ply, each in enumerate(line):
        verdict = estimates.verdict(each.position)
        if verdict is not None:
            plain.winners[ply] = verdict.winner
    store.keep(line, estimates)
    return plain


def check(plain: Plain, color: Color, mistakes: tuple[PlayerMistake, ...]) -> None:
    costs = plain.costs()
    blunders = {tuple(plies) for player, plies in plain.blunders() if player is color}
    proved = [m for m in mistakes if m.kind not in (None, MistakeKind.OPENING)]
    assert {tuple(ply - 1 for ply in m.plies) for m in proved} == blunders
    assert len(proved) == len(blunders)
    for mistake in proved:
        assert (mistake.kind is MistakeKind.SEVERAL) is (len(mistake.plies) > 1)
        lost = [costs[ply - 1] for ply in mistake.plies if ply - 1 in costs]
        assert mistake.lost == (pytest.approx(sum(lost)) if lost else None)
    openings = [m for m in mistakes if m.kind is MistakeKind.OPENING]
    assert len(openings) == (1 if plain.opening() is color else 0)
    blamed = {ply for _, plies in plain.blunders() for ply in plies}
    estimated = {m.before: m.lost for m in mistakes if m.kind is None}
    own = {p: c for p, c in costs.items() if plain.player(p) is color and p not in blamed}
    assert estimated == pytest.approx(own)
    for mistake in mistakes:
        assert mistake.moves == tuple(plain.words[ply - 1] for ply in mistake.plies)
        filled = mistake.before - plain.words[: mistake.before].count("swap-sides")
        filled -= plain.words[: mistake.before].count("swap-pieces")
        phases = [Phase.OPENING, Phase.MIDDLE_GAME, Phase.ENDGAME]
        limits = [1.6, 4.8]  # of 16 cells
        assert mistake.phase is phases[sum(filled >= limit for limit in limits)]


@pytest.mark.parametrize("seed", range(60))
def test_mistakes_agree_with_a_plain_count(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    record = drawn_game(chance)
    if record.plies < 2:
        return
    with closing(ReviewStore(tmp_path / "reviews.sqlite")) as store:
        assert mistakes_in_game(7, record, Color.BLACK, store) is None
        plain = reviewed(record, chance, store)
        both = []
        for color in Color:
            mistakes = mistakes_in_game(7, record, color, store)
            assert mistakes is not None
            check(plain, color, mistakes)
            both += mistakes
    total = total_of(both)
    assert total.proved + total.estimated == len(both)
    for totals in (by_mistake_kind(both), by_phase(both)):
        assert sum(each.proved for each in totals.values()) == total.proved
        assert sum(each.estimated for each in totals.values()) == total.estimated
        assert sum(each.lost for each in totals.values()) == pytest.approx(total.lost)


def test_the_phase_depends_on_the_filled_cells() -> None:
    position = Position.empty(Board(10, 10))
    phases = []
    for cell in range(40):
        phases.append(phase_of(position))
        position = position.play(cell)
    assert phases[9:11] == [Phase.OPENING, Phase.MIDDLE_GAME]
    assert phases[29:31] == [Phase.MIDDLE_GAME, Phase.ENDGAME]
