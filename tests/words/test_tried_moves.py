"""Moves tried against a proof: after every answer the winner still wins, to any depth."""

import random

import pytest

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.proof_export import Exporter
from hextui.engine.solver.strategy import strategy_of
from hextui.words.names import Names
from hextui.words.proofs import ProofTree, TriedMoves
from tests.engine.solver.test_check import random_position
from tests.oracles.winners import Exhaustive

SMALL = SolverSettings(table_bytes=1 << 24)


def tree_of(exporter, position):
    return ProofTree(strategy_of(exporter.prove(position)), Names.RED_BLUE)


def play(tried, exporter, cell, line=None):
    """Try a move, and ask for a proof of its answer where there is none at hand."""
    asked = tried.play(cell, line)
    if asked is not None:
        tried.take(strategy_of(exporter.prove(asked)))


def replayed(position, moves):
    for cell in moves:
        position = position.play(cell)
    return position


def check_answer(tried, line, position, wins, holds):
    """Check the last line after a move was tried in ``position``, which its moves lead to."""
    winner = line.tree.winner
    assert line.position.stones == replayed(position, line.moves).stones
    assert wins(line.position) is winner, line
    assert line.carrier <= set(line.position.empties)
    holds(line.position.with_to_move(winner.opponent), winner, line.carrier)
    for below in line.tree.below(line):
        assert wins(below.position) is winner


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("board", "count"),
    [
        (Board(3, 3), 12),
        (Board(3, 5), 4),
        pytest.param(Board(3, 5), 12, marks=pytest.mark.slow),
        pytest.param(Board(4, 4), 12, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_every_answer_keeps_the_win_by_exhaustive_play(board, count, late):
    rng, oracle = random.Random(f"{board} {late}"), Exhaustive(board)
    exporter = Exporter(Solver(board, SMALL), is_late=lambda: late)

    def holds(position, winner, carrier):
        assert oracle.carrier_holds(position, winner, carrier), (position, carrier)

    answers = depth = 0
    for _ in range(count):
        position = random_position(rng, board, rng.randint(board.cells // 2, board.cells))
        if position.winner is not None:
            continue
        tried = TriedMoves(tree_of(exporter, position))
        while True:
            line = tried.lines[-1]
            inside = sorted(line.carrier)
            for cell in line.position.empties:
                other = TriedMoves(line.tree)
                play(other, exporter, cell, line)
                if cell in line.carrier:
                    assert not other.said
                    moves = other.lines[-1].moves
                    assert moves[: len(line.moves)] == line.moves
                    assert cell in moves[len(line.moves) :][:2]
                    check_answer(other, other.lines[-1], position, oracle.winner, holds)
                    answers += 1
                else:
                    assert "outside the carrier" in other.said
                    after = line.position.with_to_move(line.tree.winner.opponent).play(cell)
                    passed = after.pass_turn()
                    assert oracle.winner(passed) is line.tree.winner, "it may play anywhere"
            if not inside:
                break
            play(tried, exporter, rng.choice(inside))
            depth = max(depth, len(tried.lines))
        assert any("joins" in below.text for below in line.tree.below(line)) or line.spot is None
    assert answers > 2 * count
    assert depth > 2


@pytest.mark.slow
@pytest.mark.parametrize("side", [7, 9])
def test_every_answer_keeps_the_win_by_a_solver_without_fill_in(side):
    rng, board = random.Random(side), Board(side, side)
    exporter = Exporter(Solver(board, SMALL), is_late=lambda: True)
    plain = Solver(board, SolverSettings(table_bytes=1 << 26, fill=False, vulnerable=False))

    def wins(position):
        *_, solution = plain.solve(position)
        return position.winner or solution.winner

    for _ in range(4):
        position = Position.empty(board)
        for cell in rng.sample(range(board.cells), board.cells // 4):
            position = position.play(cell)
        for _ in range(5):
            tried = TriedMoves(tree_of(exporter, position))
            while tried.lines[-1].carrier:
                play(tried, exporter, rng.choice(sorted(tried.lines[-1].carrier)))
                check_answer(tried, tried.lines[-1], position, wins, lambda *_: None)


def test_what_is_said_of_each_kind_of_answer():
    board = Board(6, 6)
    position = Position.empty(board).play(board.cell("f1"))
    exporter = Exporter(Solver(board, SMALL))
    tried, said = TriedMoves(tree_of(exporter, position)), set()
    (first,) = tried.lines
    for cell in first.carrier:
        tried.back()
        play(tried, exporter, cell)
        line = tried.lines[-1]
        said.add(line.text)
        for pair in line.spot.pairs:
            play(tried, exporter, pair[0], line)
            said.add(tried.lines[-1].text)
    assert any(": captured" in text for text in said)
    assert any("and is joined" in text for text in said)
    assert any("and wins inside" in text for text in said)
    for text in said:
        assert text.startswith("if Blue plays ")
    play(tried, exporter, board.cell("f1"))
    assert tried.said == "f1 is taken"
    tried.back()
    assert tried.lines == (first,)
    assert tried.said == ""


def test_a_move_outside_the_carrier_changes_nothing():
    position = Position.parse("..... / ..... / ..B.. / ..... / .....", Color.WHITE)
    exporter = Exporter(Solver(position.board, SMALL))
    tried = TriedMoves(tree_of(exporter, position))
    outside = next(c for c in position.empties if c not in tried.lines[0].carrier)
    assert position.stones[outside] == EMPTY
    assert tried.play(outside) is None
    name = position.board.name(outside)
    assert tried.said == (
        f"{name} is outside the carrier: it changes nothing, and Red may play anywhere"
    )
    assert len(tried.lines) == 1
