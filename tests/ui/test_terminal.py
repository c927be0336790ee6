"""What a terminal sends is read as fast as the app handles it."""

import asyncio
import fcntl
import os
import re
import signal
import struct
import sys
import termios
from contextlib import contextmanager
from threading import Thread

import pytest
from textual import events

from .helpers import become, game, running
from .program import Program

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from hextui.ui.safety.terminal import TerminalDriver

KEYS = b"nmjk" * 1600
AT_MOST = 5000  # keys that may wait in the program


@contextmanager
def reading(app, monkeypatch):
    """Have a driver read for an app in its thread; yields where its terminal writes."""
    reader, terminal = os.pipe()
    with monkeypatch.context() as quiet:
        quiet.setattr(signal, "signal", lambda *_: None)
        driver = TerminalDriver(app)
    driver.fileno, driver._typed = reader, b""
    thread = Thread(target=driver.run_input_thread)
    os.write(terminal, KEYS)
    thread.start()
    try:
        yield driver
    finally:
        driver.stop_reading()
        thread.join()
        os.close(reader)
        os.close(terminal)


def unread(driver):
    """Return how many bytes wait in the terminal."""
    return struct.unpack("i", fcntl.ioctl(driver.fileno, termios.FIONREAD, bytes(4)))[0]


class Busy:
    """Takes the keys of an app, which come to ``handled`` from when it ``goes_on``."""

    def __init__(self, app, monkeypatch):
        self.goes_on = asyncio.Event()
        self.handled = ""
        self._on_event = app.on_event
        monkeypatch.setattr(app, "on_event", self.on_event)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.goes_on.set()

    async def on_event(self, event):
        if isinstance(event, events.Key):
            await self.goes_on.wait()
            self.handled += event.key
        else:
            await self._on_event(event)


def is_waited_for():
    """Whether the thread that reads has asked the loop to tell when it has caught up."""
    return any("caught_up" in str(task.get_coro()) for task in asyncio.all_tasks())


async def test_keys_that_the_app_cannot_handle_stay_in_the_terminal(monkeypatch):
    async with running(game()) as pilot:
        with Busy(pilot.app, monkeypatch) as app, reading(pilot.app, monkeypatch) as driver:
            await become(pilot, lambda: is_waited_for() or not unread(driver))
            assert unread(driver) >= len(KEYS) - AT_MOST
            app.goes_on.set()
            await become(pilot, lambda: len(app.handled) == len(KEYS))
        assert app.handled.encode() == KEYS


async def test_reading_ends_while_the_app_handles_nothing(monkeypatch):
    async with running(game()) as pilot:
        with Busy(pilot.app, monkeypatch), reading(pilot.app, monkeypatch) as driver:
            await become(pilot, lambda: is_waited_for())
            driver.stop_reading()
            await become(pilot, lambda: not is_waited_for())


@pytest.mark.parametrize("mode", [b"", b"?", b"c", b"s"], ids=["board", "help", "comment", "setup"])
def test_ctrl_r_writes_every_cell_again(tmp_path, mode):
    def written():
        return re.sub(rb"\x1b\[[\d;?]*[a-zA-Z]|[\r\n]", b"", program.output)

    with Program(tmp_path) as program:
        program.wait_for_text(b"Red to move")
        program.keys(mode)
        before = 0
        while len(program.output) > before:  # until it is quiet
            before = len(program.output)
            program.read(0.5)
        program.output = b""
        program.keys(b"\x12")
        program.wait_for(lambda: len(written().decode()) >= 80 * 24, 10)
