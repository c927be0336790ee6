"""Where a comment is written. Apart, because a text area is imported when one is first needed."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import TextArea

from hextui.ui.widgets.comment import Comment


class CommentArea(TextArea):
    """Text of several lines; Escape and Ctrl+S end it, and so does going elsewhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+s", "end", "Keep the comment", id="comment.keep"),
    ]

    def __init__(self) -> None:
        super().__init__(compact=True, show_line_numbers=False)

    def action_end(self) -> None:
        """Keep what is written."""
        self.post_message(Comment.Ended())

    def on_blur(self) -> None:
        """Keep what is written when the focus goes elsewhere."""
        self.post_message(Comment.Ended())

    def on_paste(self, event: events.Paste) -> None:
        """Keep a pasted text from being opened as a record too."""
        event.stop()
