"""The public API: its names, strings in and out, and that importing changes nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import networkx
import pytest

import hextui
from hextui.api import evaluation, game_records, positions, winners
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Move
from hextui.engine.search.small_games import GAMES
from hextui.engine.solver.proof import Joined
from hextui.engine.warm import CompileStep
from hextui.settings import engine_tables
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


def test_the_names_are_sorted_and_those_of_the_package() -> None:
    parts = (evaluation, game_records, positions, winners)
    assert hextui.__all__ == sorted(name for part in parts for name in part.__all__)
    for part in parts:
        for name in part.__all__:
            assert getattr(hextui, name) is getattr(part, name)
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
    heavy = {"textual", "rich", "networkx", "numpy", "numba", "sqlite3", "subprocess"}
    for use in (
        "[getattr(hextui, name) for name in hextui.__all__]",
        "hextui.draw(hextui.position(5, 'a5'))",
        "hextui.write(hextui.read('#5,a5c3'), 'sgf')",
        "hextui.evaluators()",
    ):
        code = f"import sys, hextui; {use}; print(list(sys.modules))"
        assert not heavy & set(eval(in_a_new_process(code))), use


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
    assert hextui.position(5) == hextui.position("5x5")
    with hextui.Solver(3) as solver:
        assert solver.solve(hextui.position(3)).winner is hextui.Color.BLACK


P = hextui.position("3x3", "b2")
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: hextui.position("5x5", "a6"), "no cell 'a6' on a 5x5 board"),
    (lambda: hextui.position("5x5", "a5 a5"), "a5 is taken"),
    (lambda: hextui.position("5 by 5"), "not the size of a board: '5 by 5'"),
    (lambda: hextui.position(-1), "not the size of a board"),
    (lambda: hextui.position(0), "a board has 1 to 19"),
    (lambda: hextui.position(20), "a board has 1 to 19"),
    (lambda: P["a4"], "no cell 'a4'"),
    (lambda: hextui.draw(P, ["d4"]), "no cell 'd4'"),
    (lambda: hextui.rank(P, "best"), "no evaluator 'best'"),
    (lambda: hextui.report(hextui.read("#3,b2"), ["best"]), "no evaluator 'best'"),
    (lambda: hextui.lines(P, widths=(3, 2)), "end with 0"),
    (lambda: hextui.connections(P, "white").between("top", "left"), "white joins left and right"),
    (lambda: hextui.connections(P, "white").between("b2", "left"), "b2 is black"),
    (lambda: hextui.connections(P, "white").between("z9", "left"), "no cell 'z9'"),
    (lambda: hextui.best_move(hextui.position("4x4")), "9 empty cells at most"),
    (lambda: hextui.open_engine(["hextui", "htp"], "uci"), "dialect"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED)
def test_a_wrong_value_is_a_value_error(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


WRONG_TYPES: dict[str, Callable[[Any], object]] = {
    "a board size": hextui.position,
    "moves": lambda wrong: hextui.position(3, wrong),
    "a move such as": lambda wrong: hextui.position(3, [wrong]),
    "a cell such as": lambda wrong: P[wrong],
    "labels": lambda wrong: hextui.draw(P, wrong),
    "a file, a link": hextui.read,
    "the number of a game": lambda wrong: hextui.read("#3,b2", wrong),
    "a file's name": lambda wrong: hextui.read("#3,b2").save(wrong),
    "a file, a folder": hextui.puzzles,
    "a format or a file": lambda wrong: hextui.write(hextui.read("#3,b2"), wrong),
    "a Record": lambda wrong: hextui.write(wrong, "sgf"),
    "a Position": hextui.rank,
    "a colour": lambda wrong: hextui.network(P, wrong),
    "an evaluator's name": lambda wrong: hextui.explain(P, "a1", wrong),
    "a cell": lambda wrong: hextui.explain(P, wrong),
    "an end": lambda wrong: hextui.connections(P, "red").between("b2", wrong),
    "an engine's name": hextui.open_engine,
    "a Proof": hextui.check,
}


@pytest.mark.parametrize("wanted", WRONG_TYPES)
@pytest.mark.parametrize("wrong", [1.5, True, b"x"])
def test_a_value_of_a_wrong_type_is_a_type_error_in_one_line(wanted: str, wrong: object) -> None:
    if wanted in ("moves", "labels", "an engine's name") and wrong == b"x":
        return  # a sequence
    with pytest.raises(TypeError, match=rf"^expected {wanted}[^\n]*, not [^\n]*$"):
        WRONG_TYPES[wanted](wrong)


@pytest.mark.parametrize(
    "ask",
    [
        *(hextui.rank, hextui.must_play, hextui.inferior, hextui.lines, hextui.solve, hextui.draw),
        lambda p: hextui.connections(p, "red"),
        lambda p: hextui.network(p, "red"),
        lambda p: hextui.explain(p, "a1"),
        lambda p: hextui.Solver(3).solve(p),
        lambda p: hextui.Solver(3).prove(p),
    ],
)
def test_a_diagram_is_no_position(ask: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match=r"^expected a Position \(.*\), not 'B\.\.'$"):
        ask("B..")


def test_a_position_tells_what_is_on_a_cell() -> None:
    position = hextui.position("4x3", "a1 d3")
    assert position["A1"] is hextui.Color.BLACK
    assert position["d3"] is hextui.Color.WHITE
    assert position["b2"] is None
    with pytest.raises(TypeError):
        list(position)  # type: ignore[call-overload]


def test_a_record_is_read_by_name_path_or_text(tmp_path: Path) -> None:
    text = "(;FF[4]GM[11]SZ[5];B[a5];W[c3];B[b4])"
    path = tmp_path / "game.sgf"
    path.write_text(text)
    for source in (str(path), path, text):
        game = hextui.read(source)
        assert game.position(ply=2) == hextui.position("5x5", "a5 c3")
        assert game.position() == game.position(ply=3) == game.position(game.root.end())
    assert hextui.read("#5,a5c3").plies == 2
    with pytest.raises(ValueError, match="no ply 4: the main line ends at ply 3"):
        game.position(ply=4)
    for missing in (str(tmp_path / "no.sgf"), tmp_path / "no.sgf"):
        with pytest.raises(hextui.RecordError, match=r"no\.sgf"):
            hextui.read(missing)


def test_connections_have_names_and_numbers() -> None:
    position = hextui.position("5x5", "a5 c3 b3")
    table = hextui.connections(position, "blue")
    assert len(table) == len(list(table)) == table.fulls + table.semis
    name = position.board.name
    for connection in table:
        assert sorted(connection.carrier) == sorted(map(name, connection.cells))
        assert connection.ends == tuple(map(table.node_name, sorted(connection.nodes)))
        assert (connection.key is None) == (connection.key_cell is None)
    (first, *_) = table.between("right", "c3")
    assert first == table.between(" C3", "RIGHT")[0] == table.between(*first.nodes)[0]
    assert table.why(first)[-1] == first
    assert {rule.rule for rule in table.why(first) if not rule.premises} == {"adjacency"}
    assert [table[0], table[1]] == list(table)[:2] == list(table[:2])
    assert table[-1] == list(table)[-1]
    assert first in table
    with pytest.raises(IndexError):
        table[len(table)]


def test_ranks_are_those_of_the_evaluator() -> None:
    position = hextui.position("4x4", "a4 b2")
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, ranking = evaluator("resistance").rank(bench)
    rated = hextui.rank(position, "resistance")
    assert [(m.move, m.value, m.rank) for m in rated] == [
        (position.board.name(m.cell), m.value, m.rank) for m in ranking.moves
    ]
    assert {m.move for m in rated} == set(position.legal_moves)
    assert rated[0] == rated[:1][0] == rated.moves[0]
    assert (rated.evaluator, rated.note, rated.exact) == ("resistance", ranking.note, True)


def test_evaluators_are_listed_with_their_options() -> None:
    found = hextui.evaluators()
    assert [one.name for one in found] == list(names())
    assert all(one.about for one in found)
    options = {one.name: one.options for one in found}
    assert options["search"] == {"visits": None, "seconds": 0.0, "threads": 1, "network": ""}
    assert options["k-paths:2"]["k"] == 2


@pytest.mark.parametrize("name", [*names(), "k-paths:1,raw"])
def test_an_explanation_has_the_value_and_the_rank_of_the_move(name: str) -> None:
    position = hextui.position("4x4", "a4 b2")
    move = hextui.rank(position, name)[1]
    found = hextui.explain(position, move.move, name)
    expected = (move.move, move.value, move.rank, 14)
    assert (found.move, found.value, found.rank, found.moves) == expected
    assert all(term.symbol and term.meaning for term in found.terms)
    assert str(found).startswith(f"{name}: {move.move} has rank {move.rank} of 14\n")
    with pytest.raises(ValueError, match="b2"):
        hextui.explain(position, "b2", name)


def test_cells_have_names_and_numbers() -> None:
    position = hextui.position("5x5", "a5 c3")
    cells = hextui.must_play(position)
    assert list(cells) == ["e1", "d2", "b3", "d3", "e3"]
    assert [position.board.name(number) for number in cells.numbers] == list(cells)
    assert ("b3" in cells, "a1" in cells, cells[-1], cells[:2]) == (
        True, False, "e3", hextui.Cells(position.board, cells.numbers[:2]),
    )  # fmt: skip
    with pytest.raises(TypeError, match="expected a cell such as"):
        assert 3 in cells
    inferior = hextui.inferior(position)
    assert inferior.vulnerable == {"a1": "a2", "b5": "c4", "e5": "e4"}
    assert set(inferior.rules) | set(inferior.remaining) == set(position.legal_moves)
    assert set(inferior.rules.numbers) | set(inferior.remaining.numbers) == {*position.empties}


@pytest.mark.parametrize("virtual", [True, False])
def test_a_network_is_a_graph_of_its_names(virtual: bool) -> None:
    position = hextui.position("5x5", "a5 c3")
    found = hextui.network(position, "white", virtual=virtual)
    graph = found.graph()
    assert set(graph) == set(found.nodes) == {*position.legal_moves, "left", "right"}
    assert networkx.shortest_path_length(graph, "left", "right") == found.distance
    paths = list(networkx.all_shortest_paths(graph, "left", "right"))
    assert len(paths) == found.paths[0]
    for cell in position.legal_moves if virtual is False else ():
        share = sum(cell in path for path in paths) / len(paths)
        assert found.contribution[cell][0] == pytest.approx(share)
    assert bool({link for link, carrier in found.links.items() if carrier}) is virtual


def test_a_record_is_written_and_saved(tmp_path: Path) -> None:
    game = hextui.read("(;FF[4]GM[11]SZ[5];B[a5];W[c3])")
    game.set_comment(game.root, "odd")
    assert "C[odd]" in hextui.write(game, "sgf")
    assert game.save(tmp_path / "game.sgf") == ()
    assert not game.modified
    again = hextui.read(tmp_path / "game.sgf")
    assert isinstance(again, hextui.Record)
    assert (again.plies, again.root.comment) == (2, "odd")
    text = hextui.write(again, tmp_path / "more.sgf")
    assert (tmp_path / "more.sgf").read_text().strip() == text.strip()
    made = hextui.Record.of_moves(hextui.Board(3, 3), [Move.parse("b2", hextui.Board(3, 3))])
    assert isinstance(made, hextui.Record)
    for target in ("nothing", str(tmp_path / "game.odd")):
        with pytest.raises(hextui.RecordError, match="unknown format"):
            hextui.write(game, target)
    with pytest.raises(hextui.RecordError, match="cannot be saved"):
        game.save(tmp_path / "no" / "game.sgf")


SCRIPT = Path(__file__).parent / "engines" / "attached" / "scripted.py"


def test_an_engine_of_the_settings_file_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, position = tmp_path / "config.toml", hextui.position("4x4", "b2")
    monkeypatch.setattr(engine_tables, "config_file", lambda: file)
    with pytest.raises(ValueError, match=r"no engine 'e' in .*: none is configured"):
        hextui.open_engine("e")
    command = [sys.executable, "-I", "-S", str(SCRIPT), "plain"]
    file.write_text(f'[engines.e]\ncommand = {json.dumps(command)}\ndialect = "kata"\n')
    with hextui.open_engine("e") as engine:
        found = engine.ask(position, visits=100)
        assert (found.best, found.moves[0].winrate, found.final) == ("a1", 0.75, True)
        assert found.moves[0].line[0] == "a1"
        stream = engine.stream(hextui.position("4x4", "b3"), seconds=600)
        next(stream)
        engine.stop()
        assert len(list(stream)) <= 1
    with pytest.raises(ValueError, match="closed"):
        engine.ask(hextui.position("4x4", "c3"))


@pytest.mark.parametrize(
    ("game", "state", "score"), [("tic-tac-toe", "XX./OO./...", 1), ("nim", "1,2,3", -1)]
)
def test_the_best_move_of_any_game_is_found(game: str, state: str, score: int) -> None:
    found = hextui.best_move(GAMES[game].parse(state))
    assert found.score == score
    assert hextui.best_move(hextui.position("3x3", "a1")) == ("b2", 1)
    assert hextui.best_move(hextui.position("2x2", "a1 b1 a2")) == (None, -1)
    with pytest.raises(TypeError, match="a state of a game has no moves: 'X'"):
        hextui.best_move("X")  # type: ignore[arg-type]


def test_a_library_imports_explores_and_returns_games(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for number, moves in enumerate(("B[a5];W[c3];B[b4]", "B[a5];W[d2]")):
        text = f"(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+];{moves})"
        (folder / f"{number}.sgf").write_text(text)
    with hextui.open_library(tmp_path / "library.sqlite") as library:
        assert library.add(folder).added == len(library) == 2
        explored = library.explore(hextui.position("5x5", "a5"))
        assert {(one.move, one.games, one.black_wins) for one in explored} == {
            ("c3", 1, 1),
            ("d2", 1, 1),
        }
        (row,) = library.games(hextui.position("5x5", "a5 c3"), player="ann")
        assert library.read(row.id).plies == 3
        assert library.games(player="Cid") == []
        assert library.player("ANN").score.wins == 2
        with pytest.raises(ValueError, match="no player of the library is called 'Cid'"):
            library.player("Cid")
        assert len(library.games(limit=1)) == 1
        with pytest.raises(hextui.RecordError, match="there is no game 99"):
            library.read(99)
        assert library.remove(row.id, 99) == len(library) == 1


def test_the_report_on_a_game_names_what_gave_the_win_away() -> None:
    game = hextui.read("#3,b1c1b2")
    found = hextui.report(game, ["resistance", "k-paths:0"], seconds=2)
    assert not game.modified
    (mistake,) = found.mistakes
    assert (mistake.color, mistake.plies, mistake.moves) == (hextui.Color.WHITE, (2,), ("c1",))
    assert mistake.winning_moves == ("b2",)
    assert found.decided == 2
    winners = [ply.winner for ply in found.plies]
    assert winners == [hextui.solve(game.position(ply=at.ply)).winner for at in found.plies]
    assert found.plies[1].best.keys() == found.top_1.keys() == {"resistance", "k-paths:0"}
    assert found.plies[1].best["resistance"] == hextui.rank(game.position(ply=1))[0].move
    assert str(found).splitlines()[0] == mistake.text


PUZZLES = (
    "(;GM[11]SZ[3]GN[one]GE[quiet move]DI[2]AB[a1]AW[c3]PL[B];B[b2]TE[1])"
    "(;GM[11]SZ[3]GE[odd]DI[12]AB[b2]PL[W])(;GM[11]SZ[3];B[b2])"
)


def test_puzzles_of_a_file_a_folder_or_text_are_values(tmp_path: Path) -> None:
    file = tmp_path / "puzzles" / "some.sgf"
    file.parent.mkdir()
    file.write_text(PUZZLES)
    for source in (PUZZLES, file, str(file), file.parent, str(file.parent)):
        first, second = hextui.puzzles(source)
        assert isinstance(first, hextui.Puzzle)
        assert first.position == hextui.Position.parse("B../.../..W", "black")
        assert (first.winning_moves, first.lines) == (("b2",), (("b2",),))
        assert (first.name, first.theme, first.level) == ("one", "quiet move", 2)
        assert str(first) == "Black to move and win. Exactly one move wins."
        assert (second.winning_moves, second.theme, second.level) == ((), None, None)
        assert str(second) == "White to move: which moves win?"
    (file.parent / "more.sgf").write_text("(;GM[11]SZ[3];B[z9])")
    for source in (file.parent, tmp_path / "no.sgf", str(tmp_path / "no.sgf")):
        with pytest.raises(hextui.RecordError, match=r"^[^\n]*\.sgf[^\n]*$"):
            hextui.puzzles(source)


def test_the_built_in_puzzles_are_the_default() -> None:
    found = hextui.puzzles()
    assert len(found) > 500
    assert {len(one.winning_moves) for one in found} == {1, 2, 3}
    assert {one.level for one in found} == set(range(1, 10))
    assert all(one.theme and one.lines for one in found)


def test_lines_are_best_first_and_none_after_a_win() -> None:
    found = hextui.lines(hextui.position("5x5", "a5"), "k-paths:0", widths=(3, 2, 0), count=3)
    assert [line.value for line in found] == sorted((line.value for line in found), reverse=True)
    assert 1 <= len(found) <= 3
    won = hextui.position("2x2", "a1 b1 a2")
    assert won.winner is hextui.Color.BLACK
    assert hextui.lines(won) == ()


def test_the_solver_says_what_exhaustive_play_says() -> None:
    position = hextui.position("3x3", "a1")
    with hextui.Solver("3x3") as solver:
        outcome = solver.solve(position, seconds=60)
        again = solver.solve(position.play(outcome.winning_moves[0]))
    wins = set(map(position.board.name, Exhaustive(position.board).winning_moves(position)))
    assert set(outcome.winning_moves) == wins
    assert set(outcome.losing_moves) == set(position.legal_moves) - wins
    assert outcome.complete
    assert not outcome.unknown_moves
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
    assert set(hextui.check(proof)) <= set(position.legal_moves)
    wrong = hextui.Proof(position, hextui.Color.WHITE, (Joined(True, frozenset()),))
    with pytest.raises(hextui.ProofError):
        hextui.check(wrong)


def test_a_picture_shows_stones_and_labels() -> None:
    position = hextui.position("3x3", "b2 c1")
    picture = hextui.draw(position, {"a3": "<7>"})
    assert "&lt;7&gt;" in picture
    assert picture.count("<circle") == 2
    assert picture._repr_svg_() == picture
    assert hextui.draw(position, ["a3", "b3"]).count("•") == 2


def test_warming_tells_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def compile_width(width: int) -> Iterator[CompileStep]:
        done.append(width)
        yield CompileStep(width, 1, 2, "connections")
        yield CompileStep(width, 2, 2, "solver")

    def compile_in_children(widths: Sequence[int], cores: int) -> Iterator[CompileStep]:
        return chain.from_iterable(map(compile_width, widths))

    monkeypatch.setattr("hextui.engine.warm.compile_width", compile_width)
    monkeypatch.setattr("hextui.engine.warm._compile_in_children", compile_in_children)
    monkeypatch.setattr("hextui.engine.warm.is_all_warm", lambda width: width in done or width == 2)
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
