"""Names are found by their parts, whatever way they are written, and are gone with their games."""

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.library.answers import GameRow
from hextui.library.filters import Filter
from hextui.library.integrity import check
from hextui.library.library import Library
from hextui.text import Names
from tests.library.generated import write_games

PLAYERS = ["Ann", "ann lee", "Bob", "J\u00fcrgen", "\u674e", "", "", "x1"]
EVENTS = ["Cup 2019", "hex.ch.1", "", "Open"]
WORDS = [
    "ann", "AN", "j\u00fcr", "2019", "-05", "hex.", "red", "blue", "won", "ran", "time", "5x5",
    "game", "some", "cup", "zzz",
]  # fmt: skip
DATES = ["2019-05-01", "2020", "", "spring 2019"]


def write_named(path: Path, games: int, seed: int) -> None:
    """Write generated games of a few players, events and dates."""
    chance = random.Random(seed)
    write_games(path, games, Board(5, 5), seed)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for game in lines:
        game["playerRed"], game["playerBlue"] = chance.choice(PLAYERS), chance.choice(PLAYERS)
        game["event"], game["date"] = chance.choice(EVENTS), chance.choice(DATES)
        game["end"] = chance.choice(["resign", "time", "other"])
    path.write_text("\n".join(map(json.dumps, lines)))


def ids(rows: list[GameRow]) -> list[int]:
    return [row.id for row in rows]


def agree(library: Library, chosen: Filter, expected: Callable[[GameRow], bool]) -> None:
    """Compare a filter with reading all games; on the empty board, by pages and counted too."""
    rows = library.games()
    wanted = [row.id for row in rows if expected(row)]
    assert ids(library.games(chosen)) == wanted
    assert library.count(chosen) == len(wanted)
    assert ids(library.games(chosen, limit=3, offset=2)) == wanted[2:5]
    assert ids(library.games(chosen, limit=3, descending=True)) == wanted[::-1][:3]
    by_date = sorted((row for row in rows if row.id in wanted), key=lambda row: (row.date, row.id))
    assert ids(library.games(chosen, order="date")) == ids(by_date)


@pytest.mark.parametrize("names", Names)
def test_queries_agree_with_reading_every_game(tmp_path: Path, names: Names) -> None:
    write_named(tmp_path / "some.jsonl", 150, seed=3)
    with Library(tmp_path / "library.sqlite", names) as library:
        library.import_paths([tmp_path / "some.jsonl"])
        library.remove(range(10, 40))
        library.name_player(50, Color.BLACK, "Nora")
        for word in WORDS:
            agree(
                library,
                Filter(words=word),
                lambda row, word=word: word.casefold() in row.text(names).casefold(),  # type: ignore[misc]
            )
        agree(
            library,
            Filter(words="won ann 2019"),
            lambda row: all(word in row.text(names).casefold() for word in ("won", "ann", "2019")),
        )
        agree(
            library,
            Filter(player="AN"),
            lambda row: "an" in row.black.casefold() or "an" in row.white.casefold(),
        )
        agree(library, Filter(event="cup"), lambda row: "Cup" in row.event)
        agree(library, Filter(date="2019"), lambda row: row.date.startswith("2019"))
        agree(
            library,
            Filter(board=Board(5, 5), player="bob", date="20"),
            lambda row: "Bob" in (row.black, row.white) and row.date.startswith("20"),
        )
        agree(library, Filter(board=Board(5, 6)), lambda row: False)
        agree(
            library,
            Filter(words="7"),
            lambda row: row.id == 7 or (not row.is_named and row.number == 7),
        )


def test_names_that_look_the_same_are_one_player(tmp_path: Path) -> None:
    spellings = ["Ann Lee", "Ann\u200b Lee", "ANN  LEE", "\uff21nn Lee", "Ann Lee"]
    moves = ["a1", "a2", "a3", "b1", "b2"]
    for order in (range(5), [2, 3, 1, 4, 0]):
        path = tmp_path / f"{order[0]}.sqlite"
        games = [
            {"size": 5, "playerRed": spellings[place], "playerBlue": "Bob", "moves": moves[place]}
            for place in order
        ]
        (tmp_path / "games.jsonl").write_text("\n".join(map(json.dumps, games)))
        with Library(path) as library:
            library.import_paths([tmp_path / "games.jsonl"])
            assert library.players() == ["Ann Lee", "Bob"]
            assert library.count(Filter(player="ann  lee")) == 5
            assert library.count(Filter(words="\uff21\u200bNN")) == 5
            assert sorted(row.black for row in library.games()) == sorted(spellings)


def test_no_name_is_left_behind(tmp_path: Path) -> None:
    write_named(tmp_path / "some.jsonl", 60, seed=3)
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        library.import_paths([tmp_path / "some.jsonl"])
        library.remove([row.id for row in library.games(Filter(player="ann"))])
        assert [name for name in library.players() if "nn" in name] == []
        assert check(path).problems == ()
        library.remove([row.id for row in library.games()])
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM name").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM mentions").fetchone() == (0,)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM mentions",
        "UPDATE mentions SET visits = x'0102'",
        "UPDATE name SET folded = 'carl' WHERE text = 'Bob'",
        "UPDATE name SET games = games + 1 WHERE text = 'Bob'",
        "DELETE FROM name WHERE text = 'Bob'",
        "UPDATE game SET white = 'Carl' WHERE white = ''",
    ],
)
def test_wrong_names_are_reported(tmp_path: Path, change: str) -> None:
    write_named(tmp_path / "some.jsonl", 60, seed=3)
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        library.import_paths([tmp_path / "some.jsonl"])
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(change)
    (problem,) = check(path).problems
    assert "name" in problem
