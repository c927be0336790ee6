"""The command line: documents as specified, exit codes, one line for bad input."""

import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from types import ModuleType

import networkx
import pytest

from hextui.__main__ import start
from hextui.text import digits


def test_rank(document) -> None:
    found = document("rank", "#4,b2c3", "--evaluator", "k-paths:1", "--evaluator", "resistance")
    assert found["size"] == {"rows": 4, "columns": 4}
    assert found["to_move"] == "black"
    assert list(found["evaluators"]) == ["k-paths:1", "resistance"]
    for moves in found["evaluators"].values():
        assert len(moves) == 14
        assert moves[0]["rank"] == 1
        assert set(moves[0]) == {"move", "value", "rank"}


def test_infinite_values_are_strings(document) -> None:
    found = document("rank", "#1x3,a1:pa2:p", "--evaluator", "k-paths:0")
    assert found["evaluators"]["k-paths:0"] == [{"move": "a3", "value": "inf", "rank": 1}]


def test_all_evaluators_are_the_default(document) -> None:
    from hextui.engine.evaluators import names

    assert tuple(document("rank", "#3,b2")["evaluators"]) == names()


def test_ply_and_side_can_be_chosen(document) -> None:
    words = ("rank", "4,b2c3", "--evaluator", "resistance", "--ply")
    assert len(document(*words, "1")["evaluators"]["resistance"]) == 15
    assert document(*words, "0", "--to-move", "blue")["to_move"] == "white"


def test_connections(document) -> None:
    found = document("connections", "#3,b2", "--color", "red")
    assert found["color"] == "black"
    by_id = {c["id"]: c for c in found["connections"]}
    first = found["connections"][0]
    assert first["ends"] == ["top", "bottom"]
    assert (first["kind"], first["live"]) == ("full", True)
    for connection in found["connections"]:
        assert set(connection) == {
            "id", "ends", "carrier", "kind", "rule", "key", "premises", "live",
        }  # fmt: skip
        assert all(premise in by_id for premise in connection["premises"])


def test_network(document) -> None:
    found = document("network", "#5,", "--color", "black", "--links", "none")
    assert found["distance"] == 6
    assert found["paths"] == found["accepted"] == [48, 418, 1925]
    assert found["exact"] is True
    assert len(found["contribution"]) == 25
    assert len(found["contribution"]["c3"]) == 3
    cut = document("network", "#2,:pa1:pb1", "--color", "black")
    assert cut["distance"] == "inf"


def test_batch_answers_line_by_line(run, monkeypatch) -> None:
    lines = "#3,b2\nnonsense\n(;GM[11]SZ[4];B[a1])\n#3,b2a1b2\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    code, out, _ = run("rank", "--batch", "--evaluator", "resistance")
    first, second, third, flawed = map(json.loads, out.splitlines())
    assert code == 0
    assert first["size"]["rows"] == 3
    assert "nonsense" in second["error"]
    assert third["size"]["rows"] == 4
    assert "b2 is taken" in flawed["error"]


