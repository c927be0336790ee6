"""The library's screen: import, sort, search, open, remove, import again."""

import os
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board, Color
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.snapshot import Progress, Verdict, VerdictKind
from hextui.library.answers import GameRow
from hextui.library.library import Library
from hextui.locations import data_folder, library_file, reviews_file
from hextui.records.codecs.sgf import read_sgf
from hextui.text import Names
from hextui.ui.live import command_process
from hextui.ui.screens.library_columns import COLUMNS, LibraryColumns, Listing
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.puzzles_screen import MakePuzzlesDialog
from hextui.ui.widgets.line_list import LineList
from tests.library.generated import write_games
from tests.player_sites import player_sites, playhex_game
from tests.samples import some

from .helpers import (
    ScriptedGameAnalyst,
    become,
    game,
    paste,
    press,
    resize,
    running,
    shown,
    told,
    until,
)
from .settling import threads_go_on

GAMES = (
    "(;GM[11]SZ[5]PB[Ann]PW[Bob]EV[Cup]DT[2019-05-01]RE[B+R];B[b2];W[a1];B[c3])"
    "(;GM[11]SZ[4]PB[Bob]PW[Cy]DT[2021]RE[W+R];B[b2];W[c1];B[a1];W[c3])"
    "(;GM[11]SZ[5];B[z2])"
)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    path.write_text(GAMES)
    return path


def first_column(pilot) -> list[str]:
    return [line.spans[0][0].rstrip() for line in pilot.app.screen.query_one(LineList).lines]


async def imported(pilot, games, names=("Bob", "Ann")):
    await press(pilot, "L")
    await until(pilot, lambda: "library is empty" in shown(pilot))
    await press(pilot, "i")
    await paste(pilot, str(games))
    await press(pilot, "enter")
    await until(pilot, lambda: first_column(pilot) == list(names))


async def test_import_search_sort_open(tmp_path, games):
    async with running(game(), library=tmp_path / "l.sqlite") as pilot:
        await imported(pilot, games)
        await until(pilot, lambda: "2 added, 0 there already, 1 skipped" in shown(pilot))
        await until(pilot, lambda: "no cell 'z2'" in told(pilot))
        assert "2 added" not in told(pilot), "what went well is said below the list, over nothing"
        await press(pilot, "v")
        assert "games.sgf, game 3: " in shown(pilot)
        await press(pilot, "escape")
        await press(pilot, "s")
        await until(pilot, lambda: first_column(pilot) == ["Ann", "Bob"])
        await press(pilot, "r")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
        await press(pilot, "slash", *"player=cy", "enter")
        await until(pilot, lambda: first_column(pilot) == ["Bob"])
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "Bob - Cy")
        assert pilot.app.records.session.board == Board(4, 4)


async def test_games_of_another_site_are_synced(tmp_path, monkeypatch):
    with player_sites(monkeypatch) as sites:
        sites.playhex = [playhex_game(number) for number in (1, 2)]
        async with running(game(), library=tmp_path / "l.sqlite") as pilot:
            await press(pilot, "L", "y", *"chess Ann", "enter")
            assert "expected playhex or littlegolem, and a player" in shown(pilot)
            assert sites.asked == []
            await press(pilot, "ctrl+u", *"playhex Ann", "enter")
            await until(pilot, lambda: first_column(pilot) == ["Ann", "Ann"])
            assert "2 added" in shown(pilot)
            sites.faults = {"/api/players": ["403"]}
            await press(pilot, "y")
            assert "Last sync: 20" in shown(pilot)
            await press(pilot, "enter")
            await until(pilot, lambda: "HTTP Error 403" in told(pilot))


async def test_the_list_keeps_its_search_order_and_position(tmp_path, games):
    async with running(game(), library=tmp_path / "l.sqlite") as pilot:
        await imported(pilot, games)
        await press(pilot, "s")
        await until(pilot, lambda: first_column(pilot) == ["Ann", "Bob"])
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "Bob - Cy")
        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["Ann", "Bob"])
        assert pilot.app.screen.query_one(LineList).place == 1
        await press(pilot, "slash", *"player=cy", "enter")
        await until(pilot, lambda: first_column(pilot) == ["Bob"])
        await press(pilot, "escape", "U", "escape", "escape", "L")
        await until(pilot, lambda: first_column(pilot) == ["Bob"])
        assert "player=cy" in shown(pilot)
        await press(pilot, "backspace")
        await until(pilot, lambda: first_column(pilot) == ["Ann", "Bob"])


