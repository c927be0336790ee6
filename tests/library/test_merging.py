"""Merging another library's file: games, sources, annotations; files that are not sound."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library.answers import Broken, Imported
from hextui.library.integrity import check
from hextui.library.library import Library
from hextui.library.merging import merge
from hextui.library.schema import LibraryError
from hextui.records.formats import read_record
from tests.library.generated import write_games

BARE = "(;GM[11]SZ[3]PB[Ann]PW[Bob]RE[B+R];B[b2];W[a1];B[c3])"
ANNOTATED = (
    "(;GM[11]SZ[3]PB[ann_1]EV[Cup]RE[B+R]C[a start];B[b2];W[a1]C[a mistake](;B[c3])(;B[a3];W[c1]))"
)
OTHERS = "(;GM[11]SZ[3]PB[Cy]RE[W+R];B[b2];W[c1])(;GM[11]SZ[4]PB[Dee];B[a4]C[first];W[b2])"
DAMAGES = {
    "no database": lambda path: path.write_bytes(b"nonsense" * 1000),
    "cut off": lambda path: os.truncate(path, 12_000),
    "a view": lambda path: changed(path, "CREATE VIEW spy AS SELECT * FROM game"),
    "a trigger": lambda path: changed(
        path, "CREATE TRIGGER spy AFTER INSERT ON game BEGIN DELETE FROM game; END"
    ),
    "newer": lambda path: changed(path, "PRAGMA user_version = 999"),
    "wrong totals": lambda path: changed(path, "UPDATE total SET games = 7"),
    "no library": lambda path: emptied(path),
    "a folder": lambda path: made_a_folder(path),
}


def changed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(sql)


def emptied(path: Path) -> None:
    path.unlink()
    sqlite3.connect(path).close()


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def library_of(folder: Path, name: str, *texts: str) -> Path:
    """Return the file of a library of games, each file of which has a name of its own."""
    path = folder / f"{name}.sqlite"
    with Library(path) as library:
        for number, text in enumerate(texts):
            source = folder / f"{name}{number}.sgf"
            source.write_text(text)
            library.import_paths([source])
    return path


def texts(path: Path) -> list[str]:
    with Library(path) as library:
        return [library.text(number) or "" for number in library.ids()]


def test_games_come_with_sources_and_annotations_and_none_twice(tmp_path: Path) -> None:
    own = library_of(tmp_path, "own", BARE)
    other = library_of(tmp_path, "other", ANNOTATED, OTHERS)
    before = other.read_bytes()
    with Library(own) as library:
        done = merge(library, other)
        rows = library.games()
        explored = library.explore(Position.empty(Board(3, 3)))
    assert (done.games.added, done.games.duplicates, done.annotated) == (2, 1, 1)
    assert [(row.black, Path(row.source).name, row.number) for row in rows] == [
        ("Ann", "own0.sgf", 1), ("Cy", "other1.sgf", 1), ("Dee", "other1.sgf", 2)
    ]  # fmt: skip
    assert explored.games == 2
    annotated, _, dee = (read_record(text) for text in texts(own))
    nodes = annotated.main_line()
    assert (annotated.info("PB"), annotated.info("PW")) == ("Ann", "Bob")
    assert (annotated.info("EV"), nodes[0].text("C"), nodes[2].text("C")) == (
        "Cup", "a start", "a mistake"
    )  # fmt: skip
    assert len(nodes[2].children) == 2
    assert dee.main_line()[1].text("C") == "first"
    assert check(own).problems == ()
    assert other.read_bytes() == before
    with Library(own) as library:
        again = merge(library, other)
    assert (again.games.added, again.games.duplicates, again.annotated) == (0, 3, 0)


def test_a_merge_equals_importing_the_games_of_both(tmp_path: Path) -> None:
    for name, seed in (("one", 4), ("two", 5)):
        write_games(tmp_path / f"{name}.jsonl", 150, Board(4, 4), seed)
        with Library(tmp_path / f"{name}.sqlite") as library:
            library.import_paths([tmp_path / f"{name}.jsonl"])
    with Library(tmp_path / "one.sqlite") as merged, Library(tmp_path / "both.sqlite") as both:
        merge(merged, tmp_path / "two.sqlite")
        both.import_paths([tmp_path / "one.jsonl", tmp_path / "two.jsonl"])
        assert merged.games() == both.games()
        for moves in ([], ["d4"], ["a4"], ["d4", "a4"]):
            position = Position.empty(Board(4, 4))
            for move in moves:
                position = position.play(move)
            explored = merged.explore(position)
            assert explored == both.explore(position)
            assert explored.games > 0


def test_all_sources_of_a_game_come_with_it(tmp_path: Path) -> None:
    other = library_of(tmp_path, "other", BARE, OTHERS + BARE)
    with Library(tmp_path / "own.sqlite") as library:
        done = merge(library, other)
        (row, *_) = library.games()
    assert (done.games.added, done.games.duplicates) == (3, 0)
    assert (Path(row.source).name, row.number) == ("other0.sgf", 1)
    assert [(Path(name).name, number) for name, number in row.other_sources] == [("other1.sgf", 3)]
    assert check(tmp_path / "own.sqlite").problems == ()


def test_annotations_of_the_own_game_stay(tmp_path: Path) -> None:
    own = library_of(tmp_path, "own", ANNOTATED)
    before = texts(own)
    with Library(own) as library:
        merge(library, library_of(tmp_path, "other", ANNOTATED.replace("a mistake", "fine")))
    assert texts(own) == before


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_library_that_is_not_sound_is_refused(tmp_path: Path, damage: str) -> None:
    own = library_of(tmp_path, "own", BARE)
    other = library_of(tmp_path, "other", OTHERS)
    DAMAGES[damage](other)
    with Library(own) as library:
        with pytest.raises(LibraryError) as raised:
            merge(library, other)
        assert library.count() == 1
    assert str(raised.value).startswith(str(other))
    assert len(str(raised.value).splitlines()) == 1
    assert check(own).problems == ()


def test_a_game_that_is_not_what_it_says_is_left_out(tmp_path: Path) -> None:
    other = library_of(tmp_path, "other", OTHERS)
    changed(other, "UPDATE game SET moves = x'0001' WHERE id = 1")
    with Library(library_of(tmp_path, "own", BARE)) as library:
        done = merge(library, other)
        assert library.count() == 2
    assert done.games.added == 1
    assert done.games.broken == (Broken(str(other), 1, "its row is damaged"),)


def test_a_library_is_not_merged_into_itself(tmp_path: Path) -> None:
    own = library_of(tmp_path, "own", BARE)
    (tmp_path / "link").symlink_to(own)
    with Library(own) as library, pytest.raises(LibraryError, match="the library itself"):
        merge(library, tmp_path / "link")


def test_a_merge_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    write_games(tmp_path / "many.jsonl", 1100, Board(5, 5), seed=2)
    other = tmp_path / "other.sqlite"
    with Library(other) as library:
        library.import_paths([tmp_path / "many.jsonl"])
        games = library.count()

    def interrupt(done: Imported) -> None:
        if done.added:
            raise KeyboardInterrupt

    with Library(tmp_path / "own.sqlite") as library:
        with pytest.raises(KeyboardInterrupt):
            merge(library, other, interrupt)
        assert 0 < library.count() < games
        merge(library, other)
        assert library.count() == games
    assert check(tmp_path / "own.sqlite").problems == ()
