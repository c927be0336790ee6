"""Every action: its keys, what it is called and what it does.

The bindings, the help and the command palette are all made from these lists: CURSOR is bound on
the board, ACTIONS on the main screen. Letters are bound without priority, so that a focused input
gets them first.
"""

import enum
from dataclasses import dataclass

from textual.binding import Binding, Keymap
from textual.keys import format_key


class Topic(enum.StrEnum):
    """The headings of the help."""

    CURSOR = "On the board"
    WALK = "Walk through the record"
    PLAY = "Play and edit"
    SETUP = "Setup mode"
    ANALYSIS = "Analysis"
    VIEW = "Board and panels"
    FILE = "Records and program"


@dataclass(frozen=True)
class Action:
    """One action: ``id`` is its name in the user's keymap, ``call`` what Textual runs."""

    id: str
    keys: str
    call: str
    label: str
    tooltip: str
    topic: Topic
    footer: bool = False

    def keys_in(self, keymap: Keymap) -> tuple[str, ...]:
        """Return the keys in force under the user's keymap, as they are shown."""
        return tuple(shown(key) for key in keymap.get(self.id, self.keys).split(","))

    def binding(self) -> Binding:
        """Return the binding of this action's keys."""
        return Binding(
            self.keys,
            self.call,
            self.label,
            show=self.footer,
            tooltip=self.tooltip,
            id=self.id,
        )


def shown(key: str) -> str:
    """Return how a key is written: words for keys that have no character of their own."""
    modifier, plus, last = key.rpartition("+")
    return f"{modifier}{plus}{_WORDS.get(last) or format_key(last)}"


_WORDS = {"up": "up", "down": "down", "left": "left", "right": "right", "enter": "enter"}


def _action(
    topic: Topic, id: str, keys: str, call: str, label: str, tooltip: str, footer: bool = False
) -> Action:
    return Action(id, keys, call, label, tooltip, topic, footer)


CURSOR: tuple[Action, ...] = (
    _action(Topic.CURSOR, "up", "up,k", "step(-1, 0)", "Up", "Move the cursor up"),
    _action(Topic.CURSOR, "down", "down,j", "step(1, 0)", "Down", "Move the cursor down"),
    _action(Topic.CURSOR, "left", "left,h", "step(0, -1)", "Left", "Move the cursor left"),
    _action(Topic.CURSOR, "right", "right,l", "step(0, 1)", "Right", "Move the cursor right"),
)

