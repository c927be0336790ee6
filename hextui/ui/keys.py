"""Actions of the screen: name, keys, label, description, and the function they call."""

import enum
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from textual.binding import Binding, Keymap
from textual.keys import format_key

from hextui.ui.drawing.board_view import Mode

Owner = TypeVar("Owner")
Doing = Coroutine[Any, Any, object] | None
"""What an action leaves to be done: what asks the user takes its time, all else is done at once."""


class Topic(enum.StrEnum):
    """The headings of the help."""

    CURSOR = "On the board"
    WALK = "Walk through the record"
    PLAY = "Play and edit"
    SETUP = "Setup mode"
    ANALYSIS = "Analysis"
    NARROWING = "Moves to consider"
    ACTIVITY = "Activities"
    PANELS = "Panels"
    VIEW = "Board"
    FILE = "Records and program"


@dataclass(frozen=True)
class Action(Generic[Owner]):
    """One action: ``id`` is its name in the user's keymap, ``do`` is called with who can do it.

    ``mode``: the mode it belongs to, None for all.
    """

    id: str
    keys: str
    label: str
    tooltip: str
    topic: Topic
    do: Callable[[Owner], Doing]
    mode: Mode | None = None

    @property
    def call(self) -> str:
        """What Textual runs: the owner's ``action_do`` with the name."""
        return f"do({self.id!r})"

    def keys_in(self, keymap: Keymap) -> tuple[str, ...]:
        """Return the keys in force under the user's keymap, as they are shown."""
        return tuple(shown(key) for key in keymap.get(self.id, self.keys).split(","))

    def binding(self) -> Binding:
        """Return the binding of this action's keys, which the user's keymap changes by its id."""
        return Binding(self.keys, self.call, self.label, tooltip=self.tooltip, id=self.id)

    def own_binding(self, keymap: Keymap) -> Binding:
        """Return the binding of the keys that the user's keymap gives.

        It has no id: Textual's keymaps allow a key one binding, whatever the mode.
        """
        keys = keymap.get(self.id, self.keys)
        return Binding(keys, self.call, self.label, tooltip=self.tooltip)


def shown(key: str) -> str:
    """Return how a key is written: words for keys that have no character of their own."""
    modifier, plus, last = key.rpartition("+")
    return f"{modifier}{plus}{_WORDS.get(last) or format_key(last)}"


_WORDS = {"up": "up", "down": "down", "left": "left", "right": "right", "enter": "enter"}


def problems(keymap: Keymap, actions: Iterable[Action[Any]]) -> list[str]:
    """Return a line for each name in the user's keymap that is no action, and each clash of keys.

    Actions of different modes may share a key. A panel hears its own keys before these.
    """
    actions = tuple(actions)
    unknown = sorted(keymap.keys() - {action.id for action in actions})
    found = [f"there is no action {name!r}" for name in unknown]
    for mode in Mode:
        users: dict[str, list[str]] = {}
        for action in actions:
            if action.mode in (None, mode):
                for key in keymap.get(action.id, action.keys).split(","):
                    users.setdefault(shown(key.strip()), []).append(action.id)
        for key, ids in users.items():
            problem = f"{key} is bound to {' and '.join(ids)}"
            if len(ids) > 1 and problem not in found:
                found.append(problem)
    return found
