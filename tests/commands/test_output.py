"""All that the commands print goes through one door: nothing raw reaches a terminal."""

import ast
import json
import unicodedata
from pathlib import Path

import pytest

import hextui.commands
from hextui.commands import main, output
from hextui.commands.command_list import COMMANDS

ESCAPES = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202e\udcff\rwon"
NAME = ESCAPES.replace("/", "") + ".sgf"
VALUE = ESCAPES.replace("]", "\\]")  # as SGF has it
GAME = (
    f"(;FF[4]GM[11]SZ[3]PB[{VALUE}]PW[x]EV[{VALUE}]DT[{VALUE}]RE[B+{VALUE}]"
    f"GN[{VALUE}]C[{VALUE}];B[b2];W[a1]C[{VALUE}];B[c3])"
)
BROKEN = f"(;GM[11]SZ[3];B[{VALUE}])"
CONFIGS = (
    f"[screen]\ntheme = {json.dumps(ESCAPES)}",
    f"[{json.dumps(ESCAPES)}]",
    f'[keys]\n{json.dumps(ESCAPES)} = "x"',
    f"[themes.{json.dumps(ESCAPES)}]",
    ESCAPES,
)

# Words of each command; {game} and {broken} are files with hostile names and contents, {missing}
# is no file, {text} is hostile text.
POSITION = (["{missing}"], ["{broken}"], ["{text}"], ["{game}", "--game", "{text}"])
CASES: dict[str, tuple[list[str], ...]] = {
    "": (*POSITION[:3], ["{game}", "{text}"], ["--{text}"]),
    "play": (*POSITION[:3], ["{game}", "--opponent", "{text}"], ["--clock", "{text}"]),
    "puzzles": (["list", "{broken}"], ["list", "{text}"], ["check", "{missing}"],
                ["openings", "{text}"], ["{text}"]),
    "rank": (
        *POSITION,
        ["{game}", "--evaluator", "{text}"],
        ["{game}", "--evaluator", "resistance"],
    ),
    "connections": (*POSITION, ["{game}", "--color", "{text}"], ["{game}", "--color", "red"]),
    "network": (*POSITION, ["{game}", "--links", "{text}"], ["{game}", "--color", "red"]),
    "lines": (*POSITION, ["{game}", "--widths", "{text}"], ["{game}", "--evaluator", "{text}"]),
    "solve": (*POSITION, ["{game}", "--method", "mustplay", "--proof", "{missing}/x"]),
    "check": (["{missing}"], ["{game}"], ["{proof}"], ["{text}"], ["{proof}", "{text}"]),
    "library": (
        ["import", "{game}", "{broken}"],
        ["import", "{missing}"],
        ["import", "{folder}"],
        ["games"],
        ["games", "--player", "{text}", "--event", "{text}", "--date", "{text}"],
        ["games", "--through", "{text}"],
        ["games", "--search", "{text}", "--rating", "{text}"],
        ["games", "--shape", "{text}"],
        ["games", "--swapper", "{text}", "--swap", "{text}"],
        ["explore", "{text}"],
        ["explore", "{game}", "--player", "{text}", "--color", "{text}"],
        ["explore", "{game}"],
        ["find", "{text}"],
        ["find", "R/.", "--player", "{text}"],
        ["find", "R"],
        ["sync"],
        ["sync", "{text}", "{text}"],
        ["sync", "playhex"],
        ["player", "{text}"],
        ["player", "{text}", "{text}", "--html", "{target}.html"],
        ["remove", "--source", "{missing}"],
        ["remove", "{text}"],
        ["{text}"],
        ["stats"],
        ["export", "{text}", "-o", "{target}.sgf"],
        ["export", "-o", "{target}.jsonl"],
        ["export", "-o", "{target}"],
        ["merge", "{game}"],
        ["merge", "{missing}"],
        ["compact"],
    ),
    "best-move": (*POSITION, ["--game", "tic-tac-toe", "{text}"], ["{game}"]),
    "study": (
        ["rank-quality", "{broken}"],
        ["rank-quality", "{missing}"],
        ["rank-quality", "{game}", "--event", "{text}"],
        ["rank-quality", "{game}", "--evaluator", "{text}"],
        ["rank-quality", "{game}", "--evaluator", "resistance", "--out", "{proof}"],
        ["betweenness", "{missing}"],
        ["claims", "{missing}"],
        ["claims", "{game}"],
        ["match-table", "--reading", "{text}"],
        ["losing-moves", "{text}", "{text}", "--size", "3"],
        ["losing-moves", "{text}", "{text}", "--size", "{text}"],
    ),
    "match": (
        ["{text}", "x", "--size", "3"],
        ["resistance", "resistance", "--size", "{text}"],
        ["resistance", "resistance", "--size", "3", "--openings", "{missing}"],
        ["resistance", "resistance", "--size", "3", "--openings", "{broken}"],
        ["resistance", "resistance", "--size", "3", "--games", "{text}"],
    ),
    "report": (
        *POSITION,
        ["{game}", "--evaluator", "resistance", "--solve", "0"],
        ["{game}", "--evaluator", "{text}"],
        ["{game}", "--solve", "{text}"],
        ["{game}", "--evaluator", "resistance", "--solve", "0", "--save", "{missing}/x.sgf"],
    ),
    "openings": (["{text}"], ["3", "--seconds", "{text}"], ["2", "--total", "0"]),
    "convert": (
        *([word, "sgf"] for (word,) in POSITION[:3]),
        ["{game}", "{text}"],
        ["{game}", "{target}"],
        ["{game}", "-o", "{missing}/x.sgf"],
        ["{game}", "sgf"],
        ["{game}", "json"],
        ["{game}", "hexworld"],
    ),
    "export": (
        *POSITION,
        ["{game}", "--output", "{missing}"],
        ["{game}", "--output", "{target}"],
        *(["{game}", "--as", form] for form in ("text", "svg", "hexwiki", "hexworld")),
    ),
    "serve": (["--host", "{text}"], ["--port", "{text}"], ["{game}", "{text}"]),
    "info": (*POSITION, [], ["{game}"], ["{game}", "--set", "{text}"]),
    "fetch": (["{text}"], ["{missing}"]),
    "ladder": (["{text}"], ["--json"]),
    "today": (["{text}", "{text}"], ["{text}", "--json"], []),
    "read": (*POSITION, ["{game}", "--ply", "{text}"]),
    "tutorial": (["{text}"], ["--{text}"]),
    "forget": (["{text}"], ["settings"]),
    "completion": (["{text}"], ["bash"]),
    "warm": (["--cells", "{text}"], ["{text}"]),
    "htp": (["{text}"], ["--{text}"]),
    "engine": (["list"], ["test", "{text}"], ["{text}"]),
}  # fmt: skip
FILES = ("convert", "export")  # print the contents of files, and text on a terminal only


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    folder = tmp_path / ESCAPES
    folder.mkdir()
    contents = {"game": GAME, "broken": BROKEN, "proof": json.dumps({"format": ESCAPES})}
    for name, text in contents.items():
        (folder / (name + NAME)).write_bytes(text.encode("utf-8", "surrogateescape"))
    return {
        **{name: str(folder / (name + NAME)) for name in (*contents, "missing", "target")},
        "folder": str(folder),
        "text": ESCAPES,
    }


