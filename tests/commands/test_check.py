"""``hextui check`` and ``hextui solve --proof``."""

import json
import time
from pathlib import Path

import pytest

from tests.samples import some_rows

BOARD = [f"{column}{row}" for row in range(1, 20) for column in "abcdefghijklmnopqrs"]


@pytest.fixture
def made(run, tmp_path):
    def made(position: str) -> Path:
        path = tmp_path / "proof.json"
        code, _, err = run("solve", "--method", "mustplay", position, "--proof", str(path))
        assert (code, err) == (0, "")
        return path

    return made


def test_a_proof_holds(run, document, made) -> None:
    path = made("#3,b2")
    found = document("check", str(path))
    assert found["holds"] is True
    assert (found["winner"], found["to_move"]) == ("black", "white")
    assert found["size"] == {"rows": 3, "columns": 3}
    code, out, err = run("check", str(path))
    assert (code, err) == (0, "")
    assert out.startswith("holds: Red wins, Blue to move")


def test_the_strong_solver_s_proof_holds(run, document, tmp_path) -> None:
    path = tmp_path / "proof.json"
    for _ in ("searched", "found on disk"):
        code, _, err = run("solve", "#5,a2", "--proof", str(path))
        assert (code, err) == (0, "")
        found = document("check", str(path))
        assert (found["holds"], found["winner"]) == (True, "white")
        path.unlink()


def test_without_a_winner_there_is_no_proof(run, tmp_path) -> None:
    path = tmp_path / "proof.json"
    for option in (("--proof", str(path)), ("--explain",)):
        code, out, err = run("solve", "#8,", "--nodes", "1", "--fresh", *option)
        assert code == 0
        assert out.startswith("Not decided")
        assert "plays" not in out
        assert "no proof, the winner is not known" in err
        assert not path.exists()


def test_a_finished_game_is_proved(document, made) -> None:
    path = made("#2,a1b1a2")
    assert document("check", str(path))["carrier"] == []


def test_an_altered_proof_fails(run, made) -> None:
    path = made("#3,b2")
    proof = json.loads(path.read_text())
    proof["winner"] = "white"
    path.write_text(json.dumps(proof))
    code, out, err = run("check", str(path))
    assert (code, err) == (1, "")
    assert out.startswith("does not hold: node")
    assert len(out.splitlines()) == 1
    code, out, _ = run("check", str(path), "--json")
    assert code == 1
    assert json.loads(out)["holds"] is False


@pytest.mark.parametrize(
    ("data", "says"),
    [(None, "cannot be read"), (b"\xff", "UTF-8"), (b"{", "JSON"), (b"3", "proof")],
)
def test_what_is_no_proof_is_refused(run, tmp_path, data: bytes | None, says: str) -> None:
    path = tmp_path / "proof.json"
    if data is not None:
        path.write_bytes(data)
    code, out, err = run("check", str(path))
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("proof", "says"),
    some_rows(
        [
            ({"comment": "x" * (1 << 20)}, "MiB"),
            ({"nodes": [{"connection": {"kind": "full", "carrier": BOARD}}]}, "long"),
        ],
        1,
    ),
    ids=["a large file", "a small file that takes long"],
)
def test_a_proof_that_takes_too_much_is_refused_in_one_line(
    run, tmp_path, monkeypatch, proof, says: str
) -> None:
    monkeypatch.setattr("hextui.commands.check._LONGEST", 1 << 20)
    path = tmp_path / "proof.json"
    stones = {"black": [], "white": [], "to_move": "black", "winner": "black"}
    head = {"format": "hextui-proof", "version": 1, "size": {"rows": 19, "columns": 19}}
    path.write_text(json.dumps(head | stones | proof))
    start = time.process_time()
    code, out, err = run("check", str(path))
    assert time.process_time() - start < 20
    assert (code, out) == (2, "")
    assert err.startswith(f"hextui: {path}: ")
    assert says in err
    assert err.count("\n") == 1
