"""Moves tried against a proof: after every answer the winner still wins, to any depth."""

import random

import pytest

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.attack_answers import answer_attack
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.proof_export import Exporter
from hextui.text import Names
from hextui.words.proofs import PASSED, ProofTree
from hextui.words.tries import TriedMoves
from tests.engine.solver.test_check import random_position
from tests.oracles.winners import Exhaustive

SMALL = SolverSettings(table_bytes=1 << 24)


def tree_of(exporter, position):
    return ProofTree(exporter.prove(position), Names.RED_BLUE)


def play(tried, exporter, cell, line=None):
    """Try a move, and have it answered where no answer is at hand."""
    asked = tried.play(cell, line)
    if asked is not None:
        tried.take(answer_attack(asked, exporter.prove))


def replayed(position, moves):
    for cell in moves:
        position = position.pass_turn() if cell == PASSED else position.play(cell)
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
                    assert moves[len(line.moves)] == cell
                    assert moves[-1] in line.carrier, "the answer stays inside what was shown"
                    check_answer(other, other.lines[-1], position, oracle.winner, holds)
                    answers += 1
                else:
                    why = "changes nothing" if line.carrier else "has won"
                    assert why in other.said
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


def test_all_tries_of_all_replies_on_a_small_board():
    board = Board(3, 3)
    rng, oracle = random.Random(33), Exhaustive(board)
    exporter = Exporter(Solver(board, SMALL))

    def visit(tried):
        line, found = tried.lines[-1], 1
        for cell in sorted(line.carrier):
            other = TriedMoves(line.tree)
            other.lines = tried.lines
            play(other, exporter, cell)
            after = other.lines[-1]
            assert after.moves[-1] in line.carrier
            assert after.carrier < line.carrier
            assert oracle.winner(after.position) is line.tree.winner
            assert oracle.carrier_holds(after.position, line.tree.winner, after.carrier)
            found += visit(other)
        return found

    found = 0
    for _ in range(12):
        position = random_position(rng, board, rng.randint(8, 9))
        found += visit(TriedMoves(tree_of(exporter, position)))
    assert found > 100


LADDER = "WWB..../BW....B/B....../..B..BB/BW....W/.W...WW/WB....."
CENTRE = "...../...../..B../...../....."
GAME = "......./...B.../..BW.../......./......./.B.W.../......."


@pytest.mark.parametrize(
    ("stones", "to_move", "cell", "said"),
    [
        (LADDER, Color.BLACK, "f2", "attacks the ladder from g2 to the top edge. Red answers g1"),
        (CENTRE, Color.WHITE, "c4", "intrudes on the ziggurat from c3 to the bottom edge. Red"),
        (GAME, Color.WHITE, "b7", "intrudes on the bridge from b6 to the bottom edge. Red answers"),
        (GAME, Color.WHITE, "b5", "a double threat: Blue can stop only one. Red is connected."),
    ],
)
def test_the_link_under_attack_is_named(stones, to_move, cell, said):
    position = Position.parse(stones, to_move)
    exporter = Exporter(Solver(position.board, SMALL))
    tried = TriedMoves(tree_of(exporter, position))
    play(tried, exporter, position.board.cell(cell))
    assert said in tried.lines[-1].text


