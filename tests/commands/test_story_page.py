"""``hextui report --html``: one strict page that loads nothing, and links to proofs that hold."""

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from hextui.analysis.game_report import advantages
from hextui.analysis.game_story import ProvedPly, story_facts
from hextui.analysis.mistakes import game_summary
from hextui.commands.story_page import GameStory, pictured, story_page
from hextui.commands.story_proofs import StoryProver
from hextui.engine.board import Board, Color
from hextui.engine.limit import Limit
from hextui.records.formats import read_record
from hextui.text import Names
from tests.analysis.games import known, line_of, random_game
from tests.oracles import check_proof

QUICK = ("--evaluator", "resistance", "--solve", "20")
NAME = "<script>alert(\"1\")</script> & 'Ann' \x00\x1b[31m"
GAME = """(;GM[11]SZ[4]PB[Ann]PW[Bob]RE[W+R]EV[Cup]AB[a2][b3]AW[d1][c1]PL[B]
;B[a4];W[b1];B[a3])"""
VOID = {"meta"}
BLOCKS = {"p", "section", "figure", "figcaption", "h1", "h2", "main", "svg"}
HOLDS_TEXT = {"p", "h1", "h2", "figcaption", "span", "a", "code", "title", "text"}


class Strict(HTMLParser):
    """Reads a page and fails where a tag is not closed in order, or a text cannot hold a block."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert not (tag in BLOCKS and set(self.open) & HOLDS_TEXT), f"{tag} in {self.open}"
        assert len(dict(attributes)) == len(attributes), "an attribute twice"
        self.found.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID or "svg" in self.open, tag
        self.found.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def values(self, name: str) -> list[str]:
        return [value for _, found in self.found if (value := found.get(name)) is not None]


def strict(page: str) -> Strict:
    """Check that a page is well formed, consistent, small, and loads nothing."""
    assert page.startswith("<!DOCTYPE html>\n")
    ET.fromstring(page.removeprefix("<!DOCTYPE html>"))
    read = Strict(page)
    tags = {tag for tag, _ in read.found}
    assert not tags & {"script", "link", "img", "iframe", "object", "image", "base"}
    assert "url(" not in page
    assert "@import" not in page
    assert not read.values("src")
    ids = read.values("id")
    assert len(set(ids)) == len(ids)
    for address in read.values("href"):
        assert not address.startswith("#") or address[1:] in ids
    assert not [name for _, found in read.found for name in found if name.startswith("on")]
    assert len(page.encode()) < 300_000
    return read


def made_page(record, line, estimates, **changes) -> str:
    summary = game_summary(line, estimates, 0.0)
    fields = {
        "record": record,
        "positions": line,
        "summary": summary,
        "facts": story_facts(line, summary),
        "ahead": advantages(line, estimates),
        "lines": {},
        "proofs": None,
        "names": Names.RED_BLUE,
    }
    return story_page(GameStory(**fields | changes))


def test_the_page_of_a_game_with_its_proofs(tmp_path: Path, run) -> None:
    page, proofs = tmp_path / "pages" / "story.html", tmp_path / "all proofs"
    page.parent.mkdir()
    options = ("--html", str(page), "--proofs", str(proofs), "--json")
    code, out, _ = run("report", GAME, *QUICK, *options)
    assert code == 0
    story = json.loads(out)["story"]
    read = strict(page.read_text())
    text = re.sub(r"\s*Proofs:.*?\.(?=\s)", "", " ".join(read.text.split()))
    assert story in text
    assert "Ann (Red) against Bob (Blue)" in text
    assert "Winning line: 3. a1" in text
    linked = [a for a in read.values("href") if not a.startswith(("#", "https://hexworld.org/"))]
    files = {(page.parent / unquote(address)).resolve() for address in linked}
    assert files == {file.resolve() for file in proofs.iterdir()}
    for file in files:
        assert (said := check_proof.verdict(str(file))).startswith("holds: "), said
        document = json.loads(file.read_text())
        ply = int(file.name.split("-")[2])
        moves = ("a4", "b1", "a3")[:ply]
        stones = {"a2", "b3", "d1", "c1", *moves}
        assert {*document["black"], *document["white"]} == stones
        assert file.name.split("-")[3] == {"black": "red", "white": "blue"}[document["winner"]]
    games = [read_record(a) for a in read.values("href") if a.startswith("https://hexworld.org/")]
    assert {game.board for game in games} == {Board(4, 4)}


def test_names_of_a_record_are_text_only() -> None:
    record = random_game(Board(4, 4), 3)
    for name in ("PB", "PW", "EV", "PC", "DT"):
        record.root.properties[name] = (NAME + name,)
    line = line_of(record)
    read = strict(made_page(record, line, known(line, {3: Color.BLACK})))
    assert "<script>alert(\"1\")</script> & 'Ann' " in read.text


@pytest.mark.parametrize("side", [1, 4, 11, 19])
def test_the_largest_page_of_a_size(side: int) -> None:
    """All plies are turning points, and all lines long."""
    record = random_game(Board(side, side), 5)
    record.root.properties["PB"] = ("long name " * 1000,)
    line = line_of(record)
    winners = {here.ply: here.position.to_move for here in line[2:-1]}
    estimates = known(line, winners)
    summary = game_summary(line, estimates, 0.0)
    lines = {one.before.ply: one.before.position.empties[:60] for one in summary.blunders}
    missing = {here.ply: f"proofs/{'x' * 100}{here.ply}.json" for here in line[::2]}
    page = made_page(record, line, estimates, lines=lines, proofs=missing)
    read = strict(page)
    sections = [found for tag, found in read.found if tag == "section"]
    assert len(sections) == len(pictured(summary, record.board))
    assert ("No proof file could be made in time for" in read.text) == (side > 1)


def test_what_was_not_found_in_time_is_said() -> None:
    record = read_record(GAME)
    line = line_of(record)
    estimates = known(line, {2: Color.BLACK, 3: Color.WHITE})
    read = strict(made_page(record, line, estimates, proofs={}))
    assert "No winning line was found in time." in read.text
    assert "No proof file could be made in time for ply 2 and 3." in read.text


def test_a_prover_without_time_finds_nothing() -> None:
    record = random_game(Board(8, 8), 1)
    here = line_of(record)[4]
    prover = StoryProver(record.board, Limit(0.0))
    claim = ProvedPly(4, Color.BLACK)
    assert prover.proof(here.position, claim) is None
    prover.close()


def test_what_makes_no_page_is_refused_in_a_line(tmp_path: Path, run) -> None:
    target = tmp_path / "game.sgf"
    target.write_text(GAME)
    for options, said in (
        (["--html", str(target)], "a page needs a name that ends in .html"),
        (["--proofs", str(tmp_path)], "--proofs needs --html FILE"),
    ):
        code, out, err = run("report", str(target), *QUICK, *options)
        assert (code, out) == (2, "")
        assert said in err
        assert err.count("\n") == 1
    assert target.read_text() == GAME
    for games in ([str(tmp_path)], [str(target), "--all"]):
        code, out, err = run("report", *games, *QUICK, "--html", str(tmp_path / "a.html"))
        assert (code, out) == (2, "")
        assert "for one game" in err
        code, out, err = run("report", *games, *QUICK, "--html", "x", "--proofs", "y")
        assert (code, out) == (2, "")
        assert "for one game" in err
    assert not (tmp_path / "a.html").exists()


def test_a_page_that_cannot_be_written_loses_no_report(tmp_path: Path, run) -> None:
    page, busy = tmp_path / "page.html", tmp_path / "a file"
    busy.touch()
    missing = tmp_path / "missing" / "page.html"
    for options in (["--html", str(missing)], ["--html", str(page), "--proofs", str(busy)]):
        code, out, err = run("report", GAME, *QUICK, *options)
        assert code == 2
        assert "Red lost the win for good with 3. a3" in out
        assert str(missing) in err or str(busy) in err
    page.write_text("old")
    assert run("report", GAME, *QUICK, "--html", str(page))[0] == 0
    strict(page.read_text())
