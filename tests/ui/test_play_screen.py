"""Games against the program: begun by three keys, kept from the first move, reviewed at the end."""

from contextlib import asynccontextmanager

from textual.widgets import Input, Static

from hextui.engine.board import Board, Color
from hextui.train.play_settings import PlaySettings, TimeControl
from hextui.ui.layout import Activity
from hextui.ui.screens.play_screen import PlayScreen
from hextui.ui.screens.train_screen import PlayDialog, TrainScreen
from hextui.ui.settings import Settings

from .helpers import press, running, shown, until

_BRIDGES = ("b1", "c1"), ("a3", "b3")
SMALL = PlaySettings("level:2", Board(3, 3), Color.BLACK, swap=False)


def turn(pilot) -> str:
    return str(pilot.app.screen.query_one("#play-turn", Static).content)


def said(pilot) -> str:
    return str(pilot.app.screen.query_one("#play-message", Static).content)


def moves(pilot) -> list[str]:
    record = pilot.app.records.session.record
    return [one.name(record.board) for one in record.turns()]


async def play(pilot, *names):
    """Play moves of the user, one after the other."""
    screen = pilot.app.screen
    for name in names:
        await until(pilot, lambda: screen._users_turn)
        screen._point(screen.subject.board.cell(name))
        await press(pilot, "enter")


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
        actions = pilot.app.main.train_actions
        from_here = pilot.app.records.session if start else None
        pilot.app.main.work_on("train", lambda: actions.begin(settings, from_here))
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        yield pilot


async def test_three_keys_begin_a_game_with_the_last_settings():
    chosen = Settings(play_opponent="level:1", play_size="4", play_color="red", play_swap=False)
    async with running(settings=chosen) as pilot:
        await press(pilot, "5")
        assert isinstance(pilot.app.screen, TrainScreen)
        assert "Level 1, 4x4, red" in shown(pilot)
        await press(pilot, "p", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert turn(pilot) == "Red to move: you"
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        record = pilot.app.records.session.record
        assert (record.info("PB"), record.info("PW")) == ("Player", "hextui level 1")


async def test_what_the_dialog_reads_is_remembered(tmp_path):
    async with running(state=tmp_path) as pilot:
        await press(pilot, "5", "enter")
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
        assert kept.play() == wanted
        assert "Hint" not in shown(pilot)


async def test_a_game_ends_with_a_chain_and_is_reviewed_by_one_key():
    async with playing() as pilot:
        await win(pilot)
        assert turn(pilot) == "Red won. You win."
        await press(pilot, "enter")
        assert "q reviews it" in said(pilot)
        await press(pilot, "q")
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
