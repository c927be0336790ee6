"""Settling on workers: the same library whoever proves, and nothing is proved twice."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from hextui.engine.retrograde import Value
from hextui.library.library import Library
from hextui.library.settle import Settled
from hextui.library.settle_run import LatePositions, prove_late, settle_on_workers
from hextui.records.codecs.sgf import read_sgf
from hextui.runs.claims import Claims

NODES = 200
MOVES = ("b3", "c2", "c3", "b2")
GAMES = [
    f"(;GM[11]SZ[4]RE[{'BW'[n % 2]}+R];B[a1];W[d4];B[d1];W[a4];B[a2];W[{cell}])"
    for n, cell in enumerate(MOVES)
]


def settled(folder: Path, workers: int) -> tuple[Settled, list[Value | None]]:
    """Import the games and settle them; return what was done, and the values of all positions."""
    folder.mkdir()
    (folder / "games.sgf").write_text("".join(GAMES))
    with (
        Library(folder / "library.sqlite") as library,
        closing(Claims(folder / "claims")) as claims,
        ThreadPoolExecutor(workers) as executor,
    ):
        library.import_paths([folder / "games.sgf"])
        told: list[Settled] = []
        done = settle_on_workers(library, NODES, executor, claims, told.append)
        assert told[-1] == done
        assert not library.untried(NODES)
        values = []
        for number in range(1, len(MOVES) + 1):
            record = read_sgf(library.text(number) or "")
            for ply in range(record.plies + 1):
                values.append(library.value(record.position(ply=ply)))
        return done, values


def test_any_number_of_workers_settles_the_same(tmp_path: Path) -> None:
    one = settled(tmp_path / "one", 1)
    assert one == settled(tmp_path / "three", 3)
    done, values = one
    assert (done.games, done.of) == (len(MOVES), len(MOVES))
    assert done.positions > 0
    assert any(value is not None and value.certain for value in values)


def test_a_game_ends_at_the_first_position_that_is_too_hard() -> None:
    record = read_sgf(GAMES[0])
    late = [(ply, record.position(ply=ply)) for ply in (6, 5, 4)]
    wins = prove_late(LatePositions(tuple(late), NODES))
    assert set(wins) == {6, 5, 4}
    hard = read_sgf("(;GM[11]SZ[11];B[f6])").position()
    assert set(prove_late(LatePositions((late[0], (1, hard), late[1]), NODES))) == {6}


def test_finished_games_are_kept_if_the_workers_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games.sgf").write_text("".join(GAMES))
    done: list[LatePositions] = []

    def failing(task: LatePositions) -> dict[int, bool]:
        done.append(task)
        if len(done) == 3:
            raise OSError("gone")
        return prove_late(task)

    monkeypatch.setattr("hextui.library.settle_run.prove_late", failing)
    with (
        Library(tmp_path / "library.sqlite") as library,
        closing(Claims(tmp_path / "claims")) as claims,
        ThreadPoolExecutor(1) as executor,
    ):
        library.import_paths([tmp_path / "games.sgf"])
        with pytest.raises(OSError, match="gone"):
            settle_on_workers(library, NODES, executor, claims, lambda done: None)
        left = len(library.untried(NODES))
        assert 0 < left < len(MOVES)
