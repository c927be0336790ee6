"""The record panel: moves and variations in rows, and the comment of the current node."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from hextui.records.record import Record
from hextui.records.text import printable
from hextui.records.tree import Node
from hextui.ui.panels.move_tree import MoveTree
from hextui.ui.panels.panel import Panel, PanelInput, PanelText

if TYPE_CHECKING:
    from hextui.ui.panels.comment_area import CommentArea


class Comment(Vertical):
    """The comment of a node, if it has one. It says when it is to be written, and kept."""

    DEFAULT_CSS = """
    Comment { height: auto; max-height: 40%; display: none; border-top: solid $secondary; }
    Comment.-commented, Comment.-writing { display: block; }
    Comment VerticalScroll { height: auto; }
    Comment CommentArea { display: none; height: 8; padding: 0; background: transparent; }
    Comment.-writing { border-top: solid $primary; max-height: 60%; }
    Comment.-writing CommentArea { display: block; }
    Comment.-writing VerticalScroll { display: none; }
    """

    @dataclass
    class Clicked(Message):
        """The user wants to write."""

    @dataclass
    class Ended(Message):
        """What the user writes is as it is to be."""

    def __init__(self) -> None:
        super().__init__()
        self._written: tuple[Record, Node] | None = None
        self._area: CommentArea | None = None
        self._focused_before: Widget | None = None

    def compose(self) -> ComposeResult:
        """Make the text."""
        with VerticalScroll(can_focus=False):
            yield Static(markup=False)

    def show(self, text: str) -> None:
        """Show a comment; none, if it is empty."""
        self.set_class(bool(text), "-commented")
        if text:  # an update means a layout of the whole screen
            self.query_one(Static).update(printable(text, keep_lines=True))

    def write(self, record: Record, node: Node) -> None:
        """Let the user write the comment of a node, unless one is being written."""
        if self._written is not None:
            return
        area = self._place_to_write()
        self._focused_before = self.screen.focused
        self._written = record, node
        area.load_text(node.comment)
        area.move_cursor(area.document.end)
        self.border_title = "Esc keeps"
        self.add_class("-writing")
        self.screen.set_focus(area)  # now: it may be ended before anything else is done

    def keep(self) -> bool:
        """Put what is written into the record, as one edit, and give the focus back.

        False if nothing is being written.
        """
        if self._written is None or self._area is None:
            return False
        record, node = self._written
        self._written = None
        record.set_comment(node, self._area.text.rstrip())
        self.border_title = None
        self.remove_class("-writing")
        self._give_focus_back()
        return True

    @on(events.DescendantFocus)
    def _give_focus_back(self) -> None:
        """Take no keys while nothing is being written: a focus may come late, or come back."""
        if self._written is None and self.has_focus_within:
            self.screen.set_focus(self._focused_before)

    def _place_to_write(self) -> "CommentArea":
        if self._area is None:
            from hextui.ui.panels.comment_area import CommentArea

            self._area = CommentArea(lambda: self.post_message(self.Ended()))
            self.mount(self._area)
        return self._area

    @on(events.Click)
    def _click(self) -> None:
        if self._written is None:
            self.post_message(self.Clicked())


class RecordPanel(Panel):
    """Moves and variations, and the comment of the node looked at."""

    TITLE = "Record"
    KEY = "f4"
    TEXT = PanelText(
        "moves, variations and comments",
        (
            (
                "variation",
                "Moves other than the game's, listed below those that they replace.",
            ),
            ("+", "Folded: Enter opens it."),
            ("underlined", "A move with a comment."),
            ("! ? !! ?? !? ?!", "Glyphs: an annotator's judgement of a move."),
        ),
        (("left right", "Walk"), ("enter", "Open or fold")),
        ("comment", "promote", "main-line"),
    )
    OF_ANALYSIS = False

    def compose(self) -> ComposeResult:
        """Make the tree and the comment below it."""
        yield MoveTree()
        yield Comment()

    def fill(self, given: PanelInput) -> None:
        """Show a record at a node."""
        record, node = given.session.record, given.session.node
        self.query_one(MoveTree).show(record, node, given.palette)
        self.query_one(Comment).show(node.comment)

    @on(MoveTree.Chosen)
    def _choose(self, event: MoveTree.Chosen) -> None:
        event.stop()
        self.post_message(self.NodeChosen(event.node))
