"""Screens that say in one place why a key did nothing: above their keys, until the next key."""

from ast import literal_eval
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from textual import events, on
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input

from hextui.ui.app.keys import EVERYWHERE
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.frame import ScreenKeys

T = TypeVar("T")


class MessageScreen(BaseScreen[T]):
    """A screen with a `ScreenKeys`, which shows its messages.

    An action that has nothing to do is not named there; its key says why. ``ABOUT`` says what the
    screen is for, in the help.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*EVERYWHERE]
    ABOUT: ClassVar[str] = ""
    is_aside = False
    """Whether the screen was closed to be shown again as it was."""

    @dataclass
    class Complained(Message):
        """Something was not done; the app keeps why."""

        why: str

    @dataclass
    class Shown(Message):
        """The screen is there, with its widgets."""

        screen: "MessageScreen[Any]"

    def on_mount(self) -> None:
        """Tell the app, which may have something to show on every screen."""
        self.post_message(self.Shown(self))

    @property
    def message_line(self) -> ScreenKeys:
        """The line that shows messages."""
        return self.query_one(ScreenKeys)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Return why an action of this screen has nothing to do now, '' if it has."""
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave out what has nothing to do; its key is heard all the same."""
        if not super().check_action(action, parameters):
            return False
        return None if self.why_not(action, parameters) else True

    def complain(self, why: object) -> None:
        """Say why something was not done, until the next key."""
        self.message_line.complain(str(why))
        self.post_message(self.Complained(str(why)))

    def set_aside(self, result: T) -> None:
        """Close with a result for a look at the board; shown again, the screen is as it was."""
        if self.is_active:
            if not self.app.is_screen_installed(self):
                self.app.install_screen(self, f"{type(self).__name__} {id(self)}")
            self.is_aside = True
            self.dismiss(result)

    def on_key(self, event: events.Key) -> None:
        """Say why a key has nothing to do."""
        self.message_line.next_key()
        active = self.active_bindings.get(event.key)
        if active is None or active.node is not self or active.enabled:
            return
        name, _, given = active.binding.action.partition("(")
        parameters = literal_eval(f"({given[:-1]},)") if given else ()
        self.complain(self.why_not(name, parameters))

    @on(Input.Changed)
    def _next_key(self) -> None:
        self.message_line.next_key()
