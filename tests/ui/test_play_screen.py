"""Games against the program: begun by three keys, kept from the first move, reviewed at the end."""

import signal
import sys
import threading
import time
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.widgets import Input, Static

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine import EngineError
from hextui.engines.questions import ChooseMove
from hextui.engines.registry import AttachedEngines
from hextui.settings.engine_config import AttachedConfig, Dialect
from hextui.train.kept_games import GameStore
from hextui.train.play_settings import PlaySettings, TimeControl
from hextui.ui.app.layout import Activity
from hextui.ui.app.settings import Settings
from hextui.ui.screens.play_screen import PlayScreen
from hextui.ui.screens.train_dialogs import PlayDialog, TrainScreen
from hextui.ui.widgets.board_widget import BoardWidget
from tests.samples import some

from .helpers import analysing, game, press, running, settle, shown, told, until
from .program import Program
from .settling import threads_go_on
from .test_shown_keys import check, named_below

_BRIDGES = ("b1", "c1"), ("a3", "b3")
SCRIPTED = Path(__file__).parent.parent / "engines" / "attached" / "scripted.py"
SMALL = PlaySettings("level:2", Board(3, 3), Color.BLACK, swap=False)


def turn(pilot) -> str:
    return str(pilot.app.screen.query_one("#task", Static).content)


def said(pilot) -> str:
    return str(pilot.app.screen.query_one("#verdict", Static).content)


def moves(pilot) -> list[str]:
    record = pilot.app.records.session.record
    return [one.name(record.board) for one in record.turns()]


async def play(pilot, *names):
    """Play moves of the user, one after the other."""
    screen = pilot.app.screen
    for name in names:
        await until(pilot, lambda: screen._users_turn)
        screen.point(screen.subject.board.cell(name))
        await press(pilot, "enter")


async def click_cell(pilot, name):
    """Click on a cell of the game's board."""
    board = pilot.app.screen.query_one(BoardWidget)
    x, y = board.geometry.centre(board.view.position.board.cell(name))
    left, top = board._origin
    await pilot.click(board, offset=(left + x, top + y))
    await settle(pilot)


async def win(pilot):
    """Win as Red on 3x3 from the centre, with a bridge to each side."""
    await play(pilot, "b2")
    session = pilot.app.records.session
    for _ in range(2):
        await until(pilot, lambda: pilot.app.screen._users_turn)
        position = session.position
        bridges = [[b for b in bridge if position[b] is None] for bridge in _BRIDGES]
        open_ones = [
            free
            for free, bridge in zip(bridges, _BRIDGES, strict=True)
            if Color.BLACK not in {position[name] for name in bridge}
        ]
        await play(pilot, min(open_ones, key=len)[0])  # where one cell is left


@asynccontextmanager
async def playing(settings=SMALL, start=None, size=(80, 24), **arguments):
    """Run the app in a game against the program; yields the pilot."""
    async with running(start, size, **arguments) as pilot:
        actions = pilot.app.main.game_actions
        from_here = pilot.app.records.session if start else None
        pilot.app.main.work_on("train", lambda: actions.begin(settings, from_here))
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        yield pilot


