"""``hextui engine``: what the settings name, and whether it works."""

import json
import re
import sys
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engines import limits
from hextui.locations import config_file

SCRIPT = Path(__file__).parent.parent / "engines" / "attached" / "scripted.py"
HOMEMADE = SCRIPT.with_name("homemade.py")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    return tmp_path


def configure(text: str) -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text(text)


def scripted(trick: str, dialect: str = "kata") -> str:
    command = json.dumps([sys.executable, "-I", "-S", str(SCRIPT), trick])
    return f'[engines.scripted]\ncommand = {command}\ndialect = "{dialect}"\n'


def test_without_engines(capsys) -> None:
    assert main(["engine", "list"]) == 0
    assert capsys.readouterr().out.startswith("no engines: write a table [engines.NAME] into ")
    assert main(["engine", "test", "x"]) == 2
    assert "no engine 'x' in " in capsys.readouterr().err


def test_engines_are_listed(capsys) -> None:
    configure('[engines.wolve]\ncommand = ["wolve", "--quiet"]\n')
    assert main(["engine", "list"]) == 0
    assert capsys.readouterr().out == "wolve  htp  wolve --quiet\n"
    assert main(["engine", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "engines": [{"name": "wolve", "dialect": "htp", "command": ["wolve", "--quiet"]}]
    }


def test_what_is_wrong_in_the_file(capsys) -> None:
    configure("[engines.wolve]\n")
    assert main(["engine", "test", "wolve"]) == 2
    assert "config.toml: engines.wolve.command: is missing" in capsys.readouterr().err


@pytest.mark.parametrize("trick", ["plain", "htp"])
def test_a_working_engine_is_described(capsys, monkeypatch, trick: str) -> None:
    monkeypatch.setattr("hextui.engines.attached_searches.SEARCH_SECONDS", 0.1)
    configure(scripted(trick, "htp" if trick == "htp" else "kata"))
    assert main(["engine", "test", "scripted"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Scripted 1.0 answered after ")
    assert lines[2] == "accepts boards of 3, 5, 7, 9, 11, 13 rows; rejects 14, 15, 17, 19"
    assert lines[3].startswith("first analysis of 11x11 after ")
    assert lines[4].endswith(" visits a second")
    winrate = "62%" if trick == "htp" else "75%"
    assert lines[5] == f"opening move a1, win probability {winrate}"


@pytest.mark.parametrize(("trick", "says"), [("off the board", "'z99'"), ("no word", "[2J")])
def test_an_illegal_answer_is_reported(capsys, trick: str, says: str) -> None:
    configure(scripted(trick, "htp"))
    assert main(["engine", "test", "scripted"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("hextui: scripted answers: ")
    assert says in line
    assert line.endswith("which is not a legal move on 11x11")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("trick", ["chatter", "mutter", "endless", "silent"])
def test_an_engine_that_never_answers_is_not_waited_for(capsys, monkeypatch, trick: str) -> None:
    assert limits.TEST == 10
    monkeypatch.setattr(limits, "TEST", 0.5)
    monkeypatch.setattr(limits, "FLOOD_LINES", 100)
    configure(scripted(trick))
    assert main(["engine", "test", "scripted"]) == 1
    line = capsys.readouterr().err.splitlines()[0]
    assert line.startswith("hextui: scripted did not answer 'name' in ")


def test_an_engine_that_hangs_in_a_search_is_not_waited_for(capsys, monkeypatch) -> None:
    monkeypatch.setattr(limits, "TEST", 0.5)
    configure(scripted("hang"))
    assert main(["engine", "test", "scripted"]) == 1
    printed = capsys.readouterr()
    assert "accepts boards" in printed.out
    assert "0.5 s" in printed.err.splitlines()[0]


@pytest.mark.timeout(60)
def test_a_search_ends_though_reports_come_without_a_pause(capsys, monkeypatch) -> None:
    monkeypatch.setattr("hextui.engines.attached_searches.SEARCH_SECONDS", 0.5)
    configure(scripted("flood"))
    assert main(["engine", "test", "scripted"]) == 0
    assert "opening move a1" in capsys.readouterr().out


def test_an_engine_that_does_not_start_says_why(capsys) -> None:
    configure(scripted("no start"))
    assert main(["engine", "test", "scripted"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "hextui: scripted ended (exit code 1)",
        "its last 1 line on standard error:",
        "  usage: scripted --model FILE",
    ]


def test_a_program_that_is_not_there(capsys) -> None:
    configure('[engines.away]\ncommand = ["./away"]\n')
    assert main(["engine", "test", "away"]) == 1
    err = capsys.readouterr().err
    assert err == "hextui: away cannot be started: ./away: No such file or directory\n"


def homemade(*habits: str, seconds: float = 10.0) -> str:
    command = json.dumps([sys.executable, "-I", "-S", str(HOMEMADE), *habits])
    return f"[engines.homemade]\ncommand = {command}\nseconds = {seconds}\n"


@pytest.mark.parametrize(
    ("habits", "says"),
    [
        ((), ["no list_commands", "no reg_genmove", "a1, no win probability"]),
        (("ids", "lists"), ["no reg_genmove"]),
        (("only chooses",), ["no list_commands", "a1, no win probability"]),
        (("no undo",), ["no undo"]),
        (("noise",), ["not replies, which are skipped: 'thinking about undo'"]),
        (("info", "nan"), ["a1, no win probability"]),
        (("info",), ["a1, win probability 60%"]),
    ],
    ids=" ".join,
)
def test_what_an_engine_written_for_hexgui_lacks(capsys, habits, says) -> None:
    configure(homemade(*habits))
    assert main(["engine", "test", "homemade"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("homemade 1 answered after ")
    assert all(words in out for words in says), out
    assert ("has no list_commands" in out) is ("lists" not in habits)
    assert ("has no reg_genmove" in out) is ("only chooses" not in habits)
    assert ("has no undo" in out) is ("no undo" in habits)
    assert ("not replies" in out) is ("noise" in habits)
    assert not err


def test_a_slow_engine_is_tested_with_progress(capsys, monkeypatch) -> None:
    monkeypatch.setattr("hextui.commands.engine.REMARK_SECONDS", 0.3)
    configure(homemade("slow"))
    assert main(["engine", "test", "homemade"]) == 0
    assert re.search(r"trying \d+ rows \(\d of 10\)", capsys.readouterr().err)


def test_an_engine_that_ignores_interrupts_is_found_out(capsys, monkeypatch) -> None:
    monkeypatch.setattr("hextui.engines.attached_searches.SEARCH_SECONDS", 0.01)
    monkeypatch.setattr("hextui.engines.limits.REPORT", 0.001)
    configure(homemade("late", "no comments", seconds=0.01))
    assert main(["engine", "test", "homemade"]) == 0
    assert "ignores '# interrupt'" in capsys.readouterr().out


def test_an_engine_that_writes_no_replies_is_quoted(capsys, monkeypatch) -> None:
    monkeypatch.setattr(limits, "TEST", 0.3)
    command = json.dumps([sys.executable, "-u", "-c", "print('hello'); input(); input()"])
    configure(f"[engines.prints]\ncommand = {command}\n")
    assert main(["engine", "test", "prints"]) == 1
    words = "did not answer 'name' in 0.3 s, but wrote 'hello', which is not a reply"
    assert words in capsys.readouterr().err