async def test_a_position_far_down_the_list_is_kept(tmp_path):
    path = tmp_path / "many.sgf"
    path.write_text(
        "".join(f"(;GM[11]SZ[14]PB[P{n}];B[a{n % 11 + 1}];W[b{n // 11 + 1}])" for n in range(150))
    )
    async with running(game(), library=tmp_path / "l.sqlite") as pilot:
        await press(pilot, "L", "i")
        await paste(pilot, str(path))
        await press(pilot, "enter")
        await until(pilot, lambda: "150 added" in shown(pilot))
        await press(pilot, "ctrl+end")
        await until(pilot, lambda: len(first_column(pilot)) == 150)
        await press(pilot, "ctrl+end", "enter")
        await until(pilot, lambda: "P0" in pilot.app.records.session.name)
        await press(pilot, "L")
        await until(pilot, lambda: len(first_column(pilot)) == 150)
        assert pilot.app.screen.query_one(LineList).place == 149
        assert "P0 " in shown(pilot)


ROW = GameRow(
    id=1,
    board=Board(5, 5),
    black="Ann",
    white="Bob",
    event="Cup",
    title="",
    date="2019",
    winner=Color.BLACK,
    how="R",
    plies=9,
    source="/x/games.sgf",
    number=1,
    mistake="23. i4",
)


def fitting(width: int, **lacks: Any) -> dict[str, int]:
    """Return the widths of the columns of a game that lacks some facts."""
    games = [replace(ROW, **lacks)]
    return LibraryColumns(width, games, Listing(), Names.RED_BLUE).widths


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140, 220])
def test_columns_fit_any_width(width):
    widths = fitting(width)
    assert sum(widths.values()) <= max(width, 31)
    assert {"black", "white", "winner"} <= widths.keys()
    if width >= 87:
        assert widths.keys() == COLUMNS.keys()
    if width >= 80:
        assert fitting(width, mistake="").keys() == COLUMNS.keys() - {"mistake"}


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_a_column_that_no_game_has_anything_for_gives_its_room_to_names(width):
    widths = fitting(width, date="")
    assert "date" not in widths
    assert sum(widths.values()) <= width
    assert widths.keys() >= fitting(width).keys() - {"date"}


NAMELESS = (
    '{"id": "final-7", "size": 5, "winner": "red", "end": "resign", "moves": "b2 a1"}\n'
    '{"size": 5, "winner": "blue", "moves": "c3 a1"}\n'
)


async def test_what_the_list_shows_is_found_and_a_game_keeps_its_name(tmp_path, games):
    (tmp_path / "open.jsonl").write_text(NAMELESS)
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([games, tmp_path / "open.jsonl"])
    async with running(game(), (140, 45), library=tmp_path / "l.sqlite") as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["?", "?", "Bob", "Ann"])
        assert "game 2 (open)" in shown(pilot)
        assert "final-7" in shown(pilot)
        for words, found in (
            ("FINAL-7", ["final-7 (open)"]),
            ("game 2", ["game 2 (open)"]),
            ("cup", ["Ann"]),
            ("2019-05-01 resigned", ["Ann"]),
        ):
            await press(pilot, "slash", *["backspace"] * 20, *words, "enter")
            await until(pilot, lambda found=found: first_column(pilot) == found)
        await press(pilot, "slash", *["backspace"] * 20, *"nobody")
        await until(pilot, lambda: "No game matches nobody. Ctrl+U clears" in shown(pilot))
        await press(pilot, "enter")
        line = "No game matches nobody. Backspace lists all games."
        await until(pilot, lambda: line in shown(pilot))
        await press(pilot, "backspace")
        await until(pilot, lambda: len(first_column(pilot)) == 4)
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "final-7 (open)")


async def test_puzzles_are_made_of_the_games_listed(tmp_path, games, monkeypatch):
    asked = []

    class Making(MakePuzzlesDialog):
        def on_mount(self) -> None:
            asked.append((self._title, self._command.command))
            self.dismiss(None)

    monkeypatch.setattr("hextui.ui.screens.puzzles_screen.MakePuzzlesDialog", Making)
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([games])
    async with running(game(), (80, 24), library=tmp_path / "l.sqlite") as pilot:
        for search, title, option in (
            ("", "Puzzles from all games of the library", []),
            ("ann size=5", "Puzzles from games with ann size=5x5", ["--search=ann size=5x5"]),
        ):
            await press(pilot, "L")
            await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
            await press(pilot, "slash", *search, "enter")
            await until(pilot, lambda: not pilot.app.screen.table.is_old)
            await press(pilot, "p")
            await until(pilot, lambda: pilot.app.screen is pilot.app.main)
            said, command = asked.pop()
            assert said == title
            assert [word for word in command if word.startswith("--search")] == option
            assert "--library" in command
            assert command[-1].startswith(str(data_folder() / "puzzles"))


