"""Every command and block of the README and the docs is run in a fresh home, or listed."""

import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from hextui.commands.command_list import COMMANDS
from hextui.train.kept_games import GameStore
from hextui.ui.app.config import load
from tests.compiling import share_kernels
from tests.engine.test_onnx import saved
from tests.train.test_ladder import game
from tests.ui.program import WHOLE, Program

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SCRIPTED = ROOT / "tests" / "engines" / "attached" / "scripted.py"

NETWORK = "fetches from other sites"
INSTALLS = "installs from a package index; .ci/run does"
LONG = "runs for an hour"
WRITES = "writes files of the source tree"
CLUSTER = "needs other machines"
DATA = "takes long, and needs the folder HEXTUI_TEST_DATA"

NOT_RUN = {
    "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/hextui --sample": INSTALLS,
    "python3 -m venv .venv && .venv/bin/pip install -e '.[test]'": INSTALLS,
    "python3 -m venv .venv && .venv/bin/pip install -e '.[test]'"
    " && .venv/bin/pytest -n 2": INSTALLS,
    "pip install '.[onnx]'": INSTALLS,
    ". .venv/bin/activate": INSTALLS,
    "pytest -m quick": "part of the default run, which this is not to start again",
    "pytest -n 2": "the default run",
    "pytest -m slow": "what runs this test",
    "ruff check . && ruff format --check . && mypy": "part of .ci/run",
    ".ci/run": "runs all tests",
    ".ci/bounds": INSTALLS,
    'HEXTUI_CHECKED=1 NUMBA_OPT=1 pytest -n 2 -m "not slow and not wide" tests/engine': LONG,
    "pytest tests/benchmarks --benchmark-only": LONG,
    "python -m tests.make_screenshots": WRITES,
    "python -m tests.make_sample": WRITES,
    "python -m tests.make_openings": WRITES,
    "python -m tests.make_templates": WRITES,
    "python -m tests.notebook": WRITES,
    "python -m tests.plant_faults": WRITES,
    "python -m tests.benchmarks.solve openings 8 openings.jsonl": LONG,
    "python -m tests.benchmarks.solve puzzles --seconds 30": DATA,
    "python -m tests.benchmarks.against_network FILE FOLDER": LONG,
    "python -m tests.benchmarks.first_moves puzzles --largest 9": DATA,
    "python -m tests.benchmarks.puzzle_misses": DATA,
    "hextui 'https://playhex.org/games/...'": NETWORK,
    "hextui fetch GAME [OUT]": NETWORK,
    "hextui library sync playhex NAME": NETWORK,
    "dask scheduler": CLUSTER,
    "ssh NODE hextui/.venv/bin/dask worker tcp://HOST:8786 --nthreads 1 --nworkers 8": CLUSTER,
    "dask scheduler --scheduler-file s.json &": CLUSTER,
    "srun dask worker --scheduler-file s.json --nthreads 1 &": CLUSTER,
    'python -ic "from distributed import LocalCluster; '
    'c = LocalCluster(threads_per_worker=1, scheduler_port=8786)"': CLUSTER,
}
"""What is not run, and why."""

VALUES = {
    "POSITION": "small.sgf",
    "PROOF": "small.json",
    "GAME": "small.sgf",
    "SIZE": "3",
    "SHAPE": "'R.B/.?? top left'",
    "C": "red",
    "N": "3",
}
"""Placeholders, and the words that stand for them wherever no other command is listed below."""

