"""Screens that end: each once, and then for good, however many keys and clicks still come."""

from typing import Any, TypeVar

from textual import events, messages
from textual._callback import invoke
from textual.await_complete import AwaitComplete
from textual.geometry import Offset, Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

from hextui.ui.compositor import SureCompositor
from hextui.ui.question_order import Numbered
from hextui.ui.refinements import let_go
from hextui.ui.timers import SureTimers

T = TypeVar("T")

_LAST_WORDS = (events.Unmount, messages.Prune, messages.CloseMessages)


class EndsOnce(Screen[T], Numbered, SureTimers):
    """The base of all screens.

    Two keys that arrive in one piece are both sent to the screen that is there when the first of
    them is read. Textual would end the screen below it with the second.
    """

    def __init__(self, *names: Any, **how: Any) -> None:
        super().__init__(*names, **how)
        self._compositor = SureCompositor()
        self._was_there = False

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """End with a result, unless the screen has ended, is the last or another lies over it."""
        if self.is_active and len(self.app.screen_stack) > 1:
            return super().dismiss(result)
        return AwaitComplete()  # of nothing

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """Return the widget at a place and where in its text that is; none that has gone."""
        widget, offset = super().get_widget_and_offset_at(x, y)
        return (widget, offset) if widget is None or widget.is_attached else (None, None)

    async def _on_message(self, message: Message) -> None:
        """Handle a message, but none that comes after the end: there may be no widgets any more.

        A screen may end before it has been there. What it has begun ends before its widgets do.
        A size that the terminal has no longer is not heard of: each has the screen tell itself of
        it again, and two would take turns for ever. Of a screen that is there for the first time
        the styles are known: its widgets have just been made.
        """
        if isinstance(message, events.Resize) and message.size != self.app.size:
            return
        if isinstance(message, events.ScreenResume) and not self._was_there:
            self._was_there = True
            message.refresh_styles = False
        if isinstance(message, messages.Prune):
            self.workers.cancel_node(self)
        if isinstance(message, events.Mount) and self._is_left:
            return  # it ended while its widgets were made
        if not self._pruning or isinstance(message, _LAST_WORDS):
            await super()._on_message(message)
        if isinstance(message, events.Unmount):
            let_go(self)
            self._hand_over()

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Lay out the widgets; then what waits is still called.

        Textual stops the timer that would have called it. A screen that is laid out by the size
        that another above it hears of is woken by nothing else.
        """
        super()._refresh_layout(size, scroll)
        if self._callbacks:
            self.check_idle()

    async def _invoke_and_clear_callbacks(self) -> None:
        """Call what waits for the next refresh; nothing after the end of the screen it is of.

        What a screen asked for just before its end waits at the one below. One call may end the
        screen of the next.
        """
        for _ in range(len(self._callbacks)):
            if self._is_left:
                return
            callback, sender = self._callbacks.pop(0)
            if not _has_gone(sender):
                with sender._context():
                    await invoke(callback)

    def _hand_over(self) -> None:
        """Leave what waits here to another screen: it is of any that asked while this lay on top.

        Lost would be, say, that panels show what is new, and with it all that they wait for.
        """
        others = [screen for screen in self.app.screen_stack if screen is not self]
        waiting, self._callbacks = self._callbacks, []
        for callback, sender in waiting:
            if others and not _has_gone(sender):
                others[-1]._invoke_later(callback, sender)

    @property
    def _is_left(self) -> bool:
        """Whether screen or app is being taken away: its widgets go first, or never came."""
        if not self.is_running or self._pruning or self.app._exit:
            return True
        return self not in self.app.screen_stack


def _has_gone(sender: MessagePump) -> bool:
    """Tell whether a screen, or the screen of a widget, is being taken away."""
    if isinstance(sender, EndsOnce):
        return sender._is_left
    return isinstance(sender, Widget) and not sender.is_attached


class Ways(Widget):
    """A widget with links that run actions of its screen: ``[@click=way('accept')]``.

    ``screen.accept`` would mean the screen that is on top when the click is handled.
    """

    async def action_way(self, action: str) -> None:
        """Run an action of the screen."""
        await self.screen.run_action(action)
