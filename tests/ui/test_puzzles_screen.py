"""Solving the puzzles of a collection: what is listed, in which order, and how tries are judged."""

import json
import threading
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.position import Position
from hextui.engines.questions import NotProved
from hextui.engines.snapshot import Progress
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import Puzzle, Theme, puzzle_record, read_puzzles
from hextui.ui.app.layout import Activity
from hextui.ui.screens.puzzle_screen import PuzzleScreen
from hextui.ui.screens.puzzles_screen import PuzzlesScreen
from hextui.ui.screens.run_screen import RunScreen
from tests.oracles.winners import Exhaustive
from tests.samples import some, some_rows

from .helpers import become, press, running, settle, shown, told, until

BOARD = Board(3, 3)


def cells(names: str) -> tuple[int, ...]:
    return tuple(map(BOARD.cell, names.split()))


def line(names: str) -> Cells:
    return Cells(BOARD, cells(names))


def made(rows: str, to_move: Color, wins: str, lines: tuple[str, ...], **about: Any) -> Puzzle:
    position = Position(BOARD, Position.parse(rows, "black").stones, to_move)
    return Puzzle(position, cells(wins), tuple(map(line, lines)), **about)


# Red wins with a3 as well, which the file does not say
RED = made("B../.../..W", Color.BLACK, "b2", ("b2", "c1 b2"), theme=Theme.QUIET, level=2, name="r")
BLUE = Puzzle(
    Position.parse("WB./.../...", "white"), cells("b2"), (line("b2"),), Theme.LADDER, 1, "b"
)
LAST = made(".B./.../.W.", Color.BLACK, "a3", ("a3",), theme=Theme.LADDER, level=3, name="l")
LYING = made("B../.../..W", Color.BLACK, "c1", ("c1", "b2 c1", "a2 b3"), name="lie")


def written(path: Path, *puzzles: Puzzle) -> Path:
    path.write_text("".join(write_sgf(puzzle_record(p, Names.RED_BLUE)) for p in puzzles))
    return path


class SilentLane:
    """An engine that tells its progress, and no answer."""

    def answers(self, question, stop):
        yield Progress(0, 0, "solving")

    def close(self):
        pass


class HelplessLane(SilentLane):
    """An engine that proves nothing."""

    def answers(self, question, stop):
        yield NotProved(30.0)


class MuteLane(SilentLane):
    """An engine that ends without an answer."""

    def answers(self, question, stop):
        yield from ()


@asynccontextmanager
async def listing(path, tmp_path, size=(80, 24), **arguments):
    """Run the app on the list of a collection; yields the pilot."""
    arguments = {"training": tmp_path / "training.sqlite", **arguments}
    async with running(None, size, **arguments) as pilot:
        main = pilot.app.main
        main.puzzle_actions.options.collection = str(path)
        main.work_on("puzzles", main.puzzle_actions.choose)
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzlesScreen))
        await until(pilot, lambda: "Reading" not in shown(pilot))
        yield pilot


@asynccontextmanager
async def solving(path, tmp_path, **arguments):
    """Run the app on the first puzzle of a collection; yields the pilot."""
    async with listing(path, tmp_path, **arguments) as pilot:
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        yield pilot


def text(pilot, name):
    return str(pilot.app.screen.query_one(f"#{name}").content)


def attempts(tmp_path, puzzle):
    with closing(TrainingStore(tmp_path / "training.sqlite")) as store:
        found = store.of(puzzle)
    return found.attempts if found else ()


def stones(pilot):
    return pilot.app.screen.view.position.stones


async def play(pilot, name):
    pilot.app.screen.point(BOARD.cell(name))
    await press(pilot, "enter")


def test_the_puzzles_are_what_their_lines_say() -> None:
    oracle = Exhaustive(BOARD)
    assert oracle.winning_moves(RED.position) == set(cells("b2 a3"))
    assert oracle.winning_moves(RED.position.play(BOARD.cell("c1"))) == set(cells("b2"))
    assert oracle.winning_moves(BLUE.position) == set(cells("b2"))
    assert oracle.winning_moves(LAST.position) == set(cells("a3"))