FILLED = {
    "hextui COMMAND --help": tuple(f"hextui {name} --help" for name in COMMANDS),
    "hextui rank POSITION [--explain MOVE]": (
        "hextui rank small.sgf",
        "hextui rank small.sgf --explain b2",
    ),
    "hextui report GAME|FOLDER": ("hextui report small.sgf", "hextui report folder"),
    "hextui report game.sgf": ("hextui report game.sgf --solve 1",),
    "hextui match A B --size N": ("hextui match resistance k-paths:0 --size 3 --games 2",),
    "hextui match A [B] --size N": ("hextui match resistance --size 3 --games 2",),
    "hextui match A [B] --size 7 --games 100": (
        "hextui match resistance k-paths:0 --size 7 --games 4",
    ),
    "hextui match level:3 level:2 --size 11 --games 60 --swap": (
        "hextui match level:3 level:2 --size 5 --games 2 --swap",
    ),
    "hextui match 'engine(wolve)' --size 7 --openings all --seconds 5 --resign 2000 --workers 1": (
        "hextui match 'engine(wolve)' resistance --size 2 --openings all --seconds 5"
        " --resign 2000 --workers 1",
    ),
    "hextui report game.sgf --evaluator 'engine(katahex)' --save reviewed.sgf": (
        "hextui report game.sgf --evaluator 'engine(katahex)' --save reviewed.sgf --solve 1",
    ),
    "hextui tutorial": ("hextui tutorial",),
    "hextui play [FILE|LINK]": ("hextui play", "hextui play small.sgf"),
    "hextui today [NAME]": ("hextui today --json", "hextui today Ann --json"),
    "hextui ladder [--csv]": ("hextui ladder", "hextui ladder --csv"),
    "hextui puzzles make GAMES... -o mine.sgf [--player TEXT] [--library] [--search TEXT]": (
        "hextui library import games.sgf",
        "hextui puzzles make --library --search cup -o mine.sgf --most 3",
        "hextui puzzles make games.sgf --player Ann -o mine.sgf --most 3",
    ),
    "hextui study paper [--games GAMES...]": (
        "hextui study paper --games games.jsonl --size 2 --matches 1 --reading default",
    ),
    "hextui study claims FILE": ("hextui study claims claims.toml",),
    "hextui study betweenness GAMES...": ("hextui study betweenness games.jsonl",),
    "hextui study rank-quality GAMES...": ("hextui study rank-quality games.jsonl",),
    "hextui study match-table": ("hextui study match-table --size 2 --games 2",),
    "hextui study losing-moves NAME OTHER --size N": (
        "hextui study losing-moves k-paths:0 resistance --size 3",
    ),
    "hextui serve [FILE|LINK]": ("hextui serve", "hextui serve small.sgf"),
    "hextui engine test katahex": ("hextui engine test katahex",),
    "hextui engine list|test NAME": ("hextui engine list", "hextui engine test wolve"),
    "hextui convert IN OUT|-o FILE [--strict]": (
        "hextui convert games.sgf games.json",
        "hextui convert games.sgf -o strict.jsonl --strict",
    ),
    "hextui info GAME [--set FIELD=TEXT ... --save FILE]": (
        "hextui info small.sgf",
        "hextui info small.sgf --set event=Cup --save named.sgf",
    ),
    "hextui export POSITION --as text|svg|png|hexwiki|hexworld": tuple(
        f"hextui export small.sgf --as {kind} -o picture.{kind}"
        for kind in ("text", "svg", "png", "hexwiki", "hexworld")
    ),
    "hextui forget NAME ...": ("hextui forget library puzzles",),
    "hextui warm [--cells N]": ("hextui warm --cells 9",),
    "hextui best-move POSITION": ("hextui best-move '#3,b2'",),
    "hextui best-move --game package.module:Class STATE": (
        "hextui best-move --game hextui.engine.search.small_games:TicTacToe X.O/.X./..O",
    ),
    "hextui library import FILE|FOLDER...": (
        "hextui library import games.sgf",
        "hextui library import folder",
    ),
    "hextui library player NAME [OTHER] [FILTER...]": (
        "hextui library player Ann",
        "hextui library player Ann Bob event=cup --html ann.html",
    ),
    "hextui puzzles openings PLAYER": (
        "hextui library import games.sgf",
        "hextui puzzles openings Ann",
    ),
    "hextui library remove ID...": ("hextui library remove 1",),
    "hextui library export [FILTER...] -o FILE.sgf": (
        "hextui library export -o all.sgf",
        "hextui library export event=cup -o cup.jsonl",
    ),
    "hextui library merge FILE": (
        "HEXTUI_HOME=other hextui library import games.sgf",
        "hextui library merge other/data/library.sqlite",
    ),
    "hextui check FILE": ("hextui check small.json",),
    "python -m tests.make_fixtures FOLDER": ("python -m tests.make_fixtures made",),
    "hextui solve --batch --winner": ("echo '#3,' | hextui solve --batch --winner",),
    "hextui solve POSITION --explain N": ("hextui solve small.sgf --explain 3",),
    "python check_proof.py FILE...": (f"python {ROOT}/tests/oracles/check_proof.py small.json",),
}
"""Commands with alternatives or brackets, or that would take long: what is run instead."""

