"""Selective minimax: it gives what plain minimax gives; proofs end lines; results stream."""

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.base import Evaluator, Scale
from hextui.engine.evaluators.blocking import Blocking
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, rank_by_value
from hextui.engine.search.lines import Lines, LineSettings, parse_widths
from hextui.engine.search.minimax import NodeBench, find_lines
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope, cells_of, scope_of
from hextui.engine.solver.dfpn import Solver
from hextui.engine.solver.search import SearchAnswer
from tests.engine.positions import bench_at, random_position, setup
from tests.oracles.literal import literal_lines
from tests.oracles.minimax import plain_lines
from tests.oracles.play import winning_moves


@dataclass(frozen=True)
class Lottery(Evaluator):
    """Ranks and values by lot, from a few numbers only, so that ties are everywhere."""

    method = "lottery"
    short = "lot"
    scale = Scale("drawn")
    about = "numbers drawn by lot"

    seed: int

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        rng = random.Random(f"{self.seed} {bench.position.stones!r}")
        yield rank_by_value(self.name, {cell: rng.randrange(4) for cell in bench.position.empties})

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        rng = random.Random(f"{self.seed} worth {bench.position.stones!r}")
        return rng.choice((-1.0, 0.0, 1.0, 2.0))

    def turned(self, worth: float) -> float:
        return -worth


def all_results(
    position: Position, chosen: Evaluator, settings: LineSettings, scope: MoveScope = ALL_MOVES
) -> list[Lines]:
    bench = bench_at(position)
    return list(find_lines(bench, chosen, settings, scope=scope))


def check(
    position: Position, chosen: Evaluator, settings: LineSettings, scope: MoveScope = ALL_MOVES
) -> tuple[int, int]:
    """Compare with plain minimax; return the nodes of both."""
    last = all_results(position, chosen, settings, scope)[-1]
    expected, looked = plain_lines(position.without_swap, chosen, settings.widths, scope)
    assert last.final
    found = [(line.value, line.moves.numbers, line.winner) for line in last.lines]
    assert found == expected[: settings.count]
    assert looked <= last.full_nodes
    return last.nodes, looked


some_widths = st.lists(st.integers(1, 6), max_size=4).map(lambda w: (*w, 0))


@settings(max_examples=50)
@given(st.integers(0, 10**6), some_widths, st.integers(1, 4))
def test_alpha_beta_gives_what_plain_minimax_gives(
    seed: int, widths: tuple[int, ...], count: int
) -> None:
    rng = random.Random(seed)
    position = random_position(rng, 5, rng.choice((0.0, 0.3)))
    if position.winner is None and position.empties:
        nodes, looked = check(position, Lottery(seed), LineSettings(widths, count))
        assert nodes <= looked


@pytest.mark.parametrize("name", names())
def test_every_evaluator_gives_what_plain_minimax_gives(name: str) -> None:
    rng = random.Random(name)
    for widths in ((4, 3, 2, 0), (3, 2, 0)):
        position = Position.empty(Board(5, 6))
        for _ in range(rng.randrange(4)):
            position = position.play(rng.choice(position.empties))
        check(position, evaluator(name), LineSettings(widths, 3))


@pytest.mark.parametrize(
    "widths", [(4, 3, 2, 0), (3, 2, 0), pytest.param((8, 6, 4, 2, 0), marks=pytest.mark.slow)]
)
def test_a_literal_search_gives_what_its_source_says(widths: tuple[int, ...]) -> None:
    """Against plain Python without connections, on positions that connections decide or not."""
    rng = random.Random(f"literal {widths}")
    positions = [Position.empty(Board(3, 4))]
    while len(positions) < 8:
        position = random_position(rng, 4, 0.4)
        if position.winner is None and 1 < len(position.empties) <= 12:
            positions.append(position)
    proved = 0
    for position in positions:
        last = all_results(position, Blocking(), LineSettings(widths, 8, literal=True))[-1]
        orientation = canonical(position)
        expected = [
            (value, tuple(orientation.cell_of[move] for move in moves))
            for value, moves in literal_lines(orientation.position, widths)
        ]
        assert [line.moves.numbers for line in last.lines] == [moves for _, moves in expected]
        assert [line.value for line in last.lines] == pytest.approx(
            [value for value, _ in expected]
        )
        assert last.winner is None
        proved += all_results(position, Blocking(), LineSettings((1, 0)))[-1].winner is not None
    assert proved > 0


def test_a_literal_search_asks_no_solver() -> None:
    def proved(_: Position) -> SearchAnswer:
        raise AssertionError("asked")

    position = Position.empty(Board(3, 3))
    bench = bench_at(position)
    *_, last = find_lines(bench, Blocking(), LineSettings((2, 0), literal=True), proved=proved)
    assert last.winner is None


