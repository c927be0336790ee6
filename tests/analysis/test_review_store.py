"""Reviews on disk: found by another process and from any side, and safe from what can go wrong."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.mistakes import blunders
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.ranking import Quality
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.record import Record
from tests.analysis.games import BLUE, RED, line_of, played
from tests.analysis.test_game_positions import game, image

GAME = game("a1 b2 c2 c1 d1 a4 d4")
LINE = line_of(GAME)
B1, C1, A2 = (GAME.board.cell(name) for name in ("b1", "c1", "a2"))
NAMES = ("search", "resistance")


def reviewed() -> Estimates:
    """Return something of each kind that a review holds."""
    found = Estimates()
    for ply, winner in {1: RED, 2: RED, 3: BLUE}.items():
        found.keep_verdict(LINE[ply].position, Verdict(VerdictKind.CONNECTION, winner))
    found.keep_wins(LINE[2].position, (B1, A2), True)
    found.keep_verdict(LINE[5].position, None, 2.5)
    found.keep_balance(LINE[4].position, 0.25)
    placed = {GAME.board.cell("c2"): Quality(20, 3, 3.5)}
    found.keep(LINE[2].position, "search", Estimate(0.75, (B1, A2), placed, True, 0.75))
    found.keep(LINE[3].position, "resistance", Estimate(1.5, (C1,), {}, False))
    found.keep_spent(LINE, 12.5)
    return found


def judged(here: GamePosition, found: Estimates) -> list[Estimate | None]:
    return [found.of(here, name) for name in NAMES]


def known(line: tuple[GamePosition, ...], found: Estimates) -> list[object]:
    return [
        (
            found.verdict(here.position),
            found.verdicts.moves(here.position),
            found.tried(here.position),
            found.balance(here.position),
            found.complete(here, ()) or found.verdict(here.position) is not None,
            *(one and (one.value, one.best, one.winrate) for one in judged(here, found)),
            found.quality(here, "search"),
        )
        for here in line
    ]


def read(path: Path, line: tuple[GamePosition, ...] = LINE) -> Estimates:
    found = Estimates()
    with closing(ReviewStore(path)) as store:
        store.read(line, found)
    return found


def keep(path: Path, found: Estimates | None = None) -> None:
    with closing(ReviewStore(path)) as store:
        store.keep(LINE, found or reviewed())
        assert store.problem == ""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.sqlite"


def test_a_review_comes_back_whole(path: Path) -> None:
    keep(path)
    assert known(LINE, read(path)) == known(LINE, reviewed())
    assert read(path).spent(LINE) == 12.5
    with closing(ReviewStore(path)) as store:
        found = Estimates()
        store.read(LINE, found)
        assert set(found.names) == set(NAMES)
        assert store.mistakes(GAME) == ((2,), (3,)), "the swap that was missed, and the blunder"


def test_another_process_finds_it(path: Path) -> None:
    keep(path)
    code = """
import sys
from contextlib import closing
from pathlib import Path
from tests.analysis.test_review_store import LINE, known, read, reviewed
print(known(LINE, read(Path(sys.argv[1]))) == known(LINE, reviewed()))
"""
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_the_same_game_from_another_side(path: Path, mirrored: bool, turned: bool) -> None:
    keep(path)
    other = image(GAME, mirrored, turned)
    line = line_of(other)
    found = read(path, line)
    (own,), (seen,) = blunders(LINE, reviewed()), blunders(line, found)
    assert seen.moves[0].ply == own.moves[0].ply == 3
    assert seen.color is (own.color.opponent if mirrored else own.color)
    assert set(seen.wins) == {place(GAME, cell, mirrored, turned) for cell in own.wins}
    estimate = found.of(line[2], "search")
    assert estimate is not None
    assert estimate.best == tuple(place(GAME, cell, mirrored, turned) for cell in (B1, A2))
    assert found.quality(line[2], "search") == Quality(20, 3, 3.5)
    assert found.balance(line[4].position) == (-0.25 if mirrored else 0.25)
    with closing(ReviewStore(path)) as store:
        assert store.mistakes(other) == ((2,), (3,))


def place(record: Record, cell: int, mirrored: bool, turned: bool) -> int:
    cell = record.board.mirror(cell) if mirrored else cell
    return record.board.rotate(cell) if turned else cell


def test_another_game_has_no_review(path: Path) -> None:
    keep(path)
    other = played("a1 b2 c2")
    assert known(other, read(path, other)) == known(other, Estimates())


def test_a_board_without_moves_is_not_kept(path: Path) -> None:
    record = Record(GAME.board)
    line = game_positions(record, record.main_line())
    found = Estimates()
    found.keep_balance(line[0].position, 0.5)
    with closing(ReviewStore(path)) as store:
        store.keep(line, found)
    assert read(path, line).balance(line[0].position) is None


def test_what_another_program_stored_meanwhile_stays(path: Path) -> None:
    keep(path)
    poorer = Estimates()
    poorer.keep_balance(LINE[6].position, 2.0)
    keep(path, poorer)
    found = read(path)
    assert found.balance(LINE[6].position) == 2.0
    assert known(LINE[:6], found) == known(LINE[:6], reviewed())


def test_two_programs_at_once(path: Path) -> None:
    code = """
import sys
from contextlib import closing
from pathlib import Path
from tests.analysis.games import line_of
from tests.analysis.test_game_positions import game
from tests.analysis.test_review_store import ReviewStore, reviewed
from hextui.analysis.estimates import Estimates
path, first = Path(sys.argv[1]), sys.argv[2]
for cell in "bcdefghij":
    with closing(ReviewStore(path)) as store:
        line = line_of(game(f"{first} {cell}9 a9", Board(11, 11)))
        found = Estimates()
        found.keep_balance(line[1].position, 1.0)
        store.keep(line, found)
        assert not store.problem, store.problem
