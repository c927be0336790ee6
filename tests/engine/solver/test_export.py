"""Proofs of what the strong solver found: every one passes the checker."""

import json
import random
from dataclasses import replace
from itertools import chain, islice
from typing import cast

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.captured_pairs import edge_pairs
from hextui.engine.connections import ConnectionSettings, find_connections
from hextui.engine.limit import Limit, StoppedError
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.solver import proof_export
from hextui.engine.solver.check import ProofError, check
from hextui.engine.solver.dfpn import Solver, SolverSettings, solutions
from hextui.engine.solver.leaf_chain import chain_of
from hextui.engine.solver.proof import And, Fill, Kill, Or, Proof, Replies
from hextui.engine.solver.proof_board import mask_of
from hextui.engine.solver.proof_export import Exporter, LeafMaker, Rings, derivation
from hextui.engine.solver.proof_json import from_text, to_document
from tests.engine.solver.test_check import random_position, winner_of
from tests.oracles import claims
from tests.test_real_games import DATA, GAMES, games

SMALL = SolverSettings(table_bytes=1 << 24)


def kinds_in(proof):
    """Which kinds of argument a proof needs beside moves and connections."""
    fills = (node for node in proof.nodes if isinstance(node, Fill) and node.captured)
    answers = (a for node in proof.nodes if isinstance(node, Replies) for a in node.answers)
    return {type(part) for part in (*fills, *answers)} & {Fill, Kill}


@pytest.mark.parametrize("rows", [3, 4])
@pytest.mark.parametrize("columns", [3, 4])
def test_random_small_positions(rows, columns):
    rng = random.Random(f"{rows} {columns}")
    board = Board(rows, columns)
    exporter = Exporter(Solver(board, SMALL))
    for _ in range(60):
        position = random_position(rng, board, rng.randint(2, min(board.cells, 11)))
        proof = exporter.prove(position)
        assert proof.winner is winner_of(position)
        found = check(proof)
        own = mask_of(c for c, s in enumerate(position.stones) if s == proof.winner)
        first = position.to_move is proof.winner
        assert claims.holds(board, proof.winner, own, mask_of(found.carrier), first)


def test_random_5x5_positions_and_openings():
    rng = random.Random(5)
    board = Board(5, 5)
    exporter = Exporter(Solver(board, SMALL))
    for _ in range(60):
        check(exporter.prove(random_position(rng, board, rng.randint(12, 24))))
    for cell in range(13):
        check(exporter.prove(Position.empty(board).play(cell)))


def test_openings_that_need_captured_pairs_and_kills():
    board = Board(6, 6)
    exporter = Exporter(Solver(board, SMALL))
    kinds = set()
    for name in ("f1", "a2", "b2"):
        proof = exporter.prove(Position.empty(board).play(board.cell(name)))
        check(proof)
        kinds |= kinds_in(proof)
    assert kinds == {Fill, Kill}


@pytest.mark.slow
def test_the_openings_of_6x6():
    board = Board(6, 6)
    exporter = Exporter(Solver(board, SMALL))
    marks = ""
    for cell in range(18):
        proof = exporter.prove(Position.empty(board).play(cell))
        check(proof)
        marks += ".#"[proof.winner is Color.BLACK]
    assert marks == ".....#.###########"


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="HEXTUI_TEST_DATA is not set")
def test_late_positions_of_real_games():
    exporters = {}
    proved = 0
    for record in chain.from_iterable(islice(games(file), 0, None, 100) for file in GAMES):
        board = record.board
        if board not in exporters:
            solver = Solver(board, SMALL)
            exporters[board] = solver, Exporter(solver)
        solver, exporter = exporters[board]
        for node in record.main_line()[-1:-12:-5]:
            position = record.position(node)
            *_, solution = solver.solve(position, Limit(nodes=300))
            if solution.winner is not None:
                proof = exporter.prove(position)
                assert proof.winner is solution.winner
                check(proof)
                proved += 1
    assert proved >= 20


class NoConnections:
    """Finds none: all has to be played, and captured pairs and kills come into it."""

    def connections(self, position):
        """Return no full connection and no semi ones."""
        return None, []


