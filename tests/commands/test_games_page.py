"""The index of many games' stories: strict HTML, sorted by its own script, and the same as CSV."""

import csv
import io
import re
import xml.etree.ElementTree as ET

from hextui.commands.games_page import games_csv, games_page, page_names
from hextui.text import Names

HOSTILE = "<script>alert(1)</script>\x00\x1b[31m\u202e"


def made_game(number: int, **changes: object) -> dict[str, object]:
    return {
        "source": "games/my games.sgf",
        "game": number,
        "page": f"my-games-{number}.html",
        "players": {"black": "Ann", "white": ""},
        "result": "W+R",
        "winner": "white",
        "decision": {"ply": 34, "winner": "white", "proved": True},
        "worst": {
            "ply": 9,
            "move": "c4",
            "color": "black",
            "player": "black",
            "mark": "?",
            "by": "search",
            "words": "best d4; win probability 71% to 40%",
            "lost": 0.31,
        },
        **changes,
    }


def page_of(*games: dict[str, object], left_out: tuple[str, ...] = ()) -> ET.Element:
    """Return the index of games."""
    return checked(games_page({"games": games, "left_out": left_out}, Names.RED_BLUE))


def checked(page: str) -> ET.Element:
    """Return an index, which is well formed and loads nothing."""
    assert page.startswith("<!DOCTYPE html>\n")
    tree = ET.fromstring(page.removeprefix("<!DOCTYPE html>"))
    tags = [element.tag for element in tree.iter()]
    assert tags.count("script") == 1
    assert not {"link", "img", "iframe", "object", "base"} & set(tags)
    assert not [element for element in tree.iter() if "src" in element.attrib]
    assert "url(" not in page
    assert "@import" not in page
    return tree


def rows_of(page: ET.Element) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in page.iterfind(".//tbody/tr")]


def rows_in(page: str) -> tuple[list[str | None], list[list[str]]]:
    """Return the links and the texts in the rows of an index."""
    tree = checked(page)
    return [link.get("href") for link in tree.iterfind(".//tbody//a")], rows_of(tree)


def test_a_row_says_who_won_where_it_was_decided_and_the_worst_mistake() -> None:
    page = page_of(made_game(1), made_game(2, decision=None, worst=None, result="", winner=None))
    assert rows_of(page) == [
        [
            "my games.sgf 1",
            "Ann",
            "Blue",
            "Blue won, Red resigned",
            "Blue from ply 34, proved",
            "Red 9. c4? best d4; win probability 71% to 40%",
        ],
        ["my games.sgf 2", "Ann", "Blue", "", "", ""],
    ]
    links = [link.get("href") for link in page.iterfind(".//tbody//a")]
    assert links == ["my-games-1.html", "my-games-2.html"]
    text = " ".join("".join(page.itertext()).split())
    assert "Decided by proof: 1; by estimate: 0; open: 1." in text


def test_every_cell_has_a_key_that_sorts_it() -> None:
    page = page_of(made_game(1), made_game(2, decision=None, worst=None))
    keys = [[cell.get("data-key") for cell in row] for row in page.iterfind(".//tbody/tr")]
    assert keys[0][-2:] == ["34", "310"]
    assert int(keys[1][-2] or "") > 10_000
    assert keys[1][-1] == "0"
    heads = page.findall(".//th/button")
    assert len(heads) == len(keys[0])


def test_names_of_a_record_are_text_only() -> None:
    game = made_game(1, players={"black": HOSTILE, "white": "x" * 9000}, result=HOSTILE)
    page = page_of(game, left_out=(HOSTILE,))
    ((_, black, white, *_),) = rows_of(page)
    assert black.startswith("<script>alert(1)</script>")
    assert len(white) < 200
    assert "\\u202e" in "".join(page.itertext())


def test_the_table_as_csv() -> None:
    players = {"black": '=HYPERLINK("x")', "white": 'B "b", c'}
    text = games_csv([made_game(1, players=players), made_game(2, decision=None, worst=None)])
    first, second = csv.DictReader(io.StringIO(text))
    assert first["black"] == '\'=HYPERLINK("x")'
    assert first["white"] == 'B "b", c'
    assert (first["decision_ply"], first["decision_proved"]) == ("34", "True")
    assert (first["worst_move"], first["worst_lost"]) == ("c4", "0.31")
    assert (second["decision_ply"], second["worst_move"]) == ("", "")
    assert games_csv([]) == ""


def test_pages_have_names_of_their_own_that_any_disk_can_hold() -> None:
    places = [("a/x.sgf", 1), ("b/X.sgf", 1), ("c/x.hsgf", 1), ("x-1.sgf", 2), ("x-1-2.sgf", 1)]
    places += [("äö.sgf", 1), ("y" * 500, 1), ("-", 1)]
    names = page_names(places)
    assert len({name.lower() for name in names}) == len(places)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,80}\.html", name) for name in names)
    assert names == page_names(places)
