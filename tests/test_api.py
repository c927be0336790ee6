"""The front door: its names, strings in and out, and that importing changes nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hextui
from hextui import api
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.oriented import connections_of
from hextui.engine.solver.check import ProofError
from hextui.engine.solver.proof import Joined, Proof
from hextui.engine.warm import CompileStep
from hextui.records.errors import RecordError
from tests.oracles.winners import Exhaustive

EXAMPLE = Path(__file__).parent.parent / "docs" / "example.py"


def in_a_new_process(code: str, *arguments: str, folder: Path | None = None) -> str:
    command = [sys.executable, "-c", code, *arguments]
    # what this process has set itself must not hide what the new one sets
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "OPENBLAS_"))}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder, env=kept
    )
    return done.stdout


def test_the_names_are_sorted_and_those_of_the_room_behind() -> None:
    assert hextui.__all__ == sorted(hextui.__all__) == api.__all__
    for name in hextui.__all__:
        assert getattr(hextui, name) is getattr(api, name)
    assert set(hextui.__all__) <= set(dir(hextui))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(hextui, "nothing")  # noqa: B009


def test_each_name_has_an_example() -> None:
    for name in hextui.__all__:
        assert ">>> " in (getattr(hextui, name).__doc__ or ""), name


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = "import sys, hextui; dir(hextui); print([m for m in sys.modules if m != 'hextui'])"
    loaded = in_a_new_process(code)
    assert not {"numpy", "numba", "textual", "hextui.api"} & set(eval(loaded))
    code = "import sys, hextui; hextui.position; print(list(sys.modules))"
    assert not {"textual", "rich", "networkx"} & set(eval(in_a_new_process(code)))


STATE = """
import json, os, sys, warnings, logging, signal, threading, gc, locale
import numba
def state():
    settings = {n: repr(getattr(numba.config, n)) for n in dir(numba.config) if n.isupper()}
    return json.dumps([
        dict(os.environ), settings, repr(warnings.filters), logging.root.level,
        [repr(h) for h in logging.root.handlers], sys.getrecursionlimit(),
        sys.getswitchinterval(), gc.isenabled(), gc.get_threshold(), threading.active_count(),
        repr(signal.getsignal(signal.SIGINT)), os.getcwd(), locale.setlocale(locale.LC_ALL),
    ])
before = state()
import hextui
for name in hextui.__all__:
    getattr(hextui, name)
