"""How the parts of the program speak with the user: dialogs that are answered, lines that are read.

A part is given a `Talk` and needs no application; a test answers for the user.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.screen import Screen

T = TypeVar("T")


class Talk(Protocol):
    """Asks and tells the user."""

    async def ask(self, screen: Screen[T]) -> T | None:
        """Show a dialog or a whole screen until it is closed; return its answer."""
        ...

    def tell(self, what: str, seconds: float = 5) -> None:
        """Say what was done."""
        ...

    def complain(self, what: object) -> None:
        """Say in one line why something was not done."""
        ...

    def warn(self, title: str, what: str) -> None:
        """Say in one line what is wrong, though nobody asked for anything."""
        ...


class AppTalk:
    """Speaks on the screen of an application. Only a worker may `ask`.

    ``say`` has a line shown that says what was done; what is wrong comes as a notification.
    """

    def __init__(self, app: App[Any], say: Callable[[str, float], None]) -> None:
        self._app = app
        self._say = say

    async def ask(self, screen: Screen[T]) -> T | None:
        """Show a dialog or a whole screen until it is closed; return its answer."""
        return await self._app.push_screen_wait(screen)

    def tell(self, what: str, seconds: float = 5) -> None:
        """Say what was done."""
        self._say(what, seconds)

    def complain(self, what: object) -> None:
        """Say in one line why something was not done."""
        self._app.notify(str(what), severity="warning", timeout=4, markup=False)

    def warn(self, title: str, what: str) -> None:
        """Say in one line what is wrong, though nobody asked for anything."""
        self._app.notify(what, title=title, severity="warning", timeout=10, markup=False)
