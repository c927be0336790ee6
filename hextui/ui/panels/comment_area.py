"""Where a comment is written. Apart, because a text area is imported when one is first needed."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import TextArea


class CommentArea(TextArea):
    """Text of several lines; Escape and Ctrl+S end it, and so does going elsewhere.

    ``ended`` is called when what is written is as it is to be.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+s", "end", "Keep the comment", id="comment.keep"),
    ]

    def __init__(self, ended: Callable[[], object]) -> None:
        super().__init__(compact=True, show_line_numbers=False)
        self._ended = ended

    def action_end(self) -> None:
        """Keep what is written."""
        self._ended()

    def on_blur(self) -> None:
        """Keep what is written when the focus goes elsewhere."""
        self._ended()

    def on_paste(self, event: events.Paste) -> None:
        """Keep a pasted text from being opened as a record too."""
        event.stop()