async def test_three_keys_begin_a_game_with_the_last_settings():
    play_settings = {"opponent": "level:1", "size": "4", "color": "red", "swap": "no"}
    chosen = Settings(play=play_settings)
    async with running(settings=chosen) as pilot:
        await press(pilot, "5")
        assert isinstance(pilot.app.screen, TrainScreen)
        assert "level 1, 4x4, red" in shown(pilot)
        await press(pilot, "p", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert turn(pilot) == "Red to move: you"
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        record = pilot.app.records.session.record
        assert (record.info("PB"), record.info("PW")) == ("Player", "hextui level 1")


async def test_keys_typed_ahead_go_to_the_dialogs_that_they_are_meant_for():
    play_settings = {"opponent": "level:1", "size": "4", "color": "red", "swap": "no"}
    async with running(game("c3", "d2"), settings=Settings(play=play_settings)) as pilot:
        session = pilot.app.records.session
        session.last()
        for key in ("colon", "1", "enter"):
            pilot.app.simulate_key(key)
        await until(pilot, lambda: session.node.ply == 1)
        for key in ("5", "p", "enter"):
            pilot.app.simulate_key(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert session.node.ply == 1
        assert len(session.record.main_line()) == 3
        assert pilot.app.main.panel_actions.wish.activity is Activity.REVIEW


async def test_what_the_dialog_reads_is_remembered(tmp_path):
    async with running(state=tmp_path) as pilot:
        await press(pilot, "5", "p")
        assert isinstance(pilot.app.screen, PlayDialog)
        for name, text in (("opponent", "12"), ("clock", "x"), ("hints", "maybe")):
            field = pilot.app.screen.query_one(f"#{name}", Input)
            right, field.value = field.value, text
            await press(pilot, "enter")
            assert str(pilot.app.screen.query_one(".error", Static).content)
            field.value = right
        given = {"opponent": "9", "size": "5", "color": "blue", "clock": "10+5", "hints": "n"}
        for name, text in given.items():
            pilot.app.screen.query_one(f"#{name}", Input).value = text
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        wanted = PlaySettings(
            "level:9", Board(5, 5), Color.WHITE, True, TimeControl(10, 5), hints=False
        )
        kept = pilot.app.main.chosen
        assert PlaySettings.read(kept.play) == wanted
        assert "Hint" not in shown(pilot)


async def test_a_game_ends_with_a_chain_and_is_reviewed_by_one_key():
    async with playing() as pilot:
        await win(pilot)
        assert turn(pilot) == "Red won. You win."
        await click_cell(pilot, "a1")
        await press(pilot, "enter")
        assert "r: rematch with colours exchanged. v: review." in said(pilot)
        await press(pilot, "v")
        assert pilot.app.screen is pilot.app.main
        record = pilot.app.records.session.record
        assert record.info("RE") == "B+"
        assert pilot.app.main.panel_actions.wish.activity is Activity.REVIEW


async def test_keys_found_by_the_palette_begin_a_game():
    async with running() as pilot:
        titles = [entry.title for entry in pilot.app.palette_entries()]
        assert "Play against the program" in titles
        await press(pilot, "ctrl+p", *"play against", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayDialog))


class Opponent:
    """Chooses these moves, each once the test allows it."""

    def __init__(self, names, board):
        self.left = [Move.parse(name, board) for name in names]
        self.go = threading.Event()
        self.stops = 0

    def choose(self, stop):
        while not self.go.wait(0.005):
            if stop():
                self.stops += 1
                return
        yield self.left.pop(0)


class ScriptedLane(OwnAnswerer):
    def __init__(self, opponent):
        super().__init__()
        self.opponent = opponent

    def answers(self, question, stop=lambda: False):
        if isinstance(question, ChooseMove):
            yield from self.opponent.choose(stop)
        else:
            yield from super().answers(question, stop)


@asynccontextmanager
async def against(*names, settings=SMALL, thinks=False):
    """Run the app in a game against a scripted opponent; yields the pilot and the opponent."""
    other = Opponent(names, settings.size)
    if not thinks:
        other.go.set()
    async with playing(settings, open_lane=lambda: ScriptedLane(other)) as pilot:
        yield pilot, other


async def test_no_key_places_a_stone_while_the_opponent_thinks():
    async with against("a1", thinks=True) as (pilot, other):
        with threads_go_on():
            await play(pilot, "b2")
            assert turn(pilot) == "Blue to move: Level 2 is thinking ..."
            await press(pilot, "enter", "P", "R", "s", "i", "right", "enter")
            await click_cell(pilot, "c3")
            assert moves(pilot) == ["b2"]
            await press(pilot, "v")
            await until(pilot, lambda: other.stops == 1)
            assert pilot.app.screen is pilot.app.main
            await press(pilot, "escape")
            assert turn(pilot) == "Blue to move: Level 2 is thinking ..."
            assert moves(pilot) == ["b2"]
            other.go.set()
            await until(pilot, lambda: moves(pilot) == ["b2", "a1"])
        assert said(pilot) == "Level 2 plays a1."


async def test_a_swap_is_a_question_after_the_first_move():
    settings = replace(SMALL, color=Color.WHITE, swap=True)
    async with against("b1", "c3", "a3", settings=settings) as (pilot, _):
        await until(pilot, lambda: "Do you swap?" in said(pilot))
        assert "s Swap" in shown(pilot)
        await press(pilot, "n")
        assert "Swap" not in shown(pilot)
        await play(pilot, "b2")
        await until(pilot, lambda: moves(pilot) == ["b1", "b2", "c3"])
    async with against("b1", "c3", settings=settings) as (pilot, _):
        await until(pilot, lambda: "Do you swap?" in said(pilot))
        await press(pilot, "s")
        await until(pilot, lambda: moves(pilot) == ["b1", "swap-pieces", "c3"])
        assert turn(pilot) == "Blue to move: you"
        assert pilot.app.records.session.position["a2"] is Color.WHITE


@pytest.mark.parametrize(
    ("first", "advice"), [("b2", "should swap: "), ("a1", "should not swap: 100% win")]
)
async def test_a_hint_says_whether_to_swap(first: str, advice: str):
    settings = replace(SMALL, color=Color.WHITE, swap=True)
    async with against(first, settings=settings) as (pilot, _):
        await until(pilot, lambda: "Do you swap?" in said(pilot))
        await press(pilot, "i")
        await until(pilot, lambda: f"Hint: you {advice}" in said(pilot))


async def test_a_swap_by_the_opponent_is_announced_and_explained():
    settings = replace(SMALL, swap=True)
    async with against("swap-pieces", settings=settings) as (pilot, _):
        assert said(pilot) == "Level 2 may swap after your first stone."
        await play(pilot, "c1")
        await until(pilot, lambda: moves(pilot) == ["c1", "swap-pieces"])
        assert said(pilot).startswith("Level 2 swaps: your stone becomes Blue's, mirrored.")


async def test_taking_back_goes_to_the_last_own_move_and_keeps_a_variation():
    async with against("a1", "c3", "c1") as (pilot, _):
        await press(pilot, "u")
        assert "no move of yours" in told(pilot)
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await play(pilot, "a3")
        await until(pilot, lambda: len(moves(pilot)) == 4)
        await press(pilot, "u")
        assert pilot.app.records.session.node.ply == 2
        await play(pilot, "b3")
        await until(pilot, lambda: moves(pilot) == ["b2", "a1", "b3", "c1"])
        record = pilot.app.records.session.record
        names = [node.turn.name(record.board) for node in record.node_at(2).children]
        assert names == ["b3", "a3"]
        await press(pilot, "u", "u")
        assert pilot.app.records.session.node.ply == 0


async def test_leaving_is_asked_and_the_game_stays():
    async with against("a1") as (pilot, _):
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await press(pilot, "escape")
        assert "The game is not over" in shown(pilot)
        await press(pilot, "g", "escape", "escape")
        assert isinstance(pilot.app.screen, PlayScreen)
        await press(pilot, "escape", "l")
        assert pilot.app.screen is pilot.app.main
        assert moves(pilot) == ["b2", "a1"]
        assert pilot.app.records.session.record.modified


async def test_resigning_ends_the_game():
    async with against() as (pilot, _):
        await press(pilot, "R", "g")
        assert turn(pilot) == "Red to move: you"
        await press(pilot, "R", "R")
        assert turn(pilot) == "Blue won, Red resigned. Level 2 wins."
        assert "Resign" not in shown(pilot).splitlines()[-1]
        await press(pilot, "u", "i", "P")
        assert moves(pilot) == ["resign"]
        assert pilot.app.records.session.record.info("RE") == "W+R"


async def test_time_that_runs_out_ends_the_game(monkeypatch):
    now = 0.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("hextui.ui.screens.play_screen.time", clock)
    settings = replace(SMALL, clock=TimeControl(1, 5))
    async with against("a1", settings=settings) as (pilot, _):
        screen = pilot.app.screen
        now = 20.0
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        assert "Red 0:45   Blue 1:05" in shown(pilot)
        now = 80.0
        screen._tick()
        assert turn(pilot) == "Blue won, Red ran out of time. Level 2 wins."
        assert pilot.app.records.session.record.info("RE") == "W+T"
        assert pilot.app.records.session.record.info("TM") == "60"


async def test_a_game_that_is_played_on_keeps_its_clock_and_the_users_colour(monkeypatch):
    now = 0.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("hextui.ui.screens.play_screen.time", clock)
    settings = replace(SMALL, color=Color.WHITE, clock=TimeControl(1, 5))
    async with against("b2", "c1", settings=settings) as (pilot, _):
        await until(pilot, lambda: moves(pilot) == ["b2"])
        now = 20.0
        await play(pilot, "a1")
        await until(pilot, lambda: moves(pilot) == ["b2", "a1", "c1"])
        node = pilot.app.records.session.node
        assert node.parent.properties == {"WL": ("45.0",)}
        assert node.properties == {"BL": ("70.0",)}
        await press(pilot, "escape", "l")
        pilot.app.main.game_actions.play_settings = replace(settings, color=None)
        await press(pilot, "5", "o", "enter")
        assert turn(pilot) == "Blue to move: you"
        assert "Red 1:10   Blue 0:45" in shown(pilot)
        await press(pilot, "escape")
        session = pilot.app.records.sessions[0]
        session.record.set_texts(session.node, {"BL": "nan"})
        await press(pilot, "5", "o", "tab", "tab", "end", *["backspace"] * 9, *"2+0", "enter")
        assert "Red 2:00   Blue 2:00" in shown(pilot), "another clock starts full"


async def test_a_hint_has_three_steps():
    settings = replace(SMALL, size=Board(4, 4))
    async with against("a1", settings=settings) as (pilot, _):
        screen = pilot.app.screen
        await press(pilot, "i")
        await until(pilot, lambda: "Hint 1 of 3" in said(pilot))
        assert screen.view.outside
        await press(pilot, "i")
        assert "Hint 2 of 3" in said(pilot)
        best = screen.view.line[0]
        assert screen._position.board.name(best) in said(pilot)
        await press(pilot, "i")
        await until(pilot, lambda: "(proved)" in said(pilot))
        assert said(pilot).startswith("Red plays ")
        assert not pilot.app.records.session.record.modified
        await press(pilot, "i", "R", "R")
        assert not screen.view.line


async def test_a_lost_game_is_said_once_it_is_proved():
    async with against("b2", settings=replace(SMALL)) as (pilot, _):
        await play(pilot, "a1")
        await until(pilot, lambda: "Your position is lost (proved)" in said(pilot))
        assert said(pilot).startswith("Level 2 plays b2.")


async def test_any_position_is_played_on_in_a_record_of_its_own():
    start = game("b2", "a1", "c1")
    start.forward(2)
    async with playing(SMALL, start=start) as pilot:
        assert turn(pilot) == "Red to move: you"
        session = pilot.app.records.session
        assert session is not start
        assert session.position == start.position
        await play(pilot, "e5")
        await until(pilot, lambda: len(moves(pilot)) >= 4)
        assert [node.ply for node in start.record.main_line()] == [0, 1, 2, 3]
        assert not start.record.modified
        assert len(pilot.app.records.sessions) == 2


async def test_a_finished_game_is_not_played_on():
    async with running(game("a1", "c1", "a2", "c2", "a3", side=3)) as pilot:
        await press(pilot, "end", "5", "o", "enter")
        await until(pilot, lambda: "The game is over here" in told(pilot))


async def test_an_engine_that_fails_is_asked_again():
    async with against("a1") as (pilot, other):
        right = other.choose

        def fail(stop):
            raise EngineError("The engine is closed")

        for choose, why in (
            (fail, "The engine is closed"),
            (lambda _: (), "The engine did not answer"),
        ):
            other.choose = choose
            await (press(pilot, "enter") if moves(pilot) else play(pilot, "b2"))
            await until(pilot, lambda why=why: said(pilot) == f"{why}. Enter asks again.")
        other.choose = right
        await press(pilot, "enter")
        await until(pilot, lambda: len(moves(pilot)) == 2)


async def test_an_attached_engine_is_an_opponent():
    command = (sys.executable, "-I", "-S", str(SCRIPTED), "plain")
    config = AttachedConfig("e", command, Dialect.KATA, seconds=0.1, visits=1000)
    with closing(AttachedEngines({"e": config})) as attached, threads_go_on():
        settings = replace(SMALL, opponent="engine(e)", size=Board(4, 4))
        async with playing(settings, attached=attached) as pilot:
            await play(pilot, "b2")
            await until(pilot, lambda: moves(pilot) == ["b2", "a1"])
            assert said(pilot).startswith("E plays a1.")
            assert pilot.app.records.session.record.info("PW") == "hextui e"


@pytest.mark.parametrize("size", some([(40, 16), (80, 24), (140, 45)], 1))
async def test_a_game_has_room_on_every_screen(size):
    settings = PlaySettings("level:1", Board(11, 11), Color.WHITE, clock=TimeControl(10))
    async with playing(settings, size=size) as pilot:
        await until(pilot, lambda: pilot.app.screen._users_turn)
        assert "Blue to move" in " ".join(shown(pilot).split())
        await press(pilot, "n", "left", "enter", "i")
        await press(pilot, "escape", "l")


async def test_the_live_analysis_rests_during_a_game():
    async with analysing(game()) as (pilot, analyst):
        pilot.app.main.work_on("train", partial(pilot.app.main.game_actions.begin, SMALL))
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        asked = len(analyst.asked)
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        assert len(analyst.asked) == asked
        await press(pilot, "v")
        assert analyst.asked[-1] == pilot.app.records.session.position


async def test_the_program_begins_with_a_game_from_the_start_or_from_a_record():
    texts = {"opponent": "level:1", "color": "blue", "size": "4", "swap": "no"}
    async with running(play=texts) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        await until(pilot, lambda: turn(pilot) == "Blue to move: you")
        assert len(pilot.app.records.sessions) == 1
        assert pilot.app.records.session.board == Board(4, 4)
        assert pilot.app.main.game_actions.play_settings.hints
    record = game("c3", "d2")
    record.last()
    async with running(record, play=texts | {"color": "red"}) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert moves(pilot) == ["c3", "d2"]


def test_a_game_outlives_a_killed_program(tmp_path):
    words = ("play", "--level", "1", "--size", "5", "--color", "red", "--no-swap")
    with Program(tmp_path, *words) as program:
        program.wait_for_text(b"to move: you")
        program.keys(b"\r")
        program.wait_for_text(b"thinking")
        time.sleep(1)
        assert program.kill(signal.SIGKILL) == -signal.SIGKILL
    with closing(GameStore(tmp_path / "state" / "games.sqlite")) as store:
        (kept,) = store.games()
    record = kept.record()
    assert record.turns()[0].name(record.board) == "c3"
    assert record.info("PW") == "hextui level 1"
    with Program(tmp_path) as program:
        program.wait_for_text(b"continues your game: level 1, 5x5, ply")


@pytest.mark.parametrize(
    "words",
    [
        *(("--level", "0"), ("--level", "10"), ("--opponent", "nobody"), ("--color", "green")),
        *(("--clock", "x"), ("--size", "0"), ("--level", "3", "--opponent", "search")),
    ],
    ids=" ".join,
)
def test_what_the_command_cannot_play_is_bad_usage(words, capsys):
    assert main(["play", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("hextui: ")


async def test_keys_named_during_a_game_work():
    settings = replace(SMALL, color=Color.WHITE, swap=True)
    async with against("b1", "c3", settings=settings) as (pilot, _):
        await until(pilot, lambda: "Do you swap?" in said(pilot))
        for named in named_below(pilot.app.screen):
            await check(pilot, *named)
        await press(pilot, "n")
        for named in named_below(pilot.app.screen):
            await check(pilot, *named)


@pytest.mark.parametrize("size", some([(40, 16), (80, 24)], 1))
async def test_each_way_to_train_has_a_letter_of_its_own(size):
    async with running(size=size) as pilot:
        letters = [entry.key for entry in pilot.app.main.train_actions.entries()]
        assert len({*letters}) == len(letters)
        for letter in letters:
            await press(pilot, "5")
            assert isinstance(pilot.app.screen, TrainScreen)
            assert "Play against the program" in shown(pilot)
            await press(pilot, letter)
            if letter == "m":  # there is no mistake to ask for
                await until(pilot, lambda: "No proved mistake yet" in told(pilot))
                continue
            assert pilot.app.screen is not pilot.app.main
            assert not isinstance(pilot.app.screen, TrainScreen)
            while pilot.app.screen is not pilot.app.main:
                await press(pilot, "escape")
