"""Solved positions on disk: what is kept comes back, and nothing that was damaged does."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from dataclasses import replace

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.position import Position
from hextui.engine.solver.solution import MoveVerdict, Reason, Solution
from hextui.engine.solver.solution_cache import SolutionCache


def solution(position, rng):
    """Something like a solution; no cell of it is where it is by chance alone."""
    cells = list(position.empties)
    rng.shuffle(cells)
    wins, losses = cells[: len(cells) // 3], cells[len(cells) // 3 : 2 * len(cells) // 3]

    def verdicts(some):
        return {
            cell: MoveVerdict(rng.choice(list(Reason)), frozenset(rng.sample(cells, 2)))
            for cell in sorted(some)
        }

    return Solution(
        position=position,
        winner=rng.choice(list(Color)),
        wins=verdicts(wins),
        losses=verdicts(losses),
        carrier=Cells.of(position.board, rng.sample(cells, 3)),
        line=Cells(position.board, tuple(cells[:4])),
        proof_number=0,
        disproof_number=7,
        nodes=1234,
        seconds=0.25,
        table_used=0.5,
        must_play=Cells.of(position.board, cells[:5]),
        final=True,
    )


def positions(board, count, seed):
    """Positions that nobody has won, of which no two are the same game."""
    rng = random.Random(seed)
    seen: set[Position] = set()
    for _ in range(count):
        stones = bytearray(board.cells)
        for cell in rng.sample(range(board.cells), rng.randint(0, board.cells - 6)):
            stones[cell] = rng.choice((1, 2))
        position = Position(board, bytes(stones), rng.choice(list(Color)))
        mirrored = position.mirrored()
        same = {position, position.rotated(), mirrored, mirrored.rotated()}
        if position.winner is None and len(same) == 4 and not same & seen:
            seen |= same
            yield position


def from_disk(found):
    return replace(found, source="disk", table_used=0.0, complete=not found.unknown_moves)


def test_what_is_kept_comes_back_in_another_run(tmp_path):
    rng = random.Random(1)
    path = tmp_path / "solved.sqlite"
    kept = SolutionCache(path)
    known = {}
    for board in (Board(4, 4), Board(3, 5), Board(5, 3)):
        for position in positions(board, 40, str(board)):
            known[position] = solution(position, rng)
            kept.put(known[position])
            assert kept.get(position) == from_disk(known[position])
    kept.close()
    assert any(SolutionCache(path).get(p) == from_disk(found) for p, found in known.items())
    assert SolutionCache(path).get(Position.empty(Board(6, 6))) is None


@pytest.mark.parametrize("board", [Board(4, 4), Board(3, 5)])
def test_the_same_game_turned_or_mirrored_is_found(tmp_path, board):
    kept = SolutionCache(tmp_path / "solved.sqlite")
    for position in positions(board, 30, 2):
        given = solution(position, random.Random(3))
        kept.put(given)
        turned = kept.get(position.rotated())
        assert turned.winner is given.winner
        assert turned.line.numbers == tuple(map(board.rotate, given.line.numbers))
        assert list(turned.wins) == sorted(map(board.rotate, given.wins))
        mirrored = kept.get(position.mirrored())
        assert mirrored.winner is given.winner.opponent
        assert mirrored.line.numbers == tuple(map(board.mirror, given.line.numbers))
        expected = sorted(map(board.mirror, given.carrier.numbers))
        assert list(mirrored.carrier.numbers) == expected
        for cell, verdict in given.losses.items():
            there = mirrored.losses[board.mirror(cell)]
            assert there.reason is verdict.reason
            assert there.carrier == frozenset(map(board.mirror, verdict.carrier))
        both = kept.get(position.mirrored().rotated())
        assert both.winner is given.winner.opponent
        assert list(both.must_play.numbers) == sorted(
            board.transposed.rotate(board.mirror(cell)) for cell in given.must_play.numbers
        )


def test_a_swap_does_not_change_who_wins_on(tmp_path):
    kept = SolutionCache(tmp_path / "solved.sqlite")
    after = Position.empty(Board(4, 4)).play(5)
    kept.put(solution(after, random.Random(1)))
    assert kept.get(after).position.swap_legal
    assert kept.get(Position(after.board, after.stones, after.to_move)) is not None


def test_unknown_winners_are_not_kept(tmp_path):
    kept = SolutionCache(tmp_path / "solved.sqlite")
    position = Position.empty(Board(4, 4))
    kept.put(replace(solution(position, random.Random(1)), winner=None))
    assert kept.get(position) is None


def test_what_was_not_used_longest_goes(tmp_path):
    kept = SolutionCache(tmp_path / "solved.sqlite", most_bytes=60_000)
    rng = random.Random(4)
    all_of_them = list(dict.fromkeys(positions(Board(7, 7), 400, 4)))
    kept.put(solution(all_of_them[0], rng))
    for position in all_of_them[1:]:
        kept.put(solution(position, rng))
        assert kept.get(all_of_them[0]) is not None
    found = [kept.get(position) is not None for position in all_of_them]
    assert found[-1]
    assert not all(found)
    size = sqlite3.connect(tmp_path / "solved.sqlite").execute(
        "SELECT SUM(LENGTH(entry)) FROM solved"
    )
    assert size.fetchone()[0] < 70_000


POSITION = Position.empty(Board(4, 4)).play(5)


def keep(path, given):
    kept = SolutionCache(path)
    kept.put(given)
    kept.close()


def is_dropped_and_begun_anew(path, given):
    """The file is found to be damaged, one line says so, and a new one serves."""
    kept = SolutionCache(path)
    assert kept.get(given.position) is None
    assert "dropped, it was damaged" in kept.problem
    assert kept.problem.isprintable()
    assert (kept.new_problem(), kept.new_problem()) == (kept.problem, "")
    kept.put(given)
    assert kept.get(given.position) == from_disk(given)
    kept.close()
    again = SolutionCache(path)
    assert again.get(given.position) == from_disk(given)
    assert again.problem == ""


def change(path, sql, *values):
    with sqlite3.connect(path) as database:
        database.execute(sql, values)
    database.close()


def write_entry(path, data):
    """Put ``data`` in the place of the only entry, with the checksum that it should have."""
    with sqlite3.connect(path) as database:
        (key,) = database.execute("SELECT key FROM solved").fetchone()
    database.close()
    with closing(SolutionCache(path)) as kept:
        checksum = kept._checksum(key, data)
    change(path, "UPDATE solved SET entry = ?, checksum = ?", data, checksum)


@pytest.mark.parametrize("damage", ["start", "middle", "text"])
def test_a_damaged_file_is_dropped_with_one_line(tmp_path, damage):
    path = tmp_path / "solved.sqlite"
    given = solution(POSITION, random.Random(1))
    keep(path, given)
    data = bytearray(path.read_bytes())
    at = 0 if damage == "start" else data.find(b'{"winner"')
    data[at : at + 40] = bytes(40)
    path.write_bytes(b"this is no database\n" * 100 if damage == "text" else data)
    is_dropped_and_begun_anew(path, given)


def entry(**parts):
    whole = {
        "winner": 1,
        "wins": [[2, "search", [3, 4]]],
        "losses": [],
        "carrier": [1],
        "line": [2, 3],
        "must_play": [],
        "numbers": [0, 7],
        "nodes": 12,
        "seconds": 0.5,
    }
    return json.dumps({**whole, **parts}).encode()


WRONG = {
    "nothing": b"",
    "no text": b"\xff\xfe",
    "a number": b"1",
    "a list": b"[]",
    "nothing in it": b"{}",
    "nested too deeply": b"[" * 100_000 + b"]" * 100_000,
    "a number too long": b"9" * 10_000,
    "no player": entry(winner=3),
    "a player that is none": entry(winner=None),
    "a player in words": entry(winner="black"),
    "moves that are a number": entry(wins=5),
    "moves that are numbers": entry(wins=[1, 2]),
    "a move that is no cell": entry(wins=[[16, "search", []]]),
    "a move before the board": entry(wins=[[-1, "search", []]]),
    "a move on a stone": entry(wins=[[5, "search", []], [10, "search", []]]),
    "a move that is a text": entry(wins=[["2", "search", []]]),
    "a move that is a list": entry(wins=[[[2], "search", []]]),
    "no such reason": entry(wins=[[2, "luck", []]]),
    "a carrier that is a number": entry(wins=[[2, "search", 3]]),
    "a carrier of lists": entry(carrier=[[1]]),
    "a carrier with a stone": entry(carrier=list(range(16))),
    "a line beyond the board": entry(line=[2, 99]),
    "a move that wins and loses": entry(losses=[[2, "search", []]]),
    "one number": entry(numbers=[1]),
    "numbers in words": entry(numbers=["1", "2"]),
    "nodes that are a list": entry(nodes=[]),
    "fewer nodes than none": entry(nodes=-1),
    "half a node": entry(nodes=0.5),
    "seconds in words": entry(seconds="1"),
}


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_an_entry_of_the_right_checksum_and_the_wrong_shape(tmp_path, data):
    path = tmp_path / "solved.sqlite"
    given = solution(POSITION, random.Random(1))
    keep(path, given)
    write_entry(path, data)
    is_dropped_and_begun_anew(path, given)


def test_an_entry_of_the_right_shape_is_no_damage(tmp_path):
    path = tmp_path / "solved.sqlite"
    keep(path, solution(POSITION, random.Random(1)))
    cells = [cell for cell in range(16) if cell not in (5, 10)]
    write_entry(path, entry(line=cells[:2], wins=[], carrier=[]))
    assert SolutionCache(path).get(POSITION).nodes == 12


def test_what_the_user_has_not_signed_is_dropped(tmp_path):
    path = tmp_path / "solved.sqlite"
    given = solution(POSITION, random.Random(1))
    keep(path, given)
    with sqlite3.connect(path) as database:
        key, data = database.execute("SELECT key, entry FROM solved").fetchone()
    database.close()
    change(path, "UPDATE solved SET checksum = ?", zlib.crc32(key + data))
    with closing(SolutionCache(path)) as kept:
        assert kept.get(POSITION) is None
        assert kept.problem == f"{path}: dropped, an entry is not signed by this user's program"
        kept.put(given)
    assert SolutionCache(path).get(POSITION).winner is given.winner


def test_a_cache_of_another_user_is_dropped(tmp_path, monkeypatch):
    path = tmp_path / "solved.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr("hextui.signing.state_folder", lambda: tmp_path / "theirs")
        keep(path, solution(POSITION, random.Random(1)))
    with closing(SolutionCache(path)) as kept:
        assert kept.get(POSITION) is None
        assert "dropped" in kept.problem


def test_without_a_key_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("hextui.signing.state_folder", lambda: tmp_path / "file" / "state")
    with closing(SolutionCache(tmp_path / "solved.sqlite")) as kept:
        kept.put(solution(POSITION, random.Random(1)))
        assert kept.get(POSITION) is None
        assert "solved positions are not kept" in kept.problem
        assert "proofs.key" in kept.problem
    assert not (tmp_path / "solved.sqlite").exists()


TABLES = [
    "DROP TABLE solved",
    "ALTER TABLE solved RENAME COLUMN entry TO entries",
    "ALTER TABLE solved ADD COLUMN more",
    "ALTER TABLE solved DROP COLUMN used",
    "ALTER TABLE solved RENAME TO unsolved",
    "CREATE TABLE more (one)",
    "CREATE TRIGGER t AFTER INSERT ON solved BEGIN DELETE FROM solved; END",
    "CREATE UNIQUE INDEX i ON solved (used)",
]


@pytest.mark.parametrize("sql", TABLES)
def test_tables_that_are_not_ours(tmp_path, sql):
    path = tmp_path / "solved.sqlite"
    given = solution(POSITION, random.Random(1))
    keep(path, given)
    change(path, sql)
    is_dropped_and_begun_anew(path, given)


@pytest.mark.parametrize("seed", range(24))
def test_any_byte_of_the_schema_page(tmp_path, seed):
    path = tmp_path / "solved.sqlite"
    given = solution(POSITION, random.Random(1))
    keep(path, given)
    rng = random.Random(seed)
    data = bytearray(path.read_bytes())
    text = data.find(b"CREATE TABLE")
    at = rng.randrange(text, text + 120) if seed % 2 else rng.randrange(120)
    data[at] = rng.choice([byte for byte in range(256) if byte != data[at]])
    path.write_bytes(bytes(data))
    kept = SolutionCache(path)
    found = kept.get(given.position)
    assert found in (None, from_disk(given))
    assert kept.problem.isprintable()
    kept.put(given)
    assert kept.get(given.position) == from_disk(given)
    kept.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("kind", ["folder", "pipe", "null", "zero", "nowhere", "log is a folder"])
def test_what_is_no_file_is_told_of_in_one_line(tmp_path, kind):
    path = tmp_path / "solved.sqlite"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "log is a folder":
        (tmp_path / "solved.sqlite-wal").mkdir()
    else:
        path.symlink_to(tmp_path / "no" / "where" if kind == "nowhere" else f"/dev/{kind}")
    kept = SolutionCache(path)
    given = solution(POSITION, random.Random(1))
    kept.put(given)
    assert kept.get(POSITION) in (None, from_disk(given))
    assert kept.problem
    assert kept.problem.isprintable()
    kept.close()


def test_random_damage_never_brings_a_wrong_answer(tmp_path):
    rng = random.Random(5)
    path = tmp_path / "solved.sqlite"
    known = {p: solution(p, rng) for p in positions(Board(4, 4), 30, 5)}
    for _ in range(15):
        kept = SolutionCache(path)
        for given in known.values():
            kept.put(given)
        kept.close()
        data = bytearray(path.read_bytes())
        for _ in range(rng.choice((1, 5, 50))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(bytes(data))
        again = SolutionCache(path)
        for position, given in known.items():
            assert again.get(position) in (None, from_disk(given))
        again.close()


def test_deleting_the_file_under_a_running_program_does_no_harm(tmp_path):
    path = tmp_path / "solved.sqlite"
    kept = SolutionCache(path)
    rng = random.Random(6)
    for at, position in enumerate(positions(Board(4, 4), 40, 6)):
        if at % 10 == 5:
            for file in tmp_path.iterdir():
                file.unlink()
        kept.put(solution(position, rng))
        kept.get(position)
    kept.close()
    again = SolutionCache(path)
    assert again.problem == ""
    again.put(solution(Position.empty(Board(4, 4)), rng))
    assert again.get(Position.empty(Board(4, 4))) is not None


def test_a_folder_that_cannot_be_used_is_reported(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    kept = SolutionCache(blocked / "solved.sqlite")
    assert "not kept" in kept.problem
    kept.put(solution(Position.empty(Board(4, 4)), random.Random(1)))
    assert kept.get(Position.empty(Board(4, 4))) is None


WRITER = """
import random, sys
from pathlib import Path
from hextui.engine.board import Board
from hextui.engine.solver.solution_cache import SolutionCache
from tests.engine.solver.test_solution_cache import positions, solution
kept = SolutionCache(Path(sys.argv[1]))
known = list(positions(Board(4, 4), 200, 7))
print("ready", flush=True)
for round in range(int(sys.argv[2])):
    for position in known:
        kept.put(solution(position, random.Random(position.key)))
        found = kept.get(position)
        assert found is None or found.line == solution(position, random.Random(position.key)).line
print(kept.problem or "done", flush=True)
"""


def writer(path, rounds):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(rounds)], stdout=subprocess.PIPE, text=True
    )


def test_two_programs_at_once(tmp_path):
    path = tmp_path / "solved.sqlite"
    children = [writer(path, 1) for _ in range(2)]
    assert [child.communicate()[0].split() for child in children] == [["ready", "done"]] * 2
    kept = SolutionCache(path)
    for position in positions(Board(4, 4), 200, 7):
        assert kept.get(position) == from_disk(solution(position, random.Random(position.key)))
