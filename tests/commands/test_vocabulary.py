"""What people read calls the players Red and Blue, or as they chose; codes of SGF stay in files."""

import json
import re
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.commands.command_list import COMMANDS

STRAY = re.compile(r"\b(black|white)\b|\b[BW]\+", re.IGNORECASE)
RED_BLUE = re.compile(r"\b(red|blue)\b", re.IGNORECASE)
GAME = "(;GM[11]SZ[3]PB[Ann]PW[Bob]RE[B+R];B[b2];W[a1];B[c3])"
HELP: list[tuple[str, ...]] = [(name, "--help") for name in COMMANDS] + [("--help",)]
HELP += [
    ("library", action, "--help")
    for action in ("import", "explore", "games", "stats", "remove", "settle")
]
HELP += [
    ("study", kind, "--help")
    for kind in ("paper", "claims", "betweenness", "rank-quality", "match-table", "losing-moves")
]
OUTPUT = [
    ("rank", "#3,b2"),
    ("rank", "#3,b2", "--explain", "a2"),
    ("connections", "#3,b2", "--color", "red"),
    ("network", "#3,b2", "--color", "blue"),
    ("lines", "#3,b2", "--evaluator", "k-paths:0"),
    ("solve", "#3,b2"),
    ("solve", "#3,b2", "--method", "mustplay", "--trace", "--connections"),
    ("best-move", "#2,a1", "--scores"),
    ("report", GAME, "--solve", "0"),
    ("library", "import", "game.sgf"),
    ("library", "explore", "#3,b2a1"),
    ("library", "games"),
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    monkeypatch.setattr("hextui.commands.config_file", lambda: tmp_path / "config.toml")
    (tmp_path / "game.sgf").write_text(GAME)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> str:
    assert main(words) == 0, capsys.readouterr().err
    captured = capsys.readouterr()
    return captured.out + captured.err


def test_the_search_for_stray_words_finds_them() -> None:
    assert STRAY.findall("black won; W+R") == ["black", ""]
    assert not STRAY.search("blackened, B + 1, Red won, Blue resigned")


@pytest.mark.parametrize("words", HELP, ids=" ".join)
def test_each_command_has_help_without_other_colours(words, capsys, home) -> None:
    text = said(capsys, words)
    assert text.startswith(" ".join(("usage: hextui", *words[:-1], "")))
    assert len(words) != 2 or COMMANDS[words[0]] in " ".join(text.split())
    assert not STRAY.search(text)


BLACK_WHITE = '[screen]\nplayers = "black-white"\ntheme = "none"\n'


@pytest.mark.parametrize(("config", "stray"), [("", STRAY), (BLACK_WHITE, RED_BLUE)])
@pytest.mark.parametrize("words", OUTPUT, ids=lambda words: " ".join(words[:3]))
def test_what_commands_print_names_no_other_colours(words, config, stray, capsys, home) -> None:
    (home / "config.toml").write_text(config)
    if words[:2] in (("library", "explore"), ("library", "games")):
        said(capsys, ("library", "import", "game.sgf"))
    assert not stray.search(said(capsys, words))


def test_documents_keep_their_colours_whatever_the_players_are_called(capsys, home: Path) -> None:
    (home / "config.toml").write_text(BLACK_WHITE)
    found = json.loads(said(capsys, ("rank", "#3,b2", "--explain", "a2", "--json")))
    assert found["to_move"] == "white"


@pytest.mark.parametrize("players", ['"green"', "1"])
def test_another_choice_is_reported_in_one_line(players: str, capsys, home: Path) -> None:
    (home / "config.toml").write_text(f"[screen]\nplayers = {players}\n")
    assert main(("rank", "#3,b2")) == 0
    out, err = capsys.readouterr()
    assert "Blue to move" in out
    (line,) = err.splitlines()
    assert "screen.players" in line
    assert line.endswith("is not one of red-blue, black-white")