def test_moves_that_lose_to_a_threat_are_left_out() -> None:
    position = Position.parse(".B.W./.W.../B..../BBBW./.WWWB", "black")
    region = frozenset([position.board.cell("e3")])
    solver = Solver(position.board)
    *_, solution = solver.solve(position, all_moves=True)
    solver.close()
    assert solution.wins.keys() <= region
    assert NodeBench(position, Workbench(position.board)).winner is None
    for literal, tried in ((False, region), (True, frozenset(position.empties))):
        last = all_results(position, Lottery(3), LineSettings((25, 0), 25, literal))[-1]
        assert {line.moves.numbers[0] for line in last.lines} == tried


def test_threats_without_a_common_cell_win() -> None:
    """No semi connection alone is a win for who is not to move, but both together are."""
    rng = random.Random(13)
    seen = 0
    for _ in range(150):
        position = random_position(rng, 4, 0.4)
        if position.winner is not None or not 0 < len(position.empties) < 10:
            continue
        bench = NodeBench(position, Workbench(position.board, ConnectionSettings(or_size=2)))
        if not bench.must_play:
            seen += 1
            assert bench.winner is position.to_move.opponent
            assert not winning_moves(position)
    assert seen > 5


@pytest.mark.parametrize("mover", Color)
def test_a_proved_win_at_the_root_comes_first(mover: Color) -> None:
    """By a semi connection of the sides, wherever the evaluator ranks its key."""
    position = Position.empty(Board(3, 3), mover)
    results = all_results(position, Lottery(4), LineSettings((2, 2, 0), 2))
    wins = winning_moves(position)
    for result in results:
        assert result.winner is mover
        best = result.lines[0]
        assert (best.value, best.winner) == (math.inf, mover)
        assert best.moves.numbers[0] in wins


def test_alpha_beta_looks_at_fewer_positions() -> None:
    position = Position.empty(Board(5, 5))
    nodes, looked = check(position, Blocking(), LineSettings())
    assert looked <= 633
    assert nodes < 0.7 * looked


def test_won_and_lost_lines_end_there() -> None:
    """Looking at all moves to the end, values are the game's: a line that wins is a win."""
    rng = random.Random(9)
    tried = 0
    while tried < 40:
        position = random_position(rng, 3, 0.3)
        if position.winner is not None or not 2 <= len(position.empties) <= 6:
            continue
        tried += 1
        widths = (9,) * len(position.empties) + (0,)
        last = all_results(position, Lottery(1), LineSettings(widths, 9))[-1]
        wins = winning_moves(position)
        for line in last.lines:
            won = line.moves.numbers[0] in wins
            assert line.value == (math.inf if won else -math.inf)
            assert line.winner is (position.to_move if won else position.to_move.opponent)


def test_what_a_solver_has_proved_ends_a_line() -> None:
    position = Position.empty(Board(8, 8)).play(0)
    bench = bench_at(position)
    settings = LineSettings((64, 2, 0), 3)
    won, lost = position.empties[30], position.empties[40]
    winners = {position.play(won).key: Color.WHITE, position.play(lost).key: Color.BLACK}

    def proved(after: Position) -> SearchAnswer | None:
        winner = winners.get(after.key)
        return SearchAnswer(winner, 0, 0, None, frozenset(), 1) if winner else None

    *_, last = find_lines(bench, Blocking(), settings, proved=proved)
    assert (last.lines[0].moves.numbers, last.lines[0].value) == ((won,), math.inf)
    assert last.lines[0].winner is Color.WHITE
    *_, last = find_lines(bench, Blocking(), LineSettings((64, 2, 0), 64), proved=proved)
    ends = {line.moves.numbers[0]: line for line in last.lines}
    assert (ends[lost].moves.numbers, ends[lost].value) == ((lost,), -math.inf)
    assert ends[lost].winner is Color.BLACK


def test_a_finished_game_has_no_lines() -> None:
    over = setup(Board(3, 3), "b1 b2 b3", "a1 a2")
    (result,) = all_results(over, Blocking(), LineSettings())
    assert result.final
    assert result.lines == ()
    assert result.winner is Color.BLACK


def test_results_stream_in() -> None:
    position = Position.empty(Board(6, 6)).play(8)
    results = all_results(position, Blocking(), LineSettings((4, 3, 2, 0), 3))
    first, last = results[0], results[-1]
    assert [line.depth for line in first.lines] == [1]
    assert [r.final for r in results] == [False] * (len(results) - 1) + [True]
    assert len(last.lines) == 3
    assert {line.depth for line in last.lines} == {4}
    for before, after in itertools.pairwise(results):
        assert before.nodes <= after.nodes
        assert (before.depth, before.searched) < (after.depth, after.searched)
    for result in results:
        assert result.lines
        keys = [(-line.depth, -line.value) for line in result.lines]
        assert keys == sorted(keys)
        assert len({line.moves.numbers[0] for line in result.lines}) == len(result.lines)


