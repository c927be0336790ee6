"""The record panel: moves and variations in rows, and the comment of the current node."""

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from hextui.analysis.mistakes import Blunder, CostlyMove, Severity
from hextui.records.record import Record
from hextui.records.text import printable
from hextui.records.tree import Node
from hextui.ui.live.game_review import LineReview
from hextui.ui.panels.move_tree import Loss, MoveTree
from hextui.ui.panels.panel import Panel, PanelInput, PanelText

if TYPE_CHECKING:
    from textual.widgets import TextArea


class Comment(Vertical):
    """The comment of a node, if it has one; a click and an action let the user write it.

    Escape, Ctrl+S and going elsewhere end writing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+s", "end", "Keep the comment", id="comment.keep")
    ]
    DEFAULT_CSS = """
    Comment { height: auto; max-height: 40%; display: none; border-top: solid $secondary; }
    Comment.-commented, Comment.-writing { display: block; }
    Comment VerticalScroll { height: auto; }
    Comment TextArea { display: none; height: 8; padding: 0; background: transparent; }
    Comment.-writing { border-top: solid $primary; max-height: 60%; }
    Comment.-writing TextArea { display: block; }
    Comment.-writing VerticalScroll { display: none; }
    """

    def __init__(self) -> None:
        super().__init__(VerticalScroll(Static(markup=False), can_focus=False))
        self._written: tuple[Record, Node] | None = None
        self._area: TextArea | None = None
        self._focused_before: Widget | None = None

    def show(self, text: str) -> None:
        self.set_class(bool(text), "-commented")
        shown, static = printable(text, keep_lines=True), self.query_one(Static)
        if text and shown != static.content:  # an update means a layout of the whole screen
            static.update(shown)

    def write(self, record: Record, node: Node) -> None:
        """Let the user write the comment of a node, unless one is being written."""
        if self._written is not None:
            return
        if self._area is None:
            from textual.widgets import TextArea  # here: it is slow to import

            self._area = TextArea(compact=True, show_line_numbers=False)
            self.mount(self._area)
        area = self._area
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

    @on(events.DescendantBlur)
    def action_end(self) -> None:
        """Have what is written kept, also when the focus goes elsewhere."""
        self.post_message(Panel.CommentWritten())

    @on(events.DescendantFocus)
    def _give_focus_back(self) -> None:
        """Take no keys while nothing is being written: a focus may come late, or come back."""
        if self._written is None and self.has_focus_within:
            self.screen.set_focus(self._focused_before)

    def on_paste(self, event: events.Paste) -> None:
        """Keep a pasted text from being opened as a record too."""
        event.stop()

    def on_click(self) -> None:
        if self._written is None:
            self.post_message(Panel.ActionWanted("comment"))


class RecordPanel(Panel):
    """Moves and variations, and the comment of the current node."""

    TITLE = "Record"
    KEY = "f4"
    TEXT = PanelText(
        "moves, variations and comments",
        (
            ("variation", "Moves other than the game's, listed below those that they replace."),
            ("+", "Folded: Enter opens it."),
            ("underlined", "A move with a comment."),
            ("! ? !! ?? !? ?!", "Glyphs: an annotator's judgement of a move."),
            ("-12%", "The win probability that the move above lost; lost: a proved win."),
        ),
        (("left right", "Step"), ("enter", "Open or fold")),
        ("comment", "promote", "main-line"),
    )
    OF_ANALYSIS = False

    def __init__(self) -> None:
        super().__init__(MoveTree(lambda node: self.post_message(self.NodeChosen(node))), Comment())

    def fill(self, given: PanelInput) -> None:
        record, node = given.session.record, given.session.node
        losses = losses_of(given.survey, given.options.evaluator)
        self.query_one(MoveTree).show(record, node, given.palette, losses)
        self.query_one(Comment).show(node.comment)


def losses_of(survey: LineReview, focus: str) -> dict[Node, Loss]:
    """Return what moves of the main line lost: a proved win, or win probability by a search."""
    nodes = {here.ply: here.node for here in survey.positions}
    found: dict[Node, Loss] = {}
    for entry in survey.mistakes(focus):
        match entry:
            case Blunder():
                only = len(entry.moves) == 1
                text = "lost" if only else "lost?"
                found |= {nodes[move.ply]: (text, only) for move in entry.moves}
            case CostlyMove() if not survey.is_provisional(entry):
                much = entry.severity is Severity.MISTAKE
                found[nodes[entry.moves[0].ply]] = (f"-{entry.cost:.0%}", much)
    return found
