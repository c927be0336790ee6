"""The widgets of the main screen, how they are arranged, and what they get from other threads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual import on
from textual.message import Message
from textual.widgets import Static

from hextui.ui.app.layout import DIFFERENCES, LEGEND, SMALLEST, Frame, Wish
from hextui.ui.panels.all_panels import PANELS, Panels
from hextui.ui.panels.record_panel import Comment
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.frame import (
    ActivityBar,
    LegendLine,
    PlacedWidgets,
    StatusLine,
    TitleLine,
    VerdictLines,
)


@dataclass
class ThreadResult(Message):
    """A result from another thread, and the method that takes it.

    A newer result of the same ``kind`` replaces one that waits; none does where it is None.
    """

    take: Callable[[Any], object]
    value: object
    kind: object = None

    def can_replace(self, message: Message) -> bool:
        """Whether a newer message makes this one needless."""
        newer = isinstance(message, ThreadResult) and message.kind == self.kind
        return newer and self.kind is not None


class ScreenWidgets(BaseScreen[None]):
    """A screen with boards, panels and lines: focuses and arranges them."""

    board: BoardWidget
    activity_bar: ActivityBar

    def __init__(self) -> None:
        super().__init__()
        self.panels = Panels(self, [panel() for panel in PANELS])
        self.body = PlacedWidgets(id="body")
        self.verdict_lines = VerdictLines()
        self.legend = LegendLine(id=LEGEND)
        self.differences = LegendLine(id=DIFFERENCES)
        self.status_line = StatusLine()
        self.title_line = TitleLine()
        self.too_small = Static(id="too-small", markup=False)

    def hand_over(self, take: Callable[[Any], object], value: object, kind: object = None) -> None:
        """Have a method take a result in the screen's thread (see `ThreadResult`)."""
        self.post_message(ThreadResult(take, value, kind))

    @on(ThreadResult)
    def _take_result(self, event: ThreadResult) -> None:
        event.take(event.value)

    def show_keys(self) -> None:
        """Name the keys that matter now."""
        raise NotImplementedError

    @property
    def comment(self) -> Comment:
        """The comment of the current node, where it is also written."""
        return self.query_one(Comment)

    def apply_plan(self, wish: Wish, frame: Frame) -> None:
        """Arrange the screen as wished and planned, or say that the terminal is too small."""
        self.board.turned = wish.view
        self.board.zoom = frame.zoom
        self.body.place(frame.places)
        self.activity_bar.chosen = wish.activity
        lacks = self.size.width < SMALLEST.width or self.size.height < SMALLEST.height
        self.set_class(lacks, "-too-small")
        self.too_small.update(
            f"This terminal has {self.size.width} x {self.size.height} characters,\n"
            f"hextui needs {SMALLEST.width} x {SMALLEST.height}."
        )
