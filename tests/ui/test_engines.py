"""Attached engines: their screen, where they are added and tested, and what they say elsewhere."""

import sys
import tomllib
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.widgets import Input, Select, TextArea

from hextui.engine.cells import Cells
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.engines.engine_session import Direction
from hextui.engines.registry import AttachedEngines
from hextui.engines.snapshot import ReportedMove, SearchReport
from hextui.locations import config_file
from hextui.settings.engine_config import AttachedConfig
from hextui.settings.engine_tables import configured_engines, write_engine
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.screens.engines_screen import (
    DONE,
    EngineForm,
    EnginesScreen,
    EngineTestDialog,
    table_of,
    texts_of,
)
from hextui.ui.widgets.line_list import LineList
from tests.engines.attached.trickster import SCRIPT

from .helpers import analysing, click_text, game, press, ranking, row_text, shown, tell, told, until

SIZE = (80, 24)


def scripted(trick, *more):
    """Return the table of the engine that plays tricks."""
    return {
        "command": [sys.executable, "-I", "-S", str(SCRIPT), trick, *more],
        "dialect": "kata",
        "seconds": 0.1,
    }


@asynccontextmanager
async def engines_screen(tmp_path, monkeypatch, size=SIZE, **tables):
    """Run the app on its engines' screen, with these engines in the settings file."""
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    for name, table in tables.items():
        write_engine(config_file(), name, table)
    engines = AttachedEngines(configured_engines(config_file()))
    try:
        async with analysing(game(), size, attached=engines) as (pilot, analyst):
            await press(pilot, "7")
            yield pilot, engines, analyst
    finally:
        engines.close()


def configure(engines, trick):
    """Write another command for the engine kata, and have it taken over."""
    engines.configure(write_engine(config_file(), "kata", scripted(trick), instead_of="kata"))


def fill(pilot, **fields):
    """Write into the fields of the form."""
    for name, text in fields.items():
        if name == "dialect":
            pilot.app.screen.query_one(Select).value = text
        elif name == "start":
            pilot.app.screen.query_one(TextArea).text = text
        else:
            pilot.app.screen.query_one(f"#{name}", Input).value = text


PROBLEMS = [
    ({"name": "2nd", "command": "x"}, "a name is letters, digits"),
    ({"name": "kata", "command": ""}, "command: the program is missing"),
    ({"name": "kata", "command": "'x"}, "command: no closing quotation"),
    ({"name": "kata", "command": "x", "seconds": "soon"}, "seconds: soon is not a number"),
    ({"seconds": "", "visits": "0"}, "visits: must be a whole number from 1"),
    ({"visits": "", "environment": "A"}, "environment: A is not NAME=text"),
    ({"name": "there", "environment": ""}, "there is an engine of this name"),
]


async def test_engines_are_added_when_nothing_is_wrong_with_them(tmp_path, monkeypatch):
    async with engines_screen(tmp_path, monkeypatch) as (pilot, engines, _):
        assert "No other engine is attached." in shown(pilot)
        write_engine(config_file(), "there", scripted("plain"))
        before = config_file().read_text()
        await press(pilot, "a")
        for fields, problem in PROBLEMS:
            fill(pilot, **fields)
            await press(pilot, "ctrl+s")
            assert isinstance(pilot.app.screen, EngineForm)
            assert problem in " ".join(shown(pilot).replace("│", " ").split())
        assert config_file().read_text() == before
        assert not engines.configs
        fill(pilot, name="kata", command="'the engine' gtp", dialect="kata", start="a 1\nb 2")
        fill(pilot, seconds="2.5", visits="400", environment="A=1 B='2 3'")
        await press(pilot, "ctrl+s")
        assert isinstance(pilot.app.screen, EnginesScreen)
        assert "[ ] kata   kata      not started" in shown(pilot)
        assert tomllib.loads(config_file().read_text()) == {
            "engines": {
                "there": scripted("plain"),
                "kata": {
                    "command": ["the engine", "gtp"],
                    "dialect": "kata",
                    "environment": {"A": "1", "B": "2 3"},
                    "start": ["a 1", "b 2"],
                    "seconds": 2.5,
                    "visits": 400,
                },
            }
        }
        assert [config.name for config in engines.configs] == ["there", "kata"]


