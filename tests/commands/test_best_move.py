"""``hextui best-move``: both games, bad input."""

import pytest

from tests.commands.test_commands import document, run


def test_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("best-move", "--game", "tic-tac-toe")
    assert document(capsys, *words, "XX./OO./...") == {"move": "c1", "score": 1}
    assert document(capsys, *words, "XOX/XOO/OXX") == {"move": None, "score": 0}
    assert run(capsys, *words, "X.O/.X./..O")[1] == "c2 draws\n"


def test_hex(capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, "best-move", "#3,b2c1") == {"move": "a1", "score": 1}
    assert document(capsys, "best-move", "#2,")["score"] == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--game", "tic-tac-toe", "XX"), "three rows"),
        (("--game", "tic-tac-toe"), "STATE"),
        (("--game", "tic-tac-toe", "XX./OO./...", "--ply", "1"), "--ply"),
        (("--game", "chess", "#3,"), "chess"),
        (("#4,",), "9 empty cells"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str) -> None:
    code, out, err = run(capsys, "best-move", *words)
    assert (code, out) == (2, "")
    assert says in err.splitlines()[-1]