def test_an_export_never_solves_what_the_winner_would_lose(monkeypatch):
    """Where the table holds no winning move, other moves could take for ever."""
    asked = []

    def noted(search, position, **options):
        asked.append(position)
        return solutions(search, position, **options)

    monkeypatch.setattr(proof_export, "solutions", noted)
    rng = random.Random(9)
    board = Board(5, 5)
    solver = Solver(board, SMALL)
    exporter = Exporter(solver)
    exporter._leaves = dict.fromkeys(Color, cast(LeafMaker, NoConnections()))
    solved_again = 0
    for _ in range(4):
        position = random_position(rng, board, 17)
        proof = exporter.prove(position)
        check(proof)
        winner = canonical(position).color_back(proof.winner)
        for seen in asked:
            assert solver.search.look_up(seen).winner is winner
        solved_again += len(asked) - 1
        asked.clear()
    assert solved_again > 0


def test_a_stopped_export_says_so():
    exporter = Exporter(Solver(Board(8, 8), SMALL), lambda: True)
    with pytest.raises(StoppedError):
        exporter.prove(Position.empty(Board(8, 8)))


def test_rings_only_fill_what_does_not_matter():
    """Dead cells, and pairs played out: each is checked against all ways to fill the board."""
    rng = random.Random(8)
    filled = captured = 0
    for board in (Board(3, 3), Board(3, 4), Board(4, 4)):
        rings = Rings(board)
        for _ in range(80):
            position = random_position(rng, board, rng.randint(3, 9))
            for winner in Color:
                stones = rings.padded(position.stones)
                pairs = rings.fill(stones, range(board.cells), winner)
                filled += stones[: board.cells] != position.stones
                captured += len(pairs)
                for mover in Color:
                    before = position.with_to_move(mover)
                    after = Position(board, bytes(stones[: board.cells]), mover)
                    won = after.winner or winner_of(after)
                    assert won is winner_of(before), (position, winner)
    assert filled > 50
    assert captured > 10


def captured_leaves(rng, wanted):
    """Leaves of random positions in which a step counts captured cells as the winner's."""
    found = []
    while len(found) < wanted:
        board = Board(rng.randint(4, 6), rng.randint(4, 6))
        stones = bytes(rng.choice((1, 2)) if rng.random() < 0.25 else 0 for _ in range(board.cells))
        for color in Color:
            table = find_connections(
                Position(board, stones), color, ConnectionSettings(captured=True)
            )
            for connection in (*table.edge_fulls, *table.edge_semis):
                leaf = derivation(table, connection)
                if any(isinstance(s, And | Or) and s.captured for s in leaf.steps):
                    mover = color.opponent if leaf.full else color
                    found.append((Position(board, stones, mover), color, leaf))
    return found


def test_steps_with_captured_cells_hold_and_altered_ones_are_refused():
    rng = random.Random(6)
    played_out = inside = 0
    for position, winner, leaf in captured_leaves(rng, 60):
        at_edges = set(chain.from_iterable(edge_pairs(position.board, winner).values()))
        counted = chain.from_iterable(getattr(step, "captured", ()) for step in leaf.steps)
        inside += not at_edges.issuperset(counted)
        proof = Proof(position, winner, (leaf,))
        assert from_text(json.dumps(to_document(proof))) == proof
        assert check(proof).carrier == leaf.carrier
        if len(leaf.carrier) <= 12:
            played_out += 1
            own = mask_of(c for c, stone in enumerate(position.stones) if stone == winner)
            carrier = mask_of(leaf.carrier)
            assert claims.holds(position.board, winner, own, carrier, not leaf.full)
        place = rng.choice(
            [n for n, s in enumerate(leaf.steps) if isinstance(s, And | Or) and s.captured]
        )
        step = leaf.steps[place]
        (first, second), *others = step.captured
        elsewhere = rng.choice([c for c in range(position.board.cells) if c != second])
        for pairs in (
            tuple(others),
            ((first, second), (first, second), *others),
            ((first, first), *others),
            ((elsewhere, second), *others),
        ):
            if pairs == step.captured:
                continue
            steps = list(leaf.steps)
            steps[place] = replace(step, captured=pairs)
            wrong = Proof(position, winner, (replace(leaf, steps=tuple(steps)),))
            with pytest.raises(ProofError):
                check(wrong)
    assert played_out > 10
    assert inside > 10


def test_the_strand_of_a_leaf_made_by_or_holds_its_captured_cells():
    seen = 0
    for position, _, leaf in captured_leaves(random.Random(7), 60):
        if isinstance(leaf.steps[-1], Or):
            (strand,) = chain_of(leaf, position.board.cells).strands
            assert strand.carrier == leaf.carrier
            seen += 1
    assert seen
