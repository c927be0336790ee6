"""Timers that come for sure."""

from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer


class SureTimers(MessagePump):
    """Whose timers come late rather than never.

    Textual leaves out ticks that it is too late for, even if a timer has only one: on a busy
    machine another size of the terminal, say, would then never be heard of again.
    """

    def set_timer(self, *timed: Any, **how: Any) -> Timer:
        """Call something once, after some time."""
        timer = super().set_timer(*timed, **how)
        timer._skip = False
        return timer
