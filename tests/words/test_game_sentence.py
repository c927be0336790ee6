"""The sentence about a game says only what is proved: each clause is read and checked."""

import random
import re
from itertools import pairwise

import pytest

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import game_summary, proved_spans
from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.words.verdicts import GameSituation, game_ways
from tests.analysis.games import line_of, random_game
from tests.benchmarks.game_sentences import Counts, ReadGame, read
from tests.oracles.sentences import LISTED, ContradictionError, GameReader, text_of
from tests.samples import seeds

ROOM = 80 - len(" GAME    D worst mistake ")
"""The characters of the line at 80 columns, beside its title and the key."""
Winners = list[Color | None]


def drawn_winners(line: tuple[GamePosition, ...], rng: random.Random) -> Winners:
    """Return who wins at each ply as in a real game: only a win's owner gives it away."""
    owner, winners = rng.choice(list(Color)), Winners()
    for here in line:
        winners.append(owner)
        if here.position.to_move is owner and rng.random() < 0.3:
            owner = owner.opponent
    return winners


def forget_some(winners: Winners, rng: random.Random) -> Winners:
    share = rng.choice((0.0, 0.2, 0.6, 0.9))
    return [None if rng.random() < share else winner for winner in winners]


def proved_in(line: tuple[GamePosition, ...], winners: Winners) -> Estimates:
    found = Estimates()
    for here, winner in zip(line, winners, strict=True):
        if winner is not None and here.position.winner is None:
            found.keep_verdict(here.position, Verdict(VerdictKind.SOLVER, winner))
    return found


def exchanged(sentence: str) -> str:
    """Return the same sentence about the other player."""
    players = {"Red": "Blue", "Blue": "Red"}
    return re.sub("Red|Blue", lambda found: players[found[0]], sentence)


def turning_points(known: Winners) -> int:
    proved = [winner for winner in known if winner is not None]
    return sum(one is not other for one, other in pairwise(proved))


@pytest.mark.parametrize("seed", seeds(40, 2000))
def test_each_clause_is_true_of_every_ply(seed: int) -> None:
    rng = random.Random(f"clauses {seed}")
    record = random_game(Board(4, 4), seed)
    line = line_of(record)[:-1]  # without the chain, whose winner is certain
    drawn = forget_some(drawn_winners(line, rng), rng)
    estimates = proved_in(line, drawn)
    known: Winners = []
    for here in line:
        verdict = estimates.verdict(here.position)
        begins = not any(here.position.stones)  # the first stone can be swapped
        known.append(None if verdict is None or begins else verdict.winner)
    summary = game_summary(line, estimates, 10.0)
    ways = game_ways(GameSituation(summary, moves=len(line) - 1))
    said = list(map(text_of, ways))
    if not any(known[2:]):
        assert said == ["Not analysed yet."]
        return
    reader, points = GameReader(line, known), turning_points(known)
    assert reader.check(said[0]) == points
    for way in said:
        reader.check(way)
        if exchanged(way) != way:
            with pytest.raises(ContradictionError):
                reader.check(exchanged(way))
    if points:
        last = said[-2].removesuffix(" lost a win (proved).")
        assert sum(last in way for way in said) >= len(said) - 1, "the last one always stays"
        at_80_columns = next(way for way in said if len(way) <= ROOM)
        assert last in at_80_columns or f"-{summary.blunders[-1].moves[-1].ply} " in at_80_columns
        assert sum(LISTED in way for way in said) == points


@pytest.mark.parametrize("seed", seeds(20, 200))
def test_spans_hold_at_every_ply_and_cannot_be_longer(seed: int) -> None:
    rng = random.Random(f"spans {seed}")
    line = line_of(random_game(Board(4, 4), seed))[:-1]
    estimates = proved_in(line, forget_some(drawn_winners(line, rng), rng))
    spans = proved_spans(line, estimates)
    at = {here.ply: estimates.verdict(here.position) for here in line[2:]}
    known = {ply: verdict.winner for ply, verdict in at.items() if verdict}
    covered = {ply: span.color for span in spans for ply in range(span.first, span.last + 1)}
    assert covered == known
    for span in spans:
        assert known.get(span.first - 1) is not span.color
        assert known.get(span.last + 1) is not span.color


@pytest.mark.parametrize("seed", seeds(2, 50))
def test_both_lines_agree_with_the_solver_at_every_ply(seed: int) -> None:
    game = ReadGame(f"random {seed}", random_game(Board(4, 4), seed), Counts())
    read(game, Limit(nodes=10_000), misses=None)
    counts = game.counts
    assert counts.contradictions == []
    assert counts.proved == counts.plies == len(game.line)
    lie = exchanged(game.read_here(game.line[-2].ply))
    with pytest.raises(ContradictionError):
        game.here_reader(game.line[-2].ply).check(lie)