""".replace("import sys\n", "import sys\nfrom hextui.engine.board import Board\n", 1)
    programs = [
        subprocess.Popen([sys.executable, "-c", code, path, first]) for first in ("a1", "b1")
    ]
    assert [program.wait() for program in programs] == [0, 0]
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT COUNT(*) FROM reviews").fetchone() == (18,)
    database.close()


def test_estimates_of_another_version_are_not_used_but_proofs_are(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(path)
    monkeypatch.setattr("hextui.analysis.stored_analysis.__version__", "99")
    found = read(path)
    assert found.of(LINE[2], "search") is None
    assert found.verdict(LINE[3].position) is not None
    assert found.spent(LINE) == 12.5


@pytest.mark.parametrize("damage", ["start", "text", "no tables", "version", "tables"])
def test_a_damaged_file_is_renamed_with_one_line(path: Path, damage: str) -> None:
    keep(path)
    if damage in ("start", "text"):
        data = bytearray(path.read_bytes())
        data[:40] = bytes(40)
        path.write_bytes(b"this is no database\n" * 100 if damage == "text" else data)
    else:
        changes = {
            "no tables": "DROP TABLE reviews",
            "version": "PRAGMA user_version = 9",
            "tables": "PRAGMA user_version = 0",
        }
        with sqlite3.connect(path) as database:
            database.execute(changes[damage])
        database.close()
    before = path.read_bytes()
    with closing(ReviewStore(path)) as store:
        assert "renamed to reviews.sqlite.damaged" in store.problem
        assert store.problem.isprintable()
        store.keep(LINE, reviewed())
    assert path.with_name("reviews.sqlite.damaged").read_bytes() == before
    assert known(LINE, read(path)) == known(LINE, reviewed())


def signed(path: Path, key: bytes, data: bytes) -> int:
    """Return the checksum with which this user's program would store an entry."""
    with closing(ReviewStore(path)) as store:
        return store._checksum(key, data)


def change(path: Path, sql: str, *values: object) -> None:
    with sqlite3.connect(path) as database:
        database.execute(sql, values)
    database.close()


WRONG = {
    "text": b"\xff",
    "nothing in it": b"{}",
    "a list": b"[]",
    "plies": b'{"evaluators":{},"spent":0,"mistakes":[],"plies":[1]}',
    "values": b'{"evaluators":{},"spent":0,"mistakes":[],"plies":[{"HXP":[1]}]}',
    "spent": b'{"evaluators":{},"spent":-1,"mistakes":[],"plies":[]}',
    "nested too deeply": b"[" * 100_000,
}


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_a_damaged_entry_is_ignored_and_the_others_stay(path: Path, data: bytes) -> None:
    other = line_of(game("b1 c3 d2"))
    with closing(ReviewStore(path)) as store:
        store.keep(LINE, reviewed())
        with sqlite3.connect(path) as database:
            (key,) = database.execute("SELECT key FROM reviews").fetchone()
        database.close()
        found = Estimates()
        found.keep_balance(other[1].position, 0.5)
        store.keep(other, found)
    change(
        path,
        "UPDATE reviews SET entry = ?, checksum = ? WHERE key = ?",
        *(data, signed(path, key, data), key),
    )
    with closing(ReviewStore(path)) as store:
        store.read(LINE, Estimates())
        assert "ignored" in store.problem
        assert store.problem.isprintable()
        again = Estimates()
        store.read(other, again)
        assert again.balance(other[1].position) == 0.5
        store.keep(LINE, reviewed())
    assert known(LINE, read(path)) == known(LINE, reviewed())


@pytest.mark.parametrize("mistakes", [b"1", b"[[]]", b'[["a"]]', b"[1]", b"[[0]]", b"[[99]]"])
def test_mistakes_that_are_no_plies(path: Path, mistakes: bytes) -> None:
    keep(path)
    with sqlite3.connect(path) as database:
        (key,) = database.execute("SELECT key FROM reviews").fetchone()
    database.close()
    data = b'{"evaluators":{},"spent":0,"plies":[],"mistakes":%s}' % mistakes
    change(path, "UPDATE reviews SET entry = ?, checksum = ?", data, signed(path, key, data))
    with closing(ReviewStore(path)) as store:
        assert store.mistakes(GAME) == ()
        assert "ignored" in store.problem


def test_a_full_disk_is_reported_and_loses_nothing(path: Path) -> None:
    keep(path)
    with closing(ReviewStore(path)) as store:
        assert store._database is not None
        (pages,) = store._database.execute("PRAGMA page_count").fetchone()
        store._database.execute(f"PRAGMA max_page_count = {pages}")
        cells = [f"{column}{row}" for row in (1, 2, 3) for column in "abcd"]
        for plies in range(1, len(cells)):
            line = line_of(game(" ".join(cells[:plies])))
            found = Estimates()
            for here in line:
                found.keep_balance(here.position, 1.0)
            store.keep(line, found)
        assert "full" in store.problem
        assert "not kept" in store.problem
    assert known(LINE, read(path)) == known(LINE, reviewed())


def test_a_folder_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with closing(ReviewStore(tmp_path / "file" / "reviews.sqlite")) as store:
        store.keep(LINE, reviewed())
        assert "reviews are not kept" in store.problem


@pytest.mark.skipif(os.name != "posix", reason="no modes")
def test_only_the_user_can_read_it(path: Path) -> None:
    keep(path)
    assert path.stat().st_mode & 0o077 == 0
