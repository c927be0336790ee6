"""Whole games: positions, estimates, going on after a stop, the report, and keeping it in SGF."""

import json
import threading
from pathlib import Path

import pytest

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Disagreement, Estimate, Estimates
from hextui.analysis.game_report import Stretch, decided, player_reports, stretches
from hextui.analysis.mistakes import blunders
from hextui.analysis.whole_game import GameAnalyst, analyse_game
from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.limit import Limit, TooCostlyError
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.ranking import Quality, Ranking, qualities
from hextui.engine.search.tree_search import TreeSearch
from hextui.engine.solver.dfpn import Solver
from hextui.engine.swap import first_stone_value
from hextui.engines.limits import GAME_VISITS
from hextui.engines.snapshot import Progress, Verdict, VerdictKind
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from tests.analysis.games import line_of, random_game
from tests.processes import PATIENCE

NAMES = ("k-paths:0", "resistance", "contribution-both:1")


BOARD = Board(4, 4)


def game(seed: int = 1, board: Board = BOARD) -> Record:
    return random_game(board, seed)


def ranked(position: Position, name: str) -> Ranking:
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, found = evaluator(name).rank(bench)
    return found


def analysed(record: Record) -> Estimates:
    found = Estimates()
    *_, last = analyse_game(line_of(record), NAMES, found)
    assert last.done == last.total
    return found


def test_positions_are_where_moves_are_made() -> None:
    record = read_record("(;SZ[3]AB[a1];PL[W];W[b2];AE[a1];B[c1];W[a1])")
    line = line_of(record)
    assert [(s.ply, s.cell) for s in line] == [(0, 4), (1, 2), (2, 0), (3, None)]
    for here in line[:-1]:
        assert here.next_node.parent is here.node
        assert here.position.to_move is here.next_node.turn.color


def test_positions_end_with_the_chain() -> None:
    record = read_record('{"size": 2, "moves": "b1 a1 b2 a2"}')
    line = line_of(record)
    assert [s.ply for s in line] == [0, 1, 2, 3]
    assert line[-1].cell is None
    assert line[-1].position.winner is Color.BLACK


def test_after_swap_sides_the_first_move_is_whites() -> None:
    record = read_record("(;GM[11]SZ[3];B[b2];W[swap-sides];W[a1];B[b1])")
    line = line_of(record)
    black, white = Color
    assert [s.player for s in line] == [white, black, white, black, white]


def test_estimates_are_what_the_evaluators_say() -> None:
    record = game()
    found = analysed(record)
    for here in line_of(record)[:-1]:
        for name in NAMES:
            expected = ranked(here.position, name)
            judged = found.of(here, name)
            assert judged.value == expected.moves[0].value
            assert judged.best == tuple(m.cell for m in expected.moves[:5])
            assert here.cell is not None
            assert found.quality(here, name) == qualities(expected)[here.cell]


def test_win_probabilities_of_the_tree_search_are_read_back() -> None:
    record = read_record("#9,a1i9b1")
    line, found = line_of(record), Estimates()
    names = ("resistance", "search:visits=8")
    list(analyse_game(line, names, found))
    assert not any(found.verdict(here.position) for here in line)
    for here in line:
        judged = found.of(here, "search:visits=8")
        assert judged.winrate == judged.value
        assert 0 <= judged.winrate <= 1
        plain = found.of(here, "resistance")
        assert plain.winrate is None
    record.set_properties(stored_analysis.properties(line, names, found))
    again = Estimates()
    stored_analysis.read(line, again)
    read, told = (j.of(line[0], "search:visits=8") for j in (again, found))
    assert read.winrate == told.winrate


def test_a_search_looks_briefly_at_each_ply_and_at_none_that_is_proved() -> None:
    record = read_record("#6,a1f6b1e6")
    line, found = line_of(record), Estimates()
    *_, last = analyse_game(line, ("search",), found)
    assert last.done == last.total
    joined = (VerdictKind.CHAIN, VerdictKind.CONNECTION)
    verdicts = [found.verdict(here.position) for here in line]
    open_ones = [s for s, v in zip(line, verdicts, strict=True) if not v or v.kind not in joined]
    assert 0 < len(open_ones) < len(line)
    assert [s for s in line if found.of(s, "search")] == open_ones
    assert all(found.complete(here, ("search",)) for here in line), "nothing is left to do"
    search = TreeSearch(record.board)
    for here in open_ones:
        search.look_at(here.position)
        list(search.grow(Limit(visits=GAME_VISITS)))
        judged = found.of(here, "search")
        win = search.moves()[0].value
        opening = here.position.first_stone_swappable
        assert judged.winrate == (first_stone_value(win) if opening else win)


