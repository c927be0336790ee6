"""A workspace without an application, and a user who answers from a list: for tests of parts."""

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

from textual.geometry import Size

from hextui.engine.board import Board
from hextui.records.record import Record
from hextui.ui.app.talk import Talk
from hextui.ui.app.workspace import Services, Workspace
from hextui.ui.drawing.overlays import DisplayOptions
from hextui.ui.record.open_records import OpenRecords
from hextui.ui.record.session import Session


class FakeTalk(Talk):
    """Writes down what is said, and gives the next of ``answers`` to each question."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.told = []
        self.complaints = []
        self.warnings = []
        self._warned = set()

    async def ask(self, screen):
        self.asked.append(screen)
        return self.answers.pop(0)

    def tell(self, what, seconds=5):
        self.told.append(what)

    def complain(self, what):
        self.complaints.append(str(what))

    def warn(self, title, what):
        self.warnings.append((title, what))


class FakeScreen:
    """A terminal of some size, with all panels, where each comment is ``text``."""

    def __init__(self, size=None, text="fine"):
        self.size = size or Size(80, 24)
        self.plan = None
        self.focused = None
        self.text = text
        self.place = None
        self.worker: Any = None
        self.copied = []
        self.app = self.comment = self.board = self.differences = self.panels = self
        self.display = False
        self.copy_to_clipboard = self.copied.append
        self.query_one = Mock()  # finds a panel that does nothing

    def apply_plan(self, wish, frame):
        self.plan = SimpleNamespace(activity=wish.activity, view=wish.view, frame=frame)

    def hand_over(self, take, value, kind=None):
        take(value)

    def run_worker(self, work, **how):
        if self.worker is not None:
            self.worker.cancel()
        self.worker = asyncio.ensure_future(work())

    def focus(self):
        self.focused = None

    def focus_on(self, panel):
        self.focused = panel

    def write(self, record, node):
        self.place = record, node

    def keep(self):
        if self.place is None:
            return False
        record, node = self.place
        record.set_comment(node, self.text)
        self.place = None
        return True


class FakeWorkspace(Workspace):
    """Counts what it is told to show; an analyst or a library is one of the ``services``."""

    tries = False

    def __init__(self, session=None, *answers, screen=None, **services):
        self.talk = FakeTalk(*answers)
        self.forgotten = []
        session = session or Session(Record(Board(5, 5)))
        records = OpenRecords(session, self.talk, self.forgotten.append)
        self.calls = []
        made: Any = {name: lambda _, one=one: one for name, one in services.items()}
        shown_on: Any = screen or FakeScreen()
        super().__init__(
            shown_on,
            records,
            Services(Mock(), **made),
            DisplayOptions(),
            lambda panel: self.calls.append(f"bring {panel}"),
            lambda: None,
        )

    def changed(self, change):
        self.calls.append(change)