print(json.dumps([before, state()]))
"""


def test_importing_changes_nothing_for_the_host() -> None:
    before, after = json.loads(in_a_new_process(STATE))
    assert json.loads(after) == json.loads(before)


def test_a_position_is_made_of_moves() -> None:
    position = hextui.position("4x3", ["a1", "pass", "d3"])
    assert str(position) == "B . . .\n . . . .\n  . . . B"
    assert hextui.position(position.board) == hextui.Position.empty(position.board)
    assert hextui.position("3x3", "a2 swap-pieces") == hextui.Position.parse(".W./.../...", "black")
    with pytest.raises(ValueError, match="no cell 'a6' on a 5x5 board"):
        hextui.position("5x5", "a6")
    with pytest.raises(ValueError, match="a5 is taken"):
        hextui.position("5x5", "a5 a5")
    with pytest.raises(ValueError, match="not the size of a board: '5 by 5'"):
        hextui.position("5 by 5")


def test_a_number_is_the_size_of_a_square_board() -> None:
    assert hextui.position(5) == hextui.position("5x5")
    with hextui.Solver(3) as solver:
        assert solver.solve(hextui.position(3)).winner is hextui.Color.BLACK
    for wrong in (0, 20, -1, 5.0, True, None):
        with pytest.raises(ValueError, match=r"not the size of a board|a board has 1 to 19"):
            hextui.position(wrong)  # type: ignore[arg-type]


def test_a_record_is_read_by_name_path_or_text(tmp_path: Path) -> None:
    text = "(;FF[4]GM[11]SZ[5];B[a5];W[c3];B[b4])"
    path = tmp_path / "game.sgf"
    path.write_text(text)
    for source in (str(path), path, text):
        game = hextui.read(source)
        assert game.position(ply=2) == hextui.position("5x5", "a5 c3")
        assert game.position() == game.position(ply=3) == game.position(game.root.end())
    assert hextui.read("#5,a5c3").plies == 2
    with pytest.raises(ValueError, match="no ply 4: the main line has 3"):
        game.position(ply=4)
    for missing in (str(tmp_path / "no.sgf"), tmp_path / "no.sgf"):
        with pytest.raises(RecordError, match=r"no\.sgf"):
            hextui.read(missing)


def test_connections_are_those_of_the_engine_in_strings() -> None:
    position = hextui.position("5x5", "a5 c3 b3")
    found = hextui.connections(position, "blue")
    table = connections_of(position, hextui.Color.WHITE)
    assert len(found) == len(list(found)) == len(list(table.live()))
    name = position.board.name
    for mine, theirs in zip(found, table.live(), strict=True):
        assert mine.carrier == set(map(name, theirs.carrier))
        assert mine.ends == tuple(map(table.node_name, sorted(theirs.ends)))
        assert (mine.id, mine.kind, mine.rule) == (theirs.id, theirs.kind, theirs.rule)
    (first, *_) = found.between("right", "c3")
    assert first == found.between(" C3", "RIGHT")[0]
    assert found.why(first)[-1] == first
    assert {rule.rule for rule in found.why(first) if not rule.premises} == {"adjacency"}


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        (("top", "left"), "white joins left and right, not top"),
        (("b3", "left"), "b3 is black"),
        (("z9", "left"), "no cell 'z9'"),
    ],
)
def test_ends_that_are_none_are_refused(ends: tuple[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hextui.connections(hextui.position("5x5", "a5 c3 b3"), "white").between(*ends)


def test_ranks_are_those_of_the_evaluator() -> None:
    position = hextui.position("4x4", "a4 b2")
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, ranking = evaluator("resistance").rank(bench)
    rated = hextui.rank(position, "resistance")
    assert [tuple(m) for m in rated] == [
        (position.board.name(m.cell), m.value, m.rank) for m in ranking.moves
    ]
    assert {m.move for m in rated} == set(position.legal_moves)
    assert rated[0] == rated[:1][0] == rated.moves[0]
    assert (rated.evaluator, rated.note, rated.exact) == ("resistance", ranking.note, True)
    with pytest.raises(ValueError, match="no evaluator 'best'"):
        hextui.rank(position, "best")


def test_lines_are_best_first_and_none_after_a_win() -> None:
    found = hextui.lines(hextui.position("5x5", "a5"), "k-paths:0", widths=(3, 2, 0), count=3)
    assert [line.value for line in found] == sorted((line.value for line in found), reverse=True)
    assert 1 <= len(found) <= 3
    won = hextui.position("2x2", "a1 b1 a2")
    assert won.winner is hextui.Color.BLACK
    assert hextui.lines(won) == ()
    with pytest.raises(ValueError, match="end with 0"):
        hextui.lines(won, widths=(3, 2))


def test_the_solver_says_what_exhaustive_play_says() -> None:
    position = hextui.position("3x3", "a1")
    with hextui.Solver("3x3") as solver:
        outcome = solver.solve(position, seconds=60)
        again = solver.solve(position.play(outcome.winning_moves[0]))
    wins = set(map(position.board.name, Exhaustive(position.board).winning_moves(position)))
    assert set(outcome.winning_moves) == wins
    assert set(outcome.losing_moves) == set(position.legal_moves) - wins
    assert outcome.complete
    assert outcome.unknown_moves == ()
    assert again.winner is outcome.winner is position.to_move
    assert hextui.solve(position).winning_moves == outcome.winning_moves


def test_a_solver_out_of_time_knows_nothing_and_says_so() -> None:
    outcome = hextui.solve(hextui.position("9x9"), seconds=0)
    assert (outcome.winner, outcome.complete, len(outcome.unknown_moves)) == (None, False, 81)


def test_a_solver_is_of_one_board_and_ends() -> None:
    with hextui.Solver("3x3") as solver:
        with pytest.raises(ValueError, match="for a 3x3 board, not 4x4"):
            solver.solve(hextui.position("4x4"))
        solver.close()
        with pytest.raises(ValueError, match="closed"):
            solver.solve(hextui.position("3x3"))
    solver.close()


def test_a_proof_that_does_not_hold_is_refused() -> None:
    position = hextui.position("3x3", "b2")
    with hextui.Solver("3x3") as solver:
        proof = solver.prove(position)
    assert hextui.check(proof) <= set(position.legal_moves)
    wrong = Proof(position, hextui.Color.WHITE, (Joined(True, frozenset()),))
    with pytest.raises(ProofError):
        hextui.check(wrong)


def test_a_picture_shows_stones_and_labels() -> None:
    position = hextui.position("3x3", "b2 c1")
    picture = hextui.draw(position, {"a3": "<7>"})
    assert "&lt;7&gt;" in picture
    assert picture.count("<circle") == 2
    assert picture._repr_svg_() == picture
    assert hextui.draw(position, ["a3", "b3"]).count("•") == 2
    with pytest.raises(ValueError, match="no cell 'd4'"):
        hextui.draw(position, ["d4"])


def test_warming_tells_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def compile_width(width: int) -> Iterator[CompileStep]:
        done.append(width)
        yield CompileStep(width, 1, 2, "connections")
        yield CompileStep(width, 2, 2, "solver")

    monkeypatch.setattr(api, "compile_width", compile_width)
    monkeypatch.setattr(api, "is_all_warm", lambda width: width in done or width == 2)
    told: list[str] = []
    hextui.warm("9x9", progress=told.append)
    assert not told
    hextui.warm("3x3", progress=told.append)
    assert told == ["up to 64 cells: 1 of 2, connections", "up to 64 cells: 2 of 2, solver"]
    hextui.warm()
    assert done == [1, 3, 4, 5, 6]


def test_the_example_runs_in_an_empty_folder(tmp_path: Path) -> None:
    code = EXAMPLE.read_text()
    assert len(code.splitlines()) <= 30
    out = in_a_new_process(code, folder=tmp_path)
    assert "black wins; winning moves: e1 d2 b3 d3 e3" in out
    game = tmp_path / "game.sgf"
    game.write_text("(;FF[4]GM[11]SZ[3];B[b2];W[c1])")
    assert "winning moves" in in_a_new_process(code, "game.sgf", folder=tmp_path)
