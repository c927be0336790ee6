"""A game is read as sentences: what `hextui solve` and `hextui report` say, one at each key."""

import io
import json

import pytest

GAME = "(;FF[4]GM[11]SZ[4]PB[Ann]PW[Bob]RE[W+];B[b2];W[c2];B[c1];W[b3];B[a4];W[a3];B[d3];W[d2])"


@pytest.fixture
def read(run, monkeypatch, tmp_path):
    """What is said after each of some keys, the introduction and the start first."""
    (tmp_path / "game.sgf").write_text(GAME)

    def said(*keys: str, more: tuple[str, ...] = ()) -> list[str]:
        typed = "".join(f"{key}\n" for key in keys).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed)))
        code, out, _ = run("read", str(tmp_path / "game.sgf"), *more)
        assert code == 0
        return out.splitlines()

    return said


def test_each_key_says_a_line_about_a_position(read, document, tmp_path) -> None:
    first, start, *plies = read(*[""] * 8)
    assert first == "Ann, Red against Bob, Blue. 4x4, 8 moves. Blue won. ? lists the keys."
    assert start.startswith("Start. Red to move.")
    assert len(plies) == 8
    for ply, line in enumerate(plies, start=1):
        assert line.startswith(f"Ply {ply} of 8, {'Blue' if ply % 2 == 0 else 'Red'} ")
        solved = document("solve", str(tmp_path / "game.sgf"), "--ply", str(ply))
        winner = {"black": "Red", "white": "Blue"}[solved["winner"]]
        assert f"{winner} wins" in line or f"{winner} has won" in line, line


def test_keys_go_back_and_forth_and_to_a_ply(read) -> None:
    assert read("p")[-1] == "This is the start."
    at_3 = read("3")[-1]
    assert at_3.startswith("Ply 3 of 8, Red c1. Blue to move.")
    assert read("99", "n")[-1] == "This is the last ply."
    assert read("4", "p")[-1] == read("", "", "n", "h")[-1] == at_3
    assert read(more=("--ply", "3"))[-1] == at_3


def test_the_board_is_read_row_by_row(read) -> None:
    assert read("b")[-1] == "No stones."
    assert read("4", "b")[-3:] == ["Row 1: Red c1.", "Row 2: Red b2, Blue c2.", "Row 3: Blue b3."]


def test_mistakes_and_story_are_those_of_the_report(read, run, tmp_path) -> None:
    _, out, _ = run("report", str(tmp_path / "game.sgf"), "--fresh", "--json")
    report = json.loads(out)
    assert report["mistakes"]
    told = "\n".join(read(*"d" * len(report["mistakes"])))
    for mistake in report["mistakes"]:
        for move in mistake["moves"]:
            assert f"{move['ply']}. {move['move']}" in told
    assert read("s")[-1] == report["story"]


def test_what_is_no_key_is_said_and_changes_nothing(read) -> None:
    assert read("2", "what\x1b[2J", "h")[-2] == "what\\x1b[2J is no key here. ? lists the keys."
    assert read("2", "x", "h")[-1] == read("2")[-1]
    assert len(read("q", "n")) == 2


def test_keys_and_game_cannot_both_be_standard_input(run) -> None:
    code, _, err = run("read", "-")
    assert (code, "name a file" in err) == (2, True)