LINES = "lines #8,c3 --evaluator k-paths:0 --widths 4,3,0 "
MUSTPLAY = "--method mustplay"
TOO_MANY = "--evaluator k-paths:5", r"k = 5 lists paths one by one: about [0-9,]+ walks here, "
BAD = (
    ("missing.sgf", "missing.sgf"),
    ("rank missing.sgf", "missing.sgf"),
    ("rank (;GM[11]SZ[5];B[z9])", "z9"),
    ("rank", "POSITION"),
    ("rank #5, --evaluator nobody", "nobody"),
    ("rank #5, --ply y", "--ply.*--help"),
    ("rank #5, --game 0", "--game: expected a whole number, 1 or more"),
    (f"rank #5, --game {'9' * 30}", "--game: expected a whole number"),
    ("rank 4,b2c3 --ply 9", "ply 9"),
    ("rank #5,d3e2 --explain d3 --evaluator resistance", "hextui: d3 is taken$"),
    ("rank #5,d3e2 --explain z9 --evaluator resistance", "no cell 'z9' on a 5x5 board$"),
    *((f"{start} {TOO_MANY[0]}", TOO_MANY[1])
      for start in ("rank #11,f6", "rank #11,f6 --explain a1", "report #11,f6e5")),
    ("connections #5, --color green", "green"),
    ("connections #5,", "--color"),
    ("connections #5, --color red --or-size 1", "or_size"),
    ("connections #5, --color red --semi-limit 1", "semi 2 or more"),
    ("network #5, --color red --format dot --json", "--format prints a graph"),
    ("lines #5, --widths 8,6", "end with 0"),
    ("lines #5, --widths eight", "numbers"),
    ("lines #5, --count 0", "a whole number, 1 to 1000"),
    ("lines #5, --evaluator nobody", "nobody"),
    (f"{LINES} --allow i9", "i9"),
    (f"{LINES} --allow c3", "no move is left to search: the cells have stones"),
    (f"{LINES} --avoid a1:h8", "no move is left to search"),
    ("solve #4, --fresh --memory 999999999", "cannot provide 9999999"),
    ("solve #8,d4 --fresh --memory 10", "--memory: 8x8"),
    *((f"solve #3, {option}", "are for --method mustplay")
      for option in ("--trace", "--remember", "--connections", "--order edge")),
    ("solve #3, --threads 0", "--threads"),
    ("solve #3, --seconds -1", "--seconds"),
    (f"solve #3, {MUSTPLAY} --order d4", "no cell 'd4'"),
    (f"solve #5, {MUSTPLAY}", "9 empty cells[^-]*$"),  # --remember takes no 25 either
    (f"solve #4, {MUSTPLAY}", r"not 16 \(--remember takes 16\)$"),
    ("solve --batch --proof x", "--proof is for one position"),
    (f"solve #2, {MUSTPLAY} --proof missing/proof.json", "missing/proof.json"),
    ("best-move --game tic-tac-toe XX", "three rows"),
    ("best-move --game tic-tac-toe", "STATE"),
    ("best-move --game nim 3,x", "heaps"),
    ("best-move --game nim 9,9", "9 stones"),
    ("best-move --game tic-tac-toe XX./OO./... --ply 1", "--ply"),
    ("best-move --game chess #3,", "chess"),
    ("best-move #4,", "9 empty cells"),
    ("openings 20", "1 to 19 rows"),
    ("openings x", "size"),
    ("openings 5 --memory 1", "--memory"),
    ("openings 5 --threads 0", "--threads"),
    ("openings 5 6", "6"),
    ("report . --write x.sgf", "for one game"),
    ("warm --cells 0", "--cells"),
    ("warm --cells 362", "--cells"),
)  # fmt: skip


