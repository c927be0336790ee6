"""The comment below the tree: shown, and edited in its place."""

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Static, TextArea

from hextui.records.record import Record
from hextui.records.text import printable
from hextui.records.tree import Node


class CommentArea(TextArea):
    """Where a comment is written; Escape and Ctrl+S end it, and so does going elsewhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+s", "end", "Keep the comment", id="comment.keep"),
    ]

    @dataclass
    class Ended(Message):
        """The comment is as it is to be."""

    def action_end(self) -> None:
        """Keep what is written."""
        self.post_message(self.Ended())

    def on_blur(self) -> None:
        """Keep what is written when the focus goes elsewhere."""
        self.post_message(self.Ended())

    def on_paste(self, event: events.Paste) -> None:
        """Keep a pasted text from being opened as a record too."""
        event.stop()


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

    def __init__(self) -> None:
        super().__init__()
        self._written: tuple[Record, Node] | None = None

    def compose(self) -> ComposeResult:
        """Make the text and the place to write."""
        with VerticalScroll(can_focus=False):
            yield Static(markup=False)
        yield CommentArea(compact=True, show_line_numbers=False)

    def show(self, text: str) -> None:
        """Show a comment; none, if it is empty."""
        self.set_class(bool(text), "-commented")
        if text:  # an update means a layout of the whole screen
            self.query_one(Static).update(printable(text, keep_lines=True))

    def write(self, record: Record, node: Node) -> None:
        """Let the user write the comment of a node."""
        area = self.query_one(CommentArea)
        self._written = record, node
        area.load_text(node.comment)
        area.move_cursor(area.document.end)
        self.border_title = "Esc keeps"
        self.add_class("-writing")
        area.focus()

    def keep(self) -> bool:
        """Put what is written into the record, as one edit; False if nothing is being written."""
        if self._written is None:
            return False
        record, node = self._written
        self._written = None
        record.set_comment(node, self.query_one(CommentArea).text.rstrip())
        self.border_title = None
        self.remove_class("-writing")
        return True

    @on(events.Click)
    def _click(self) -> None:
        if self._written is None:
            self.post_message(self.Clicked())
