"""The command palette finds what a user would type, and shows its key."""

import pytest

from hextui.ui.app.command_palette import OTHER_WORDS, Entry, found
from hextui.ui.app.main_screen import screen_actions
from hextui.ui.drawing.geometry import View
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, overlay_name

from .helpers import game, press, running, shown, until

WORDS = {
    "panel-graph": "graph, win rate",
    "panel-explorer": "explorer, database",
    "panel-mistakes": "mistake, mistakes, blunder",
    "worst-move": "worst mistake, blunder",
    "next-mistake": "next mistake",
    "panel-moves": "winning moves",
    "play-best": "best move",
    "turn": "flip board, rotate, mirror",
    "swap": "swap, pie rule",
    "save": "save",
    "save-as": "save as",
    "comment": "comment, note",
    "library": "library, database",
    "setup": "puzzle, edit position",
    "game-info": "players, game information, metadata",
    "theme": "theme, dark, colours",
    "must-play": "must play",
    "panel-connections": "carrier, virtual connections, bridge, template, ladder",
    "inferior": "dead cells, captured, dominated",
    "why": "why, proof, who wins",
    "panel-solver": "solver, tablebase",
    "solve-on": "solve longer",
    "whole-game": "analyse game",
    "analysis": "analyze, stop engine",
    "next-evaluator": "evaluator",
    "activity-compare": "two boards, compare",
    "activity-review": "review",
    "activity-explore": "openings, opening",
    "engines": "engine",
    "activity-explain": "explain",
    "train": "train, practice, play against, puzzles, guess the move, ladder",
    "panel-agree": "agreement",
    "panel-lines": "lines, principal variation",
    "next-variation": "variation",
    "delete": "delete",
    "undo": "undo, take back",
    "redo": "redo",
    "resign": "resign",
    "pass": "pass",
    "zoom": "zoom, bigger board",
    "maximise": "full screen",
    "move-numbers": "move numbers",
    "overlays": "heat, overlay",
    "export": "picture, png",
    "copy-link": "hexworld",
    "copy-sgf": "clipboard",
    "open": "open file",
    "new": "new board",
    "help": "keys, shortcuts",
    "redraw": "repaint, refresh",
    "suspend": "background, shell",
    "quit": "quit, exit",
    "first": "start of game",
    "panel-record": "record",
    "mark": "label",
    "disagreement": "disagreement",
}
"""What a user would type for an action."""


@pytest.fixture(scope="module")
def entries():
    actions = [
        Entry(a.label, a.tooltip, lambda: None, a.keys_in({})[0], OTHER_WORDS.get(a.id, ""))
        for a in screen_actions()
    ]
    names = [overlay_name(DisplayOptions(overlay=overlay)) for overlay in Overlay]
    return actions + [Entry(f"Overlay: {name}", "", lambda: None) for name in names]


@pytest.mark.parametrize("action", WORDS)
def test_what_a_user_would_type_is_among_the_first_four(action, entries):
    label = next(one.label for one in screen_actions() if one.id == action)
    for query in WORDS[action].split(", "):
        titles = [entry.title for _, entry in found(query, entries)[:4]]
        assert label in titles, query


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
        await press(pilot, "ctrl+p", *"flip board")
        await until(pilot, lambda: "Turn view   r" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.main.board.turned is View.ROTATED)
