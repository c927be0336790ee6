"""``hextui solve``: the document, its trace, swapping, bad input."""

import pytest

from tests.commands.test_commands import document, run


def test_document(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "solve", "#3,", "--method", "mustplay")
    assert set(found) == {
        "winner", "winning_moves", "losing_moves", "carrier", "line", "nodes", "seconds",
        "complete",
    }  # fmt: skip
    assert found["winner"] == "black"
    assert found["winning_moves"] == ["c1", "a2", "b2", "c2", "a3"]
    assert found["losing_moves"] == ["a1", "b1", "b3", "c3"]
    assert found["line"][0] in found["winning_moves"]
    assert found["complete"] is True


def test_swapping_has_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert "swap-pieces" in document(capsys, "solve", "#3,b2")["winning_moves"]
    assert "swap-pieces" in document(capsys, "solve", "#3,a1")["losing_moves"]


@pytest.mark.parametrize("words", [(), ("--remember",)])
def test_trace(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    trace = document(capsys, "solve", "#3,b2c1", "--trace", *words)["trace"]
    assert trace["depth"] == 0
    assert trace["tries"][-1]["reply"] is None
    code, out, err = run(capsys, "solve", "#3,b2c1", "--trace", *words)
    assert (code, err) == (0, "")
    assert "must play in" in out
    assert out.splitlines()[-1].startswith("black wins with")


def test_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", "#5,")
    assert (code, out) == (2, "")
    assert "9 empty cells" in err
    assert len(err.splitlines()) == 1
