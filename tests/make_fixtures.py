"""Write small files of every kind that the program keeps, as this version writes them.

    python -m tests.make_fixtures FOLDER

Each released version leaves such a folder in ``tests/fixtures``, named after it. Later versions
read them, or say in one line why not: see test_fixtures.py. Write a new folder only with the
version that it is named after.
"""

import argparse
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hextui.commands import main as hextui
from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.locations import config_file, make_private_folder, state_folder
from hextui.records.record import Record
from hextui.records.record_text import escape
from hextui.records.writing import convert, save
from hextui.runs.results import FinishedTask, RunFolder, Value
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import read_puzzles
from hextui.ui.app.settings import Settings, UserState
from hextui.ui.record.session import Session
from hextui.ui.safety.recovery import Keeper
from tests.compiling import share_kernels

GAMES = (
    ("4x4", "Ann", "Ben", "B+Resign", "2026-01-02", "a4 b2 c2 b3 c1 c3 b4 resign"),
    ("5x5", "Ben", "Cai", "W+Resign", "2026-01-03", "a2 swap-pieces c3 b4 c2 d3 resign"),
    ("5x5", "Ann", "Cai", "W+Resign", "2026-01-04", "a2 e5 c3 b4 a1 c2 d2 c4 resign"),
    ("6x4", "Cai", "Ann", "", "2026-01-05", "a1 c2 c3 d2 d3"),
)
"""Size, Red, Blue, result, date and moves of each game."""
REVIEWED = 2
"""The game that is reviewed, and whose moves are in the solved positions and the proof."""
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ATTEMPTS = ((True, True), (False, True), (False,))
"""Attempts at the first puzzles; one a day."""
EVALUATORS = ("k-paths:1", "resistance", "search")
CONFIG = """\
[keys]
next = ["n", "ctrl+down"]
[screen]
players = "black-white"
theme = "mine"
zoom = "compact"
zooms = { 19x19 = "compact" }
move-numbers = true
[analysis]
on = false
evaluators = ["k-paths:1", "resistance"]
[lines]
evaluator = "resistance"
widths = [8, 6, 4, 2, 0]
count = 5
[solver]
seconds = 10
game-seconds = 30
[library]
player = "Ann"
[puzzles]
as-red = true
[train]
play = { opponent = "level:5", clock = "10+5" }
[themes.mine]
primary = "#5b9ee0"
dark = true
[engines.wolve]
command = ["wolve", "--quiet"]
"""
CHOSEN = Settings(theme="hextui-light", evaluators=EVALUATORS, move_numbers=True, player="Ann")
COMMENT = "A comment: [brackets], back\\slash, two\nlines, é and 六."
MATCH = ("match", "resistance", "two-distance", "--size", "3", "--games", "6", "--seed", "7")


def game(number: int) -> Record:
    """Return one of GAMES as a record."""
    size, black, white, result, date, moves = GAMES[number]
    board = Board.parse(size)
    record = Record.of_moves(board, [Move.parse(word, board) for word in moves.split()])
    texts = {"PB": black, "PW": white, "RE": result, "DT": date, "EV": "Fixtures"}
    record.set_texts(record.root, {"GN": f"Fixture {number}", **texts})
    return record


def annotated() -> Record:
    """Return a record with variations, comments, markup, a setup and passes."""
    board = Board(5, 5)
    record = game(REVIEWED)
    node = record.main_line()[2]
    record.set_comment(node, COMMENT)
    record.set_properties({node: {"TR": ["a1"], "LB": [f"b1:{escape('x:y')}"], "SQ": ["c1"]}})
    record.play_line(node, [Move.parse(word, board) for word in ("d2", "pass", "e1")])
    placed = record.position(node).with_stone(board.cell("e5"), 1).with_stone(board.cell("e4"), 2)
    record.set_up(record.play(node, Move.parse("a5", board)), placed)
    return record


def run(*words: object) -> None:
    """Run a command, which must succeed."""
    code = hextui([str(word) for word in words])
    if code != 0:
        raise SystemExit(f"hextui {' '.join(map(str, words))}: exit code {code}")


