"""What the tests of the screen share."""

import asyncio
import random
import time
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import fields
from functools import cache
from typing import Any

from textual import events
from textual.keys import key_to_character

from hextui.analysis import stored_analysis
from hextui.analysis.analyst import Analyst
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.whole_game import analyse_game
from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.engine.ranking import rank_by_value
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine_workspace import TableCache
from hextui.engines.snapshot import ConnectionCounts, Snapshot, Verdict, VerdictKind
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.record import Record
from hextui.ui.app.app import HextuiApp
from hextui.ui.app.config import Config
from hextui.ui.app.workspace import Services
from hextui.ui.record.session import Session

from .settling import PATIENCE, rest

SIZES = [(80, 24), (100, 30), (140, 45)]
MOVES = ("a1", "b2", "c3", "d4", "c2", "b3", "c4", "d2", "c1", "d1", "c5")
EVALUATORS = ("k-paths:1", "resistance")


def game(*names: str, side: int = 5, swap: bool = True) -> Session:
    """Return a session at the start of a game on a square board; ``swap``: under the swap rule."""
    board = Board(side, side)
    record = Record.of_moves(board, [Move.parse(name, board) for name in names])
    if not swap:
        record.root.properties["RU"] = ("no swap",)
    return Session(record)


def long_game(plies=100, side=11):
    """Return a session at the end of a game that nobody wins soon."""
    session = Session(Record(Board(side, side)))
    for cell in random.Random(1).sample(range(side * side), side * side):
        if session.node.ply < plies and not session.position.play(cell).winner:
            session.play(cell)
    return session


def reviewed(session, names=EVALUATORS, winners=(), wins=None):
    """Return the game's positions and what is known of them, which its record then holds.

    ``winners``: who is proved to win, by ply. ``wins``: winning moves, by ply.
    """
    record, found = session.record, Estimates()
    line = game_positions(record, record.main_line())
    list(analyse_game(line, names, found))
    for ply, winner in dict(winners).items():
        found.keep_verdict(line[ply].position, Verdict(VerdictKind.SOLVER, winner))
    for ply, (cells, complete) in (wins or {}).items():
        found.keep_wins(line[ply].position, tuple(cells), complete)
    record.set_properties(stored_analysis.properties(line, names, found))
    return line, found


def reopened(session):
    """Return a session of the record as a file has it."""
    return Session(read_sgf(write_sgf(session.record)))


@cache
def _judged_game():
    session = game(*MOVES)
    reviewed(session)
    return write_sgf(session.record)


def judged_game():
    """Return a session of the game `MOVES`, whose record holds its analysis."""
    session = Session(read_sgf(_judged_game()))
    stored_analysis.sign(session.record)  # a test may have a home of its own
    return session


class NotedApp(HextuiApp):
    """Keeps the messages of its notifications."""

    def __init__(self, *arguments, **more):
        self.notes = []
        super().__init__(*arguments, **more)

    def notify(self, message, **how):
        self.notes.append(message)
        super().notify(message, **how)

    def clear_notifications(self):
        self.notes.clear()
        super().clear_notifications()


def workstation(session=None, state=None, ask_game=False, play=None, **arguments):
    """Return the app; what belongs to `Config` or `Services` may be given by its name."""
    own = {field.name for field in fields(Config)} & arguments.keys()
    config = Config(**{name: arguments.pop(name) for name in own})
    services = Services(**{"open_lane": OwnAnswerer, **arguments})
    session = session or Session(Record(Board(11, 11)))
    return NotedApp(session, config, services, state, ask_game=ask_game, play=play)


@asynccontextmanager
async def running(session=None, size=(80, 24), **arguments):
    """Run the app without a terminal; yields the pilot."""
    app = workstation(session, **arguments)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield pilot


async def press(pilot, *keys):
    """Press keys and wait until nothing is left to do."""
    await pilot.press(*keys)
    await settle(pilot)


async def give_focus(pilot, widget):
    """Give a widget the focus, once it has its place on the screen."""
    await settle(pilot)
    widget.focus()
    await until(pilot, lambda: widget.has_focus)


async def paste(pilot, text):
    """Paste a text where the cursor is."""
    pilot.app.post_message(events.Paste(text))
    await settle(pilot)


async def until(pilot, true, seconds=PATIENCE):
    """Wait until something is true, and then until nothing is left to do."""
    await become(pilot, true, seconds)
    await settle(pilot)


