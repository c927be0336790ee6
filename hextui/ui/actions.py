"""All actions of the main screen, collected from the parts, and the keys named below the screen.

Bindings, help and command palette come from here. Users write an action's id in their settings
file; it never changes. Letters are bound without priority, so that a focused input gets them first.
"""

from collections.abc import Mapping

from textual.binding import Keymap

from hextui.records.board_view import Mode
from hextui.ui.keys import Action, Topic, actions_of
from hextui.ui.layout import Activity
from hextui.ui.panels.all_panels import PANEL_TEXTS
from hextui.ui.parts.analysis import AnalysisActions
from hextui.ui.parts.files import FileActions
from hextui.ui.parts.panels import PanelActions
from hextui.ui.parts.play import PlayActions
from hextui.ui.parts.record import RecordActions
from hextui.ui.parts.review import ReviewActions
from hextui.ui.parts.train import PuzzleActions, TrainActions
from hextui.ui.widgets.board_widget import CURSOR
from hextui.ui.widgets.frame import Hint
from hextui.words.names import Names

_PARTS = (
    *(PlayActions, PuzzleActions, RecordActions, AnalysisActions, ReviewActions),
    *(PanelActions, TrainActions, FileActions),
)
TRYING = "trying"
"""Stands for an activity while moves on the board are tried against a proof."""
_NAMED = {
    Mode.PLAY: (
        *("next", "previous", "play", "next-panel", "worst-move", "why", "overlays"),
        *("maximise", "analysis", "undo", "zoom", "quit"),
    ),
    Mode.SETUP: ("place-black", "place-white", "place-empty", "change-side", "setup", "undo"),
    Mode.REGION: ("region-cell", "allow-move", "avoid-move", "region-box", "all-moves", "region"),
    Activity.COMPARE: (
        *("next", "previous", "disagreement", "second-evaluator", "next-evaluator", "next-panel"),
        *("boards", "export", "whole-game", "choose-evaluators", "play", "zoom", "quit"),
    ),
    TRYING: ("play", "board", "next", "previous", "next-panel", "why", "zoom", "quit"),
}
"""The actions whose keys are named in a mode, or in an activity while moves are played, the most
important first; an entry of the palette is eighth.
"""
WRITING = (Hint("esc", "Keep the comment"), Hint("^q", "Quit", "app.quit"))
"""The keys to name while a comment is written."""
_ON_TOP = ("whole-game", "worst-move", "why", "add-better", "play-best")
_SHORT = {"next-panel": "Panel", "why": "Why", "disagreement": "Disagreement"}
"""Labels that leave room for others."""


def screen_actions(names: Names = Names.RED_BLUE) -> tuple[Action, ...]:
    """Return the actions of all parts in the order of the help, with the players' names."""
    declared = [action.named(names) for part in _PARTS for action in actions_of(part)]
    topics = list(Topic)
    found = sorted((a for a in declared if not a.after), key=lambda a: topics.index(a.topic))
    for action in declared:
        if action.after:
            found.insert([other.id for other in found].index(action.after) + 1, action)
    return tuple(found)


def all_actions(names: Names = Names.RED_BLUE) -> tuple[Action, ...]:
    """Return these, and what the keys do on the board."""
    return (*CURSOR, *screen_actions(names))


def hint_of(action: Action, keymap: Keymap, label: str = "") -> Hint:
    """Return the first key of an action, and a label in place of its own."""
    return Hint(action.keys_in(keymap)[0], label or action.label, f"screen.{action.call}")


def hints_on_top(actions: Mapping[str, Action], keymap: Keymap) -> dict[str, Hint]:
    """Return the keys that the lines at the top name, by the ids of their actions."""
    return {name: hint_of(actions[name], keymap) for name in _ON_TOP}


def hints(
    actions: Mapping[str, Action], keymap: Keymap, mode: Mode, panel: str | None, activity: str = ""
) -> tuple[Hint, ...]:
    """Return the keys to name, the most important first; ``actions`` and ``panel`` go by ids."""

    tries = activity == TRYING and panel is None
    labels = _SHORT | ({"play": "Try", "board": "Play again"} if tries else {})

    def of(name: str, label: str = "") -> Hint:
        return hint_of(actions[name], keymap, label or labels.get(name, ""))

    palette = Hint("^p", "All by name", "app.command_palette")
    if panel is not None:
        text = PANEL_TEXTS[panel]
        own = [Hint(key, label) for key, label in text.own]
        named = [of(name) for name in text.actions if actions[name].mode in (None, mode)]
        around = [of("maximise"), of("board")]
        return (*own, *named, *around, palette, of("help", "Words and keys"))
    names = _NAMED[activity if mode is Mode.PLAY and activity in _NAMED else mode]
    first, rest = names[:7], names[7:]
    return (*map(of, first), palette, *map(of, rest), of("help", "All keys"))
