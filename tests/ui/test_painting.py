"""What changed is painted at once, and the terminal shows what a painting of everything would."""

import asyncio
import gc
import random
import time
from itertools import zip_longest
from weakref import ref

import pytest
from textual import events, messages
from textual._compositor import Compositor
from textual.css.stylesheet import Stylesheet
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets._toast import Toast

from hextui.ui import refinements
from hextui.ui.app import HextuiApp
from hextui.ui.compositor import SureCompositor
from hextui.ui.main.main_screen import MainScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.panel import Panel
from hextui.ui.widgets.status import StatusLine
from hextui.ui.widgets.text_rows import TextRows
from hextui.ui.written_cells import PiecesUpdate

from .helpers import (
    analysing,
    become,
    game,
    press,
    ranking,
    running,
    settle,
    shown,
    tell,
    until,
)
from .resting import PATIENCE
from .test_holding_a_key import long_game

KEYS = "n n l o p j o m r n ! s h enter ctrl+z s tab down z z v n tab tab ? escape t t end home"


class Picture:
    """What a terminal shows after all that was sent to it."""

    def __init__(self, monkeypatch):
        self.lines = []
        self.sent = 0
        monkeypatch.setattr(
            HextuiApp, "_display", lambda _, screen, update: self._take(screen, update)
        )

    def _take(self, screen, update):
        if not isinstance(update, PiecesUpdate):
            if update is not None:
                self.lines = whole(screen)
            return
        for y, x, strip in update.pieces:
            self.lines[y][x : x + strip.cell_length] = cells_of(strip)
            self.sent += strip.cell_length


def cells_of(strip):
    return [(sign, str(segment.style)) for segment in strip for sign in segment.text]


def whole(screen):
    return [cells_of(strip) for strip in screen._compositor.render_strips()]


def differences(lines, others):
    """Return what tells two pictures apart: line, column, and both cells."""
    return [
        (y, x, cell, other)
        for y, (line, other_line) in enumerate(zip(lines, others, strict=True))
        for x, (cell, other) in enumerate(zip_longest(line, other_line))
        if cell != other
    ]


async def until_so(done, seconds=PATIENCE):
    """Wait until something is so, without a hand: widgets tell late that they have changed."""
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_the_terminal_shows_what_a_painting_of_everything_would(monkeypatch, size):
    picture = Picture(monkeypatch)
    session = game("c3", "d2", "b4", "a1", side=6)
    async with analysing(session, size) as (pilot, analyst):
        for key in KEYS.split():
            await pilot.press(key)
            if key == "n":
                ranked = ranking("one", session.position, ["a6", "b6"])
                await tell(pilot, analyst, rankings={"one": ranked})
            await settle(pilot)
            await until_so(lambda: picture.lines == whole(pilot.app.screen))
            assert not differences(picture.lines, whole(pilot.app.screen)), key
    assert picture.sent


async def test_a_message_goes_though_a_widget_is_looked_for_meanwhile(monkeypatch):
    """It has gone, no layout has come yet, and a widget has moved since the last one."""
    picture = Picture(monkeypatch)
    async with analysing(game("c3", "d2")) as (pilot, _):
        main = pilot.app.main
        pilot.app.notify("a word")
        await until(pilot, lambda: main.query(Toast) and "a word" in shown(pilot))
        await until_so(lambda: picture.lines == whole(main))
        await main.query_one(Toast).remove()
        main._compositor._full_map_invalidated = True
        assert main.board.region
        await until_so(lambda: picture.lines == whole(main))
        assert not differences(picture.lines, whole(main))


async def test_a_key_is_painted_at_once(monkeypatch):
    picture = Picture(monkeypatch)
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        await settle(pilot)
        sent = picture.sent
        main.desk.session.cursor += 1
        main.desk.show_cursor()
        assert picture.lines == whole(main)
        assert picture.sent > sent


async def test_what_was_painted_at_once_does_not_tell_the_screen_any_more(monkeypatch):
    told = []
    post_message = MainScreen.post_message

    def noted(screen, message):
        if isinstance(message, messages.Update):
            told.append(message.widget)
        return post_message(screen, message)

    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        await settle(pilot)
        monkeypatch.setattr(MainScreen, "post_message", noted)
        main.desk.session.cursor += 1
        main.desk.show_cursor()
        await settle(pilot)
        assert not told
        main.board.refresh()
        await until(pilot, lambda: told == [main.board])


async def test_keys_that_wait_are_painted_together(monkeypatch):
    monkeypatch.setattr(refinements, "_LONGEST", 3600)
    picture = Picture(monkeypatch)
    async with analysing(long_game(), (140, 45)) as (pilot, _):
        app, session, drawn = pilot.app, pilot.app.main.desk.session, []
        await settle(pilot)
        refresh = SureCompositor.render_partial_update

        def noted(compositor):
            drawn.append(session.node.ply)
            return refresh(compositor)

        monkeypatch.setattr(SureCompositor, "render_partial_update", noted)
        for _ in range(40):
            app.post_message(events.Key("n", "n"))
        await until(pilot, lambda: session.node.ply == 40)
        await until_so(lambda: picture.lines == whole(app.main))
        assert not differences(picture.lines, whole(app.main))
        assert len(set(drawn)) < 10


