"""A study that SIGTERM or Ctrl+C ends leaves a report, and the same command completes it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hextui.engine.board import Board
from tests.processes import wait_for
from tests.studies.games import random_game, write_games
from tests.studies.test_own_claims import CLAIMS

PAPER = "study paper --games GAMES --sample 3 --size 4 --matches 6 --openings 2 --most-k 2"
PAPER += " --reading last --other-matches 1 --other-openings 0"

MATCH = "match k-paths:1 k-paths:0 --size 7 --games 60"


def start(words: str, files: Path, out: Path) -> "subprocess.Popen[str]":
    """Start a command in a session of its own; GAMES and CLAIMS stand for files of a folder."""
    given = [str(files / word.lower()) if word.isupper() else word for word in words.split()]
    return subprocess.Popen(
        [sys.executable, "-m", "hextui", *given, "--workers", "1", "--out", str(out)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def lines_of(journal: Path) -> list[list[object]]:
    """Return the finished tasks of a journal."""
    text = journal.read_text() if journal.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


@pytest.mark.parametrize(
    ("words", "part", "number", "whole_group"),
    [
        pytest.param(PAPER, "tables", signal.SIGTERM, False, marks=pytest.mark.slow),
        ("study claims CLAIMS", "games-2", signal.SIGTERM, True),
        pytest.param(MATCH, "", signal.SIGINT, False, marks=pytest.mark.slow),
    ],
)
def test_a_study_that_is_ended_leaves_a_report(
    tmp_path: Path, words: str, part: str, number: int, whole_group: bool
) -> None:
    games = [random_game(n, Board(5, 5)) for n in range(12)]
    write_games(tmp_path / "games", games)
    write_games(tmp_path / "games.jsonl", games)
    (tmp_path / "few").mkdir()
    write_games(tmp_path / "few" / "a.jsonl", games[:2])
    (tmp_path / "claims").write_text(CLAIMS)
    out = tmp_path / "out"
    program = start(words, tmp_path, out)
    wait_for(lambda: len(lines_of(out / part / "journal.jsonl")) >= 2 or program.poll() is not None)
    (os.killpg if whole_group else os.kill)(program.pid, number)
    _, told = program.communicate(timeout=100)
    assert program.returncode == 130, told
    assert told.splitlines()[-1].startswith(f"hextui: interrupted; {out} keeps the finished games")
    assert "Traceback" not in told
    done = len(lines_of(out / part / "journal.jsonl"))
    total = json.loads((out / part / "settings.json").read_text())["tasks"]
    assert 2 <= done < total
    progress = f"{done:,} of {total:,} games"
    own = (out / part / "report.md").read_text()
    assert own.splitlines()[2] == f"**Unfinished:** {progress}. The same command continues."
    text = (out / "report.md").read_text()
    (state,) = re.findall(r"^\*\*Unfinished:\*\* (.*)$", text, re.MULTILINE)
    assert f"{part}: {progress}".removeprefix(": ") in state
    assert completed(words, tmp_path, out) == completed(words, tmp_path, tmp_path / "uninterrupted")


def completed(words: str, files: Path, out: Path) -> dict[str, str]:
    """Run a command to its end; return rows and reports, without the time that they took."""
    program = start(words, files, out)
    program.communicate(timeout=300)
    assert program.returncode == 0
    texts = {}
    for path in sorted((*out.rglob("*.csv"), *out.rglob("*.md"))):
        texts[str(path.relative_to(out))] = re.sub(r"CPU time \S+ s", "", path.read_text())
    assert "Unfinished" not in "".join(texts.values())
    return texts
