"""A proof walked on the real board: after every answer the winner wins, by exhaustive play."""

import random
from collections import Counter
from functools import cache
from typing import cast

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver import mustplay
from hextui.engine.solver.check import ProofError, check
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.mustplay import proof_of
from hextui.engine.solver.proof import Joined
from hextui.engine.solver.proof_export import Exporter, LeafMaker
from hextui.engine.solver.walker import AnswerReason, Walker
from tests.engine.solver.prover import Prover
from tests.engine.solver.test_check import random_position, winner_of
from tests.engine.solver.test_export import NoConnections
from tests.oracles.winners import Exhaustive
from tests.samples import some

SMALL = SolverSettings(table_bytes=1 << 24)


@cache
def exporter_of(board):
    return Exporter(Solver(board, SMALL))


def walk(walker, wins, rng=None, left_out=None):
    """Walk every line of a proof, or with ``rng`` a long one for each reason; count them.

    ``left_out`` gets the spots where the proof is shortened.
    """
    counts = dict.fromkeys(AnswerReason, 0)
    seen = set()

    def visit(spot):
        position = spot.position
        if spot in seen:
            return
        seen.add(spot)
        assert wins(position) is walker.winner, (position, spot)
        if position.to_move is walker.winner:
            if position.winner is None:
                turn = walker.turn(spot)
                assert position.play(turn.cell) == turn.after.position
                visit(turn.after)
            return
        if walker.is_joined(spot):
            if position.winner is None:
                is_a_chain(walker.chain(spot), walker.proof.nodes[spot.node], position)
            return
        if walker.is_left_out(spot):
            left_out.append(spot)
            return
        branches = walker.branches(spot)
        covered = sorted(cell for branch in branches for cell in branch.to)
        assert covered == list(position.empties)
        if rng is not None:
            mixed = rng.sample(branches, len(branches))
            mixed.sort(key=lambda branch: not walker.is_joined(branch.after))
            branches = {branch.why: branch for branch in mixed}.values()
        for branch in branches:
            counts[branch.why] += 1
            first = walker.answer(spot, branch.to[0])
            assert (first.reply, first.after) == (branch.reply, branch.after)
            to = branch.to if rng is None else [rng.choice(branch.to)]
            for cell in to:
                one = walker.answer(spot, cell)
                after = position.play(cell)
                if one.why is AnswerReason.CAPTURED:
                    assert {cell, one.reply} == set(branch.to)
                elif not one.free:
                    assert one.reply == branch.reply
                after = after.play(one.reply)
                assert one.after.position == after
                visit(one.after)

    visit(walker.start)
    return counts


def is_a_chain(chain, leaf, position):
    """Check that strands lead from edge to edge; two have only captured pairs in common."""
    if not chain.strands:
        return
    cells = position.board.cells
    ends = [end for strand in chain.strands for end in strand.ends]
    assert (ends[0], ends[-1]) == (cells, cells + 1)
    assert ends[1:-1:2] == ends[2:-1:2]
    used = Counter(cell for strand in chain.strands for cell in strand.carrier)
    pairs = {cell for pair in chain.captured for cell in pair}
    assert {cell for cell in used if used[cell] > 1} <= pairs
    assert (chain.key is None) is leaf.full
    assert used.keys() | pairs | {chain.key} - {None} == leaf.carrier


def exact(position):
    return position.winner or winner_of(position)


def exhaustive_wins(position):
    return Exhaustive(position.board).winning_moves(position)


class ChainsOnly(Prover):
    """Proves by must-play alone: a leaf is a chain of stones, so that much has to be walked."""

    def leaf(self, position, color, full):
        """Find no connection."""
        return None

    def _solve(self, position):
        if position.winner is not None:
            leaf = Joined(True, frozenset())
            return position.winner, self.builders[position.winner].add(leaf)
        return super()._solve(position)


@pytest.mark.parametrize("rows", [3, 4])
@pytest.mark.parametrize("columns", [3, 4])
def test_every_answer_keeps_the_win_and_every_move_has_one(rows, columns):
    rng = random.Random(f"{rows} {columns}")
    board = Board(rows, columns)
    by_chains = ChainsOnly(board)
    by_fill = Exporter(Solver(board, SMALL))
    by_fill._leaves = dict.fromkeys(Color, cast(LeafMaker, NoConnections()))
    counts = dict.fromkeys(AnswerReason, 0)
    for _ in range(24):
        position = random_position(rng, board, rng.randint(2, min(board.cells, 8)))
        proofs = [
            exporter_of(board).prove(position),
            by_chains.prove(position),
            by_fill.prove(position),
        ]
        if not position.swap_legal:
            proofs.append(proof_of(mustplay.solve(position, remember=True)))
        for proof in proofs:
            found = walk(Walker(proof), exact)
            counts = {why: counts[why] + found[why] for why in AnswerReason}
    rare = set() if board.cells == 16 else {AnswerReason.CAPTURED, AnswerReason.KILLED}
    assert all(counts[why] for why in set(AnswerReason) - rare), counts


@pytest.mark.parametrize("rows", some((3, 4), 1))
def test_a_shortened_proof_answers_the_first_moves_and_its_carriers_hold(rows):
    rng, board = random.Random(rows), Board(rows, 4)
    solver, oracle = Solver(board, SMALL), Exhaustive(board)
    exporter = Exporter(solver, is_late=lambda: True)
    exporter._leaves = dict.fromkeys(Color, cast(LeafMaker, NoConnections()))
    spots = []
    for _ in range(24):
        position, left_out = random_position(rng, board, rng.randint(4, board.cells)), []
        proof = exporter.prove(position)
        walker = Walker(proof)
        walk(walker, exact, left_out=left_out)
        assert not walker.is_left_out(walker.start)
        for spot in left_out:
            assert oracle.carrier_holds(spot.position, walker.winner, walker.carrier(spot))
        if left_out:
            with pytest.raises(ProofError):
                check(proof)
        spots += left_out
    assert spots


def test_a_proof_begins_with_the_move_that_is_named():
    board = Board(4, 4)
    before = Position.empty(board).play(0).play(3)
    for cell in exhaustive_wins(before):
        proof = exporter_of(board).prove(before.play(cell))
        walker = Walker(proof.before(before, cell))
        turn = walker.turn(walker.start)
        assert (turn.cell, turn.free) == (cell, False)
        walk(walker, exact)


@pytest.mark.slow
def test_captured_pairs_and_kills_are_answered():
    """On a larger board another solver, without fill-in, says who wins."""
    board = Board(6, 6)
    plain = Solver(board, SolverSettings(table_bytes=1 << 26, fill=False, vulnerable=False))

    def wins(position):
        *_, solution = plain.solve(position)
        return solution.winner

    proof = exporter_of(board).prove(Position.empty(board).play(board.cell("f1")))
    walker = Walker(proof)
    rng = random.Random(6)
    counts = dict.fromkeys(AnswerReason, 0)
    for _ in range(40):
        found = walk(walker, wins, rng)
        counts = {why: counts[why] + found[why] for why in AnswerReason}
    assert all(counts.values()), counts