async def test_the_test_says_in_words_what_it_found(tmp_path, monkeypatch):
    monkeypatch.setattr("hextui.engines.attached_searches.SEARCH_SECONDS", 0.05)
    kata = scripted("plain")
    async with engines_screen(tmp_path, monkeypatch, kata=kata) as (pilot, engines, _):
        await press(pilot, "t")
        await until(pilot, lambda: DONE in shown(pilot))
        text = shown(pilot)
        assert "Scripted 1.0 answered after" in text
        assert "Accepts boards of 3, 5, 7, 9, 11, 13 rows; rejects 14, 15, 17, 19" in text
        assert "First analysis of 11x11 after" in text
        assert "visits a second" in text
        assert "Opening move a1, win probability 75%" in text
        await press(pilot, "escape")
        assert engines.made("kata").state == "not started"  # the test has a process of its own
        for keys in (["t"], ["e", "ctrl+t"]):
            configure(engines, "no start")
            await press(pilot, *keys)
            await until(pilot, lambda: DONE in shown(pilot))
            text = shown(pilot)
            assert "Failed: kata ended (exit code 1)" in text
            assert "its last 1 line on standard error:" in text
            assert "usage: scripted --model FILE" in text
            await press(pilot, "escape")
        await press(pilot, "escape")
        configure(engines, "silent")
        await press(pilot, "t")
        dialog = pilot.app.screen
        assert isinstance(dialog, EngineTestDialog)
        await until(pilot, lambda: dialog._session is not None)
        await press(pilot, "escape")  # which ends the program
        await until(pilot, lambda: dialog._session.process.poll() is not None)


async def test_an_engine_is_started_and_stopped_and_its_log_is_shown(tmp_path, monkeypatch):
    kata, other = scripted("plain"), scripted("plain")
    async with engines_screen(tmp_path, monkeypatch, kata=kata, other=other) as found:
        pilot, engines, _ = found
        await press(pilot, "s")
        await until(pilot, lambda: "kata      ready" in shown(pilot))
        await until(pilot, lambda: "2 list_commands" in shown(pilot))
        text = shown(pilot)
        assert "Log of kata" in text
        assert "> 1 name" in text
        assert "< =1 Scripted" in text
        assert f"* {sys.executable}" in text
        await press(pilot, "down")
        assert "Log of other" in shown(pilot)
        assert "list_commands" not in shown(pilot)
        await press(pilot, "up", "x")
        await until(pilot, lambda: "kata      stopped" in shown(pilot))
        assert "quit" in shown(pilot)
        traffic = engines.engine("other").traffic
        for number in range(40):
            traffic.add(Direction.SAID, f"line {number}.")
        await press(pilot, "down")
        await until(pilot, lambda: "line 39." in shown(pilot))  # the log follows
        rows = pilot.app.screen.query_one("#log", LineList)
        rows.focus()
        await press(pilot, "home")
        traffic.add(Direction.SAID, "line 40.")
        await until(pilot, lambda: len(rows.lines) == 41)
        assert "line 0." in shown(pilot)  # but not whoever reads above
        await press(pilot, "end")
        traffic.add(Direction.SAID, "line 41.")
        await until(pilot, lambda: "line 41." in shown(pilot))


async def test_a_click_selects_an_engine_and_a_second_one_edits_it(tmp_path, monkeypatch):
    kata, other = scripted("plain"), scripted("plain")
    async with engines_screen(tmp_path, monkeypatch, kata=kata, other=other) as (pilot, *_):
        await click_text(pilot, "other ")
        assert isinstance(pilot.app.screen, EnginesScreen)
        assert "Log of other" in shown(pilot)
        await click_text(pilot, "other ", times=2)
        assert isinstance(pilot.app.screen, EngineForm)
        assert "Settings of other" in shown(pilot)


