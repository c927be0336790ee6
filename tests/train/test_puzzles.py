"""Puzzles: found in games, against exhaustive play; themes; collections."""

import random
from contextlib import closing
from functools import cache

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.tactics import intrudes_on_bridge, ladder_in
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.runs.reports import RunReport
from hextui.runs.results import Row, Table
from hextui.text import Names
from hextui.train import collection
from hextui.train.collection import PuzzleTask, checked, puzzles_of_game
from hextui.train.finder import FinderSettings, puzzles_in, saves_bridge
from hextui.train.puzzle import Puzzle, Theme, puzzle_of, puzzle_record, read_puzzles
from hextui.train.themes import theme_of
from tests.oracles.winners import Exhaustive
from tests.samples import seeds
from tests.train.games import image, weak_game

FOUR, FIVE, SIX = Board(4, 4), Board(5, 5), Board(6, 6)
SEEDS = (1, 2, 3, 6, 17)  # games on 6x6 with puzzles
FEW = FinderSettings(most_wins=4)


@cache
def exhaustive(board: Board) -> Exhaustive:
    return Exhaustive(board)


@pytest.mark.parametrize("seed", seeds(2, 12))
def test_the_moves_of_a_puzzle_are_those_that_win_by_exhaustive_play(seed: int) -> None:
    for found in puzzles_in(weak_game(seed, FOUR), FEW):
        solution = found.solution
        assert set(solution.wins) == exhaustive(FOUR).winning_moves(solution.position)
        assert 1 <= len(solution.wins) <= 4
        assert len(solution.must_play) > 1
        assert {line[0] for line in found.lines} >= solution.wins.keys()
        for line in found.lines:
            position = solution.position
            for cell in line:
                position = position.play(cell)
            assert len(line) > 1 or line[0] in solution.wins


def test_weak_games_hold_puzzles() -> None:
    assert sum(len(puzzles_in(weak_game(seed, FOUR), FEW)) for seed in range(24)) >= 10


def test_images_of_a_game_hold_the_same_puzzles() -> None:
    for board, seed in ((FOUR, 1), (SIX, 4)):
        game = weak_game(seed, board)
        expected = figures(game, 0)
        for number, how in enumerate([(False, True), (True, False), (True, True)], start=1):
            assert figures(image(game, *how), number) == expected


def figures(record: Record, number: int) -> list[tuple[object, ...]]:
    """Return what does not depend on how the board is held: ply, shape, theme, difficulty."""
    rows = puzzles_of_game(PuzzleTask(number, "", record, None, FEW))
    kept = ("ply", "shape", "theme", "level", "probability", "plausible", "nodes", "missed")
    return [tuple(dict(zip(collection.COLUMNS, row, strict=True))[k] for k in kept) for row in rows]


def test_a_reply_that_saves_a_bridge_is_forced() -> None:
    position = Position.parse("...../..B../...../.B.../.....", Color.BLACK)
    intruded = position.with_to_move(Color.WHITE).play("b3")
    board = position.board
    assert saves_bridge(intruded, board.cell("b3"), board.cell("c3"))
    assert not saves_bridge(intruded, board.cell("b3"), board.cell("d3"))
    at_edge = Position.parse("...../.B.../...../...../.....", Color.WHITE).play("b1")
    assert saves_bridge(at_edge, board.cell("b1"), board.cell("c1"))
    assert not saves_bridge(at_edge, board.cell("b1"), board.cell("a2"))


def test_a_move_into_a_bridge_is_a_bridge_intrusion() -> None:
    position = Position.parse("...../..B../...../.B.../.....", Color.WHITE)
    board = position.board
    assert intrudes_on_bridge(position, board.cell("b3"))
    assert intrudes_on_bridge(position, board.cell("c3"))
    assert not intrudes_on_bridge(position, board.cell("d3"))
    assert not intrudes_on_bridge(position.with_to_move(Color.BLACK), board.cell("b3"))


def test_stones_in_a_row_above_the_others_are_a_ladder() -> None:
    board = Board(6, 6)
    position = Position.empty(board)
    names = "b5 b6 c5 c6 d5 d6"
    line = [board.cell(name) for name in names.split()]
    assert ladder_in(position, line) == {board.cell(name) for name in ("b5", "c5", "d5")}
    assert ladder_in(position, line[:4]) == frozenset()
    turned = [board.rotate(cell) for cell in line]
    assert ladder_in(position, turned) == {board.rotate(board.cell(n)) for n in ("b5", "c5", "d5")}
    apart = [board.cell(name) for name in ["b5", "a1", "c5", "b1", "d5", "c1"]]
    assert ladder_in(position, apart) == frozenset()


