"""Filters: as they are typed and written, and the games that they select."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import SWAPS, Position
from hextui.library import opening_explorer
from hextui.library.filters import Filter, FilterRange, filter_text, games_filter, read_filter
from hextui.library.library import Library
from hextui.records.codecs.sgf import read_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.text import Names
from tests.library.generated import write_games

NAMES = ("Ann", "Bob", "Cy", "Annabel", "")
DATES = ("2019-05-01", "2019-12", "2020", "2021-01-31", "May 2020", "")
RATINGS = ("1800", "1850.5", " 2000?", "900", "strong", "")
MOVES = (
    ";B[b2];W[a1];B[c3]",
    ";B[a3];W[swap-pieces];B[b2]",
    ";B[a3];W[swap-sides];W[b2]",
    ";B[a3];W[swap-pieces]C[why BR[1\\]];B[b2];W[a2]",
    ";B[a3];W[swap-pieces];B[pass];W[b2]",  # kept as SGF, since a pass is no move in turn
    "AB[a1];B[b2];W[c1]",
)


def random_games(number: int) -> list[str]:
    """Return games of SGF with names, dates, ratings, sizes and swaps at random, all different."""
    chance = random.Random(62)
    games = []
    for size in range(number):
        properties = {
            "GM": "11",
            "SZ": str(3 + size % 2 if size % 3 else f"3:{size % 17 + 3}"),
            "C": "a comment with WR[7\\] in it",
            "PB": chance.choice(NAMES),
            "PW": chance.choice(NAMES),
            "BR": chance.choice(RATINGS),
            "WR": chance.choice(RATINGS),
            "EV": chance.choice(("Cup", "League", "")),
            "DT": chance.choice(DATES),
            "RE": chance.choice(("B+R", "W+R", "?")),
        }
        shuffled = [f"{name}[{value}]" for name, value in properties.items() if value]
        chance.shuffle(shuffled)
        games.append(f"(;{''.join(shuffled)}{chance.choice(MOVES)})")
    return games


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("filters")
    (folder / "games.sgf").write_text("\n".join(random_games(400)))
    library = Library(folder / "library.sqlite")
    library.import_paths([folder / "games.sgf"])
    return library


def rating(record: Record, code: str) -> float:
    try:
        return float(record.info(code).strip(" ?"))
    except ValueError:
        return -1


def date(record: Record) -> str:
    return record.info("DT").replace("May 2020", "2020-05")


def swapper(record: Record) -> str | None:
    for turn in record.turns():
        if turn.move.kind in SWAPS:
            return record.info("PB" if turn.color is Color.BLACK else "PW").lower()
    return None


def played(record: Record, player: str, opponent: str, colors: str = "BW") -> bool:
    sides = {"B": ("PB", "PW"), "W": ("PW", "PB")}
    return any(
        player in record.info(sides[color][0]).lower()
        and opponent in record.info(sides[color][1]).lower()
        for color in colors
    )


def both_rated(record: Record, first: float, last: float) -> bool:
    return all(first <= int(rating(record, code)) <= last for code in ("BR", "WR"))


SELECTED: dict[str, Callable[[Record], bool]] = {
    "player=ann": lambda game: played(game, "ann", ""),
    "player=ann color=red": lambda game: played(game, "ann", "", "B"),
    "player=annab color=white": lambda game: played(game, "annab", "", "W"),
    "player=ann opponent=bob": lambda game: played(game, "ann", "bob"),
    "player=ann opponent=ann": lambda game: played(game, "ann", "ann"),
    "player=ann color=blue opponent=bob": lambda game: played(game, "ann", "bob", "W"),
    "opponent=bob color=red": lambda game: played(game, "", "bob", "B"),
    "swap=yes": lambda game: swapper(game) is not None,
    "swap=no": lambda game: swapper(game) is None,
    "swapper=ann": lambda game: "ann" in (swapper(game) or ""),
    "player=ann color=red swap=yes": lambda game: (
        played(game, "ann", "", "B") and swapper(game) is not None
    ),
    "rating=1800..": lambda game: both_rated(game, 1800, 10**9),
    "rating=..1850": lambda game: both_rated(game, 0, 1850),
    "rating=1000..1900": lambda game: both_rated(game, 1000, 1900),
    "date=2019": lambda game: date(game).startswith("2019"),
    "date=May 2020": lambda game: date(game) == "2020-05",
    "date=2019-06..": lambda game: date(game)[:1] == "2" and date(game) >= "2019-06",
    "date=..2020": lambda game: date(game)[:4] in ("2019", "2020"),
    "date=2019-12..2021-01": lambda game: (
        date(game)[:7] in ("2019-12", "2020", "2020-05", "2021-01")
    ),
    "event=cup size=3": lambda game: game.info("EV") == "Cup" and str(game.board) == "3x3",
    "cup ann": lambda game: game.info("EV") == "Cup" and played(game, "ann", ""),
}


@pytest.mark.parametrize("text", SELECTED)
def test_a_filter_selects_what_plain_python_does(library: Library, text: str) -> None:
    games = {row.id: read_sgf(library.text(row.id) or "") for row in library.games()}
    expected = [number for number, record in games.items() if SELECTED[text](record)]
    assert 0 < len(expected) < len(games)
    chosen = read_filter(text)
    assert [row.id for row in library.games(chosen)] == expected
    assert library.count(chosen) == len(expected)


@pytest.mark.parametrize(
    "text",
    ["", "two words player=ann lee color=red opponent=bob swap=yes swapper=cy rating=1800.."
     " event=cup date=2019..2020 results=contradicting size=13x9 shape=R.B/.?? top left least=5",
     "player=ann swap=no rating=..2000 date=2019-05 size=5x6"],
)  # fmt: skip
def test_filters_are_read_and_written(text: str) -> None:
    assert filter_text(read_filter(text)) == text


def test_a_filter_is_written_with_the_names_of_the_colours() -> None:
    chosen = Filter(player="ann", color=Color.WHITE, date=FilterRange("2019", ""))
    assert filter_text(chosen) == "player=ann color=blue date=2019.."
    assert filter_text(chosen, Names.BLACK_WHITE) == "player=ann color=white date=2019.."
    assert read_filter("Player=ann COLOR=w date=2019..") == chosen


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("who=ann", "'who' is not one of player, color"),
        ("oponent=ann", "did you mean opponent"),
        ("color=red", "add player=NAME"),
        ("player=ann color=green", "not a colour: 'green'"),
        ("swap=ann", "swapper= takes a name"),
        ("rating=1800", "takes 1800.., ..2000 or 1800..2000, not '1800'"),
        ("rating=..", "rating= takes"),
        ("rating=a..b", "rating= takes"),
        ("rating=1..٣", "rating= takes"),
        (f"rating={'9' * 30}..", "rating= takes"),
        ("rating=2000..1800", "begins after it ends"),
        ("date=..", "date= takes"),
        ("date=2019..May", "date= takes"),
        ("date=2021..2019-05", "begins after it ends"),
        ("results=all", "results= takes only contradicting"),
        ("size=x", "not the size of a board"),
        ("least=0", "1 or more"),
        ("least=3", "about moves"),
    ],
)
def test_a_bad_filter_gets_one_line(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as raised:
        games_filter(text)
    assert "\n" not in str(raised.value)


def test_many_games_are_counted_by_names_as_by_their_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_games(tmp_path / "named.jsonl", 150, Board(5, 5), seed=3, players=10)
    write_games(tmp_path / "unnamed.jsonl", 50, Board(5, 5), seed=4)
    (tmp_path / "other.sgf").write_text(
        "(;GM[11]SZ[5]PB[Bo]DT[spring 2019];B[a1];W[b2])(;GM[11]SZ[5]PB[Bo]DT[1776];B[a1];W[b3])"
    )
    chosen = list(map(read_filter, ("player=bo", "swap=no", "size=5", "date=20", "date=spring")))
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([tmp_path])
        library.remove(range(20, 50))
        positions = [Position.empty(Board(5, 5))]
        for row in library.games(limit=30):
            record = read_record(library.text(row.id) or "")
            positions += [record.position(node) for node in record.main_line()[1:4]]
        by_rows = [library.explore(p, only) for p in positions for only in chosen]
        monkeypatch.setattr(opening_explorer, "_FEW", 0)
        assert [library.explore(p, only) for p in positions for only in chosen] == by_rows
    assert {move.last_year for explored in by_rows for move in explored.moves} > {None, 2019}
