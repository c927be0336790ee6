"""The command palette finds what a user would type, and shows its key."""

import pytest

from hextui.ui.actions import screen_actions
from hextui.ui.drawing.geometry import View
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, overlay_name
from hextui.ui.plain_words import OTHER_WORDS, Entry, found

from .helpers import game, press, running, shown, until

WORDS = {
    "graph": "panel-graph",
    "explorer": "panel-explorer",
    "mistake": "panel-mistakes",
    "mistakes": "panel-mistakes",
    "blunder": "panel-mistakes",
    "next mistake": "worst-move",
    "winning moves": "panel-moves",
    "best move": "play-best",
    "flip board": "turn",
    "rotate": "turn",
    "mirror": "turn",
    "swap": "swap",
    "pie rule": "swap",
    "save": "save",
    "save as": "save-as",
    "comment": "comment",
    "note": "comment",
    "library": "library",
    "database": "panel-explorer",
    "puzzle": "setup",
    "players": "game-info",
    "game information": "game-info",
    "metadata": "game-info",
    "edit position": "setup",
    "theme": "theme",
    "dark": "theme",
    "colours": "theme",
    "must play": "must-play",
    "carrier": "panel-connections",
    "virtual connections": "panel-connections",
    "bridge": "panel-connections",
    "template": "panel-connections",
    "dead cells": "inferior",
    "captured": "inferior",
    "dominated": "inferior",
    "why": "why",
    "proof": "why",
    "solver": "panel-solver",
    "who wins": "why",
    "solve longer": "solve-on",
    "analyse game": "whole-game",
    "analyze": "analysis",
    "stop engine": "analysis",
    "evaluator": "next-evaluator",
    "two boards": "activity-compare",
    "compare": "activity-compare",
    "review": "activity-review",
    "openings": "activity-explore",
    "explain": "activity-explain",
    "agreement": "panel-agree",
    "lines": "panel-lines",
    "principal variation": "panel-lines",
    "variation": "next-variation",
    "delete": "delete",
    "undo": "undo",
    "take back": "undo",
    "redo": "redo",
    "resign": "resign",
    "pass": "pass",
    "zoom": "zoom",
    "bigger board": "zoom",
    "full screen": "maximise",
    "move numbers": "move-numbers",
    "heat": "overlays",
    "overlay": "overlays",
    "picture": "export",
    "png": "export",
    "hexworld": "copy-link",
    "clipboard": "copy-sgf",
    "open file": "open",
    "new board": "new",
    "keys": "help",
    "shortcuts": "help",
    "repaint": "redraw",
    "refresh": "redraw",
    "quit": "quit",
    "exit": "quit",
    "start of game": "first",
    "record": "panel-record",
    "label": "mark",
    "disagreement": "disagreement",
}


@pytest.fixture(scope="module")
def entries():
    actions = [
        Entry(a.label, a.tooltip, lambda: None, a.keys_in({})[0], OTHER_WORDS.get(a.id, ""))
        for a in screen_actions()
    ]
    names = [overlay_name(DisplayOptions(overlay=overlay)) for overlay in Overlay]
    return actions + [Entry(f"Overlay: {name}", "", lambda: None) for name in names]


@pytest.mark.parametrize("query", WORDS)
def test_what_a_user_would_type_is_among_the_first_four(query, entries):
    label = next(action.label for action in screen_actions() if action.id == WORDS[query])
    titles = [entry.title for _, entry in found(query, entries)[:4]]
    assert label in titles


def test_words_are_of_actions_that_there_are():
    assert OTHER_WORDS.keys() <= {action.id for action in screen_actions()}


def test_nonsense_finds_nothing(entries):
    assert found("qzx", entries) == []
    assert found("graph qzx", entries) == []


async def test_every_action_and_overlay_is_in_the_palette_with_its_key():
    async with running(game(), keymap={"next": "f11"}) as pilot:
        offered = {entry.title: entry for entry in pilot.app.palette_entries()}
        for action in screen_actions():
            assert offered[action.label].key == action.keys_in({"next": "f11"})[0]
        for overlay in Overlay:
            assert f"Overlay: {overlay_name(DisplayOptions(overlay=overlay))}" in offered


async def test_the_palette_finds_by_other_words_and_shows_the_key():
    async with running(game()) as pilot:
        await press(pilot, "ctrl+p", *"flip board")
        await until(pilot, lambda: "Turn view   r" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.main.board.turned is View.ROTATED)