async def test_engines_rank_are_renamed_and_removed(tmp_path, monkeypatch):
    kata, other = scripted("plain"), scripted("plain")
    async with engines_screen(tmp_path, monkeypatch, kata=kata, other=other) as found:
        pilot, engines, analyst = found
        await press(pilot, "space")
        assert "[x] kata " in shown(pilot)
        await press(pilot, "escape")
        assert analyst.evaluators == ("k-paths:1", "resistance", "engine(kata)")
        analyst.lines_by = "engine(kata)"
        asked = len(analyst.asked)
        await press(pilot, "7", "e")
        fill(pilot, name="katahex")
        await press(pilot, "enter")
        assert "[x] katahex " in shown(pilot)
        assert set(engines.evaluators) == {"engine(katahex)", "engine(other)"}
        await press(pilot, "escape")
        assert "engine(katahex)" in analyst.evaluators
        assert analyst.lines_by == DEFAULT_SEARCH  # the one that judged lines is gone
        assert len(analyst.asked) > asked
        analyst.choose_evaluators(["engine(katahex)"])
        await press(pilot, "7", "home" if engines.configs[0].name == "katahex" else "end", "space")
        assert "Nothing else ranks moves" in told(pilot)
        assert "[x] katahex " in shown(pilot)
        await press(pilot, "delete")
        assert "Remove katahex" in shown(pilot)
        await press(pilot, "n")
        assert len(engines.configs) == 2
        await press(pilot, "delete", "y")
        assert [config.name for config in engines.configs] == ["other"]
        assert list(configured_engines(config_file())) == ["other"]
        assert pilot.app.screen.query_one(LineList).place == 0
        config_file().write_text("[engines")
        for keys in (["e"], ["delete", "y"]):
            pilot.app.clear_notifications()
            await press(pilot, *keys)
            assert "config.toml" in told(pilot)
        assert config_file().read_text() == "[engines"


def test_fields_and_back():
    table = {
        "command": ["a b", "--x=1", ""],
        "dialect": "kata-hzy",
        "folder": "~/x y",
        "environment": {"A": "", "B": "b c"},
        "start": ["one; two", "three"],
        "seconds": 0.25,
        "visits": 12345678,
        "smallest": 2,
        "largest": 13,
    }
    assert table_of("one", texts_of(table)) == table
    assert table_of("one", texts_of({"command": ["x"]})) == {"command": ["x"]}


# Beside our own engine in the panels, on the card, in the dialogs


KATA = "engine(katahex)"


def with_engines(session, size=(140, 45)):
    """Run the app with a scripted analyst and two configured engines that nobody starts."""
    configs = {name: AttachedConfig(name, ("no-such-program",)) for name in ("katahex", "wolve")}
    return analysing(session, size, attached=AttachedEngines(configs))


def report(position, **more):
    """Return what an engine says of a position: of two moves and the image of one."""

    def line(*names):
        return Cells(position.board, tuple(map(position.board.cell, names)))

    moves = (
        ReportedMove(line("c3", "b4"), 12_300, 0.634, None, 0.41),
        ReportedMove(line("d2"), 800, 0.5, None, 0.2),
        ReportedMove(line("b4"), 800, 0.5, None, 0.2, is_copy=True),
    )
    return replace(SearchReport(position, "katahex", moves, 13_100, 6.55), **more)


def by_engine(position, **more):
    """Return what a snapshot says of that."""
    found = report(position, **more)
    own = ranking("resistance", position, ["a1"])
    ranks = {"resistance": own, KATA: replace(found.ranking, evaluator=KATA)}
    return {"rankings": ranks, "reports": {KATA: found}}


async def test_moves_and_both_boards_show_an_engine_beside_our_own():
    session = game()
    async with with_engines(session, (200, 60)) as (pilot, analyst):
        await tell(pilot, analyst, **by_engine(session.position))
        await press(pilot, "e")
        assert pilot.app.main.workspace.shown.evaluator == KATA
        rows = moves_of(pilot)
        row = next(line for line in rows if line.startswith("c3"))
        assert "0.634" in row
        assert "12.3k" in row
        assert "41.0%" in row
        heading = next(line for line in shown(pilot).splitlines() if "visits" in line)
        assert "katahex" in heading
        assert "policy" in heading
        assert any(line.startswith("a1") for line in rows)  # behind them: it looked at three
        await press(pilot, "3")
        workspace = pilot.app.main.workspace
        workspace.choose(evaluator="resistance", second_evaluator=KATA, overlay=Overlay.EVALUATOR)
        await pilot.pause()
        view, cell = pilot.app.main.board.views[1], session.board.cell
        assert view.labels == {cell("c3"): "1", cell("d2"): "2", cell("b4"): "3"}
        assert "A resistance" in shown(pilot)  # agreement
        assert "B engine(katahex)" in shown(pilot)


