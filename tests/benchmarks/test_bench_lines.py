"""Cost of lines and of `blocking`, seconds of the processor, one thread, warm.

Aims on the empty 11x11: the first line within 1 s for every evaluator; widths 8, 6, 4, 2, 0 with
`blocking` in 1 s, with `k-paths:0` in 5 s.
"""

import time

import pytest

from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.minimax import find_lines

pytestmark = pytest.mark.benchmark(timer=time.thread_time)


def fresh_bench(side):
    bench = Workbench(Board(side, side))
    bench.look_at(Position.empty(bench.board))
    return bench


def lines(bench, name, *, only_first=False):
    """Search the lines; return the last result. The bench must find its connections too."""
    bench.look_at(bench.position.with_to_move(bench.position.to_move.opponent))
    results = find_lines(bench, evaluator(name), LineSettings())
    return next(results) if only_first else list(results)[-1]


@pytest.mark.parametrize("name", names())
def test_first_line(benchmark, name):
    bench = fresh_bench(11)
    lines(bench, name, only_first=True)
    benchmark.pedantic(lines, (bench, name), {"only_first": True}, rounds=4)


@pytest.mark.parametrize("name", ["blocking", "k-paths:0", "shortest-path", "resistance"])
def test_default_widths(benchmark, name):
    bench = fresh_bench(11)
    lines(bench, name, only_first=True)
    result = benchmark.pedantic(lines, (bench, name), rounds=2)
    benchmark.extra_info["ratio of positions"] = result.nodes / result.full_nodes


@pytest.mark.parametrize("side", [11, 13, 19])
@pytest.mark.parametrize("name", ["blocking", "blocking:average"])
def test_ranking(benchmark, name, side):
    bench, chosen = fresh_bench(side), evaluator(name)
    benchmark.pedantic(lambda: list(chosen.rank(bench)), rounds=3, warmup_rounds=1)
