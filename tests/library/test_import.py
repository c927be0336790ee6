"""Imports: formats, duplicates, interruption at any moment, two programs at once, real games."""

import errno
import gzip
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.library.answers import Imported, source_of
from hextui.library.filters import Filter
from hextui.library.game import game_of
from hextui.library.integrity import LibraryCheck, check
from hextui.library.library import Library
from hextui.library.position_keys import key_of
from hextui.library.schema import LibraryError
from hextui.library.visit_chunks import VisitChunks
from hextui.library.visits import joined
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from tests.library.generated import write_games

IMPORT = """
import sys
from pathlib import Path
from hextui.library import library as l
l._BATCH = 20
l._REPORT = 10
library = l.Library(Path(sys.argv[1]))
library.import_paths([Path(sys.argv[2])], lambda done: print(done.added, flush=True))
"""


def started(library: Path, games: Path) -> "subprocess.Popen[str]":
    """Start an import that prints how many games it has added."""
    command = [sys.executable, "-c", IMPORT, str(library), str(games)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that the library holds, in order; ids of games are the same for the same order."""
    database = sqlite3.connect(path)
    tables = ("game", "position", "edge")
    found = {t: sorted(database.execute(f"SELECT * FROM {t}"), key=repr) for t in tables}
    found["visits"] = all_visits(database)
    database.close()
    return found


def all_visits(database: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Return the key, game and ply of all visits of a library, in order."""
    visits = joined(list(VisitChunks(database).rows())).sorted()
    columns = visits.keys, visits.games, visits.plies
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("runs", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_killed_at_any_moment(tmp_path: Path, runs: int) -> None:
    games, whole = tmp_path / "games.jsonl", tmp_path / "whole.sqlite"
    write_games(games, 600, Board(7, 7), seed=5, players=30)
    process = started(whole, games)
    assert process.stdout is not None
    process.stdout.readline()  # the library is open
    begin = time.monotonic()
    process.communicate()
    seconds = time.monotonic() - begin
    assert process.returncode == 0
    expected = dump(whole)
    chance = random.Random(6)
    for run in range(runs):
        path = tmp_path / f"killed-{run}.sqlite"
        reported = 0
        for _ in range(2):  # the second one goes on
            process = started(path, games)
            assert process.stdout is not None
            before = reported
            first = process.stdout.readline()
            time.sleep(chance.uniform(0, seconds))
            process.send_signal(signal.SIGKILL)
            rest, _ = process.communicate()
            reported = before + int((first + rest).split("\n")[-2])
            with Library(path) as library:
                reported = check_answers(library, at_least=reported, chance=chance)
        with Library(path) as library:
            library.import_paths([games])
        found = dump(path)
        assert [row[1:] for row in found["game"]] == [row[1:] for row in expected["game"]]
        assert found["position"] == expected["position"]
        assert found["edge"] == expected["edge"]
        assert len(found["visits"]) == len(expected["visits"])


def check_answers(library: Library, at_least: int, chance: random.Random) -> int:
    """Compare a library with plain reading of its games; return how many there are."""
    rows = library.games()
    assert len(rows) == library.count() >= at_least
    assert check(library.path) == LibraryCheck(len(rows), ())
    through: Counter[int] = Counter()
    positions = []
    for row in rows:
        record = read_record(library.text(row.id) or "")
        there = []
        for node in record.main_line():
            there.append(record.position(node))
            if there[-1].winner is not None:
                break  # the library keeps no moves behind a chain
        through.update({key_of(position) for position in there})
        positions.append(chance.choice(there))
    for position in chance.sample(positions, min(20, len(positions))):
        assert library.explore(position).games == through[key_of(position)]
    if rows:
        player = chance.choice(rows).black
        played = [row.id for row in rows if player in row.black or player in row.white]
        assert [row.id for row in library.games(Filter(player=player))] == played
    return len(rows)


def test_two_programs_at_once(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for seed, file in enumerate(files):
        write_games(file, 150, Board(6, 6), seed)
    running = [started(path, file) for file in files]
    assert [process.wait() for process in running] == [0, 0]
    alone = tmp_path / "alone.sqlite"
    with Library(alone) as library:
        library.import_paths(files)
    both, one = dump(path), dump(alone)
    assert both["position"] == one["position"]
    assert both["edge"] == one["edge"]
    assert len(both["game"]) == len(one["game"])


def test_progress_counts_the_bytes_of_all_files(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for name, seed in (("a.jsonl", 1), ("b.jsonl", 2)):
        write_games(folder / name, 6000, Board(11, 11), seed)
    (folder / "c.jsonl.gz").write_bytes(gzip.compress((folder / "a.jsonl").read_bytes()))
    (folder / "empty.sgf").touch()
    (folder / "notes.md").write_text("no record" * 1000)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.suffix != ".md")
    reports: list[tuple[int, int, float | None]] = []

    def report(done: Imported) -> None:
        reports.append((done.read, done.summary.read_bytes, done.seconds_left))
        assert done.summary.all_bytes == size
        assert done.seconds > 0

    with Library(tmp_path / "library.sqlite") as library:
        done = library.import_paths([folder], report)
    assert (done.duplicates, done.summary.read_bytes) == (6000, size)
    assert [read for read, _, _ in reports] == list(range(100, 18_001, 100))
    sizes = [bytes_read for _, bytes_read, _ in reports]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 3
    assert [left for _, read, left in reports if left is None] == [None] * sizes.count(size)
    lefts = [left for _, read, left in reports if read < size]
    assert all(left is not None and left > 0 for left in lefts)


def test_the_same_import_again_adds_nothing(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    write_games(games, 30, Board(5, 5), seed=1)
    with Library(tmp_path / "library.sqlite") as library:
        first = library.import_paths([games])
        again = library.import_paths([games])
        assert first.added + first.duplicates == again.duplicates == 30
        assert again.added == 0


def test_formats_and_turns_out_of_the_ordinary(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("#5,a1b2c3:rb\n#5,:pa1b2\n")
    (tmp_path / "b.hsgf").write_text(
        "(;FF[4]EV[x]PB[p]PW[q]SZ[5]RE[W]GC[ game #1]SO[http://www.littlegolem.com];"
        "W[aa];B[swap];W[cc];B[resign])"
    )
    (tmp_path / "c.sgf").write_text("(;GM[11]SZ[5]AB[c3]PL[W];W[b2];B[d1])")
    with Library(tmp_path / "library.sqlite") as library:
        done = library.import_paths([tmp_path])
        assert (done.added, done.broken) == (4, ())
        setup = Position.empty(Board(5, 5)).with_stone(12, Color.BLACK).with_to_move(Color.WHITE)
        assert [m.played.cell for m in library.explore(setup).moves] == [6]
        passed = Position.empty(Board(5, 5)).pass_turn()
        # the game with a pass begins behind it, and the mirror makes it one that Black begins
        assert library.explore(passed).games == 3
        ids = [row.id for row in library.games()]
        assert library.remove(ids) == 4
        assert library.stats().positions == 0


def test_a_game_that_could_not_be_read_again_is_refused() -> None:
    record = read_record("#5,a1b2")
    record.root.children[0].properties["1"] = ("5",)
    with pytest.raises(RecordError, match="SGF cannot hold property 1 at move 1"):
        game_of(record)


def test_a_newer_library_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    Library(path).close()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(LibraryError, match="newer version"):
        Library(path)


@pytest.mark.skipif("HEXTUI_TEST_DATA" not in os.environ, reason="needs HEXTUI_TEST_DATA")
def test_real_games(tmp_path: Path) -> None:
    data = Path(os.environ["HEXTUI_TEST_DATA"])
    files = [data / "human_11x11.jsonl", data / "human_13x13.jsonl"]
    with Library(tmp_path / "library.sqlite") as library:
        done = library.import_paths(files)
        assert done.added + done.duplicates == 3000
        assert done.broken == ()
        assert library.explore(Position.empty(Board(13, 13))).games <= 2000


def test_names_that_are_no_text_are_imported(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"f\xfflder")
    folder.mkdir()
    name = os.fsdecode(b"g\xffme.sgf")
    (folder / name).write_text("(;GM[11]SZ[3]PB[A];B[b2])")
    (folder / "other.sgf").write_text("(;GM[11]SZ[3]PB[B];B[a1])")
    (folder / "names.jsonl").write_text(
        '{"size": 3, "black": "\\ud800", "name": "\\udfff", "moves": "c3 b2"}\n'
    )
    with Library(tmp_path / "library.sqlite") as library:
        done = library.import_paths([folder])
        assert (done.added, done.broken) == (3, ())
        sources = {row.source for row in library.games()}
        assert source_of(folder / name) in sources
        assert all(source.encode() for source in sources)
        assert library.games(Filter(player="\udcff")) == []
        assert library.remove_source(source_of(folder / name)) == 1
        assert library.remove_source(source_of(folder)) == 2


def test_hidden_folders_are_skipped_unless_they_are_named(tmp_path: Path) -> None:
    hidden = tmp_path / "games" / ".cache"
    hidden.mkdir(parents=True)
    (hidden / "game.sgf").write_text("(;GM[11]SZ[3];B[b2])")
    with Library(tmp_path / "library.sqlite") as library:
        assert library.import_paths([hidden.parent]).added == 0
        assert library.import_paths([hidden]).added == 1


def test_a_folder_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may read everything, so the system's answer is played."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (tmp_path / "game.sgf").write_text("(;GM[11]SZ[3];B[b2])")
    scandir = os.scandir

    def refuse(path: "str | os.PathLike[str]") -> object:
        if Path(path) == hidden:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with Library(tmp_path / "library.sqlite") as library:
        for paths, added in (([hidden], 0), ([tmp_path], 1)):
            done = library.import_paths(paths)
            assert done.added == added
            assert [(b.source, b.number, b.reason) for b in done.broken] == [
                (str(hidden), None, "cannot be read: Permission denied")
            ]


def test_what_a_column_holds_is_kept_once(tmp_path: Path) -> None:
    texts = [
        "PB[Ann]PW[Bob;DT]EV[ Cup  1]DT[2019-05-03]KM[0]GN[a;b]",
        "DT[3 May 2019]PB[Ann]PW[]EV[PB;PW]SO[a;b]",
        "PW[J\u00fcrgen\nB]BR[1500]EV[x;y]WR[1800?]PB[Ann]",
    ]
    (tmp_path / "games.sgf").write_text(
        "".join(f"(;GM[11]SZ[5]{text};B[a{place}])" for place, text in enumerate(texts, 1))
    )
    games = [game for game in read_collection(tmp_path / "games.sgf") if isinstance(game, Record)]
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([tmp_path / "games.sgf"])
        kept = [text for (text,) in library._database.execute("SELECT text FROM game")]
        assert [library.text(number) for number in (1, 2, 3)] == list(map(write_sgf, games))
        assert library.name_player(2, Color.WHITE, "Nora")
        assert not library.name_player(2, Color.WHITE, "Nobody")
        assert read_record(library.text(2) or "").info("PW") == "Nora"
        assert len(library.texts_with("Cup")) == 1
    assert kept == [
        "PB;PW;EV[ Cup  1]DT;KM[0]GN;",
        "DT[3 May 2019]PB;PW;EV;SO[a;b]",
        "PW[J\u00fcrgen\nB]BR[1500]EV;WR[1800?]PB;",
    ]
    assert check(tmp_path / "library.sqlite").problems == ()