@pytest.mark.parametrize("moves", ["#6,a1f6b1e6", "#6,c2c4e3d2"])
def test_what_the_brief_search_proves_is_in_the_store_of_verdicts(moves: str) -> None:
    record = read_record(moves)
    line, found = line_of(record), Estimates()
    list(analyse_game(line, ("search",), found))
    search, solver, proofs = TreeSearch(record.board), Solver(record.board), 0
    for here in line:
        position = here.position
        if found.of(here, "search") is None:
            continue
        search.look_at(position)
        list(search.grow(Limit(visits=GAME_VISITS)))
        known = found.verdicts.moves(position)
        proved = {move.cell: bool(move.value) for move in search.moves() if move.proved}
        assert {cell: known.by_cell.get(cell) for cell in proved} == proved
        *_, solved = solver.solve(position, Limit(nodes=100_000), all_moves=True)
        right = dict.fromkeys(solved.wins, True) | dict.fromkeys(solved.losses, False)
        assert {cell: right[cell] for cell in proved} == proved
        if search.root.proved:
            verdict = found.verdict(position)
            assert (verdict.kind, verdict.winner) == (VerdictKind.SOLVER, solved.winner)
        proofs += len(proved)
    solver.close()
    assert proofs > 0


def test_a_stopped_analysis_continues() -> None:
    record = game()
    line, found = line_of(record), Estimates()
    steps = analyse_game(line, NAMES, found)
    assert next(steps).done == 0
    while next(steps).done < 4:
        pass
    steps.close()  # type: ignore[attr-defined]
    known = sum(found.complete(here, NAMES) for here in line)
    assert 4 <= known < len(line)
    again = [progress.done for progress in analyse_game(line, NAMES, found)]
    assert again == list(range(known, len(line) + 1))
    # another evaluator is added to what is known
    *_, last = analyse_game(line, [*NAMES, "two-distance"], found)
    assert last.done == last.total
    assert all(found.complete(here, [*NAMES, "two-distance"]) for here in line)


def test_threads_find_the_same() -> None:
    record = game(5, Board(5, 5))
    line, found = line_of(record), Estimates()
    list(analyse_game(line, NAMES, found, threads=3))
    expected = analysed(record)
    for here in line:
        for name in NAMES:
            assert found.of(here, name) == expected.of(here, name)


def test_a_ply_that_cannot_be_judged_ends_all_though_others_wait_for_the_engine():
    record = read_record("#11,f6e5")
    line = line_of(record)
    with pytest.raises(TooCostlyError, match="k = 5 lists paths one by one"):
        list(analyse_game(line, ["k-paths:5"], Estimates(), threads=1))


def test_the_analyst_works_in_the_background_and_can_be_stopped() -> None:
    record = game(2, Board(5, 5))
    line, found = line_of(record), Estimates()
    heard: list[Progress | str] = []
    some, end = threading.Event(), threading.Event()

    def hear(progress: Progress | str) -> None:
        heard.append(progress)
        assert isinstance(progress, Progress)
        if progress.done >= 2:
            some.set()
        if progress.done == progress.total:
            end.set()

    analyst = GameAnalyst(hear)
    analyst.start(line, NAMES, found)
    assert some.wait(PATIENCE)
    analyst.cancel()
    analyst.start(line, NAMES, found)
    assert end.wait(PATIENCE)
    analyst.close()
    assert all(found.complete(here, NAMES) for here in line)


def test_an_error_is_one_line() -> None:
    heard: list[Progress | str] = []
    analyst = GameAnalyst(heard.append)
    record = game()
    analyst.start(line_of(record), ["nobody"], Estimates())
    analyst.join()
    *_, line = heard
    assert isinstance(line, str)
    assert "no evaluator 'nobody'" in line
    assert "\n" not in line


def places(qs: dict[Color, list[Quality]]) -> tuple[Record, Estimates]:
    """Return a game on 3x3 whose moves stand where they are told to."""
    record = Record.of_moves(Board(3, 3), [Move.play(cell) for cell in (0, 8, 1, 7, 2)])
    found = Estimates()
    for here in line_of(record)[:-1]:
        judged = qs[here.position.to_move].pop(0)
        assert here.cell is not None
        found.keep(here.position, "e", Estimate(1.0, (here.cell,), {here.cell: judged}, True))
    return record, found


def test_the_report_by_hand() -> None:
    record, found = places(
        {
            Color.BLACK: [Quality(9, 1, 1.0), Quality(7, 4, 4.5), Quality(5, 5, 5.0)],
            Color.WHITE: [Quality(8, 8, 8.0), Quality(6, 1, 1.5)],
        }
    )
    players = player_reports(line_of(record), ["e"], found)["e"]
    black, white = players[Color.BLACK], players[Color.WHITE]
    assert black.moves == 3
    assert black.q == pytest.approx((1 + 0.5 + 0) / 3)
    assert black.mid_q == pytest.approx((1 + (1 - 3.5 / 6) + 0) / 3)
    assert black.top_1 == pytest.approx(1 / 3)
    assert black.top_5 == 1.0
    assert [(m.ply, m.quality.rank) for m in black.worst] == [(5, 5), (3, 4)]
    assert white.q == pytest.approx(0.5)
    assert (white.top_1, white.top_5) == (0.5, 0.5)
    assert [m.ply for m in white.worst] == [2]