async def become(pilot, true, seconds=PATIENCE):
    """Wait until something is true, whatever else is left to do then."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, shown(pilot)
        await asyncio.sleep(0.01)


async def settle(pilot):
    """Wait until nothing is left to do: panels follow after what a key changes is painted.

    Those of a covered screen follow when it is shown again.
    """
    app, end = pilot.app, time.monotonic() + PATIENCE
    await rest(app)
    while app.is_running and app.screen is app.main and not app.main.workspace.caught_up:
        assert time.monotonic() < end, shown(pilot)
        await asyncio.sleep(0.001)
        await rest(app)


async def resize(pilot, columns, rows):
    """Give the terminal another size, which Textual passes on to the screen after 1/120 s."""
    await pilot.resize_terminal(columns, rows)
    await asyncio.sleep(1 / 60)
    await settle(pilot)


async def click_cell(pilot, name: str, button: int = 1):
    """Click on a cell of the main board."""
    board = pilot.app.main.board
    x, y = board.geometry.centre(board.view.position.board.cell(name))
    left, top = board._origin
    await pilot.click(board, offset=(left + x, top + y), button=button)
    await settle(pilot)


async def click_text(pilot, text: str, **how):
    """Click where the text is first seen on the screen."""
    lines = shown(pilot).splitlines()
    y = next(y for y, line in enumerate(lines) if text in line)
    await pilot.click(offset=(lines[y].index(text), y), **how)
    await settle(pilot)


def shown(pilot) -> str:
    """Return the text of the screen."""
    return "\n".join(strip.text for strip in strips(pilot.app.screen))


def strips(screen):
    """Return the lines of a screen as they are painted; Textual has no public name for them."""
    return screen._compositor.render_strips()


def told(pilot) -> str:
    """Return the newest notification and the message in a line, '' without any."""
    problem = "".join(pilot.app.notes[-1:])
    return "\n".join(text for text in (problem, message(pilot)) if text)


def message(pilot) -> str:
    """Return the message of the uppermost screen that has a line for it."""
    return pilot.app.message_line.message


class ScriptedAnalyst(Analyst):
    """An analyst that keeps the questions and says what the test tells it to say."""

    def __init__(self, emit):
        no_lane: Any = None
        super().__init__(emit, lambda: no_lane, EVALUATORS, "blocking")
        self.asked = []
        self.played = []
        self.cancelled = 0
        self.asked_again = 0
        self.closed = False
        self.tables = TableCache()

    def _is_there(self, name):
        return True

    def request(self, position, again=False, played=None):
        self.asked.append(position)
        self.played.append(played)
        self.asked_again += again
        return len(self.asked)

    def look_up(self, question, hear):
        (found,) = OwnAnswerer(self.tables).answers(question)
        hear(found)

    def cancel(self):
        self.cancelled += 1

    def close(self):
        self.closed = True

    def answer(self, **known):
        """Answer the last question."""
        known = {"scope": self.scope, **known}
        snapshot = Snapshot(self.asked[-1], generation=len(self.asked), **known)
        self.emit(snapshot)
        return snapshot


@asynccontextmanager
async def analysing(session, size=(100, 30), analyst=ScriptedAnalyst, **arguments):
    """Run the app with a scripted analyst; yields the pilot and the analyst."""
    made = []

    def make(emit):
        made.append(analyst(emit))
        return made[0]

    async with running(session, size, make_analyst=make, **arguments) as pilot:
        yield pilot, made[0]


class ScriptedGameAnalyst:
    """A game analyst that does nothing until the test tells it to."""

    solve_seconds = 7.0

    def __init__(self, emit):
        self.emit = emit
        self.started = []
        self.cancelled = 0

    def start(self, positions, names, estimates):
        self.started.append((positions, names, estimates))

    def cancel(self):
        self.cancelled += 1

    def close(self):
        pass

    def work(self, plies=None):
        """Analyse so many plies as the real one does."""
        for progress in analyse_game(*self.started[-1]):
            self.emit(progress)
            if progress.done == plies:
                return


async def tell(pilot, analyst, **known):
    """Let the analyst answer, and wait until that is on the screen."""
    snapshot = analyst.answer(**known)
    await all_shown(pilot)
    return snapshot


async def all_shown(pilot):
    """Wait until the panels show what is known, which they do at most five times a second."""
    await settle(pilot)
    await until(pilot, lambda: not pilot.app.main.workspace._late)


def row_text(line):
    """Return the text of a row of a list."""
    return "".join(text for text, _ in line.spans)


def ranking(name, position, best_first):
    """Return a ranking of the named cells first, then all others, with falling values."""
    board = position.board
    first = [board.cell(name) for name in best_first]
    cells = first + [cell for cell in position.empties if cell not in first]
    return rank_by_value(name, {cell: float(-place) for place, cell in enumerate(cells)})


def in_one_piece(pilot, given):
    """Give the app all these events at once; the caller waits for what comes of it."""
    for event in given:
        pilot.app.post_message(copy(event))


def keys(*names):
    """Return the events of keys."""
    return [events.Key(name, key_to_character(name)) for name in names]


def clicks(x, y):
    """Return the events of a click of the left button on a place of the screen."""
    place = (None, x, y, 0, 0, 1, False, False, False, x, y)
    return [events.MouseDown(*place), events.MouseUp(*place)]


def counts_of(tables):
    """Return what a snapshot says of tables of connections."""
    return {
        color: ConnectionCounts(table.fulls, table.semis, table.complete)
        for color, table in tables.items()
    }
