"""The terminal: written to when it has gone or is full, and left to the shell."""

import os
import pty
import threading

from textual.widgets import TextArea

from hextui.ui.safety.terminal import TerminalOutput, screen_output
from hextui.ui.screens.dialogs import LineDialog

from .helpers import game, press, running, settle, until


def test_what_a_closed_terminal_cannot_take_is_dropped() -> None:
    ours, its = pty.openpty()
    os.close(ours)
    with os.fdopen(its, "w") as terminal:
        output = screen_output(terminal)
        for _ in range(3):
            output.write("x" * 10_000)
            output.flush()


def test_what_a_closed_pipe_or_file_cannot_take_is_dropped() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert TerminalOutput(writer).write(b"text") == 4
    os.close(writer)
    assert TerminalOutput(writer).write(b"text") == 4
    with open("/dev/full", "wb") as full:
        assert TerminalOutput(full.fileno()).write(b"text") == 4


def test_a_full_terminal_is_waited_for() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    read = bytearray()

    def drain() -> None:
        while data := os.read(reader, 1 << 16):
            read.extend(data)

    with os.fdopen(writer, "w") as file:
        output = screen_output(file)
        draining = threading.Thread(target=drain)
        draining.start()
        output.write("x" * 1_000_000)
        output.flush()
    draining.join()
    os.close(reader)
    assert len(read) == 1_000_000


async def test_ctrl_z_suspends_except_in_a_text() -> None:
    async with running(game("c3")) as pilot:
        called: list[str] = []
        vars(pilot.app)["action_suspend_process"] = lambda: called.append("suspend")
        await press(pilot, "ctrl+z")
        assert called == ["suspend"]
        await press(pilot, "question_mark", "ctrl+z")
        assert called == ["suspend"] * 2
        await press(pilot, "escape", "c")
        await until(pilot, lambda: pilot.app.screen.query(TextArea))
        area = pilot.app.screen.query_one(TextArea)
        await press(pilot, "x", "ctrl+z")
        assert area.text == ""
        await press(pilot, "ctrl+z")
        await pilot.app.push_screen(LineDialog("?", "", str, ""))
        await settle(pilot)
        await press(pilot, "ctrl+z")
        assert len(called) == 2