# what is tried, the verdict, and whether the attempt is right
TRIES = [
    (RED, "b2", "Right: b2 wins (proved)", True),
    (RED, "a3", "Right: a3 wins (proved)", True),  # not listed
    (RED, "c1", "No: c1 loses; Blue answers b2 (proved)", False),
    (RED, "b1", "No: b1 loses; Blue answers ", False),  # not listed
]


@pytest.mark.parametrize(
    ("puzzle", "tried", "verdict", "right"),
    some_rows(TRIES[1:] + TRIES[:1], 2),
    ids=lambda x: str(x)[:9],
)
async def test_a_try_is_judged_by_the_solver_and_counts_once(
    tmp_path, puzzle, tried, verdict, right
):
    async with solving(written(tmp_path / "p.sgf", puzzle), tmp_path) as pilot:
        assert text(pilot, "task") == "Red to move and win. Exactly one move wins.\nLevel 2"
        assert "heme" not in text(pilot, "how-to")
        await play(pilot, tried)
        await until(pilot, lambda: text(pilot, "verdict").startswith(verdict))
        await until(pilot, lambda: attempts(tmp_path, puzzle) == (right,))
        assert ("Theme: quiet move" in text(pilot, "how-to")) is right
        await press(pilot, "escape")
        await play(pilot, "b2")
        await until(pilot, lambda: "Right: b2 wins (proved)" in text(pilot, "verdict"))
        assert "Theme: quiet move" in text(pilot, "how-to")
        await press(pilot, "escape", "escape")
        await until(pilot, lambda: "new 0" in shown(pilot))
        assert attempts(tmp_path, puzzle) == (right,)


@pytest.mark.parametrize(
    ("tried", "verdict", "counted"),
    [
        ("b2", "Right: b2 wins (proved)", (False, True)),
        ("c1", "No: c1 loses; Blue answers b2 (proved)", (True, False)),
        ("a2", "No: a2 loses; Blue answers a3 (proved)", (False,)),  # the file answers b3
    ],
)
async def test_a_file_that_is_wrong_is_corrected(tmp_path, tried, verdict, counted):
    async with solving(written(tmp_path / "p.sgf", LYING), tmp_path) as pilot:
        await play(pilot, tried)
        await until(pilot, lambda: text(pilot, "verdict").startswith(verdict))
        await until(pilot, lambda: attempts(tmp_path, LYING) == counted)


async def test_the_solution_of_a_file_is_its_claim_until_it_is_proved(tmp_path):
    path = written(tmp_path / "p.sgf", LYING)
    async with solving(path, tmp_path, open_lane=SilentLane) as pilot:
        await press(pilot, "s")
        await until(pilot, lambda: text(pilot, "verdict").startswith("solving"))
        assert pilot.app.screen.view.verdicts == {}
    async with solving(path, tmp_path) as pilot:
        await press(pilot, "s")
        await until(pilot, lambda: "(proved)" in text(pilot, "verdict"))
        assert BOARD.cell("c1") not in pilot.app.screen.view.verdicts
        assert BOARD.cell("b2") in pilot.app.screen.view.verdicts


async def test_the_files_line_refutes_before_the_solver_answers(tmp_path):
    path = written(tmp_path / "p.sgf", RED)
    async with solving(path, tmp_path, open_lane=SilentLane) as pilot:
        await play(pilot, "c1")
        assert stones(pilot)[BOARD.cell("b2")] == Color.WHITE
        assert text(pilot, "verdict") == "No: c1 loses; Blue answers b2 (claimed by the file)"
        await until(pilot, lambda: attempts(tmp_path, RED) == (False,))
        await play(pilot, "b1")  # waits for the proof
        assert stones(pilot).count(0) == 5
        await press(pilot, "u")
        await play(pilot, "b1")  # not listed
        assert text(pilot, "verdict").startswith("solving")


async def test_what_cannot_be_proved_is_what_the_file_says(tmp_path):
    path = written(tmp_path / "p.sgf", RED)
    async with solving(path, tmp_path, open_lane=HelplessLane) as pilot:
        await play(pilot, "b1")
        await until(pilot, lambda: text(pilot, "verdict").startswith("Not decided"))
        assert attempts(tmp_path, RED) == ()
        await press(pilot, "u")
        await play(pilot, "b2")
        await until(
            pilot, lambda: "(claimed by the file; not proved in 30 s)" in text(pilot, "verdict")
        )
        await until(pilot, lambda: attempts(tmp_path, RED) == (True,))


