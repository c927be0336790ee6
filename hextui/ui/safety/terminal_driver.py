"""Textual's driver of a terminal, which also outlives the end of that, and stops as shells want.

Windows has another driver, and neither job control nor hang-ups.
"""

import asyncio
import os
import signal
import sys
from typing import Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from hextui.ui.safety.terminal import has_hung_up

assert sys.platform != "win32"


class TerminalDriver(LinuxDriver):
    """Writes to a terminal and reads its keys.

    Textual's own takes every SIGCONT for the end of a stop, and begins once more: with two threads
    that read keys, and a new one that writes. The kernel sends SIGCONT when a terminal is closed,
    too; the program then waited for ever for a thread that the terminal had ended.
    """

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._program = app
        self._has_gone = self._in_use = self._is_stopped = False
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTSTP, self.stop)
        loop.add_signal_handler(signal.SIGCONT, self.go_on)

    def start_application_mode(self) -> None:
        """Take the terminal, if it is still there."""
        self._has_gone = has_hung_up()
        if not self._has_gone:
            super().start_application_mode()
            self._in_use = True

    def stop_application_mode(self) -> None:
        """Leave the terminal as it was."""
        super().stop_application_mode()
        self._in_use = False

    def write(self, data: str) -> None:
        """Write to the terminal, if there was one."""
        if not self._has_gone:
            super().write(data)

    def stop(self) -> None:
        """Leave the terminal to the shell until the process is continued."""
        if self._in_use:
            self._program.app_suspend_signal.publish(self._program)
            self.suspend_application_mode()
            self._is_stopped = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def go_on(self) -> None:
        """Take the terminal again, and have the app draw all of it."""
        if has_hung_up():  # its end continues the process, too
            return
        if os.tcgetpgrp(self.fileno) != os.getpgrp():  # in the background
            os.kill(os.getpid(), signal.SIGSTOP)
            return
        if self._in_use:  # no signal said that it was stopped
            self.suspend_application_mode()
        elif not self._is_stopped:  # another program has the terminal
            return
        self._is_stopped = False
        self.resume_application_mode()
        self._program.app_resume_signal.publish(self._program)
