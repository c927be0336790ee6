"""``hextui library find``: JSON, text, and one line for bad input."""

import json
from pathlib import Path

import pytest

from hextui.commands import main

GAMES = """
(;GM[11]SZ[5]PB[Ann]PW[Bob]DT[2019]RE[B+R];B[b2];W[c2];B[e5];W[b3])
(;GM[11]SZ[5]PB[Cy]PW[Ann]RE[W+R];B[a5];W[d3];B[d4];W[a2];B[e3])
(;GM[11]SZ[5];B[a1];W[e5])
"""


@pytest.fixture(autouse=True)
def _library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    (tmp_path / "games.sgf").write_text(GAMES)
    assert main(("library", "import", str(tmp_path / "games.sgf"))) == 0


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    try:
        code = main(("library", "find", *words))
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    return code, *capsys.readouterr()


def test_document(capsys: pytest.CaptureFixture[str]) -> None:
    # the second game has the shape mirrored, with the colours exchanged
    code, out, err = run(capsys, "RB/..", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["shape"] == "RB/.."
    assert (document["searched"], document["games"]) == (3, 2)
    assert document["continuations"] == [
        {"row": 1, "column": 0, "color": "white", "games": 2, "at_once": 0, "won": 0, "lost": 2}
    ]
    assert document["elsewhere"] == [
        {"color": "black", "games": 2, "returned": 2, "won": 2, "lost": 0}
    ]
    assert document["ended"] == 0
    first, second = document["matches"]
    assert first == {
        "id": 1,
        "ply": 2,
        "plies": 2,
        "cells": ["b2", "c2", "b3", "c3"],
        "black": "Ann",
        "white": "Bob",
        "event": "",
        "date": "2019",
        "winner": "black",
        "how": "R",
    }
    assert (second["id"], second["ply"], second["cells"]) == (2, 3, ["d3", "d4", "e3", "e4"])


def test_text_letters_the_next_stones(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "RB/..", "--player", "bob")
    assert (code, err) == (0, "")
    assert out.startswith("1 game of 1 with RB/..\n\n   R B\n    a .\n\n")
    assert "a          Blue  1      0        0%" in out
    assert "elsewhere  Red   1               100%" in out
    assert "b2 c2 b3 c3" in out


def test_what_is_not_listed_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "R", "--limit", "1")[1].endswith("2 more games: see --limit\n")


@pytest.mark.parametrize("words", [("R.X",), ("..",), ("R", "topp"), ("R", "--date", "x..")])
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_filter_of_the_other_commands_takes_a_shape(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(("library", "games", "--shape", "RB/..", "--json")) == 0
    document = json.loads(capsys.readouterr().out)
    assert [game["id"] for game in document["games"]] == [1, 2]
    target = tmp_path / "some.sgf"
    assert main(("library", "export", "shape=RB/..", "player=cy", "-o", str(target))) == 0
    assert target.read_text().count("SZ[5]") == 1
    capsys.readouterr()
    assert main(("library", "games", "--shape", "R.X")) == 2
    assert "not 'X'" in capsys.readouterr().err
