"""How the parts of the program speak with the user: dialogs, and lines that say what happened."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from textual.app import App
from textual.screen import Screen

from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.widgets.frame import MessageLine

T = TypeVar("T")


MOST_PROBLEMS = 100  # that are kept


@dataclass(frozen=True)
class Problem:
    """What went wrong, or was not done, and when."""

    when: datetime
    text: str


class Talk:
    """Asks the user and shows messages on the screen of an application. Only a worker may ask.

    ``line`` returns the line for messages of the uppermost screen that has one. Problems that have
    no room there, or come while a dialog covers it, are shown as notifications. ``problems``: the
    newest last.
    """

    def __init__(self, app: App[Any], line: Callable[[], MessageLine]) -> None:
        self._app = app
        self._line = line
        self._warned: set[str] = set()
        self._aside: dict[type, MessageScreen[Any]] = {}  # the newest of each kind
        self.problems: deque[Problem] = deque(maxlen=MOST_PROBLEMS)

    async def ask(self, screen: Screen[T]) -> T | None:
        """Show a dialog or a whole screen until it is closed; return its answer.

        A screen that was set aside is kept, until another of its kind is.
        """
        if not isinstance(screen, MessageScreen):
            return await self._app.push_screen_wait(screen)
        screen.is_aside = False
        answer: T | None = await self._app.push_screen_wait(screen)
        if screen.is_aside:
            older = self._aside.get(type(screen))
            self._aside[type(screen)] = screen
            if older is not None and older is not screen:
                await self._drop(older)
        elif self._aside.get(type(screen)) is screen:
            del self._aside[type(screen)]
            await self._drop(screen)
        return answer

    async def _drop(self, screen: MessageScreen[Any]) -> None:
        """Remove a screen that was set aside and will not be shown again."""
        self._app.uninstall_screen(screen)
        await screen.remove()

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
        self._line().say(what, seconds)

    def complain(self, what: object) -> None:
        """Say in one line why something was not done."""
        text = str(what)
        line = self._line()
        self.keep(text)
        if line.screen is self._app.screen and line.has_room(text):
            line.complain(text)
        else:
            self._app.notify(text, severity="warning", timeout=4, markup=False)

    def warn(self, title: str, what: str) -> None:
        """Say in one line what is wrong, though nobody asked for anything."""
        self.keep(f"{title}: {what}")
        self._app.notify(what, title=title, severity="warning", timeout=10, markup=False)

    def keep(self, text: str) -> None:
        """Add a problem to the list; the same one again has the newer time."""
        if self.problems and self.problems[-1].text == text:
            self.problems.pop()
        self.problems.append(Problem(datetime.now().astimezone(), text))

    def warn_once(self, title: str, what: str) -> None:
        """Warn, unless there was a warning with this title."""
        if title not in self._warned:
            self._warned.add(title)
            self.warn(title, what)