ACTIONS: tuple[Action, ...] = (
    _action(Topic.WALK, "next", "n", "walk(1)", "Next", "Go to the next ply", True),
    _action(Topic.WALK, "previous", "p", "walk(-1)", "Back", "Go to the previous ply", True),
    _action(Topic.WALK, "first", "home,g", "first", "First ply", "Go to the start of the record"),
    _action(Topic.WALK, "last", "end,G", "last", "Last ply", "Go to the end of the variation"),
    _action(Topic.WALK, "ten-on", "pagedown", "walk(10)", "Ten plies on", "Go ten plies on"),
    _action(Topic.WALK, "ten-back", "pageup", "walk(-10)", "Ten plies back", "Go ten plies back"),
    _action(
        Topic.WALK,
        "previous-variation",
        "left_square_bracket",
        "variation(-1)",
        "Previous variation",
        "Go to the previous variation of the nearest branching",
    ),
    _action(
        Topic.WALK,
        "next-variation",
        "right_square_bracket",
        "variation(1)",
        "Next variation",
        "Go to the next variation of the nearest branching",
    ),
    _action(
        Topic.PLAY,
        "play",
        "enter",
        "play",
        "Play",
        "Play a move at the cursor; in setup mode place the chosen stone",
        True,
    ),
    _action(Topic.PLAY, "swap", "s", "swap", "Swap", "Swap, as the second move"),
    _action(Topic.PLAY, "pass", "P", "pass_turn", "Pass", "Pass the turn"),
    _action(Topic.PLAY, "resign", "R", "resign", "Resign", "Resign for the side to move"),
    _action(Topic.PLAY, "undo", "u", "undo", "Undo", "Take the last edit of the record back", True),
    _action(Topic.PLAY, "redo", "ctrl+y", "redo", "Redo", "Make the last undone edit again"),
    _action(Topic.PLAY, "comment", "c", "comment", "Comment", "Write a comment on this position"),
    _action(
        Topic.PLAY,
        "promote",
        "ctrl+up",
        "promote",
        "Promote variation",
        "Move this variation one place up",
    ),
    _action(
        Topic.PLAY,
        "main-line",
        "B",
        "main_line",
        "Make main line",
        "Make the line up to here the main line",
    ),
    _action(
        Topic.PLAY,
        "mark",
        "K",
        "mark",
        "Mark or label",
        "Put a mark or a label on the cell at the cursor, or take it away",
    ),
    _action(
        Topic.PLAY,
        "glyph",
        "exclamation_mark",
        "glyph",
        "Glyph",
        "Give the move the next glyph: ! !! !? ?! ? ?? or none",
    ),
    _action(
        Topic.PLAY,
        "delete",
        "delete",
        "delete",
        "Delete from here",
        "Remove this node and all that follows it",
    ),
    _action(
        Topic.SETUP,
        "setup",
        "i",
        "toggle_setup",
        "Setup mode",
        "Place stones freely, or go back to playing moves",
    ),
    _action(
        Topic.SETUP,
        "place-black",
        "b",
        "place(1)",
        "Place black",
        "Setup mode: put a black stone at the cursor, and choose black",
    ),
    _action(
        Topic.SETUP,
        "place-white",
        "w",
        "place(2)",
        "Place white",
        "Setup mode: put a white stone at the cursor, and choose white",
    ),
    _action(
        Topic.SETUP,
        "place-empty",
        "x",
        "place(0)",
        "Place empty",
        "Setup mode: empty the cell at the cursor, and choose emptying",
    ),
    _action(
        Topic.SETUP,
        "change-side",
        "t",
        "change_side",
        "Side to move",
        "Setup mode: give the other side the move",
    ),
    _action(
        Topic.ANALYSIS,
        "analysis",
        "space",
        "toggle_analysis",
        "Analyse",
        "Switch the analysis of the position on or off",
        True,
    ),
    _action(
        Topic.ANALYSIS,
        "play-best",
        "comma",
        "play_best",
        "Play best move",
        "Play the best move of the evaluator in focus",
    ),
    _action(
        Topic.ANALYSIS,
        "next-evaluator",
        "e",
        "evaluator(1)",
        "Next evaluator",
        "Put the next evaluator in focus",
    ),
    _action(
        Topic.ANALYSIS,
        "previous-evaluator",
        "E",
        "evaluator(-1)",
        "Previous evaluator",
        "Put the previous evaluator in focus",
    ),
    _action(
        Topic.ANALYSIS,
        "choose-evaluators",
        "C",
        "choose_evaluators",
        "Choose evaluators",
        "Choose which evaluators rank the moves: one column each",
    ),
    _action(
        Topic.ANALYSIS,
        "line-evaluator",
        "V",
        "choose_line_evaluator",
        "Evaluator of lines",
        "Choose the evaluator that lines are searched with",
    ),
    _action(
        Topic.ANALYSIS,
        "next-overlay",
        "o",
        "overlay(1)",
        "Next overlay",
        "Show the next overlay on the board",
    ),
    _action(
        Topic.ANALYSIS,
        "previous-overlay",
        "O",
        "overlay(-1)",
        "Previous overlay",
        "Show the previous overlay on the board",
    ),
    _action(
        Topic.ANALYSIS,
        "connection-color",
        "v",
        "connection_color",
        "Connections of the other colour",
        "Show the virtual connections of the other colour",
    ),
    _action(
        Topic.ANALYSIS,
        "connection-kinds",
        "f",
        "connection_kinds",
        "Full or semi connections",
        "List all connections, full ones only, or semi ones only",
    ),
    _action(
        Topic.ANALYSIS,
        "must-play",
        "M",
        "must_play",
        "Must-play region",
        "Show or hide the must-play region",
    ),
    _action(
        Topic.ANALYSIS,
        "inferior",
        "I",
        "inferior",
        "Inferior cells",
        "Show or hide dead, captured, vulnerable and dominated cells",
    ),
    _action(
        Topic.ANALYSIS,
        "solve-on",
        "full_stop",
        "solve_on",
        "Solve on",
        "Let the solver go on with this position for its time again",
    ),
    _action(
        Topic.ANALYSIS,
        "trace",
        "W",
        "trace",
        "Why: trace of must-play",
        "Small positions: step through must-play reasoning, move by move, winset by winset",
    ),
    _action(
        Topic.ANALYSIS,
        "filter-library",
        "F",
        "filter_library",
        "Games that are counted",
        "Choose the games of the library that the explorer counts",
    ),
    _action(
        Topic.ANALYSIS,
        "whole-game",
        "a",
        "whole_game",
        "Analyse the game",
        "Analyse every ply of the line in the background, or stop doing so",
    ),
    _action(
        Topic.ANALYSIS,
        "keep-analysis",
        "A",
        "keep_survey",
        "Keep the analysis",
        "Write the results of the whole game into the record",
    ),
    _action(
        Topic.ANALYSIS,
        "disagreement",
        "d",
        "disagreement",
        "Next disagreement",
        "Go to the next of the plies where the chosen evaluators disagree most",
    ),
    _action(
        Topic.ANALYSIS,
        "worst-move",
        "D",
        "worst_move",
        "Next worst move",
        "Go to the next of the moves that the evaluator in focus ranks worst",
    ),
    _action(
        Topic.VIEW,
        "zoom",
        "z",
        "zoom",
        "Zoom",
        "Change the size of the board; large boards take the place of the panels",
        True,
    ),
    _action(
        Topic.VIEW,
        "two-boards",
        "2",
        "two_boards",
        "Two boards",
        "Show the values of two evaluators on two boards, from 140 columns",
    ),
    _action(
        Topic.VIEW,
        "second-evaluator",
        "y",
        "second_evaluator",
        "Evaluator of the second board",
        "Show the next evaluator on the second board",
    ),
    _action(
        Topic.VIEW,
        "turn",
        "r",
        "turn_view",
        "Turn view",
        "Turn the view: 180 degrees, mirrored, both; names of cells stay",
    ),
    _action(
        Topic.VIEW,
        "move-numbers",
        "m",
        "move_numbers",
        "Move numbers",
        "Show or hide the numbers of the moves",
    ),
    _action(Topic.VIEW, "next-panel", "tab", "panel(1)", "Next panel", "Go to the next panel"),
    _action(
        Topic.VIEW,
        "previous-panel",
        "shift+tab",
        "panel(-1)",
        "Previous panel",
        "Go to the previous panel",
    ),
    _action(
        Topic.VIEW,
        "board",
        "escape",
        "focus_board",
        "Board",
        "Go back to the board; hide what a panel had put on it",
    ),
    _action(
        Topic.VIEW,
        "theme",
        "T",
        "app.next_theme",
        "Next theme",
        "Change the colours: dark, light, high contrast",
    ),
    _action(
        Topic.FILE,
        "save",
        "ctrl+s",
        "app.save",
        "Save",
        "Save the record as SGF",
    ),
    _action(
        Topic.FILE,
        "save-as",
        "ctrl+shift+s,S",
        "app.save_as",
        "Save as",
        "Save the record as SGF under another name",
    ),
    _action(
        Topic.FILE,
        "copy-link",
        "ctrl+l",
        "copy('hexworld')",
        "Copy link",
        "Copy the line looked at as a link of hexworld.org; pasting a link or SGF opens it",
    ),
    _action(
        Topic.FILE,
        "copy-sgf",
        "ctrl+g",
        "copy('sgf')",
        "Copy SGF",
        "Copy the whole record as SGF",
    ),
    _action(Topic.FILE, "open", "ctrl+o", "app.open", "Open", "Open a record: a file or a link"),
    _action(
        Topic.FILE,
        "library",
        "L",
        "library",
        "Library",
        "Browse, search, import and open the games of the library",
    ),
    _action(
        Topic.FILE,
        "export",
        "X",
        "export",
        "Export",
        "Save a picture of the position (text, SVG, PNG, HexWiki), or the game as a link",
    ),
    _action(
        Topic.FILE,
        "next-record",
        "right_curly_bracket",
        "app.record(1)",
        "Next record",
        "Show the next of the open records",
    ),
    _action(
        Topic.FILE,
        "previous-record",
        "left_curly_bracket",
        "app.record(-1)",
        "Previous record",
        "Show the open record before this one",
    ),
    _action(
        Topic.FILE,
        "close-record",
        "ctrl+w",
        "app.close_record",
        "Close record",
        "Close this record; edits that are not saved are asked about",
    ),
    _action(Topic.FILE, "new", "ctrl+n", "app.new", "New board", "Start an empty board"),
    _action(
        Topic.FILE,
        "studies",
        "U",
        "app.studies",
        "Studies",
        "Show results of studies and matches: reports and figures",
    ),
    _action(
        Topic.FILE,
        "help",
        "question_mark",
        "app.help_keys",
        "Help",
        "Show all keys and what they do",
        True,
    ),
    _action(Topic.FILE, "quit", "q", "app.quit", "Quit", "Leave the program", True),
)


def problems(keymap: Keymap) -> list[str]:
    """Return a line for each name in the user's keymap that is no action, and each key used twice.

    Textual itself drops one of two actions on the same key without a word.
    """
    actions = CURSOR + ACTIONS
    unknown = sorted(keymap.keys() - {action.id for action in actions})
    found = [f"there is no action {name!r}" for name in unknown]
    users: dict[str, list[str]] = {}
    for action in actions:
        for key in keymap.get(action.id, action.keys).split(","):
            users.setdefault(shown(key.strip()), []).append(action.id)
    for key, ids in users.items():
        if len(ids) > 1:
            found.append(f"{key} is the key of {' and '.join(ids)}")
    return found