async def test_a_refutation_stays_when_the_engine_ends_without_an_answer(tmp_path):
    async with solving(written(tmp_path / "p.sgf", RED), tmp_path, open_lane=MuteLane) as pilot:
        await play(pilot, "c1")
        why = "No: c1 loses; Blue answers b2 "
        why += "(claimed by the file; not proved: The engine did not answer)"
        await until(pilot, lambda: text(pilot, "verdict") == why)
        assert stones(pilot)[BOARD.cell("b2")] == Color.WHITE
        await press(pilot, "u")
        await play(pilot, "b1")
        await until(pilot, lambda: text(pilot, "verdict") == "The engine did not answer")


async def test_the_player_goes_on_against_a_refutation(tmp_path):
    oracle = Exhaustive(BOARD)
    async with solving(written(tmp_path / "p.sgf", RED), tmp_path) as pilot:
        await play(pilot, "c1")
        await until(pilot, lambda: "(proved)" in text(pilot, "verdict"))
        screen = pilot.app.screen
        while screen._tried.lines[-1].carrier:
            line = screen._tried.lines[-1]
            await play(pilot, BOARD.name(min(line.carrier)))
            await until(pilot, lambda line=line: screen._tried.lines[-1] != line)
            assert oracle.winner(screen.view.position) is Color.WHITE
        await press(pilot, "escape")
        assert stones(pilot) == RED.position.stones


async def test_enter_on_the_winning_move_shows_the_next_puzzle_by_level(tmp_path):
    path = written(tmp_path / "p.sgf", RED, LAST, BLUE)
    async with solving(path, tmp_path) as pilot:
        asked = []
        for puzzle in (BLUE, RED):
            asked.append(pilot.app.screen._puzzle.name)
            assert pilot.app.screen.cursor == BOARD.cell("b2")  # the middle
            await press(pilot, "enter")
            await until(pilot, lambda: "(proved)" in text(pilot, "verdict"))
            await press(pilot, "enter")
            await until(pilot, lambda p=puzzle: pilot.app.screen._puzzle.name != p.name)
        assert [*asked, pilot.app.screen._puzzle.name] == ["b", "r", "l"]
        assert "Puzzle 3 of 3  l" in shown(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: "no other puzzle to solve now" in told(pilot))
        await press(pilot, "s")
        await until(pilot, lambda: "Red wins with a3" in text(pilot, "verdict"))
        await press(pilot, "escape")
        await until(pilot, lambda: "new 0, solved 2 of 3 puzzles" in shown(pilot))
        await press(pilot, "down", "down", "enter")
        await until(pilot, lambda: "Nothing is due here" in told(pilot))
    assert attempts(tmp_path, LAST) == (False,)  # its solution was shown