def test_a_puzzle_survives_being_written_and_read() -> None:
    for puzzle in some_puzzles():
        for names in Names:
            text = write_sgf(puzzle_record(puzzle, names))
            assert puzzle_of(read_record(text)) == puzzle


@cache
def some_rows() -> tuple[Row, ...]:
    tasks = [PuzzleTask(seed, f"game {seed}", weak_game(seed, SIX), None, FEW) for seed in SEEDS]
    return tuple(row for task in tasks for row in puzzles_of_game(task))


@cache
def some_puzzles() -> tuple[Puzzle, ...]:
    text = made(some_rows()).files[collection.PUZZLES]
    return tuple(read_puzzles(text.encode()))


def made(rows: tuple[Row, ...]) -> RunReport:
    document = {"settings": {"games": 4}, "cpu_seconds": 1.0, "versions": {"hextui": "0"}}
    return collection.report(table(rows), document, Names.RED_BLUE)


def table(rows: tuple[Row, ...]) -> Table:
    return Table(collection.COLUMNS, tuple(tuple(map(str, row)) for row in rows))


def test_of_puzzles_that_ask_for_the_same_one_is_kept() -> None:
    rows = some_rows()
    assert rows
    again = tuple(
        row
        for seed in SEEDS
        for row in puzzles_of_game(
            PuzzleTask(9, "turned", image(weak_game(seed, SIX), True, True), None, FEW)
        )
    )
    both = made((*rows, *again))
    assert both.files == made(rows).files
    assert both.document["duplicates"] >= len(again)


def test_only_what_a_player_had_to_find_becomes_a_puzzle() -> None:
    task = PuzzleTask(0, "", weak_game(4, SIX), None, FEW)
    colours = {dict(zip(collection.COLUMNS, row, strict=True))["to_move"] for row in some_rows()}
    assert colours == {"black", "white"}
    for color in Color:
        mine = puzzles_of_game(PuzzleTask(0, "", task.record, color, FEW))
        of_color = [row for row in puzzles_of_game(task) if str(color) in row]
        assert mine == of_color


def test_a_check_tells_wrong_ambiguous_and_undecided_puzzles() -> None:
    puzzle = next(one for one in some_puzzles() if len(one.wins) == 1)
    limit = Limit(nodes=100_000)
    losing = next(cell for cell in puzzle.position.empties if cell not in puzzle.wins)
    cases = {(): "right", (losing,): "wrong", puzzle.wins: "right"}
    for wins, verdict in cases.items():
        assert checked(Puzzle(puzzle.position, wins), limit).verdict == verdict
    two = next(one for one in some_puzzles() if len(one.wins) > 1)
    assert checked(Puzzle(two.position, two.wins[:1]), limit).verdict == "ambiguous"
    assert checked(Puzzle(Position.empty(Board(9, 9))), Limit(nodes=1)).verdict == "undecided"
    lost = puzzle.position.play(losing)
    assert checked(Puzzle(lost.with_to_move(lost.to_move.opponent)), limit).verdict == "right"


def test_the_theme_of_a_puzzle_is_one_of_the_themes_in_every_orientation() -> None:
    lots = random.Random(1)
    for _ in range(20):
        position = Position.empty(FIVE)
        for _ in range(lots.randrange(3, 9)):
            position = position.play(lots.choice(position.empties))
        if position.winner is not None:
            continue
        themes = {theme_of(solved(one)) for one in images(position) if wins(one)}
        assert len(themes) <= 1
        assert themes <= set(Theme)


def images(position: Position) -> list[Position]:
    mirrored = position.mirrored()
    return [position, position.rotated(), mirrored, mirrored.rotated()]


@cache
def solved(position: Position) -> Solution:
    with closing(Solver(position.board, SolverSettings(table_bytes=1 << 20))) as solver:
        *_, found = solver.solve(position, all_moves=True)
    return found


def wins(position: Position) -> bool:
    return len(solved(position).winning_moves) == 1