REVIEWING = """
import sys, time
from pathlib import Path
folder = Path(sys.argv[1])
(folder / "words").write_text(chr(10).join(sys.argv[2:]))
print("first pass: 1 of 2 games, 9.0 a minute, about 0:07 left", file=sys.stderr, flush=True)
while not (folder / "fails").exists():
    time.sleep(0.01)
sys.exit("the disk is full")
"""


def reviewing(library, size=(80, 24)):
    """Run the app with an analysis, whose reviews of games are kept."""
    analyst = {"make_game_analyst": ScriptedGameAnalyst, "reviews": reviews_file()}
    return running(game(), size, library=library, **analyst)


async def test_the_games_listed_are_reviewed_until_stopped_or_done(tmp_path, games, monkeypatch):
    command = [sys.executable, "-c", REVIEWING, str(tmp_path)]
    monkeypatch.setattr(command_process, "python_command", lambda *words: [*command, *words])
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([games])
    async with reviewing(tmp_path / "l.sqlite") as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
        await press(pilot, "slash", *"ann", "enter")
        await until(pilot, lambda: first_column(pilot) == ["Ann"])
        with threads_go_on():
            await press(pilot, "a")
            await until(
                pilot, lambda: "1 of 2 games, 9.0 a minute, about 0:07 left" in shown(pilot)
            )
            words = (tmp_path / "words").read_text().splitlines()
            assert words[:4] == ["hextui", "report", "--library", "--search=ann"]
            assert words[-1] == "--solve=7"
            await press(pilot, "escape")
            assert "x stops it" in told(pilot)
            await press(pilot, "x")
        await until(pilot, lambda: "what is reviewed is kept, a goes on" in shown(pilot))
        with threads_go_on():
            await press(pilot, "a")
            await until(pilot, lambda: "1 of 2 games" in shown(pilot))
        (tmp_path / "fails").touch()
        await until(pilot, lambda: "the disk is full" in told(pilot))
        await press(pilot, "escape", "L")
        assert isinstance(pilot.app.screen, LibraryScreen)


@pytest.mark.slow
async def test_a_review_from_the_library_is_kept_for_the_game(tmp_path, games, monkeypatch):
    home = os.environ["HEXTUI_HOME"]
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    data_folder().mkdir(parents=True)
    (tmp_path / "cache").symlink_to(os.path.join(home, "cache"))
    with Library() as library:
        library.import_paths([games])
        record = read_sgf(library.text(1) or "")
    async with reviewing(library_file(), (140, 45)) as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
        with threads_go_on():
            await press(pilot, "a")
        await become(pilot, lambda: "2 games reviewed" in shown(pilot), seconds=120)
    with closing(ReviewStore(reviews_file())) as store:
        positions, estimates = game_positions(record, record.main_line()), Estimates()
        store.read(positions, estimates)
    assert any(estimates.verdict(each.position) for each in positions)


async def test_a_search_narrows_while_it_is_typed_and_enter_twice_opens_what_it_found(
    tmp_path, games
):
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([games])
    async with running(game(), (80, 24), library=tmp_path / "l.sqlite") as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
        await press(pilot, "slash", *"cu")
        await until(pilot, lambda: first_column(pilot) == ["Ann"])
        await press(pilot, "escape")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
        await pilot.press("slash", *"ann", "enter", "enter")  # faster than the library is read
        await until(pilot, lambda: pilot.app.records.session.name == "Ann - Bob")


REVIEWED = "(;GM[11]SZ[4]PB[Ann]PW[Bob];B[a1];W[b2];B[c2];W[c1];B[d1];W[a4])"
SEVERAL = "(;GM[11]SZ[5]PB[Cy]PW[Annabel];B[a1];W[b2];B[c2];W[c1];B[d1];W[a4])"


def reviews(path, games):
    """Store a review of each game: who is proved to win, by ply."""
    with closing(ReviewStore(path)) as store:
        for text, winners in games.items():
            record, found = read_sgf(text), Estimates()
            line = game_positions(record, record.main_line())
            for ply, winner in winners.items():
                found.keep_verdict(line[ply].position, Verdict(VerdictKind.SOLVER, winner))
            store.keep(line, found)
    return path


