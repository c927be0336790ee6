"""``hextui library player``: every figure agrees with a plain reader of the games."""

import datetime
import json
import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hextui.commands import main
from tests.oracles import players
from tests.oracles.players import Figures, State, canonical, fold, play

Run = Callable[..., tuple[int, str, str]]
Document = dict[str, Any]
NAMES = ("Ann Lee", "Bo", "ANN  lee", "\uff22o", "Cy", "<b>Dee</b>", "", "bo\u200b")
PLIES = 3
COLORS = {"red": "black", "blue": "white"}


def write_games(path: Path, number: int, seed: int) -> None:
    """Write random games of few players, some with either swap, most with dates and ratings."""
    chance = random.Random(seed)
    with open(path, "w") as file:
        for _ in range(number):
            rows, columns = chance.choice([(3, 3), (3, 3), (2, 3), (3, 2), (4, 4)])
            words = [f"{'abcd'[c]}{r + 1}" for r in range(rows) for c in range(columns)]
            chance.shuffle(words)
            words = words[: chance.randint(1, len(words))]
            swap = chance.choice(["", "", "swap-sides", "swap-pieces"])
            if swap and (rows == columns or swap == "swap-sides"):
                image = f"{'abcd'[int(words[0][1:]) - 1]}{ord(words[0][0]) - 96}"
                rest = [w for w in words[1:] if swap == "swap-sides" or w != image]
                words = [words[0], swap, *rest]
            if swap == "swap-pieces" and rows == columns:
                # the stone has left its cell, which is empty again
                words += [words[0]] * chance.randint(0, int(words[0] != image))
            game: Document = {
                "size": {"rows": rows, "columns": columns},
                "winner": chance.choice(["red", "blue", None]),
                "red": chance.choice(NAMES),
                "blue": chance.choice(NAMES),
                "moves": " ".join(words),
            }
            if chance.random() < 0.8:
                date = datetime.date(2005, 1, 1) + datetime.timedelta(chance.randrange(4000))
                game["date"] = str(date)[: chance.choice([4, 7, 10])]
            for side in ("Red", "Blue"):
                if chance.random() < 0.6:
                    game[f"player{side}Rating"] = chance.randrange(900, 2300)
            file.write(json.dumps(game) + "\n")


def counts(score: Document) -> Counter[str]:
    wins, losses = score["wins"], score["losses"]
    low, high = players.wilson(wins, wins + losses)
    assert score["interval"] == pytest.approx([low, high], abs=1e-9)
    assert score["share"] == (wins / (wins + losses) if wins + losses else None)
    open_games = score["games"] - wins - losses
    return +Counter({"wins": wins, "losses": losses, "open": open_games})


def size_of(document: Document) -> tuple[int, int]:
    return document["size"]["rows"], document["size"]["columns"]


def start(size: tuple[int, int]) -> State:
    return (*size, frozenset(), "red", False)


def tree_of(
    node: Document, path: tuple[object, ...], state: State
) -> dict[tuple[object, ...], Counter[str]]:
    """Return the counts of a node and all below it, by the positions that led there."""
    tree = {path: counts(node)}
    for after in node.get("moves", ()):
        following = play(state, after["move"])
        key = canonical(following)
        assert all(canonical(play(state, word)) == key for word in after["same"])
        assert after["own"] is ((after["ply"] % 2 == 1) is path[1])
        below = tree_of(after, (*path, key), following)
        assert not tree.keys() & below.keys()
        tree |= below
    return tree


def check(document: Document, figures: Figures) -> None:
    assert counts(document) == figures.total
    assert document["against_itself"] == figures.itself
    by_color = {color: counts(document["colors"][name]) for color, name in COLORS.items()}
    assert by_color == figures.colors
    assert {size_of(size): counts(size) for size in document["sizes"]} == figures.sizes
    opponents = {fold(each["name"]): counts(each) for each in document["opponents"]}
    assert opponents == figures.opponents
    assert len(opponents) == len(document["opponents"])
    ratings = [(each["date"], each["rating"]) for each in document["ratings"]]
    assert sorted(ratings) == figures.ratings
    openings = {}
    for each in document["openings"]:
        first = canonical(play(start(size_of(each)), each["move"]))
        openings[size_of(each), first, each["opened"], each["swapped"]] = counts(each)
    assert openings == figures.openings
    tree = {}
    for root in document["repertoires"]:
        tree |= tree_of(root, (size_of(root), root["opened"]), start(size_of(root)))
    assert tree == figures.tree