async def test_who_is_not_seen_in_what_changes_is_not_asked_to_paint(monkeypatch):
    asked = []
    render_lines, render_rows = Widget.render_lines, TextRows.render_lines

    def noted(widget, crop):
        asked.append(widget)
        return (render_rows if isinstance(widget, TextRows) else render_lines)(widget, crop)

    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        await settle(pilot)
        status = main.query_one(StatusLine)
        monkeypatch.setattr(Widget, "render_lines", noted)
        monkeypatch.setattr(TextRows, "render_lines", noted)
        status.message = "done"
        refinements.paint(main)
        assert asked == [status]


async def test_a_widget_is_asked_only_for_the_lines_that_have_changed(monkeypatch):
    asked = set()
    render_line = BoardWidget.render_line

    def noted(board, y):
        asked.add(y)
        return render_line(board, y)

    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        main.desk.session.cursor = 0
        main.desk.show_cursor()
        await settle(pilot)
        monkeypatch.setattr(BoardWidget, "render_line", noted)
        main.desk.session.cursor = 1
        main.desk.show_cursor()
        geometry = main.board.geometry
        lines = {y for cell in (0, 1) for y in geometry.lines_of(cell)}
        assert len(asked) == len(lines) < geometry.height


@pytest.mark.parametrize("seed", range(5))
async def test_any_part_is_painted_as_textual_paints_it(seed):
    """With a message and a dialog over the board, in whatever part of the screen."""
    lot = random.Random(seed)
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        pilot.app.notify("a word")
        if seed % 2:
            await press(pilot, "question_mark")
        await settle(pilot)
        screen = pilot.app.screen
        compositor, (width, height) = screen._compositor, screen.size
        for _ in range(30):
            corners = [(lot.randrange(width), lot.randrange(height)) for _ in range(3)]
            parts = {
                Region(x, y, lot.randint(1, width - x), lot.randint(1, height - y))
                for x, y in corners
            } - {screen.region}
            compositor._dirty_regions = set(parts)
            painted = {
                (y, x + n): cell
                for y, x, strip in compositor.render_partial_update().pieces
                for n, cell in enumerate(cells_of(strip))
            }
            compositor._dirty_regions = set(parts)
            textual = Compositor.render_partial_update(compositor)
            lines = [
                [cell for strip in chops.values() for cell in cells_of(strip)]
                if None not in chops.values()
                else []
                for chops in textual.chops
            ]
            places = {(y, x) for part in parts for y in part.line_range for x in part.column_range}
            assert painted.keys() == places
            assert all(painted[y, x] == lines[y][x] for y, x in places)


async def test_a_textual_without_those_private_parts_paints_by_its_timer(monkeypatch):
    monkeypatch.setattr(refinements, "_OF_SCREEN", ("_no_such_part",))
    picture = Picture(monkeypatch)
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        main = pilot.app.main
        assert not refinements.paints_at_once(main)
        await settle(pilot)
        await until_so(lambda: picture.lines == whole(main))
        main.desk.session.cursor += 1
        main.desk.show_cursor()
        assert picture.lines != whole(main)
        await until_so(lambda: picture.lines == whole(main))
        assert picture.lines == whole(main)


async def test_this_textual_paints_at_once():
    async with analysing(game("c3", "d2")) as (pilot, _):
        assert refinements.paints_at_once(pilot.app.main)


async def test_keys_come_between_two_panels(monkeypatch):
    """Each panel is painted in a turn of its own."""
    turns, filled = [0], []

    async def count():
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    fill = Panel._fill_if_seen

    def noted(panel):
        if panel._seen and panel._sight is not None:
            filled.append(turns[0])
        fill(panel)

    session = game("c3", "d2")
    async with analysing(session, (140, 45)) as (pilot, analyst):
        await settle(pilot)
        monkeypatch.setattr(Panel, "_fill_if_seen", noted)
        counting = asyncio.create_task(count())
        analyst.answer(rankings={"one": ranking("one", session.position, ["a1"])})
        await become(pilot, lambda: filled and pilot.app.main.desk.caught_up)
        counting.cancel()
        assert len(filled) > 2
        assert len(set(filled)) == len(filled)


async def test_how_a_screen_that_is_gone_looked_is_let_go():
    async with running(game()) as pilot:
        await press(pilot, "question_mark")
        looked = ref(pilot.app.screen._styles_cache)
        await press(pilot, "escape")
        await settle(pilot)
        gc.collect()
        assert looked() is None


async def test_the_styles_of_the_first_screen_are_looked_up_once(monkeypatch):
    looked_up = []
    apply = Stylesheet.apply

    def noted(stylesheet, node, **how):
        looked_up.append(node)
        apply(stylesheet, node, **how)

    monkeypatch.setattr(Stylesheet, "apply", noted)
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        nodes = list(pilot.app.main.walk_children(with_self=True))
        assert len(nodes) > 20
        assert sum(looked_up.count(node) > 1 for node in nodes) < len(nodes) / 2


@pytest.mark.parametrize("key", ["", "?", "o", "U", "ctrl+p", "I", "L"])
async def test_the_styles_of_a_new_screen_are_those_that_another_look_finds(key):
    async with analysing(game("c3", "d2"), (140, 45)) as (pilot, _):
        await press(pilot, *([key] if key else []))
        screen = pilot.app.screen
        nodes = list(screen.walk_children(with_self=True))
        before = {node: dict(node.styles.base.get_rules()) for node in nodes}
        screen.update_node_styles(animate=False)
        await settle(pilot)
        for node in nodes:
            assert dict(node.styles.base.get_rules()) == before[node], node