def write_records(folder: Path) -> None:
    """Write the games in every format, and one with its review."""
    folder.mkdir(parents=True)
    save(annotated(), folder / "annotated.sgf")
    for number in range(len(GAMES)):
        save(game(number), folder / f"game-{number}.sgf")
    texts = [(folder / f"game-{number}.sgf").read_text() for number in range(len(GAMES))]
    (folder / "games.sgf").write_text("".join(texts))
    for name in ("games.jsonl", "games.txt"):
        convert(str(folder / "games.sgf"), str(folder / name))
    for form in ("json", "hexworld", "hexata"):
        done = convert(str(folder / f"game-{REVIEWED}.sgf"), form)
        (folder / f"game-{REVIEWED}.{form}").write_text(done.text)


def write_analysis(records: Path, folder: Path) -> None:
    """Review a game, solve positions of it, write a proof, and settle a library."""
    reviewed = records / f"game-{REVIEWED}.sgf"
    names = [word for name in EVALUATORS for word in ("--evaluator", name)]
    run("report", reviewed, *names, "--solve", 20, "--write", records / "reviewed.sgf")
    run("solve", reviewed, "--ply", 4, "--threads", 1, "--proof", folder / "proof.json")
    run("solve", reviewed, "--ply", 5, "--threads", 1)
    run("openings", 4, "--fresh")
    run("library", "import", records / "games.sgf")
    run("library", "settle")


def write_training(records: Path, folder: Path) -> None:
    """Make puzzles of the games, and answer some of them."""
    target = folder / "puzzles.sgf"
    run("puzzles", "make", records / "games.sgf", "-o", target, "--out", folder / "run")
    shutil.rmtree(folder / "run")
    with closing(TrainingStore()) as store:
        for puzzle, attempts in zip(read_puzzles(target), ATTEMPTS, strict=False):
            for day, right in enumerate(attempts):
                store.add(puzzle, right, NOW + timedelta(days=day))


def write_state() -> None:
    """Leave settings, recent files, and the recovery file of a crash."""
    make_private_folder(config_file().parent)
    config_file().write_text(CONFIG)
    state = UserState(state_folder())
    state.keep(CHOSEN)
    for name in ("/games/older.sgf", "/games/newer.sgf"):
        state.use(Path(name))
    session = Session(annotated(), Path("/games/edited.sgf"))
    session.go_to(session.record.main_line()[3])
    keeper = Keeper(state_folder() / "recovery")
    keeper.flush(session)
    keeper.path.rename(keeper.path.with_name("1-1-0000abcd.json"))  # process 1 began otherwise


def write_matches(folder: Path) -> None:
    """Write a match that is done, and one that was interrupted after half its games."""
    run(*MATCH, "--out", folder / "done", "--workers", 1)
    shutil.copytree(folder / "done", folder / "begun")
    begun = RunFolder(folder / "begun")
    rows = begun.rows().rows
    settings = {**begun.settings(), "done": False}
    del settings["rows_sha256"]
    begun.write("settings.json", json.dumps(settings, indent=2) + "\n")
    with begun.shared() as claims:
        for row in rows[: len(rows) // 2]:
            begun.journal().append(FinishedTask(int(row[0]), [as_written(row)], 0.1), claims)
    for path in folder.rglob("*"):
        if path.name in ("run.lock", "games.sgf", "report.md") or path.suffix in (".png", ".svg"):
            path.unlink()
    (folder / "begun" / "rows.csv").unlink()


def as_written(row: Sequence[str]) -> tuple[Value, ...]:
    """Return a row of a match as its worker returned it."""
    return tuple(int(text) if text.isdecimal() else text for text in row)


def main() -> None:
    """Write all files into the folder, which is replaced."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    target = parser.parse_args().folder.absolute()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        share_kernels(home)
        os.environ["HEXTUI_HOME"] = str(home)
        made = Path(name) / "made"
        write_records(made / "records")
        write_analysis(made / "records", made)
        write_training(made / "records", made)
        write_state()
        write_matches(made / "matches")
        (home / "cache" / "kernels").unlink()
        (home / "state" / "run.key").unlink()
        for path in home.rglob("*.sqlite"):
            with closing(sqlite3.connect(path)) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
        logs = shutil.ignore_patterns("*-wal", "*-shm")  # of databases that are still open
        shutil.copytree(home, target / "home", ignore=logs)


if __name__ == "__main__":
    main()
