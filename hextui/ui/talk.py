"""How the parts of the program speak with the user: dialogs, and lines that say what happened."""

from collections.abc import Callable
from typing import Any, TypeVar

from textual.app import App
from textual.screen import Screen

from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog

T = TypeVar("T")


class Talk:
    """Asks the user and shows messages on the screen of an application. Only a worker may ask.

    ``say`` shows a line about what was done; what is wrong is shown as a notification.
    """

    def __init__(self, app: App[Any], say: Callable[[str, float], None]) -> None:
        self._app = app
        self._say = say
        self._warned: set[str] = set()

    async def ask(self, screen: Screen[T]) -> T | None:
        """Show a dialog or a whole screen until it is closed; return its answer."""
        return await self._app.push_screen_wait(screen)

    async def ask_line(
        self, title: str, hint: str, read: Callable[[str], T], value: str
    ) -> T | None:
        """Ask for one line, ``value`` at first; return what ``read`` makes of it."""
        return await self.ask(LineDialog(title, hint, read, value))

    async def choose(self, title: str, question: str, *choices: tuple[str, str, str]) -> str | None:
        """Ask for one of several choices, each a key, a label and the result; return the result."""
        return await self.ask(ChoiceDialog(title, question, [Choice(*each) for each in choices]))

    async def may_overwrite(self, question: str) -> bool:
        """Ask whether a file may be replaced."""
        answer = await self.choose("Overwrite?", question, ("o", "Overwrite", "overwrite"))
        return answer == "overwrite"

    def tell(self, what: str, seconds: float = 5) -> None:
        """Say what was done."""
        self._say(what, seconds)

    def complain(self, what: object) -> None:
        """Say in one line why something was not done."""
        self._app.notify(str(what), severity="warning", timeout=4, markup=False)

    def warn(self, title: str, what: str) -> None:
        """Say in one line what is wrong, though nobody asked for anything."""
        self._app.notify(what, title=title, severity="warning", timeout=10, markup=False)

    def warn_once(self, title: str, what: str) -> None:
        """Warn, unless there was a warning with this title."""
        if title not in self._warned:
            self._warned.add(title)
            self.warn(title, what)
