"""Screens that close: each ends once, however many keys and clicks that end it have come."""

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.widget import Widget

T = TypeVar("T")


class EndsOnce(Screen[T]):
    """The base of all screens but the first one.

    Two keys that arrive in one piece are both sent to the screen that is there when the first of
    them is read. Textual would end the screen below it with the second.
    """

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """End with a result, unless the screen has ended or another one lies over it."""
        if self.is_active:
            return super().dismiss(result)
        return AwaitComplete()  # of nothing


class Ways(Widget):
    """A widget with links that run actions of its screen: ``[@click=way('accept')]``.

    ``screen.accept`` would mean the screen that is on top when the click is handled.
    """

    async def action_way(self, action: str) -> None:
        """Run an action of the screen."""
        await self.screen.run_action(action)
