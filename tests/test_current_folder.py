"""Nothing in the current folder, in a record's folder or above them is read unless it was named."""

import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.test_children import ask_engine, compile_ahead, work
from tests.ui.program import WHOLE, Program

HEXTUI = Path(sysconfig.get_path("scripts"), "hextui")
RANK = ("rank", "#3,b2", "--evaluator", "resistance", "--count", "1")
# notes what this process opens below a folder; Python imports it first in all our processes
AUDIT = """
import os, sys
FOLDER, NOTE = {folder!r}, {note!r}
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], str | bytes):
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if path.startswith(FOLDER):
            with os.fdopen(os.open(NOTE, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "w") as file:
                file.write(path + "\\n")
sys.addaudithook(hook)
"""
NAMES = (
    *(".numba_config.yaml", "matplotlibrc", ".env", "pyproject.toml", "setup.cfg", "tox.ini"),
    *("dask.yaml", "distributed.yaml", "config.toml", "hextui.toml", ".netrc", "sitecustomize.py"),
    *("app.tcss", "textual.css", "latexmkrc", "numpy.cfg", "site.cfg", "pyvenv.cfg"),
)
"""Files that programs look for beside what they work on."""


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder full of settings, and the file that names those that are opened."""
    above, note, hooks = tmp_path / "above", tmp_path / "opened", tmp_path / "hooks"
    folder = above / "folder"
    folder.mkdir(parents=True)
    hooks.mkdir()
    for place in (above, folder):
        for name in NAMES:
            (place / name).write_text("num_threads: 0\n")
    (folder / "game.sgf").write_text("(;GM[11]SZ[3];B[b2];W[a1])")
    (hooks / "sitecustomize.py").write_text(AUDIT.format(folder=str(above), note=str(note)))
    monkeypatch.setenv("PYTHONPATH", str(hooks))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.chdir(folder)
    return note


def opened(note: Path) -> set[str]:
    """Return the names of the files that were opened."""
    return {Path(line).name for line in note.read_text().splitlines()} if note.exists() else set()


COMMANDS = (
    "info game.sgf",
    "rank game.sgf --evaluator resistance --count 1",
    "solve game.sgf",
    "report game.sgf",
    "convert game.sgf {out}/game.json",
    "export game.sgf",
    "library import game.sgf",
    "engine list",
    "match shortest-path k-paths:0 --size 3 --games 2 --workers 1 --out {out}/match",
    "warm --cells 9",
    "htp",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_open_only_what_they_are_given(command: str, note: Path, tmp_path: Path) -> None:
    words = shlex.split(command.format(out=tmp_path))
    subprocess.run([HEXTUI, *words], check=True, capture_output=True, stdin=subprocess.DEVNULL)
    assert opened(note) <= {"game.sgf"}
    assert ("game.sgf" in opened(note)) == ("game.sgf" in words)


@pytest.mark.parametrize("start", [ask_engine, compile_ahead, work])
def test_children_open_nothing_there(
    start: Callable[[Path], None], note: Path, tmp_path: Path
) -> None:
    start(tmp_path)
    assert opened(note) == set()


def test_the_screen_opens_only_the_record(note: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Program(home, "game.sgf", code=f"import sitecustomize\n{WHOLE}") as program:
        program.wait_for_text(b"GAME")
        program.keys(b"q")
        program.wait()
    assert opened(note) == {"game.sgf"}


# What the settings could do


OVERWRITE = "chrome_trace: {victim}\n"
BROKEN = "disable_jit: [\n"


@pytest.mark.parametrize("text", [OVERWRITE, "num_threads: 0\n", "disable_jit: 1\n", BROKEN])
def test_settings_of_numba_in_the_folder_do_nothing(text: str, note: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    Path(".numba_config.yaml").write_text(text.format(victim=victim))
    done = subprocess.run([HEXTUI, *RANK], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "resistance" in done.stdout
    assert victim.read_text() == "precious"


def test_yaml_is_there_for_others() -> None:
    code = "import hextui.engine.kernels.compiling, yaml, numba; print(yaml.safe_load('a: 1'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("{'a': 1}\n", "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NUMBA_DISABLE_JIT", "1"),
        ("NUMBA_NUM_THREADS", "0"),
        ("NUMBA_NUM_THREADS", "many"),
        ("NUMBA_OPT", "9"),
        ("NUMBA_BOUNDSCHECK", "yes"),
    ],
)
def test_settings_that_numba_cannot_use_are_said_in_one_line(name: str, value: str) -> None:
    environment = {**os.environ, name: value}
    done = subprocess.run([HEXTUI, *RANK], capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert name in done.stderr


STYLE = "text.usetex: True\ntext.latex.preamble: \\\\input{{evil}}\nfigure.figsize: 90, 90\n"


def test_figures_have_our_style_whatever_lies_in_the_folder(note: Path, tmp_path: Path) -> None:
    Path("matplotlibrc").write_text(STYLE)
    code = """
import sys
from pathlib import Path
from hextui.runs.reports import Figure, Series, draw
line = Series("label", (0.0, 1.0), (0.0, 1.0))
draw(Figure("figure", "Title", "x", "y", lines=(line,)), Path(sys.argv[1]))
"""
    subprocess.run([sys.executable, "-c", code, tmp_path], check=True)
    assert opened(note) == set()
    assert 'width="504' in (tmp_path / "figure.svg").read_text()


def test_a_folder_that_is_gone_is_no_hindrance(tmp_path: Path) -> None:
    code = """
import os, sys
os.rmdir(os.getcwd())
from hextui.commands import main
sys.exit(main(sys.argv[1:]))
"""
    folder = tmp_path / "gone"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code, *RANK], cwd=folder, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
