"""The record panel: moves and variations in rows, and the comment of the node looked at."""

from textual import on
from textual.app import ComposeResult

from hextui.ui.widgets.comment import Comment
from hextui.ui.widgets.movetree import MoveTree
from hextui.ui.widgets.panel import Panel, Sight


class RecordPanel(Panel):
    """Moves and variations, and the comment of the node looked at."""

    TITLE = "Record"
    OF_ANALYSIS = False

    def compose(self) -> ComposeResult:
        """Make the tree and the comment below it."""
        yield MoveTree()
        yield Comment()

    def fill(self, sight: Sight) -> None:
        """Show a record at a node."""
        record, node = sight.session.record, sight.session.node
        self.query_one(MoveTree).show(record, node, sight.palette)
        self.query_one(Comment).show(node.comment)

    @on(MoveTree.Chosen)
    def _choose(self, event: MoveTree.Chosen) -> None:
        event.stop()
        self.post_message(self.Went(event.node))