async def test_the_lists_filter_by_theme_and_level_and_show_success(tmp_path):
    path = written(tmp_path / "p.sgf", RED, LAST, BLUE)
    with closing(TrainingStore(tmp_path / "training.sqlite")) as store:
        store.add(RED, True)
        store.add(BLUE, False, datetime.now(UTC) - timedelta(hours=1))
    async with listing(path, tmp_path) as pilot:
        assert "Due today 1, new 1, solved 1 of 3 puzzles" in shown(pilot)
        rows = [" ".join(line.split()) for line in shown(pilot).splitlines()]
        assert "all 3 1/2 ██▌ all 3 1/2 ██▌" in rows
        assert "ladder 2 0/1 1 1 0/1" in rows
        assert "quiet move 1 1/1 █████ 2 1 1/1 █████" in rows
        await press(pilot, "down")
        assert "new 1, solved 0 of 2 puzzles" in shown(pilot)
        await press(pilot, "right", "down")
        assert "new 0, solved 0 of 1 puzzle" in shown(pilot)
        await press(pilot, "down")
        assert "solved 0 of 0 puzzles" in shown(pilot)
        await press(pilot, "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        assert pilot.app.screen._puzzle == LAST


async def test_the_player_can_always_be_red(tmp_path):
    async with listing(written(tmp_path / "p.sgf", BLUE), tmp_path) as pilot:
        assert "[ ] Always show the player as Red" in shown(pilot)
        await press(pilot, "v", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        assert text(pilot, "task").startswith("Red to move and win.")
        assert pilot.app.screen._position == BLUE.position.mirrored()
        await press(pilot, "enter")
        await until(pilot, lambda: "Right: b2 wins (proved)" in text(pilot, "verdict"))
        await until(pilot, lambda: attempts(tmp_path, BLUE) == (True,))
        await press(pilot, "v")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert pilot.app.records.session.position == BLUE.position.mirrored()
        assert not pilot.app.records.session.record.modified
        chosen = pilot.app.main.chosen
        assert (chosen.as_red, chosen.collection) == (True, str(tmp_path / "p.sgf"))


async def test_the_proof_is_shown_once_a_puzzle_is_solved(tmp_path):
    async with solving(written(tmp_path / "p.sgf", RED), tmp_path) as pilot:
        await press(pilot, "w")
        assert isinstance(pilot.app.screen, PuzzleScreen)
        await press(pilot, "enter")
        await until(pilot, lambda: "(proved)" in text(pilot, "verdict"))
        await press(pilot, "w")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert pilot.app.main.panel_actions.wish.activity is Activity.EXPLAIN
        assert pilot.app.records.session.position == RED.position
        assert "Back to the puzzle" in shown(pilot).splitlines()[-1]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, PuzzleScreen)
        assert "(proved)" in text(pilot, "verdict")
        assert pilot.app.main.panel_actions.way_back == ""


def test_a_mirrored_puzzle_has_the_same_moves_and_progress() -> None:
    seen = BLUE.seen_by_black()
    assert seen.position == BLUE.position.mirrored()
    assert (seen.key, seen.seen_by_black()) == (BLUE.key, seen)
    assert Exhaustive(BOARD).winning_moves(seen.position) >= set(seen.wins)
    assert [len(line) for line in seen.lines] == [1]


def as_sgf(folder: Path) -> Path:
    return written(folder / "p.sgf", RED, BLUE)


def as_json(folder: Path) -> Path:
    path, text = (
        folder / "p.jsonl",
        [write_sgf(puzzle_record(p, Names.RED_BLUE)) for p in (RED, BLUE)],
    )
    path.write_text("\n".join(json.dumps({"name": "one", "sgf": sgf}) for sgf in text))
    return path


def as_folder(folder: Path) -> Path:
    inside = folder / "inside"
    inside.mkdir()
    written(folder / "a.sgf", RED)
    written(inside / "b.sgf", BLUE)
    (inside / "notes.md").write_text("no puzzles")
    return folder


@pytest.mark.parametrize("collection", some([as_folder, as_sgf, as_json], 1))
async def test_a_collection_is_a_file_or_a_folder(tmp_path, collection):
    folder = tmp_path / "puzzles"
    folder.mkdir()
    path = collection(folder)
    assert [puzzle.position for puzzle in read_puzzles(path)] == [RED.position, BLUE.position]
    async with listing("", tmp_path) as pilot:
        await press(pilot, "o")
        dialog = pilot.app.screen
        for typed in (folder / ("x" * 300), path):
            dialog.query_one(Input).value = str(typed)
            await press(pilot, "enter")
            await until(pilot, lambda: "no such file" in shown(pilot) or dialog.is_current is False)
        await until(pilot, lambda: "solved 0 of 2 puzzles" in shown(pilot))


async def test_what_cannot_be_read_is_one_clear_line(tmp_path, monkeypatch):
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;GM[11]SZ[three]AB[a1];B[b2])")
    with pytest.raises(RecordError, match=r"broken\.sgf"):
        list(read_puzzles(broken))
    empty = tmp_path / "empty.sgf"
    empty.write_text("(;GM[11]SZ[3];B[a1])")
    monkeypatch.setattr("hextui.ui.screens.puzzles_screen.BUILT_IN_FILE", tmp_path / "none.sgf")
    wrong = {broken: "broken.sgf", empty: "sets up a position", "": "no built-in collection"}
    for path, words in wrong.items():
        async with listing(path, tmp_path) as pilot:
            assert words in text(pilot, "counts")
            await press(pilot, "enter", "v")
            assert isinstance(pilot.app.screen, PuzzlesScreen)
            assert "[x] Always" in text(pilot, "counts")
            pilot.app.screen._options.collection = str(written(tmp_path / "p.sgf", RED))
            pilot.app.screen._begin()
            await until(pilot, lambda: "solved 0 of 1 puzzle" in shown(pilot))
            assert isinstance(pilot.app.screen, PuzzlesScreen)  # not started by that Enter