@pytest.mark.parametrize("focus", [KATA, "resistance"])
async def test_the_column_of_an_engine_that_exits_says_so(focus):
    session = game()
    async with with_engines(session, (200, 60)) as (pilot, analyst):
        pilot.app.main.workspace.choose(evaluator=focus)
        line = "katahex ended (exit code 1)"
        own = {"resistance": ranking("resistance", session.position, ["a1"])}
        gone = {"problems": {KATA: line}, "exited": frozenset({KATA})}
        await tell(pilot, analyst, rankings=own, **gone)
        assert "katahex exited" in shown(pilot)
        await tell(pilot, analyst, **by_engine(session.position))
        assert "katahex exited" not in shown(pilot)
        await tell(pilot, analyst, **by_engine(session.position), **gone)
        assert "katahex exited" in shown(pilot)
        assert told(pilot) == line
        await press(pilot, "apostrophe")
        assert line in shown(pilot)


async def test_lines_of_an_engine():
    session = game()
    async with with_engines(session) as (pilot, analyst):
        analyst.lines_by = KATA
        await press(pilot, "f8")
        await tell(pilot, analyst, lines_by=KATA)
        assert "katahex: no lines yet" in shown(pilot)
        await tell(pilot, analyst, lines_by=KATA, **by_engine(session.position))
        text = shown(pilot)
        assert "katahex: 13,100 visits, 2,000 a second" in text
        assert "win probability of Red" in text
        assert "win prob.  visits  policy  line" in text
        assert "63.4%   12.3k   41.0%  c3  b4" in text
        assert "50.0%     800   20.0%  d2" in text
        assert "20.0%  b4" not in text  # the image of d2
        await press(pilot, "right")
        assert len(pilot.app.main.board.view.line) == 1
        await press(pilot, "enter")
        assert session.record.main_line()[-1].turn.move.cell == session.board.cell("c3")
        wins = Cells(session.board, (session.board.cell("c4"),))
        loses = Cells(session.board, (session.board.cell("d2"),))
        moves = (ReportedMove(wins, proved=True), ReportedMove(loses, winrate=0.2))
        told_less = by_engine(session.position, moves=moves, visits=0)
        await tell(pilot, analyst, lines_by=KATA, **told_less)
        text = shown(pilot)
        assert "win prob.  line" in text
        assert "   wins?  c4" in text
        assert "katahex: searching" in text


async def test_card_problems_dialogs_and_reasons():
    session = game("e5", "c3", "b2", swap=False)
    session.first()
    session.forward()
    line = "katahex takes boards of 6 to 13 rows and columns, not 5x5"
    async with with_engines(session) as (pilot, analyst):
        await tell(pilot, analyst, lines_by=KATA, **by_engine(session.position))
        text = " ".join(shown(pilot).split())
        assert "Blue 63% (katahex" in text
        assert "1st by katahex" in text
        pilot.app.main.workspace.choose(evaluator=KATA)
        await press(pilot, "H")
        assert told(pilot) == "katahex is an attached engine, which explains no values"
        pilot.app.clear_notifications()
        own = {"resistance": ranking("resistance", session.position, ["a1"])}
        await tell(pilot, analyst, final=True, rankings=own, problems={KATA: line})
        assert told(pilot) == line
        assert pilot.app.main.workspace.shown.evaluator == KATA
        assert "katahex takes boards of" in shown(pilot)
        pilot.app.clear_notifications()
        await press(pilot, "n")
        await tell(pilot, analyst, final=True, problems={KATA: line})
        assert told(pilot) == ""  # once is enough
        await press(pilot, "C", "end")
        assert "[ ] engine(wolve)           attached engine" in shown(pilot)
        await press(pilot, "space", "enter")
        assert analyst.evaluators == ("k-paths:1", "resistance", "engine(wolve)")
        await press(pilot, "V", "end", "enter")
        assert analyst.lines_by == "engine(wolve)"


def moves_of(pilot):
    """Return the lines of the list of moves as text."""
    return [row_text(row) for row in pilot.app.main.panels["moves"].query_one(LineList).lines]