@pytest.fixture
def reviewed(tmp_path):
    """A library of three games, and the reviews of two of them, in which both sides erred."""
    red, blue = Color.BLACK, Color.WHITE
    source = tmp_path / "reviewed.sgf"
    source.write_text(REVIEWED + SEVERAL + GAMES[: GAMES.index(")") + 1])
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([source])
    known = {REVIEWED: {2: red, 3: blue, 4: red, 5: blue}, SEVERAL: {3: blue, 6: red}}
    paths = {"library": tmp_path / "l.sqlite", "reviews": reviews(tmp_path / "r.sqlite", known)}
    return paths


def column(pilot, key):
    place = list(pilot.app.screen.table.columns.widths).index(key)
    return [line.spans[place][0].rstrip() for line in pilot.app.screen.query_one(LineList).lines]


@pytest.mark.parametrize("size", some([(80, 24), (140, 45)], 1))
async def test_the_list_says_which_mistake_decided_a_game(reviewed, size):
    async with running(game(), size, **reviewed) as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: len(first_column(pilot)) == 3)
        whole = "4. c1 or 6. a4" if size[0] > 80 else "4. c1 or…"
        assert column(pilot, "mistake") == ["", whole, "5. d1"]
        assert "decided by" in shown(pilot)
        for _ in range(12):
            await press(pilot, "s")
        assert len(first_column(pilot)) == 3, "no order is by the mistake"


async def test_without_reviews_there_is_no_such_column(reviewed):
    reviewed["reviews"].unlink()
    async with running(game(), **reviewed) as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: len(first_column(pilot)) == 3)
        assert "decided by" not in shown(pilot)


async def test_my_mistakes_are_listed_and_opened_and_the_name_is_remembered(reviewed, tmp_path):
    async with running(game(), (140, 45), state=tmp_path / "state", **reviewed) as pilot:
        await press(pilot, "U")
        assert "A name in the games" in shown(pilot)
        await press(pilot, *"ann", "enter")
        await until(pilot, lambda: "3 mistakes of ann" in shown(pilot))
        assert column(pilot, "mistake") == ["4. c1 or 6. a4", "3. c2", "5. d1"]
        assert "decided by" not in shown(pilot)
        await press(pilot, "down", "down", "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "Ann - Bob")
        session = pilot.app.records.session
        assert session.node.ply == 4
        assert pilot.app.main.workspace.survey.summary.mistakes, "its review is there"
        pilot.app._remember()
    async with running(game(), (140, 45), state=tmp_path / "state", **reviewed) as pilot:
        await press(pilot, "U")
        await until(pilot, lambda: "3 mistakes of ann" in shown(pilot))
        await press(pilot, "m", *["backspace"] * 3, *"bob", "enter")
        await until(pilot, lambda: "1 mistake of bob" in shown(pilot))
        assert column(pilot, "mistake") == ["4. c1"]
        await press(pilot, "backspace")
        await until(pilot, lambda: len(first_column(pilot)) == 3)
        await press(pilot, "m")
        await until(pilot, lambda: "1 mistake of bob" in shown(pilot))


async def test_without_a_mistake_the_list_says_so(reviewed):
    async with running(game(), **reviewed) as pilot:
        await press(pilot, "L", "m", *"cy", "enter")
        line = "No proved mistake of cy yet. Backspace lists all games."
        await until(pilot, lambda: line in shown(pilot))


async def test_columns_follow_the_screen_and_what_the_games_have(tmp_path, games):
    undated = tmp_path / "some.txt"
    undated.write_text("#5,a1b2c3\n#5,b2c3\n")
    async with running(game(), (140, 45), library=tmp_path / "l.sqlite") as pilot:
        await imported(pilot, undated, ["game 2 (some)", "game 1 (some)"])
        assert " date " not in shown(pilot)
        await press(pilot, "i")
        await paste(pilot, str(games))
        await press(pilot, "enter")
        await until(pilot, lambda: "2019-05-01" in shown(pilot))
        assert " date " in shown(pilot)
        assert "event" in shown(pilot)
        await resize(pilot, 60, 24)
        assert first_column(pilot)[:2] == ["Bob", "Ann"]
        assert "plies" not in shown(pilot)
        assert "Blue won" in shown(pilot)
        await press(pilot, "slash", *"least=5", "enter")
        assert "use it in the explorer" in told(pilot)


async def test_remove_and_import_again(tmp_path, games):
    path = tmp_path / "l.sqlite"
    async with running(game(), library=path) as pilot:
        await imported(pilot, games)
        await press(pilot, "delete", "y")
        await until(pilot, lambda: first_column(pilot) == ["Ann"])
        await until(pilot, lambda: "1 game removed" in shown(pilot))
        assert "removed" not in told(pilot)
        games.write_text(GAMES.replace("Ann", "Eve"))
        await press(pilot, "A", "y")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Eve"])
        await press(pilot, "D", "y")
        await until(pilot, lambda: first_column(pilot) == [])
        with Library(path) as library:
            assert library.stats().positions == 0


async def test_the_cursor_stays_where_a_game_was_removed(tmp_path, games):
    (tmp_path / "open.jsonl").write_text(NAMELESS)
    with Library(tmp_path / "l.sqlite") as library:
        library.import_paths([games, tmp_path / "open.jsonl"])
    async with running(game(), library=tmp_path / "l.sqlite") as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["?", "?", "Bob", "Ann"])
        await press(pilot, "down", "down", "delete", "y")
        for left, place in ((3, 2), (2, 1)):
            await until(pilot, lambda left=left: len(first_column(pilot)) == left)
            assert pilot.app.screen.query_one(LineList).place == place
            await press(pilot, "delete", "y")


