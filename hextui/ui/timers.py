"""Timers that come for sure, however late the machine is."""

from dataclasses import dataclass
from typing import Any

from textual.message_pump import MessagePump
from textual.notifications import Notification
from textual.timer import Timer

_SHORTEST = 0.5  # seconds


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


@dataclass
class SureNotification(Notification):
    """A message that is shown for some time, and be it over.

    Textual makes a timer of what is left, and one of less than nothing runs back for ever.
    """

    @property
    def time_left(self) -> float:
        """Seconds for which it is still shown: more than none."""
        return max(super().time_left, _SHORTEST)

    @property
    def has_expired(self) -> bool:
        """Whether its time is over, so that it need not be shown."""
        return super().time_left <= 0