@pytest.mark.parametrize(("line", "says"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(run, line: str, says: str) -> None:
    code, out, err = run(*line.split())
    assert (code, out) == (2, "")
    *_, last = lines = err.splitlines()
    assert re.search(says, last), err
    assert sum(line.startswith("hextui: ") for line in lines) == 1
    assert "Traceback" not in err


def test_convert(run, document, tmp_path) -> None:
    target = tmp_path / "game.sgf"
    code, out, _ = run("convert", "#5,a2b3", str(target))
    assert (code, out) == (0, f"1 game written to {target}\n")
    code, out, _ = run("convert", str(target), "hexworld")
    assert code == 0
    assert "#5" in out
    assert "a2b3" in out
    found = document("convert", str(target), "plain")
    assert found["games"] == 1
    assert "a2 b3" in found["text"]


def test_convert_takes_the_file_as_an_option_too(run, tmp_path) -> None:
    target = tmp_path / "game.sgf"
    code, out, _ = run("convert", "#5,a2b3", "-o", str(target))
    assert (code, out) == (0, f"1 game written to {target}\n")
    for rest in ((), ("sgf", "-o", str(target))):
        code, _, err = run("convert", "#5,a2b3", *rest)
        assert (code, "one of them" in err) == (2, True)


HELP = """
import contextlib, io, sys
from hextui.__main__ import start
from hextui.commands import main
from hextui.commands.command_list import COMMANDS
for name in COMMANDS:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main([name, "--help"])
print([name for name in ("numpy", "numba", "networkx", "textual") if name in sys.modules])
"""


def test_help_imports_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", HELP], check=True, capture_output=True)
    assert done.stdout.strip() == b"[]"


def test_the_workstation_says_that_it_needs_a_terminal():
    command = [sys.executable, "-m", "hextui", "#5,a1"]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr == (
        "hextui: the workstation needs a terminal (hextui --help lists commands that do not)\n"
    )


def test_rank_says_why_a_move_has_its_value(run, document) -> None:
    words = ("rank", "#5,d3e2", "--explain", "C3", "--evaluator", "k-paths:1")
    found = document(*words, "--evaluator", "blocking")
    assert (found["move"], found["to_move"]) == ("c3", "black")
    assert list(found["explanations"]) == ["k-paths:1", "blocking"]
    one = found["explanations"]["k-paths:1"]
    values = {(t["symbol"], t["color"]): t.get("exact", t["value"]) for t in one["terms"]}
    assert values["x", None] == "1/100000"
    sums = [Fraction(values["E_1", color]) for color in ("white", "black")]
    assert one["value"] == float(sums[0] / sums[1])
    assert "Black maximises" in one["direction"]
    assert (one["source"]["year"], one["source"]["authors"][:8]) == (2010, "M. Honjo")
    assert all(picture["text"] and "{" not in picture["text"] for picture in one["pictures"])
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert out.startswith(f"k-paths:1: c3 has rank {one['rank']} of 23\n{one['sentence']}"[:60])
    assert f"value {digits(one['value'])}\n" in out
    assert "S_1 of Blue:" in out


def paths_of(links: list[dict], length: int, sides: tuple[str, str]) -> list[frozenset[str]]:
    """What each simple path of so many links uses, from the document alone."""
    near: dict[str, dict[str, frozenset[str]]] = {}
    for link in links:
        a, b = link["ends"]
        near.setdefault(a, {})[b] = near.setdefault(b, {})[a] = frozenset(link["carrier"])
    found = []

    def go_on(path: list[str], used: frozenset[str]) -> None:
        if path[-1] == sides[1]:
            if len(path) == length + 1:
                found.append(used - set(sides))
            return
        if len(path) <= length:
            for other, carrier in near.get(path[-1], {}).items():
                if other not in path:
                    go_on([*path, other], used | carrier | {other})

    go_on([sides[0]], frozenset())
    return found


@pytest.mark.parametrize("position", ["#4,b2", "#5,d3e2b1", "#4x5,b3c2"])
@pytest.mark.parametrize(
    ("color", "sides"), [("black", ("top", "bottom")), ("white", ("left", "right"))]
)
def test_the_network_has_the_paths_that_are_counted(document, position, color, sides) -> None:
    """d, n_0 to n_2 and who is refused, counted from the links of the document alone."""
    found = document("network", position, "--color", color)
    levels = [paths_of(found["links"], found["distance"] + level, sides) for level in range(3)]
    assert not paths_of(found["links"], found["distance"] - 1, sides)
    assert [len(level) for level in levels] == found["paths"]
    accepted = []
    for level, paths in enumerate(levels):
        shorter = {used for lower in levels[:level] for used in lower}
        accepted.append(sum(not any(used <= other for other in shorter) for used in paths))
    assert accepted == found["accepted"]


def test_a_network_is_read_back_from_its_graph(run, document) -> None:
    words = ("network", "#5,d3e2", "--color", "black")
    links = document(*words)["links"]
    expected = {frozenset(link["ends"]): " ".join(link["carrier"]) for link in links}
    code, text, err = run(*words, "--format", "graphml")
    assert (code, err) == (0, "")
    graph = networkx.parse_graphml(text)
    assert {frozenset((a, b)): data["carrier"] for a, b, data in graph.edges(data=True)} == expected
    code, text, err = run(*words, "--format", "dot")
    assert (code, err) == (0, "")
    edge = re.compile(r'  "(\w+)" -- "(\w+)"(?: \[carrier="([\w ]+)", style=dashed\])?;')
    assert {frozenset((a, b)): carrier or "" for a, b, carrier in edge.findall(text)} == expected


def test_ctrl_c_while_the_program_is_loaded_ends_it_without_a_word(monkeypatch) -> None:
    class Loading(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "hextui.commands", Loading("hextui.commands"))
    assert start() == 130


def test_a_ranking_says_that_the_game_is_over(run) -> None:
    words = ("rank", "#2,a1b1a2", "--evaluator", "k-paths:0")
    assert run(*words)[1].startswith("Red has won: the game is over\n")
    assert json.loads(run(*words, "--json")[1])["winner"] == "black"


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (("blunder",), "blunder: no such command or file (did you mean report?)"),
        (("sovle", "game.sgf"), "sovle: no such command or file (did you mean solve?)"),
        (("libary",), "did you mean library?"),
        (("library", "imprt", "x"), "did you mean import?"),
        (("solve", "#3,", "--second", "1"), ""),
        (("solve", "#3,", "--secnods", "1"), "did you mean --seconds?"),
        (("solve", "gmae.sgf"), "did you mean game.sgf?"),
        (("gmae.sgf",), "did you mean game.sgf?"),
        (("network", "#3,", "--color", "red", "--links", "vitrual"), "did you mean virtual?"),
        (("link.sgf",), "link.sgf: a symbolic link to a missing file"),
        (("rank", "loop.sgf"), "loop.sgf: a symbolic link to a missing file"),
        (("qqqq",), "no such file"),
        (("nowhere/qqqq",), "no such file"),
    ],
)
def test_what_was_meant_is_guessed(words, guess, run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.sgf").write_text("(;GM[11]SZ[3])")
    (tmp_path / "link.sgf").symlink_to("nowhere")
    (tmp_path / "loop.sgf").symlink_to("loop.sgf")
    code, out, err = run(*words)
    assert guess in err
    assert ("did you mean" in err) is ("did you mean" in guess)
    if guess:
        assert (code, out, len(err.splitlines())) == (2, "", 1)


def test_ten_moves_are_printed_unless_more_are_asked_for(run, document) -> None:
    words = ("rank", "#5,c3", "--evaluator", "resistance")
    out = run(*words)[1]
    assert out.endswith("the best 10 of 24 moves: --all prints all\n")
    whole = run(*words, "--all")[1]
    assert len(whole.splitlines()) == len(out.splitlines()) - 1 + 14
    assert "the best 3 of 24" in run(*words, "--count", "3")[1]
    assert len(document(*words, "--count", "3")["evaluators"]["resistance"]) == 24


def test_a_file_of_many_games_says_which_one_is_taken(run, tmp_path) -> None:
    file = tmp_path / "games.sgf"
    file.write_text("(;GM[11]SZ[3];B[a1])(;GM[11]SZ[3];B[b2])")
    line = f"{file} holds several games; this is the first: --game N takes another\n"
    for words in (("solve",), ("export",), ("best-move",)):
        assert run(*words, str(file))[2].replace("hextui: ", "") == line
        assert run(*words, str(file), "--game", "1")[2] == ""
    assert run("solve", "#3,a1")[2] == ""


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("convert", "FILE", "sgf"), "SZ[{1}];B[a1];W[b2];B[j10])"),
        (("export", "FILE", "--game", "1", "--as", "hexworld"), "#{1}c1,a1b2c3"),
        (("info", "FILE", "--game", "1"), "Board  {0}\n"),
        (("network", "FILE", "--game", "1", "--color", "red", "--json"), '"rows": {1},'),
        (("library", "import", "FILE"), "2 added"),
    ],
)
def test_what_was_guessed_about_a_file_is_reported(
    words, answer, run, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    lists, names = tmp_path / "lists.txt", tmp_path / "names.sgf"
    lists.write_text("a1 b2 c3\na1 b2 j10\n")
    names.write_bytes("(;GM[11]SZ[10]PB[Zoë];B[a1])".encode("latin-1"))
    guessed = [str(lists) if word == "FILE" else word for word in words]
    code, out, err = run(*guessed)
    assert code == 0
    assert answer.format("11x11", 11) in out
    assert err.count("no board size is given: 11x11") == err.count("\n") == 1
    code, out, err = run(*guessed, "--size", "10")
    assert (code, err) == (0, "")
    assert answer.format("10x10", 10) in out
    err = run(*(str(names) if word == "FILE" else word for word in words))[2]
    assert err.count("read as Windows-1252, a guess") == err.count("\n") == 1


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "words",
    [
        ("rank", "@"),
        ("check", "@"),
        ("convert", "@", "sgf"),
        ("@",),
        ("match", "resistance", "shortest-path", "--size", "3", "--openings", "@"),
        ("solve", "#3,b2", "--method", "mustplay", "--proof", "@"),
    ],
    ids=" ".join,
)
def test_what_is_no_file_is_one_line(run, words: tuple[str, ...], not_files: list[str]) -> None:
    for name in not_files:
        code, _, err = run(*(word.replace("@", name) for word in words))
        assert code == 2, name
        assert err.count("\n") == 1, err