def raw(text: str) -> set[str]:
    """Return what a terminal would obey."""
    bidi = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    return {c for c in text if (c != "\n" and unicodedata.category(c) in ("Cc", "Cs")) or c in bidi}


def test_every_command_is_tried() -> None:
    assert set(CASES) == {"", *COMMANDS}


@pytest.mark.parametrize(
    ("command", "words"), [(name, words) for name in CASES for words in CASES[name]]
)
@pytest.mark.parametrize("how", ["text", "json"])
def test_nothing_raw_is_printed(run, monkeypatch, names, command, words, how) -> None:
    written = [word.format(**names) for word in words]
    line = [command, *written] if command else written
    if command in FILES and how == "text":
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for done in (["library", "import", names["game"]],) if command == "library" else ():
        run(*done)
    code, out, err = run(*line, *(["--json"] * (how == "json")))
    assert code in (0, 1, 2)
    if command not in FILES or how == "text" or out.startswith("{"):
        assert raw(out) == set()
    assert raw(err) == set()
    assert "Traceback" not in err
    if code == 2:
        assert [line.startswith("hextui: ") for line in err.splitlines()].count(True) == 1


@pytest.mark.parametrize("words", [["{game}"], ["#3,"]])
def test_names_of_settings_are_not_raw(run, names, tmp_path, words) -> None:
    config = tmp_path / "home" / "config" / "config.toml"
    config.parent.mkdir(parents=True)
    for text in CONFIGS:
        config.write_bytes(text.encode("utf-8", "replace"))
        code, out, err = run(*(word.format(**names) for word in words))
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert raw(err) == set()


def test_a_file_s_contents_stay_as_they_are_where_no_terminal_is(capfdbinary, names) -> None:
    assert hextui.commands.main(["convert", names["game"], "sgf"]) == 0
    assert VALUE[:10].encode() in capfdbinary.readouterr().out


@pytest.mark.parametrize(
    "path", sorted(Path(hextui.commands.__file__).parent.glob("*.py")), ids=lambda path: path.name
)
def test_commands_print_through_the_door(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "input"), f"line {node.lineno}"
        if isinstance(node, ast.Attribute) and path.name != "output.py":
            assert node.attr not in ("stdout", "stderr", "stdin"), f"line {node.lineno}"


def test_long_work_prints_progress_now_and_then_without_a_terminal(capsys, monkeypatch) -> None:
    now = 1000.0
    monkeypatch.setattr(output, "monotonic", lambda: now)
    line = output.ProgressLine()
    for second in range(2 * output.UNSEEN_SECONDS + 1):
        now = 1000.0 + second
        line.show(f"{second} s")
    line.end()
    assert capsys.readouterr().err == "60 s\n120 s\n"


def test_progress_on_a_terminal_begins_without_an_escape(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with output.ProgressLine() as progress:
        for text in ("one", "two"):
            progress.show(text)
    assert capsys.readouterr().err == "one\r\x1b[Ktwo\r\x1b[K"


def test_an_error_takes_the_place_of_the_progress(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    def failing(_: object, bench: object) -> None:
        raise ValueError("no ranking")

    monkeypatch.setattr("hextui.engine.evaluators.resistance.Resistance.rank", failing)
    assert main(["rank", "#3,", "--evaluator", "resistance"]) == 2
    shown = capsys.readouterr().err
    assert "0 of 1 evaluator done" in shown
    assert shown.endswith("done\r\x1b[Khextui: no ranking\n")


def test_the_end_of_work_is_printed_once(capsys, monkeypatch) -> None:
    now = 1000.0
    monkeypatch.setattr(output, "monotonic", lambda: now)
    line = output.ProgressLine(first=0.0, pause=10.0)
    for second in (0, 9, 10, 19):
        now = 1000.0 + second
        line.show(f"{second} s")
    now += output.UNSEEN_SECONDS
    line.last("all")
    line.end(keep=True)
    assert capsys.readouterr().err == "0 s\n10 s\nall\n"
