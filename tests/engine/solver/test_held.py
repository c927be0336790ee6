"""Solvers tell the same of a position however the board is held: verdicts, carriers, line, proof.

Sets and orders are compared exactly, in all four orientations, each with a solver of its own.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.check import check
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.mustplay import MustPlay, MustPlayRun, steps
from hextui.engine.solver.proof_export import Exporter
from hextui.engine.solver.solution import Solution
from tests.engine.positions import Image, images
from tests.engine.test_symmetries import random_positions

SETTINGS = SolverSettings(table_bytes=1 << 20)
SIZES = [(n, n) for n in range(3, 7)] + [(3, 5), (5, 4)]
OPEN = [
    position
    for position in random_positions("solvers", SIZES, 60)
    if position.winner is None and position.empties
]


def plain(position: Position) -> Image:
    """The position itself, as one of its images."""
    return Image(position, list(range(position.board.cells)), exchanged=False, turned=False)


def others(position: Position) -> Iterator[Image]:
    """The other orientations that are other positions."""
    for image in images(position):
        if not (image.turned and position.stones == position.stones[::-1]):
            yield image


def there(image: Image, cells: Iterable[int]) -> frozenset[int]:
    return frozenset(image.cell_of[cell] for cell in cells)


def solved(solver: Solver, position: Position, nodes: int | None = None) -> Solution:
    *_, found = solver.solve(position, Limit(nodes=nodes), all_moves=True)
    return found


def check_images(image: Image, expected: Solution, found: Solution) -> None:
    """Compare what is told of a position with what is told of its image."""
    assert found.winner == (expected.winner and image.color(expected.winner))
    assert found.line.numbers == tuple(image.cell_of[cell] for cell in expected.line.numbers)
    assert set(found.carrier.numbers) == there(image, expected.carrier.numbers)
    assert set(found.must_play.numbers) == there(image, expected.must_play.numbers)
    assert set(found.unknown_moves.numbers) == there(image, expected.unknown_moves.numbers)
    for moves, others in ((expected.wins, found.wins), (expected.losses, found.losses)):
        assert list(others) == sorted(there(image, moves))
        for cell, verdict in moves.items():
            other = others[image.cell_of[cell]]
            assert other.reason is verdict.reason
            assert other.carrier == there(image, verdict.carrier)
    assert found.nodes == expected.nodes
    assert (found.proof_number, found.disproof_number) == (
        expected.proof_number,
        expected.disproof_number,
    )


def test_a_solution_is_the_same_however_the_board_is_held() -> None:
    for position in OPEN[:25]:
        expected = solved(Solver(position.board, SETTINGS), position)
        for image in others(position):
            found = solved(Solver(image.position.board, SETTINGS), image.position)
            check_images(image, expected, found)


def test_cells_that_change_places_are_told_the_same() -> None:
    own_images = [p for p in OPEN if p.stones == p.stones[::-1]]
    for position in own_images[:12]:
        found = solved(Solver(position.board, SETTINGS), position)
        turn = position.board.rotate
        assert found.must_play.numbers == tuple(sorted(map(turn, found.must_play.numbers)))
        for moves in (found.wins, found.losses):
            for cell, verdict in moves.items():
                if turn(cell) != cell:
                    twin = moves[turn(cell)]
                    assert twin.reason is verdict.reason
                    assert twin.carrier == frozenset(map(turn, verdict.carrier))


def test_a_game_is_the_same_however_the_board_is_held() -> None:
    """What a solver remembers of earlier positions is the same too, and so is a search cut off."""
    rng = random.Random("a game")
    game = [Position.empty(Board(6, 6))]
    while game[-1].winner is None:
        game.append(game[-1].play(rng.choice(game[-1].empties)))
    game = game[1:-1]
    solver = Solver(game[0].board, SETTINGS)
    expected = [solved(solver, position, nodes=20) for position in game]
    for way in range(3):
        solver = Solver(game[0].board, SETTINGS)
        for position, known in zip(game, expected, strict=True):
            image = list(images(position))[way]
            check_images(image, known, solved(solver, image.position, nodes=20))


def test_a_proof_is_the_same_however_the_board_is_held() -> None:
    for position in OPEN[25:40]:
        expected = Exporter(Solver(position.board, SETTINGS)).prove(position)
        carrier = check(expected).carrier
        for image in others(position):
            found = Exporter(Solver(image.position.board, SETTINGS)).prove(image.position)
            assert found.winner is image.color(expected.winner)
            assert check(found).carrier == there(image, carrier)
            assert list(map(type, found.nodes)) == list(map(type, expected.nodes))


def told(run: MustPlayRun, image: Image) -> list[tuple[object, ...]]:
    return [
        (
            step.kind,
            step.depth,
            there(image, step.region),
            None if step.move is None else image.cell_of[step.move],
            None if step.reply is None else image.cell_of[step.reply],
            there(image, step.winset),
            step.owner and image.color(step.owner),
        )
        for step in steps(run, image.position)
    ]


@pytest.mark.parametrize("order", ["centre", "edge"])
def test_must_play_tries_the_same_cells_however_the_board_is_held(order: str) -> None:
    rng = random.Random(order)
    for _ in range(10):
        board = Board(*rng.choice([(3, 3), (3, 4)]))
        position = Position.empty(board, rng.choice(list(Color)))
        for cell in rng.sample(range(board.cells), board.cells - 6):
            position = position.play(cell)
        if position.winner is not None:
            continue
        expected = MustPlay(order=order).win_move(position)
        for image in others(position):
            found = MustPlay(order=order).win_move(image.position)
            here = replace(image, position=position)
            assert told(found, plain(image.position)) == told(expected, here)