def check_file(path: Path, names: list[str], run: Run) -> None:
    """Compare all figures of players in the library with those of the file it came from."""
    games = players.read(path)
    for name in names:
        words = ("library", "player", name, "--json", "--plies", str(PLIES), "--least", "1")
        code, out, _ = run(*words)
        assert code == 0
        (document,) = json.loads(out)["players"]
        check(document, players.figures(games, name, PLIES))


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    path = tmp_path / "games.jsonl"
    write_games(path, 300, seed=3)
    assert main(["library", "import", str(path)]) == 0
    return path


def test_every_figure_agrees_with_a_plain_reader(games: Path, run: Run) -> None:
    check_file(games, ["ann lee", "BO", "cy", "<B>dee</b>"], run)


def test_a_filter_chooses_the_games_of_the_player(games: Path, run: Run) -> None:
    words = ("library", "player", "ann lee", "opponent=bo", "color=blue", "size=3", "--json")
    (document,) = json.loads(run(*words)[1])["players"]
    chosen = [
        game
        for game in players.read(games)
        if fold(game["blue"]) == "ann lee"
        and fold(game["red"]) == "bo"
        and game["size"]["rows"] == 3
    ]
    chosen = [game for game in chosen if game["size"]["columns"] == 3]
    assert document["games"] == len(chosen) > 0
    assert document["colors"]["black"]["games"] == 0
    code, _, err = run("library", "player", "ann lee", "player=bo")
    assert (code, "opponent=" in err) == (2, True)


def test_two_players_are_compared(games: Path, run: Run) -> None:
    code, out, _ = run("library", "player", "ann lee", "Bo", "--json")
    document = json.loads(out)
    assert [fold(player["name"]) for player in document["players"]] == ["ann lee", "bo"]
    both = players.figures(players.read(games), "ann lee", 0).opponents["bo"]
    assert counts(document["against_each_other"]) == both
    code, out, _ = run("library", "player", "ann lee", "Bo")
    assert code == 0
    assert "Against each other:" in out


def test_an_unknown_name_gives_the_nearest_ones(games: Path, run: Run) -> None:
    code, out, err = run("library", "player", "c")
    assert (code, out) == (2, "")
    assert err == "hextui: no player of the library is called 'c' (did you mean Cy?)\n"
    code, _, err = run("library", "player", "<b>Dea")
    assert "(did you mean <b>Dee</b>?)" in err


def test_the_page_is_strict_and_loads_nothing(games: Path, run: Run) -> None:
    page = games.with_suffix(".html")
    code, _, _ = run("library", "player", "<b>dee</b>", "ann lee", "--html", str(page))
    assert code == 0
    text = page.read_text()
    tree = ET.fromstring(text.removeprefix("<!DOCTYPE html>"))
    tags = [element.tag for element in tree.iter()]
    assert not {"link", "img", "iframe", "object", "base", "script", "b"} & set(tags)
    assert not [element for element in tree.iter() if "src" in element.attrib]
    assert "url(" not in text
    assert "@import" not in text
    assert fold(tree.findtext(".//h1") or "") == "<b>dee</b> and ann lee"
    curves = [line.attrib["points"].split() for line in tree.iter("polyline")]
    games_read = players.read(games)
    for curve, name in zip(curves, ("<b>dee</b>", "ann lee"), strict=True):
        assert len(curve) == len(players.figures(games_read, name, 0).ratings)
    code, _, err = run("library", "player", "bo", "--html", "page.txt")
    assert (code, err) == (2, "hextui: page.txt: a page needs a name that ends in .html\n")
