"""The dialog that tries an engine out, and says in words what it found, or why it failed."""

import threading
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from hextui.engines.attached.engine_config import AttachedConfig
from hextui.engines.attached.engine_session import EngineSession, RefusedError
from hextui.engines.attached.probe import last_lines, probe
from hextui.engines.supervisor import EngineGoneError
from hextui.ui.screens.dialogs import Dialog

DONE = "The test is done."


class EngineTestDialog(Dialog[None]):
    """Starts an engine of its own for the test; Escape ends it."""

    CANCEL = "Escape closes"
    DEFAULT_CSS = """
    EngineTestDialog > Vertical { width: 76; }
    EngineTestDialog .found { height: auto; }
    """

    @dataclass
    class Found(Message):
        """A line was found; ``end``: it is the last."""

        line: str
        end: bool = False

    def __init__(self, config: AttachedConfig) -> None:
        super().__init__(f"Test of {config.name}")
        self._config = config
        self._lines: list[str] = []
        self._ended = False
        self._left = threading.Event()
        self._session: EngineSession | None = None

    def compose(self) -> ComposeResult:
        """Make the box: what was found so far, and whether it goes on."""
        with Vertical() as box:
            self.frame(box)
            with VerticalScroll():
                yield Static(classes="found", markup=False)
            yield Static("It is being started ...", classes="hint", markup=False)

    def on_mount(self) -> None:
        """Begin."""
        threading.Thread(target=self._probe, name="engine-test", daemon=True).start()

    def on_unmount(self) -> None:
        """End the program, if it still runs."""
        self._left.set()
        if self._session is not None and not self._ended:
            self._session.kill()

    def _probe(self) -> None:
        """Try it out, on a thread."""
        name = self._config.name
        end = ""
        try:
            for line in probe(self._config, self._take_session):
                self.post_message(self.Found(line[:1].upper() + line[1:]))
        except EngineGoneError as error:
            end = "\n".join(filter(None, [f"It fails: {name} {error}", last_lines(error)]))
        except RefusedError as error:
            end = f"It fails: {name} answers: {error}"
        self.post_message(self.Found(end, end=True))

    def _take_session(self, session: EngineSession) -> None:
        self._session = session
        if self._left.is_set():
            session.kill()

    def on_engine_test_dialog_found(self, event: Found) -> None:
        """Show what was found."""
        self._lines += [event.line] if event.line else []
        self._ended = event.end
        self.query_one(".found", Static).update("\n".join(self._lines))
        self.query_one(".hint", Static).update(DONE if event.end else "It goes on ...")
        self.query_one(VerticalScroll).scroll_end(animate=False)
