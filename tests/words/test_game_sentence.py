"""The sentence about a game says only what is proved: each clause is read and checked."""

import random
import re
from itertools import pairwise

import pytest

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import game_summary, proved_spans
from hextui.engine.board import Board, Color
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.words.verdicts import GameSituation, game_ways
from tests.analysis.games import line_of, random_game
from tests.samples import seeds

NAMES = {"Red": Color.BLACK, "Blue": Color.WHITE}
SPAN = r"Proved(?: so far)?: (Red|Blue) wins (?:from|at) (\d+)( to (\d+)| on|)\."
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


class Reader:
    """Reads a sentence about a game, and checks each clause against every ply.

    ``known``: the proved winner at each ply, None if there is none.
    """

    def __init__(self, line: tuple[GamePosition, ...], known: Winners) -> None:
        self.line, self.known = line, known

    def check(self, sentence: str) -> int:
        """Check all claims; return the number of turning points that are named."""
        span = re.match(
            r"Proved(?: so far)?: (Red|Blue) wins (from|at) (\d+)(?: (?:to (\d+)|on))?\.", sentence
        )
        if span:
            last = int(span[4]) if span[4] else int(span[3])
            if " on." in sentence:
                last = len(self.known) - 1
            self._wins(NAMES[span[1]], range(int(span[3]), last + 1))
            return 0
        said = re.match(r"(Red|Blue) ((?:lost|had) it.*?) \(proved\)\.", sentence)
        assert said, sentence
        me = NAMES[said[1]]
        clauses = re.split(r",? and (?=lost|had)|, (?=lost|had)", said[2])
        for clause in clauses:
            self._clause(clause, me)
        return len(clauses)

    def _wins(self, color: Color, plies: range) -> None:
        assert plies
        assert {self.known[ply] for ply in plies} == {color}

    def _clause(self, clause: str, me: Color) -> None:
        what = r"(lost it|had it back)( again)?( for good)? (?:by|after) (.*)"
        found = re.fullmatch(what, clause)
        assert found, clause
        giver = me if found[1] == "lost it" else me.opponent
        moves = re.findall(r"(\d+)\. ([a-z]\d+)", found[4])
        plies = [int(ply) for ply, _ in moves]
        for ply, name in moves:
            before = self.line[int(ply) - 1]
            assert before.position.to_move is giver
            assert before.cell == before.position.board.cell(name)
        proved = [at for at, winner in enumerate(self.known) if winner is not None]
        last = max(at for at in proved if at < plies[0])
        then = min(at for at in proved if at >= plies[-1])
        assert self.known[last] is giver
        assert self.known[then] is giver.opponent
        own = [at + 1 for at in range(last, then) if self.line[at].position.to_move is giver]
        assert plies == own, "one of all its moves between gave the win away"
        if found[3]:
            self._wins(giver.opponent, range(then, len(self.known)))


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
    said = ["".join(piece if isinstance(piece, str) else piece[0] for piece in way) for way in ways]
    if not any(known[2:]):
        assert said == ["Not analysed yet."]
        return
    reader, points = Reader(line, known), turning_points(known)
    assert reader.check(said[0]) == points
    for way in said:
        if re.match(r"Proved|(Red|Blue) (lost|had)", way):
            reader.check(way)
    if points:
        last = said[-2].removesuffix(" lost a win (proved).")
        assert sum(last in way for way in said) >= len(said) - 1, "the last one always stays"


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