def test_e_k_shows_what_it_counts(run, document) -> None:
    """Five moves read 1.5 before; d and the paths tell them apart."""
    words = ("rank", "#7,d4c5", "--evaluator", "k-paths:1")
    found = document(*words)
    best = found["evaluators"]["k-paths:1"][0]
    (white, black), *paths = found["counts"]["k-paths:1"][best["move"]]
    assert white / black == pytest.approx(best["value"], abs=1e-3)
    assert len(paths) == 2
    lines = run(*words, "--count", "2")[1].splitlines()
    assert lines[3] == "rank, move, value, Blue/Red: d n_0 n_1..."
    shown = " ".join(f"{w}:{b}" for w, b in paths)
    assert lines[4].endswith(f"{white}/{black} {shown}")


def test_shortest_path_shows_its_distances(run, document) -> None:
    words = ("rank", "#7,d4c5", "--evaluator", "shortest-path")
    found = document(*words)
    for move in found["evaluators"]["shortest-path"]:
        ((white, black),) = found["counts"]["shortest-path"][move["move"]]
        assert white / black == move["value"]
    lines = run(*words, "--count", "2")[1].splitlines()
    assert lines[3] == "rank, move, value, Blue/Red: d"
    best = found["evaluators"]["shortest-path"][0]["move"]
    assert lines[4].endswith("{}/{}".format(*found["counts"]["shortest-path"][best][0]))