PRINTED = {
    "hextui solve '#3,' --method mustplay --trace": "{a3 c3} and {c3} leave {c3}",
    'hextui best-move --game tic-tac-toe "X.O/.X./..O"': "c2 draws",
}
"""What a page says in its text that a command prints."""

JSON = {
    "ladder": ("hextui ladder --json",),
    "today": ("hextui today --json",),
    "rank": ("hextui rank small.sgf --json",),
    "connections": (
        "hextui connections small.sgf --color red --captured --json",
        "hextui connections small.sgf --color red --json",
    ),
    "network": ("hextui network small.sgf --color red --json",),
    "solve": ("hextui solve small.sgf --json",),
    "lines": (
        "hextui lines '#5,a1' --json",
        "hextui lines small.sgf --evaluator resistance --json",
        "hextui lines small.sgf --evaluator 'engine(wolve)' --json",
    ),
    "best-move": ("hextui best-move '#3,b2' --json --scores",),
}
"""Commands whose documents have, together, the fields that docs/commands.md names."""

GAMES = (
    "(;GM[11]SZ[4]PB[Ann]PW[Bob]EV[Cup]RE[B+];B[b2];W[c2];B[c1];W[b3];B[a4];W[a3];B[d3])",
    "(;GM[11]SZ[4]PB[Bob]PW[Ann]EV[Cup]RE[B+];B[c2];W[b2];B[a4];W[c3];B[b3];W[d1];B[d2])",
)


@dataclass(frozen=True)
class Command:
    """A command as a page writes it; ``output`` is what a console block shows, ``place`` where."""

    text: str
    place: int
    output: str = ""
    inline: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """The commands to run; one that is only mentioned in a sentence is asked for its help."""
        if self.text in FILLED:
            return FILLED[self.text]
        if self.inline and re.fullmatch(r"hextui( [a-z][a-z|-]+)+", self.text):
            words, _, last = self.text.rpartition(" ")
            return tuple(f"{words} {word} --help" for word in last.split("|"))
        pattern = rf"(?<![\w'])({'|'.join(VALUES)})(?![\w'])"
        return (re.sub(pattern, lambda word: VALUES[word[0]], self.text),)


FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?:^    .*\n)+", re.MULTILINE)
INLINE = re.compile(r"`((?:hextui|python) [^`]+)`")
PROMPT = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def blank(match: re.Match[str]) -> str:
    """Return as many lines without a sign, so that places stay."""
    return re.sub(r"[^\n]", "\0", match[0])


def commands_of(page: Path) -> list[Command]:
    """Return the commands of a page in their order."""
    text = page.read_text(encoding="utf-8")
    commands = []
    for block in FENCED.finditer(text):
        for prompt in PROMPT.finditer(block[2]):
            commands.append(Command(prompt[1], block.start(), prompt[2]))
    text = FENCED.sub(blank, text)
    for block in INDENTED.finditer(text):
        if block[0].lstrip().startswith("["):  # a table of TOML
            continue
        for line in block[0].splitlines():
            if command := re.sub(r"\s+# .*$", "", line).strip().removeprefix("$ "):
                commands.append(Command(command, block.start()))
    for span in INLINE.finditer(INDENTED.sub(blank, text)):
        words = " ".join(span[1].replace("\\|", "|").split())
        commands.append(Command(words, span.start(), inline=True))
    return sorted(commands, key=lambda command: command.place)


