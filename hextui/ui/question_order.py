"""Which screens may open upon which: none by a key that was typed for the one that lies there.

Keys that arrive in one piece are heard by the screen that is there when the first of them is read.
The later ones were typed for what the first opens, so what they begin opens nothing upon it; else
screens would lie upon screens without end. What was begun earlier may still ask, and so may the
program itself: a save finds the file changed, quitting finds edits.
"""

import asyncio
from contextvars import ContextVar
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

_NUMBERS = count()
_number: ContextVar[int] = ContextVar("number of what is being done")


class Numbered(DOMNode):
    """Numbers what it begins in the order of the keys."""

    def run_worker(self, *work: Any, **how: Any) -> Worker[Any]:
        """Begin something."""
        before = _number.set(next(_NUMBERS))
        try:
            return super().run_worker(*work, **how)
        finally:
            _number.reset(before)


class OpensInOrder(App[None], Numbered):
    """Opens the screens that are asked for, but none that was not meant."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: WeakKeyDictionary[Screen[Any], int] = WeakKeyDictionary()

    def push_screen(  # type: ignore[override]
        self,
        screen: Screen[Any],
        callback: Any = None,
        wait_for_dismiss: Any = False,
        *,
        mode: str | None = None,
    ) -> Any:
        """Open a screen; the answer to one that may not open is None at once."""
        if wait_for_dismiss and not self._may_open():
            no_answer = asyncio.get_running_loop().create_future()
            no_answer.set_result(None)
            return no_answer
        self._numbers[screen] = _number.get() if wait_for_dismiss else next(_NUMBERS)
        return super().push_screen(screen, callback, wait_for_dismiss, mode=mode)

    def _may_open(self) -> bool:
        """Whether the work that asks was begun before all that lies upon the screen it is of."""
        asker = get_current_worker().node
        if asker is self:
            return True
        if asker not in self.screen_stack:
            return False
        above = self.screen_stack[self.screen_stack.index(asker) + 1 :]
        return all(_number.get() < self._numbers[screen] for screen in above)