def test_stopping() -> None:
    position = Position.empty(Board(6, 6))
    bench = bench_at(position)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    results = list(find_lines(bench, Blocking(), LineSettings(), stop))
    assert results
    assert not results[-1].final
    assert asked == 21


@pytest.mark.parametrize("widths", [(), (8,), (8, 0, 0), (0, 8), (-1, 0)])
def test_widths_that_make_no_sense(widths: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="widths"):
        LineSettings(widths)


def test_widths_are_read() -> None:
    assert parse_widths("8,6, 4,0") == (8, 6, 4, 0)
    for text in ("", "8", "8,,0", "8,x,0", "0,0"):
        with pytest.raises(ValueError, match="widths"):
            parse_widths(text)


def test_no_lines_asked_for() -> None:
    with pytest.raises(ValueError, match="number of lines"):
        LineSettings(count=0)


def test_what_a_node_bench_sees_does_not_depend_on_the_order_of_moves() -> None:
    root = Position.empty(Board(6, 6)).play(3).play(9)
    like = Workbench(root.board, ConnectionSettings(full_limit=3, semi_limit=4))
    bench, other = NodeBench(root, like), NodeBench(root, like)
    rng = random.Random(10)
    for _ in range(12):
        moves = rng.sample(root.empties, 4)
        first, second = root, root
        for move in moves:
            first = first.play(move)
            bench.look_at(first)
        for move in (moves[2], moves[3], moves[0], moves[1]):
            second = second.play(move)
        other.look_at(second)
        for color in Color:
            one, two = bench.table(color), other.table(color)
            assert one.position.stones == two.position.stones == second.stones
            assert (one.rows == two.rows).all()
            assert (one.carriers == two.carriers).all()


def test_a_node_bench_begins_at_its_root() -> None:
    """White wins on its turn: known before anything else was looked at."""
    root = Position.empty(Board(3, 3), Color.WHITE)
    bench = NodeBench(root, Workbench(root.board))
    assert (bench.position, bench.winner) == (root, Color.WHITE)


def test_a_node_bench_finds_winners_as_exhaustive_play_does() -> None:
    rng = random.Random(11)
    found = 0
    for _ in range(100):
        root = random_position(rng, 3, 0.1)
        if root.winner is not None or len(root.empties) < 3:
            continue
        bench = NodeBench(root, Workbench(root.board))
        position = root
        for move in rng.sample(root.empties, 2):
            position = position.play(move)
            bench.look_at(position)
            if position.winner is not None:
                assert bench.winner is position.winner
                break
            if bench.winner is not None:
                found += 1
                assert (bench.winner is position.to_move) == bool(winning_moves(position))
    assert found > 50


@settings(max_examples=40)
@given(st.integers(0, 10**6), some_widths, st.booleans(), st.booleans())
def test_with_some_moves_only_it_gives_what_plain_minimax_gives(
    seed: int, widths: tuple[int, ...], first: bool, region: bool
) -> None:
    rng = random.Random(seed)
    position = random_position(rng, 5, rng.choice((0.0, 0.3)))
    if position.winner is not None or len(position.empties) < 4:
        return

    def some() -> frozenset[int]:
        return frozenset(rng.sample(position.empties, rng.randint(2, len(position.empties))))

    inside = some() if region else None
    starts = (some() | {min(inside or position.empties)}) if first else None
    check(position, Lottery(seed), LineSettings(widths, 3), MoveScope(starts, inside))


def test_a_winning_move_that_is_avoided_is_not_played() -> None:
    board = Board(3, 3)
    position = Position.parse("B../.../..B", "black")
    wins = {board.name(cell) for cell in winning_moves(position)}
    scope = scope_of(board, avoid=" ".join(wins))
    last = all_results(position, evaluator("resistance"), LineSettings((9, 0), 9), scope)[-1]
    assert last.winner is Color.BLACK
    assert last.lines
    for line in last.lines:
        assert board.name(line.moves.numbers[0]) not in wins
        assert line.winner is Color.WHITE


def test_cells_are_named_one_by_one_or_as_rectangles() -> None:
    board = Board(6, 6)
    names = {board.name(cell) for cell in cells_of("b5:C4, f6 a1-a2", board)}
    assert names == {"b4", "b5", "c4", "c5", "f6", "a1", "a2"}
    with pytest.raises(ValueError, match="z9"):
        cells_of("a1:z9", board)


def test_a_choice_needs_a_move() -> None:
    board = Board(3, 3)
    assert scope_of(board) == ALL_MOVES
    with pytest.raises(ValueError, match="no move is left"):
        scope_of(board, allow="a1", region="b2")
    position = Position.empty(board).play(0)
    with pytest.raises(ValueError, match="have stones"):
        all_results(position, Lottery(1), LineSettings((2, 0), 1), scope_of(board, allow="a1"))
