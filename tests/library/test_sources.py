"""The same game of several files is one game with all of these sources."""

import json
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from hextui.library.filters import Filter
from hextui.library.integrity import check, repair
from hextui.library.library import Library

GAMES = [{"size": 4, "moves": f"a{row} {cell}"} for row in (1, 2, 3) for cell in ("b1", "c2")]


def written(path: Path, games: Sequence[dict[str, object]]) -> Path:
    path.write_text("\n".join(map(json.dumps, games)))
    return path


def sources(library: Library) -> dict[str, set[tuple[str, int]]]:
    """The names of files and numbers in them of each game, by its text."""
    found = {}
    for row in library.games():
        places = [(row.source, row.number), *row.other_sources]
        assert len(dict(places)) == len(places)
        found[library.text(row.id) or ""] = {(Path(name).name, number) for name, number in places}
    return found


def test_games_have_each_file_that_holds_them_until_it_is_removed(tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        held: dict[str, list[int]] = {}
        for step in range(30):
            name = f"{step % 7}.jsonl"
            if name in held:
                alone = set(held.pop(name)).difference(*held.values())
                assert library.remove_source(str(tmp_path / name)) == len(alone)
            else:
                held[name] = chance.sample(range(6), 4)
                written(tmp_path / name, [GAMES[number] for number in held[name]])
                library.import_paths([tmp_path / name])
                again = library.import_paths([tmp_path / name])
                assert (again.added, again.duplicates) == (0, 4)
            expected: dict[int, set[tuple[str, int]]] = {}
            for file, numbers in held.items():
                for place, number in enumerate(numbers, start=1):
                    expected.setdefault(number, set()).add((file, place))
            assert sorted(map(sorted, sources(library).values())) == sorted(
                map(sorted, expected.values())
            )
            for file in held:  # a game without players is called after its first file
                shown = [row.id for row in library.games() if Path(row.source).name == file]
                label = f"({Path(file).stem})"
                assert [row.id for row in library.games(Filter(words=label))] == shown
            assert check(path).problems == ()
            there = library._database.execute("SELECT count(*) FROM source").fetchone()
            assert there == (len(held),)


def test_a_removed_folder_leaves_games_of_other_files(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths(
            [
                written(folder / "a.jsonl", GAMES[:2]),
                written(folder / "b.jsonl", GAMES[:2]),
                written(tmp_path / "c.jsonl", GAMES[1:3]),
            ]
        )
        assert library.remove_source(str(folder)) == 1
        assert sorted(map(sorted, sources(library).values())) == [
            [("c.jsonl", 1)],
            [("c.jsonl", 2)],
        ]


def test_the_same_game_twice_in_a_batch_and_in_a_file(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{name}.jsonl", [GAMES[0], GAMES[0]]) for name in "abc"]
    with Library(tmp_path / "library.sqlite") as library:
        done = library.import_paths(files)
        assert (done.added, done.duplicates) == (1, 5)
        assert [*sources(library).values()] == [{("a.jsonl", 1), ("b.jsonl", 1), ("c.jsonl", 1)}]


@pytest.mark.parametrize("version", [7, 8])
def test_sources_are_repaired(tmp_path: Path, version: int) -> None:
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        for name in "abc":
            library.import_paths([written(tmp_path / f"{name}.jsonl", GAMES)])
        expected = sources(library)
    with closing(sqlite3.connect(path)) as database:
        if version == 7:
            database.executescript(
                "DROP TABLE name; DROP TABLE mentions;"
                "ALTER TABLE game DROP COLUMN other_sources; PRAGMA user_version = 7"
            )
            expected = {text: {("a.jsonl", n)} for n, text in enumerate(expected, start=1)}
        database.execute("CREATE TABLE other (id)")
    assert check(path).problems
    assert repair(path).saved == len(GAMES)
    assert check(path).problems == ()
    with Library(path) as library:
        assert sources(library) == expected


@pytest.mark.parametrize("others", ["[[9, 1]]", "[[2]]", "[[2, 'a']]", "{}", "[1", "[[1, 1]]"])
def test_wrong_sources_are_reported_and_lose_no_game(tmp_path: Path, others: str) -> None:
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        for name in "ab":
            library.import_paths([written(tmp_path / f"{name}.jsonl", GAMES)])
        expected = sources(library)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("UPDATE game SET other_sources = ? WHERE id = 2", (others,))
    assert check(path).problems == ("1 game with wrong sources: 2",)
    assert repair(path).saved == len(GAMES)
    assert check(path).problems == ()
    with Library(path) as library:
        found = sources(library)
        assert found.keys() == expected.keys()
        differing = [text for text in found if found[text] != expected[text]]
        assert len(differing) == 1


RESIGNED = (
    {"size": 4, "moves": "a1 b1 resign"},
    {"size": 4, "moves": "a1 b1 resign", "winner": "blue", "end": "resign"},
    {"size": 4, "moves": "a1 b1", "winner": "blue", "end": "resign"},
    {"size": 4, "moves": "a1 b1", "winner": "blue"},
)
OTHERS = (
    {"size": 4, "moves": "a1 b1", "winner": "red"},
    {"size": 4, "moves": "a1 b1"},
    {"size": 4, "moves": "a1", "winner": "blue"},
    {"size": 4, "moves": "a1 resign", "winner": "blue"},  # the winner resigned
)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_a_resignation_as_a_move_or_as_a_result_is_the_same_game(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        for number in order:
            library.import_paths([written(tmp_path / f"{number}.jsonl", [RESIGNED[number]])])
        together = library.import_paths([written(tmp_path / "all.jsonl", RESIGNED)])
        assert (together.added, together.duplicates) == (0, 4)
        (row,) = library.games()
        names = [Path(name).name for name, _ in [(row.source, 1), *row.other_sources]]
        assert names == [f"{number}.jsonl" for number in order] + ["all.jsonl"]
        done = library.import_paths([written(tmp_path / "others.jsonl", OTHERS)])
        assert (done.added, done.contradicting) == (4, 1)
    with Library(tmp_path / "new.sqlite") as library:
        assert library.import_paths([tmp_path / "all.jsonl"]).added == 1
    assert check(path).problems == ()


def test_a_resignation_contradicts_the_other_result(tmp_path: Path) -> None:
    games = [{"size": 4, "moves": "a1 b1 resign"}, {"size": 4, "moves": "a1 b1 c1 resign"}]
    contrary = [
        {"size": 4, "moves": "a1 b1", "winner": "red"},
        {"size": 4, "moves": "a1 b1 c1", "winner": "blue", "end": "resign"},
    ]
    with Library(tmp_path / "library.sqlite") as library:
        assert library.import_paths([written(tmp_path / "a.jsonl", games)]).contradicting == 0
        assert library.import_paths([written(tmp_path / "b.jsonl", contrary)]).contradicting == 2
