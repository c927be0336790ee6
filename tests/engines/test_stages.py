"""The stream of snapshots: what each stage adds, verdicts, the must-play region."""

import itertools
import random
from collections.abc import Iterator

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.connections import ConnectionTable, find_connections
from hextui.engine.evaluators.workbench import Workbench, bench_at
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings
from hextui.engine.widths import Kernels
from hextui.engines.analysis_stages import verdict
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Analyse
from hextui.engines.snapshot import Progress, Snapshot, VerdictKind
from hextui.engines.warmup import Warmup
from tests.engine.positions import random_position, setup
from tests.oracles.play import winning_moves


def analysed(position: Position, *evaluators: str) -> list[Snapshot]:
    return list(OwnAnswerer().answers(Analyse(position, evaluators)))


def test_each_snapshot_has_all_that_the_one_before_had() -> None:
    position = Position.empty(Board(5, 5)).play(12)
    bench = bench_at(position)
    snapshots = analysed(position, "k-paths:0", "resistance")
    first, second, *_, last = snapshots
    assert first.connections.keys() == set(Color)
    assert first.must_play is not None
    assert not first.contribution
    for color in Color:
        expected = bench.paths(color).contribution.tolist()
        assert [list(level) for level in second.contribution[color]] == expected
        assert len(expected) == 3
    assert not second.rankings
    assert list(last.rankings) == ["k-paths:0", "resistance"]
    assert all(ranking.final for ranking in last.rankings.values())
    assert [s.final for s in snapshots] == [False] * (len(snapshots) - 1) + [True]
    steps = [s.progress.done for s in snapshots if s.inferior is None]
    assert steps == sorted(steps)
    assert last.progress.done == last.progress.total
    assert last.lines is None  # no evaluator of lines was named
    for before, after in itertools.pairwise(snapshots):
        assert before.rankings.keys() <= after.rankings.keys()
        assert before.verdict == after.verdict


def test_while_kernels_are_compiled_the_network_ranks_and_connections_come_early() -> None:
    class Compiling(Warmup):
        def wait(self, board: Board, kernels: Kernels = Kernels.RANKINGS) -> Iterator[Progress]:
            yield Progress(1, 2, kernels)

    position = setup(Board(3, 3), "b2")
    question = Analyse(position, ("resistance",))
    snapshots = list(OwnAnswerer(warmup=Compiling()).answers(question))
    first, second, *_, last = snapshots
    assert [s.progress.label for s in (first, second)] == [Kernels.CONNECTIONS, Kernels.RANKINGS]
    assert list(first.rankings) == list(second.rankings) == ["network"]
    assert first.evaluators == ("resistance",)  # so that the screen does not focus the network
    assert first.verdict is None
    assert second.verdict is not None
    assert list(last.rankings) == ["resistance"]


def verdict_of(position: Position):
    tables = [find_connections(position, color) for color in Color]
    return verdict(position, *tables)


@pytest.mark.parametrize("mover", Color)
def test_chains_and_full_connections_win_whoever_moves(mover: Color) -> None:
    for stones, kind in (("b1 b2 b3", VerdictKind.CHAIN), ("b2", VerdictKind.CONNECTION)):
        found = verdict_of(setup(Board(3, 3), stones, "a1 a2").with_to_move(mover))
        assert (found.kind, found.winner, found.key) == (kind, Color.BLACK, None)


def test_a_semi_connection_wins_for_the_side_to_move_by_its_key() -> None:
    position = Position.empty(Board(3, 3))
    found = verdict_of(position)
    assert (found.kind, found.winner) == (VerdictKind.CONNECTION, Color.BLACK)
    assert verdict_of(position.play(found.key)).winner is Color.BLACK


def test_verdicts_and_must_play_regions_agree_with_exhaustive_play() -> None:
    rng = random.Random(5)
    decided = 0
    for _ in range(150):
        position = random_position(rng, 3, rng.choice((0.1, 0.3)))
        if position.winner is not None:
            continue
        winners = winning_moves(position)
        found = verdict_of(position)
        if found is not None:
            decided += 1
            assert (found.winner is position.to_move) == bool(winners)
            assert found.key is None or found.key in winners
        opponent = find_connections(position, position.to_move.opponent)
        assert winners <= opponent.must_play
    assert decided > 50


def test_the_must_play_region_is_what_all_threats_have_in_common_and_no_more() -> None:
    rng = random.Random(8)
    cut_down = 0
    for _ in range(60):
        position = random_position(rng, 4, rng.choice((0.1, 0.3)))
        opponent = find_connections(position, position.to_move.opponent)
        edges = {opponent.first_edge, opponent.second_edge}
        joining = [c for c in opponent if set(c.nodes) == edges]
        if any(c.kind is ConnectionKind.FULL for c in joining):
            assert opponent.must_play == frozenset()
            continue
        carriers = [set(c.cells) for c in joining]
        common = set(position.empties).intersection(*carriers)
        assert opponent.must_play == common
        cut_down += len(carriers) > 1 and all(common < carrier for carrier in carriers)
    assert cut_down > 10


def test_an_evaluator_that_cannot_rank_here_is_left_out() -> None:
    position = Position.empty(Board(11, 11))
    snapshots = analysed(position, "k-paths:5", "two-distance")
    (line,) = {snapshot.error for snapshot in snapshots if snapshot.error}
    assert line.startswith("k-paths:5 is left out: k = 5 lists paths one by one: about ")
    assert snapshots[-1].evaluators == ("two-distance",)
    assert list(snapshots[-1].rankings) == ["two-distance"]


@pytest.mark.parametrize("name", ["onnx(/no/file)", "search:visits=8,network=/no/file"])
def test_a_network_that_cannot_be_used_costs_one_line(name: str) -> None:
    position = Position.empty(Board(4)).play("b2")
    ranked = analysed(position, name, "two-distance")
    (line,) = {snapshot.error for snapshot in ranked if snapshot.error}
    assert line == f"{name} is left out: /no/file cannot be read: No such file or directory"
    assert list(ranked[-1].rankings) == ["two-distance"]
    lines = list(OwnAnswerer().answers(Analyse(position, ("two-distance",), name, LineSettings())))
    (line,) = {snapshot.error for snapshot in lines if snapshot.error}
    assert "/no/file cannot be read: No such file or directory" in line
    assert lines[-1].final


def test_once_stopped_no_connections_are_searched_for_the_other_colour(
    answerer: OwnAnswerer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[Color] = []
    table = Workbench.table

    def table_then_stop(self: Workbench, color: Color) -> ConnectionTable:
        stopped.append(color)
        return table(self, color)

    monkeypatch.setattr(Workbench, "table", table_then_stop)
    question = Analyse(Position.empty(Board(3, 3)), ())
    assert list(answerer.answers(question, lambda: bool(stopped))) == []
    assert len(stopped) == 1


def test_the_networks_ranking_comes_first() -> None:
    position = Position.empty(Board(5, 5))
    snapshots = analysed(position, "k-paths:0", "network")
    assert list(next(s for s in snapshots if s.rankings).rankings) == ["network"]
    assert snapshots[-1].evaluators == ("k-paths:0", "network")
