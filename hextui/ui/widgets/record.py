"""The record panel: moves and variations as a tree, and the comment of the node looked at."""

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from hextui.records.history import Edit
from hextui.records.markup import glyph_of
from hextui.records.record import Record
from hextui.records.tree import Node
from hextui.ui.painter import STONES
from hextui.ui.palette import DARK, Palette
from hextui.ui.widgets.comment import Comment
from hextui.ui.widgets.panel import Panel, Sight


class MoveTree(Tree[Node], inherit_bindings=False):
    """A game tree: the moves of a line below each other, variations inside the move they replace.

    Variations are read when they are opened, so that a huge record opens at once. Keys that are not
    bound here do what they do elsewhere: Space belongs to the analysis, Home goes to the first ply.
    """

    ICON_NODE = "+ "
    ICON_NODE_EXPANDED = "- "
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False),
        Binding("down,j", "cursor_down", "Down", show=False),
        Binding("enter", "select_cursor", "Open or close", show=False),
        Binding("left,h", "cursor_parent", "To the line it leaves", show=False),
        Binding("right,l", "toggle_node", "Open or close", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__("", id=id)
        self.palette: Palette = DARK
        self._record: Record | None = None
        self._edit: Edit | None = None
        self._items: dict[Node, TreeNode[Node]] = {}
        self.guide_depth = 2
        self.show_root = True

    def show(self, record: Record, node: Node) -> None:
        """Show the record with the cursor on a node; built anew only if the record changed."""
        edit = record.history.done[-1] if record.history.done else None
        if record is not self._record or edit is not self._edit or node not in self._items:
            opened = [n for n, item in self._items.items() if item.is_expanded and item.data is n]
            self._record, self._edit = record, edit
            self._read(record)
            for other in opened:
                self._open(other)
        self._reveal(node)
        if self.last_line >= 0:  # asking for it numbers the lines: new ones have no place before
            self.move_cursor(self._items[node])

    def on_resize(self) -> None:
        """Keep the node looked at in sight."""
        self.scroll_to_line(self.cursor_line, animate=False)

    def paint(self, palette: Palette) -> None:
        """Use the colours of a palette."""
        if palette == self.palette:
            return
        self.palette = palette
        for node, item in self._items.items():
            if node is not self.root.data:
                item.set_label(self._label(node))

    def _read(self, record: Record) -> None:
        self._items = {record.root: self.root}
        self.root.remove_children()
        self.root.data = record.root
        self.root.set_label(Text(f"{record.board} board"))
        self.root.expand()
        self._add_line(self.root, record.root)

    def _add_line(self, parent: TreeNode[Node], node: Node) -> None:
        """Add what follows ``node`` along first children to ``parent``."""
        for after in node.onward():
            if after in self._items:
                return
            has_variations = len(after.siblings) > 1
            self._items[after] = parent.add(
                self._label(after), after, allow_expand=has_variations, expand=False
            )

    def _fill(self, item: TreeNode[Node]) -> None:
        """Add the variations beside a move, or the line that a variation begins."""
        node = item.data
        if node is None or item.children or node.parent is None:
            return
        if node.index:
            self._add_line(item, node)
            return
        for variation in node.siblings[1:]:
            self._items[variation] = item.add(
                self._label(variation), variation, allow_expand=bool(variation.children)
            )

    def _open(self, node: Node) -> None:
        item = self._items.get(node)
        if item is not None and item.allow_expand:
            self._fill(item)
            item.expand()

    def _reveal(self, node: Node) -> None:
        """Open every variation on the way to a node."""
        for step in node.line():
            if step.index:
                self._open(step.siblings[0])
            if step in self._items and step is not node and step.index:
                self._open(step)

    @on(Tree.NodeExpanded)
    def _fill_expanded(self, event: Tree.NodeExpanded[Node]) -> None:
        self._fill(event.node)

    def _label(self, node: Node) -> Text:
        turn = node.turn
        if turn is None:
            setup = node.setup
            placed = len(setup.black) + len(setup.white) + len(setup.empty)
            text = Text(f"{'':>3} setup {placed}" if setup else f"{'':>3} note")
        else:
            text = Text(f"{node.ply:>3} ")
            color = self.palette.stones[turn.color - 1]
            text.append(STONES[turn.color], Style(color=color, bold=True)).append(" ")
            assert self._record is not None
            text.append(turn.name(self._record.board))
            if glyph := glyph_of(node):
                text.append(f" {glyph}", "bold")
        if node.index:
            text.append(f"  variation {node.index + 1}", "dim")
        if node.comment:
            text.append('  "', "bold")
        return text


class RecordPanel(Panel):
    """Moves and variations, and the comment of the node looked at."""

    TITLE = "Record"
    OF_ANALYSIS = False
    DEFAULT_CSS = """
    RecordPanel MoveTree { height: 1fr; background: transparent; overflow-x: hidden; }
    """

    def compose(self) -> ComposeResult:
        """Make the tree and the comment below it."""
        yield MoveTree()
        yield Comment()

    def fill(self, sight: Sight) -> None:
        """Show a record at a node."""
        record, node = sight.session.record, sight.session.node
        tree = self.query_one(MoveTree)
        tree.paint(sight.palette)
        tree.show(record, node)
        self.query_one(Comment).show(node.comment)

    @on(Tree.NodeHighlighted)
    def _choose(self, event: Tree.NodeHighlighted[Node]) -> None:
        tree = self.query_one(MoveTree)
        event.stop()
        # The cursor also moves when the record is stepped elsewhere: only its newest place counts.
        if tree.has_focus and event.node is tree.cursor_node and event.node.data is not None:
            self.post_message(self.Went(event.node.data))
