"""A desk without a screen, and a user who answers from a list: enough to test any part."""

from typing import ClassVar

from hextui.engine.board import Board
from hextui.records.record import Record
from hextui.ui.drawing.overlays import Shown
from hextui.ui.live.live import Live
from hextui.ui.live.surveys import Surveys
from hextui.ui.main.desk import Desk
from hextui.ui.open_records import OpenRecords
from hextui.ui.panels.all_panels import PANELS
from hextui.ui.session import Session


class PaperTalk:
    """Writes down what is said, and gives the next of ``answers`` to each question."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.told = []
        self.complaints = []
        self.warnings = []

    async def ask(self, screen):
        self.asked.append(screen)
        return self.answers.pop(0)

    def tell(self, what, seconds=5):
        self.told.append(what)

    def complain(self, what):
        self.complaints.append(str(what))

    def warn(self, title, what):
        self.warnings.append((title, what))


class PaperDesk(Desk):
    """Counts what it is told to show."""

    def __init__(self, session=None, *answers, analyst=None, game_analyst=None):
        self.talk = PaperTalk(*answers)
        self.forgotten = []
        session = session or Session(Record(Board(5, 5)))
        records = OpenRecords(session, self.talk, self.forgotten.append)
        super().__init__(records, Live(analyst), Surveys(game_analyst), Shown())
        self.calls = []

    def show(self):
        self.calls.append("show")

    def show_cursor(self):
        self.calls.append("cursor")

    def show_analysis(self):
        self.calls.append("analysis")

    def show_proved(self, position, before):
        self.calls.append("proved")

    def bring(self, panel):
        self.calls.append(f"bring {panel}")

    def fill(self, panel):
        self.calls.append(f"fill {panel}")


class PaperRoom:
    """A terminal of some size, with all panels."""

    known: ClassVar[list[str]] = [panel.TITLE.lower() for panel in PANELS]

    def __init__(self, size):
        self.size = size
        self.plan = None
        self.focused = None

    @property
    def focused_panel(self):
        return self.focused

    def arrange(self, plan):
        self.plan = plan

    def focus_board(self):
        self.focused = None

    def focus_panel(self, panel):
        self.focused = panel