def unfilled(command: Command) -> bool:
    """Return whether a command still has brackets, alternatives or words in capitals."""
    for line in command.lines:
        bare = re.sub(r"'[^']*'|\"[^\"]*\"|\w+=\S*", "", line)
        if re.search(r"\[|\w\|\w|\.\.\.|(?<![\w/.-])[A-Z]+(?![\w/.-])", bare):
            return True
    return False


def left_out(command: Command) -> list[str]:
    """Return the options of a command that none of the commands run instead has."""
    options = re.findall(r"--[a-z-]+", command.text)
    return [option for option in options if option not in " ".join(command.lines)]


def test_every_command_is_run_or_listed_with_a_reason() -> None:
    commands = [command for page in PAGES for command in commands_of(page)]
    assert len(commands) > 120
    to_run = [command for command in commands if command.text not in NOT_RUN]
    unknown = [command.text for command in to_run if unfilled(command)]
    assert unknown == [], "FILLED says what to run instead, NOT_RUN why it is not run"
    assert [command.text for command in to_run if left_out(command)] == []
    written = {command.text for command in commands}
    assert set(NOT_RUN) - written == set()
    assert set(FILLED) - written == set()
    assert set(PRINTED) - written == set()


def test_every_module_that_a_command_names_is_there() -> None:
    for page in PAGES:
        for command in commands_of(page):
            for module in re.findall(r"python -m (tests\.\S+)", command.text):
                assert find_spec(module), module


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh home, but for the compiled code; two engines are attached."""
    home = tmp_path_factory.mktemp("docs") / "home"
    share_kernels(home)
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text(
        f"[engines.wolve]\ncommand = ['{sys.executable}', '{SCRIPTED}', 'htp']\nseconds = 1\n"
        f"[engines.katahex]\ncommand = ['{sys.executable}', '{SCRIPTED}']\nseconds = 1\n"
        "dialect = 'kata'\n"
    )
    return home


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the pages name."""
    files = tmp_path_factory.mktemp("files")
    for folder in (
        ".zfunc",
        ".config/fish/completions",
        ".local/share/bash-completion/completions",
    ):
        (files / folder).mkdir(parents=True)
    shutil.copy(ROOT / "hextui" / "samples" / "sample.sgf", files / "game.sgf")
    (files / "folder").mkdir()
    for number, moves in enumerate(GAMES):
        (files / "folder" / f"{number}.sgf").write_text(moves)
    (files / "games.sgf").write_text("\n".join(GAMES))
    (files / "small.sgf").write_text("(;GM[11]SZ[4]PB[Ann]PW[Bob];B[a1];W[b3])")
    (claims,) = tables_of(ROOT / "docs" / "studies.md")
    (files / "claims.toml").write_text(claims)
    for words in ("convert games.sgf games.jsonl", "solve small.sgf --proof small.json"):
        subprocess.run([sys.executable, "-m", "hextui", *words.split()], cwd=files, check=True)
    saved(files / "11_2w4_2000.onnx", side=11)
    return files


@pytest.fixture
def shell(files: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a copy of the files, with the fresh home."""
    folder = tmp_path / "work"
    shutil.copytree(files, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HEXTUI_HOME", str(home))
    monkeypatch.setenv("HOME", str(folder))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def opens_the_screen(line: str) -> bool:
    first, *words = line.split()
    return first == "hextui" and (not words or words[0] not in {*COMMANDS} - {"play", "tutorial"})


def run(line: str, home: Path) -> tuple[int, str]:
    """Run a command line; return its exit code and what it prints."""
    if opens_the_screen(line) and "--" not in line:
        return watch(line, home)
    if line.startswith("hextui serve") and "--help" not in line:
        return serve(line)
    done = subprocess.run(
        ["bash", "-c", line],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    return done.returncode, done.stdout


def watch(line: str, home: Path) -> tuple[int, str]:
    """Open the workstation in a terminal and leave it with its key."""
    words = [word.strip("'") for word in line.split()[1:]]
    with Program(home, *words, columns=140, rows=45, code=WHOLE) as program:
        if "play" in words:
            program.wait_for_text(b"Leave")
            program.output = b""
            program.keys(b"\x1b")
        program.wait_for_text(b"HERE")
        program.keys(b"q")
        return program.wait(), program.output.decode(errors="replace")


def serve(line: str) -> tuple[int, str]:
    """Serve until an address is printed, then interrupt as Ctrl+C does."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        command = [*line.split(), "--port", str(free.getsockname()[1])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        ready, _, _ = select.select([server.stdout], [], [], 120)
        printed = server.stdout.readline() if ready else ""
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=120)
        return (0 if "http://" in printed else 1), printed