def test_proved_stretches() -> None:
    record = game(3)
    line, found = line_of(record), Estimates()
    solved = Verdict(VerdictKind.SOLVER, Color.BLACK)  # with White to move: also before and after
    finished = Verdict(VerdictKind.CHAIN, Color.WHITE)
    found.keep_verdict(line[1].position, solved)
    found.keep_verdict(line[5].position, finished)
    assert stretches(line, found) == (
        Stretch(0, 2, Color.BLACK, VerdictKind.SOLVER),
        Stretch(5, 5, Color.WHITE, VerdictKind.CHAIN),
    )


def test_the_end_of_a_game_is_proved() -> None:
    record = game(4)
    last = stretches(line_of(record), analysed(record))[-1]
    position = record.position(record.main_line()[-1])
    assert (last.winner, last.last, last.kind) == (position.winner, record.plies, VerdictKind.CHAIN)


def test_disagreement_by_hand() -> None:
    record = game()
    here = line_of(record)[0]
    cell, found = here.cell, Estimates()
    assert cell is not None
    for name, best, rank in (("a", (0, 1, 2, 3, 4), 1), ("b", (4, 5, 6, 7, 8), 16)):
        placed = {cell: Quality(16, rank, float(rank))}
        found.keep(here.position, name, Estimate(1.0, best, placed, True))
    assert found.disagreement(here, ["a"]) is None
    assert found.disagreement(here, ["a", "b"]) == Disagreement(0.2, 1.0)
    placed = {cell: Quality(16, 1, 1.0)}
    found.keep(here.position, "c", Estimate(1.0, (0, 1, 2, 3, 4), placed, True))
    assert found.disagreement(here, ["a", "b", "c"]).overlap == pytest.approx(1.4 / 3)


def test_what_is_stored_in_a_record_is_read_back() -> None:
    record = game(3)
    line, found = line_of(record), Estimates()
    list(analyse_game(line, NAMES, found, solve_seconds=100.0))
    before = write_sgf(record)
    record.set_properties(stored_analysis.properties(line, NAMES, found))
    again = read_sgf(write_sgf(record))
    line_again, read = line_of(again), Estimates()
    assert stored_analysis.read(line_again, read) == NAMES
    assert player_reports(line_again, NAMES, read) == player_reports(line, NAMES, found)
    assert stretches(line_again, read) == stretches(line, found)
    assert decided(line_again, read) == decided(line, found)
    assert [(b.color, b.moves, b.wins, b.all_wins) for b in blunders(line_again, read)] == [
        (b.color, b.moves, b.wins, b.all_wins) for b in blunders(line, found)
    ]
    assert blunders(line, found)
    for here, other in zip(line, line_again, strict=True):
        assert read.complete(other, NAMES)
        for name in NAMES:
            first, second = found.of(here, name), read.of(other, name)
            assert (first is None) is (second is None)
            assert first is None or (first.value, first.best) == (second.value, second.best)
    record.undo()
    assert write_sgf(record) == before
    assert not record.modified


@pytest.mark.parametrize(
    "text",
    [
        "HXJ[k-paths:0]",
        "HXJ[k-paths:0 x exact a1]",
        "HXJ[k-paths:0 1.0 exact z9]",
        "HXJ[k-paths:0 1.0 perhaps a1]",
        "HXP[nobody chain]",
        "HXP[]",
        "HXQ[x]HXJ[]",
    ],
)
def test_what_cannot_be_read_back_is_left_alone(text: str) -> None:
    record = read_sgf(f"(;GM[11]SZ[3]{text};B[b2]{text})")
    stored_analysis.sign(record)
    found = Estimates()
    assert stored_analysis.read(line_of(record), found) == ()
    assert "HXJ" not in text or "HXJ" in write_sgf(record)


def test_swaps_and_passes_are_no_choices_of_a_cell() -> None:
    board = Board(3, 3)
    record = Record.of_moves(board, [Move.play(0), Move(MoveKind.SWAP_PIECES), Move(MoveKind.PASS)])
    reports = player_reports(line_of(record), NAMES, analysed(record))
    for players in reports.values():
        assert players[Color.BLACK].moves == 1
        assert players[Color.WHITE].moves == 0
        assert players[Color.WHITE].q is None


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "game.sgf", tmp_path / "kept.sgf"
    source.write_text(write_sgf(game()))
    arguments = ["report", str(source), "--evaluator", "k-paths:0", "--evaluator", "resistance"]
    assert main([*arguments, "--json", "--save", str(target)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document["evaluators"]) == {"k-paths:0", "resistance"}
    moves = [document["evaluators"]["resistance"][color]["moves"] for color in ("black", "white")]
    assert sum(moves) == len(document["plies"]) - 1
    assert document["proved"][-1]["by"] == "chain"
    assert main(["report", str(target), *arguments[2:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == document
    assert main(["report", str(target), *arguments[2:]]) == 0
    assert "mid Q" in capsys.readouterr().out
