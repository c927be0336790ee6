"""Ends that nobody chose: the system asks for it, or the terminal goes away."""

import asyncio
import signal
import sys
from collections.abc import Callable

from textual.driver import Driver

_SIGNALS = (signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ()


def heed_signals(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> None:
    """Have ``end`` called with the number of the signal, in the loop the app is going to run in."""
    for number in _SIGNALS:
        loop.add_signal_handler(number, end, number)


def bearing_driver(driver: type[Driver]) -> type[Driver]:
    """Return a driver like this one; a terminal's bears the end of its terminal."""
    if sys.platform == "win32":
        return driver
    from textual.drivers.linux_driver import LinuxDriver

    from hextui.ui.safety.terminal import TerminalDriver

    return TerminalDriver if driver is LinuxDriver else driver


def has_gone(driver: Driver | None) -> bool:
    """Whether the terminal has gone, with a signal or without; Textual reads on and on from it."""
    return bool(getattr(driver, "hung_up", False))


def let_go(driver: Driver | None) -> None:
    """Read nothing more from the terminal, however the app came to its end."""
    stop_reading = getattr(driver, "stop_reading", None)
    if stop_reading:
        stop_reading()
