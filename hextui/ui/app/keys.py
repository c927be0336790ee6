"""Actions of the screen: id, keys, label, description, and the method that does them."""

import enum
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from textual.binding import Binding, Keymap
from textual.keys import format_key

from hextui.records.board_view import Mode
from hextui.text import Names

EVERYWHERE = (
    Binding("question_mark", "app.show_help", "Help", id="help"),
    Binding(key="q", action="app.quit", description="Quit", show=False, id="quit"),
)
"""The keys of every screen and dialog, by the ids of the actions that have them on the board.

Text that is being edited takes them as letters.
"""

Method = TypeVar("Method", bound=Callable[..., object])


class Topic(enum.StrEnum):
    """The headings of the help."""

    CURSOR = "On the board"
    WALK = "Step through the record"
    PLAY = "Play and edit"
    SETUP = "Setup mode"
    ANALYSIS = "Analysis"
    NARROWING = "Moves to consider"
    ACTIVITY = "Activities"
    PANELS = "Panels"
    VIEW = "Board"
    FILE = "Records and program"


@dataclass(frozen=True)
class Action:
    """An action: its id in the user's keymap, and the method of its owner that does it.

    ``mode``: the mode in which its keys count, None for all. ``after``: the id of the action before
    it in the help, if that is not the one declared before it.
    """

    id: str
    keys: str
    label: str
    tooltip: str
    topic: Topic
    method: str
    arguments: tuple[object, ...] = ()
    mode: Mode | None = None
    after: str = ""

    def named(self, names: Names) -> "Action":
        """Return the action with the players' names; a key is the first letter of a name."""
        keys = names.fill(self.keys)
        keys = keys if keys == self.keys else keys[0].lower()
        label = names.fill(self.label)
        tooltip = names.fill(self.tooltip)
        return replace(self, keys=keys, label=label, tooltip=tooltip)

    @property
    def call(self) -> str:
        """What Textual runs: the owner's ``action_do`` with the name."""
        return f"do({self.id!r})"

    def keys_in(self, keymap: Keymap) -> tuple[str, ...]:
        """Return the keys in force under the user's keymap, as they are shown."""
        return tuple(shown(key) for key in keymap.get(self.id, self.keys).split(","))

    def binding(self, keymap: Keymap) -> Binding:
        """Return the binding of the keys that the user's keymap gives.

        It has no id: Textual's keymaps allow a key one binding, whatever the mode.
        """
        keys = keymap.get(self.id, self.keys)
        return Binding(keys, self.call, self.label, tooltip=self.tooltip)


def action(
    id: str,
    keys: str,
    label: str,
    topic: Topic,
    tooltip: str = "",
    *arguments: object,
    mode: Mode | None = None,
    after: str = "",
) -> Callable[[Method], Method]:
    """Declare that a method does an action, or several, each with arguments of its own.

    The tooltip of a method with one action is the summary of its docstring.
    ``{black}`` and ``{white}`` stand for the names of the players, as keys for their first letters.
    """

    def declare(method: Method) -> Method:
        summary = inspect.cleandoc(method.__doc__ or "").partition("\n\n")[0]
        help = tooltip or summary.replace("\n", " ").removesuffix(".")
        made = Action(
            id=id,
            keys=keys,
            label=label,
            tooltip=help,
            topic=topic,
            method=method.__name__,
            arguments=arguments,
            mode=mode,
            after=after,
        )
        method.__dict__["actions"] = (made, *method.__dict__.get("actions", ()))
        return method

    return declare


def actions_of(owner: type) -> list[Action]:
    """Return the actions that the methods of a class declare, in the order of definition."""
    return [
        action
        for method in vars(owner).values()
        for action in getattr(method, "__dict__", {}).get("actions", ())
    ]


def shown(key: str) -> str:
    """Return how a key is shown: words for keys without a character."""
    modifier, plus, last = key.rpartition("+")
    return f"{modifier}{plus}{_WORDS.get(last) or format_key(last)}"


_WORDS = {"up": "up", "down": "down", "left": "left", "right": "right", "enter": "enter"}


def problems(keymap: Keymap, actions: Sequence[Action]) -> list[str]:
    """Return a line for each clash of keys under the user's keymap.

    Actions of different modes may share a key. A panel hears its own keys before these.
    """
    clashes: list[str] = []
    for mode in Mode:
        users: dict[str, list[str]] = {}
        for action in actions:
            if action.mode in (None, mode):
                for key in keymap.get(action.id, action.keys).split(","):
                    users.setdefault(shown(key.strip()), []).append(action.id)
        for key, ids in users.items():
            problem = f"{key} is bound to {' and '.join(ids)}"
            if len(ids) > 1 and problem not in clashes:
                clashes.append(problem)
    return clashes