@pytest.mark.parametrize("side", [5, 6, 7])
def test_a_bridge_under_attack_is_restored_wherever_that_wins(side):
    board = Board(side, side)
    exporter, rng, found = Exporter(Solver(board, SMALL)), random.Random(side), 0
    for _ in range(8):
        position = random_position(rng, board, board.cells * 2 // 3)
        tried = TriedMoves(tree_of(exporter, position))
        (line,) = tried.lines
        winner = line.tree.winner
        lost = line.position.with_to_move(winner.opponent)
        for cell in sorted(line.carrier):
            partners = bridges(lost, cell) & line.carrier
            asked = tried.play(cell)
            if asked is None or not partners:
                continue
            after = asked.narrowed.play(cell)
            restores = [exporter.prove(after.play(one)).winner is winner for one in partners]
            tried.take(answer_attack(asked, exporter.prove))
            if any(restores):
                assert "intrudes on the bridge" in tried.lines[-1].text
                found += 1
            tried.take_back()
    assert found > 2


def bridges(position, cell):
    """Return the other cells of the bridges of the side that moved last on which a cell is."""
    board, own, captain = position.board, position.to_move.opponent, position.groups.captain
    found = set()
    for other in board.neighbours[cell]:
        near = set(board.neighbours[cell]) & set(board.neighbours[other])
        groups = {captain[at] for at in near if position.stones[at] == own}
        if position.stones[other] == EMPTY and len(groups) == 2:
            found.add(other)
    return found


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
    assert any("are captured: each answers the other" in text for text in said)
    assert any("Red is connected" in text for text in said)
    assert any("Red wins inside" in text for text in said)
    assert all(
        (text.endswith(".") and "Red answers" in text) or "other half" in text for text in said
    )
    play(tried, exporter, board.cell("f1"))
    assert tried.said == "f1 is taken: Blue tries an empty cell."
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
        f"{name} changes nothing: Red wins inside 16 cells without it. "
        "Blue tries a cell of the carrier."
    )
    assert len(tried.lines) == 1


def test_a_cell_that_an_answer_took_out_of_the_carrier_is_held_by_its_stone():
    position = Position.parse("..... / ..... / ..B.. / ..... / .....", Color.WHITE)
    exporter = Exporter(Solver(position.board, SMALL))
    tried, cell = TriedMoves(tree_of(exporter, position)), position.board.cell
    play(tried, exporter, cell("c5"))
    answered = tried.lines[-1]
    held = set()
    for gone in sorted(tried.lines[0].carrier - answered.carrier):
        play(tried, exporter, gone)
        held.add(tried.said)
        assert tried.lines[-1] == answered
    assert any(
        text.endswith("already holds it. Blue tries a cell of the carrier.") for text in held
    )


def test_nothing_is_played_for_a_winner_that_is_joined_and_to_move():
    position = Position.parse("..... / ..... / ..B.. / ..... / .....", Color.BLACK)
    exporter = Exporter(Solver(position.board, SMALL))
    tried = TriedMoves(tree_of(exporter, position))
    (first,) = tried.lines
    assert first.text == "Red is connected already and need not move"
    assert first.position.stones == position.stones
    assert first.moves == (PASSED,)
    assert tried.prompt == "Try moves of Blue in the carrier"
    play(tried, exporter, position.board.cell("c5"))
    assert tried.lines[-1].moves[:2] == (PASSED, position.board.cell("c5"))
    assert tried.moves.startswith("c5-")


def test_tries_are_taken_back_one_by_one():
    position = Position.parse("..... / ..... / ..B.. / ..... / .....", Color.WHITE)
    exporter = Exporter(Solver(position.board, SMALL))
    tried = TriedMoves(tree_of(exporter, position))
    seen = [tried.lines]
    while tried.lines[-1].carrier:
        play(tried, exporter, min(tried.lines[-1].carrier))
        seen.append(tried.lines)
    assert tried.prompt == "Blue has nothing left to try"
    assert len(tried.moves.split()) == tried.count == len(seen) - 1
    while seen:
        assert tried.lines == seen.pop()
        assert tried.take_back() is bool(seen)


def test_without_an_answer_from_the_engine_the_proof_at_hand_answers():
    position = Position.empty(Board(6, 6)).play("f1")
    exporter = Exporter(Solver(position.board, SMALL))
    tried, answered = TriedMoves(tree_of(exporter, position)), 0
    for cell in sorted(tried.lines[0].carrier):
        if tried.play(cell) is not None and tried.take_known():
            assert exporter.prove(tried.lines[-1].position).winner is Color.BLACK
            answered += 1
        tried.back()
    assert answered
    assert not tried.take_known()