class Compiling(OwnAnswerer):
    """Compiles until that is done, or for ever."""

    done = threading.Event()

    def answers(self, question, stop=lambda: False):
        while not (self.done.is_set() or stop()):
            time.sleep(0.01)
            yield Progress(2, 9, "compiling the solver")
        yield from super().answers(question, stop)


async def test_settling_tells_of_compiling_at_once_and_is_stopped_meanwhile(tmp_path, games):
    path = tmp_path / "l.sqlite"
    Compiling.done.clear()
    async with running(game(), (140, 45), library=path, open_lane=Compiling) as pilot:
        await imported(pilot, games)
        text = "Preparing the solver (compiling, 2 of 9): 0 of 2 games"
        with threads_go_on():
            await press(pilot, "w")
            await until(pilot, lambda: text in shown(pilot))
        await press(pilot, "x")
        await until(pilot, lambda: "stopped: 0 positions of 0 games settled" in shown(pilot))
        Compiling.done.set()
        await press(pilot, "w")
        compiling = 600  # seconds, if the tests are the first to use the solver
        await until(pilot, lambda: "of 2 games settled" in shown(pilot), compiling)
        assert "stopped" not in shown(pilot)
    with Library(path) as library:
        assert not library.untried(1000)


async def test_the_program_is_left_while_something_runs(tmp_path, games):
    path = tmp_path / "l.sqlite"
    Compiling.done.clear()
    with Library(path) as library:
        library.import_paths([games])
    async with running(game(), library=path, open_lane=Compiling) as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: first_column(pilot) == ["Bob", "Ann"])
        with threads_go_on():
            await press(pilot, "w")
            await until(pilot, lambda: "compiling, 2 of 9" in shown(pilot))


async def test_an_import_is_stopped_and_the_screen_stays_in_use(tmp_path):
    source = tmp_path / "many.jsonl"
    write_games(source, 20_000, Board(9, 9), seed=1)
    path = tmp_path / "l.sqlite"
    async with running(game(), library=path) as pilot:
        await press(pilot, "L")
        await press(pilot, "i")
        await paste(pilot, str(source))
        with threads_go_on():
            await press(pilot, "enter")
            await until(pilot, lambda: " a second, " in shown(pilot))
            assert " left - x stops" in shown(pilot)
            await press(pilot, "escape")
            assert isinstance(pilot.app.screen, LibraryScreen)
            await press(pilot, "x")
        await until(pilot, lambda: "stopped" in shown(pilot))
        with Library(path) as library:
            assert 0 < library.stats().games < 20_000
        await press(pilot, "ctrl+end")
        await until(pilot, lambda: len(first_column(pilot)) > 100)
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, LibraryScreen)


async def test_games_that_contradict_each_other_are_told_and_found(tmp_path):
    games = tmp_path / "games.sgf"
    games.write_text(
        "(;GM[11]SZ[4]PB[Ann]PW[Bob]RE[B+R];B[b2];W[a1])"
        "(;GM[11]SZ[4]PB[Cy]PW[Dee]RE[W+R];B[b2];W[a1])"
        "(;GM[11]SZ[4]PB[Eve]PW[Flo]RE[W+R];B[b2];W[c1])"
    )
    async with running(game(), (140, 45), library=tmp_path / "library.sqlite") as pilot:
        await imported(pilot, games, ("Eve", "Cy", "Ann"))
        await until(pilot, lambda: "3 added (1 with another result)" in shown(pilot))
        await press(pilot, "slash")
        pilot.app.screen.query_one(Input).value = "results=contradicting"
        await press(pilot, "enter")
        await until(pilot, lambda: first_column(pilot) == ["Cy", "Ann"])