def matches(shown: str, printed: str) -> bool:
    """Return whether a text is as a page shows it, where a line of dots is any lines."""
    parts = [re.escape(part) for part in re.split(r"^ *\.\.\.\n", shown, flags=re.MULTILINE)]
    return re.search("(?:.*\n)*?".join(parts), printed) is not None


@pytest.mark.slow
@pytest.mark.timeout(3000)  # of a machine that does much else; alone it takes minutes
@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_do_what_it_says(page: Path, home: Path) -> None:
    wrong = {}
    for command in commands_of(page):
        for line in () if command.text in NOT_RUN else command.lines:
            code, printed = run(line, home)
            if code:
                wrong[line] = f"exit code {code}: {printed[-400:]}"
            expected = PRINTED.get(command.text, "")
            if not matches(command.output, printed) or expected not in printed:
                wrong[line] = printed[-2000:]
    assert wrong == {}


def keys_of(document: Any) -> Iterator[str]:
    """Yield the names of all fields in a JSON document."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from keys_of(value)
    elif isinstance(document, list):
        for value in document:
            yield from keys_of(value)


@pytest.mark.slow
@pytest.mark.usefixtures("shell")
def test_the_fields_that_the_docs_name_are_in_the_json(home: Path) -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").split("\n## JSON\n")[1]
    items = dict(re.findall(r"^- `([a-z-]+)`: (.*?)(?=^- |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(items) == set(JSON)
    with closing(GameStore()) as store:
        store.keep(game(1, 3, True))
    for name, item in items.items():
        fields: set[str] = set()
        for line in JSON[name]:
            fields.update(keys_of(json.loads(run(line, home)[1])))
        assert set(re.findall(r'"([a-z_]+)"', item)) - fields == set(), name


def tables_of(page: Path) -> list[str]:
    """Return the blocks of TOML of a page."""
    text = page.read_text(encoding="utf-8")
    fenced = [block[2] for block in FENCED.finditer(text) if block[1] == "toml"]
    plain = FENCED.sub(blank, text)
    blocks = (re.sub("^    ", "", block, flags=re.MULTILINE) for block in INDENTED.findall(plain))
    return fenced + [block for block in blocks if block.startswith("[")]


def test_tables_of_settings_are_read_without_a_complaint(tmp_path: Path) -> None:
    for name in ("settings.md", "engines.md"):
        path = tmp_path / name
        path.write_text("\n".join(tables_of(ROOT / "docs" / name)))
        config = load(path)
        assert config.problems == ()
        assert config.engines


def test_the_entry_point_is_written_as_packages_write_it() -> None:
    (table,) = tables_of(ROOT / "docs" / "contributing.md")
    points = tomllib.loads(table)["project"]["entry-points"]
    assert list(points) == ["hextui.evaluators"]


def test_the_tree_of_packages_is_there() -> None:
    tree = next(FENCED.finditer((ROOT / "docs" / "design.md").read_text(encoding="utf-8")))[2]
    folders = [ROOT]
    for line in tree.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        names = re.match(r"\s*((?:[\w.]+[/y] ?)+)", line)
        if names is None or depth > len(folders) - 1:
            continue
        folders = folders[: depth + 1]
        for name in names[1].split():
            assert (folders[-1] / name).exists(), name
        folders.append(folders[-1] / names[1].split()[-1])