async def test_three_keys_show_the_first_puzzle_with_the_cursor_in_the_middle(
    tmp_path, monkeypatch
):
    path = written(tmp_path / "puzzles.sgf", BLUE)
    monkeypatch.setattr("hextui.ui.screens.puzzles_screen.BUILT_IN_FILE", path)
    async with running(None) as pilot:
        await press(pilot, "5", "z", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        assert pilot.app.screen.cursor == BOARD.cell("b2")
        assert text(pilot, "task").startswith("Blue to move and win.")


async def test_two_keys_at_once_show_one_puzzle(tmp_path):
    async with listing(written(tmp_path / "p.sgf", LAST), tmp_path) as pilot:
        screen = pilot.app.screen
        screen.action_start()
        screen.action_start()
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, PuzzlesScreen)


async def test_enter_before_the_puzzles_are_read_starts_with_the_first(tmp_path, monkeypatch):
    may_read = threading.Event()

    def read(path):
        may_read.wait(30)
        yield RED

    monkeypatch.setattr("hextui.ui.screens.puzzles_screen.read_puzzles", read)
    async with running(None, training=tmp_path / "training.sqlite") as pilot:
        main = pilot.app.main
        main.work_on("puzzles", main.puzzle_actions.choose)
        await become(pilot, lambda: isinstance(pilot.app.screen, PuzzlesScreen))
        await become(pilot, lambda: pilot.app.screen._state == "Reading ...")
        pilot.app.screen.action_start()
        may_read.set()
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))


async def test_todays_set_is_solved_and_is_the_same_after_a_restart(tmp_path):
    path = written(tmp_path / "pack.sgf", RED, BLUE, LAST)
    async with listing(path, tmp_path) as pilot:
        assert "Today's set: 0 of 3 done, 0 right; streak 0 days" in shown(pilot)
        await press(pilot, "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        assert "Today's puzzle 1 of 3  b" in shown(pilot)  # the easiest
        await play(pilot, "b2")
        await until(pilot, lambda: "Right" in text(pilot, "verdict"))
        await press(pilot, "escape", "escape")
        await until(pilot, lambda: "1 of 3 done, 1 right" in shown(pilot))
    async with running(None, training=tmp_path / "training.sqlite") as pilot:
        pilot.app.main.puzzle_actions.options.collection = str(path)
        await press(pilot, "5", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
        assert "Today's puzzle 1 of 2  r" in shown(pilot)
        await press(pilot, "s", "n")
        await until(pilot, lambda: "2 of 2  l" in shown(pilot))
        await press(pilot, "s", "n")
        assert told(pilot) == "That was the last puzzle of today"
        await press(pilot, "escape")
        await until(pilot, lambda: "3 of 3 done, 1 right; streak 1 day" in shown(pilot))
        await press(pilot, "d")
        assert "Today's set is done" in told(pilot)


async def test_a_run_goes_on_after_a_right_move_and_sums_up(tmp_path, monkeypatch):
    path = written(tmp_path / "pack.sgf", RED, BLUE, LAST)
    async with listing(path, tmp_path, open_lane=SilentLane) as pilot:
        await press(pilot, "t")
        await until(pilot, lambda: isinstance(pilot.app.screen, RunScreen))
        screen = pilot.app.screen
        assert "  0 of 0 right" in text(pilot, "title")
        assert screen.subject.puzzle.level == 1
        await play(pilot, "b2")
        await until(pilot, lambda: screen.subject.puzzle.level == 2)
        await play(pilot, "c1")
        assert "No: c1 loses" in text(pilot, "verdict")
        assert screen.subject.puzzle.level == 2
        monkeypatch.setattr(screen.run, "clock", lambda: screen.run.end)
        screen.tick()
        await settle(pilot)
        assert text(pilot, "task") == "The time is up"
        assert text(pilot, "verdict") == "1 of 2 right\n1/1  ladder\n0/1  quiet move"
        await press(pilot, "n")
        assert told(pilot) == "The time is up"
        await press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzlesScreen))
    assert attempts(tmp_path, BLUE) == (True,)
    assert attempts(tmp_path, RED) == (False,)
