"""The record panel: moves and variations in rows, and the comment of the current node."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING
from unicodedata import category

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from hextui.analysis.mistakes import Blunder, CostlyMove, Severity
from hextui.engine.board import Board, Color
from hextui.records.markup import glyph_of
from hextui.records.record import Record
from hextui.records.record_text import printable
from hextui.records.tree import Node
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.live.game_review import LineReview
from hextui.ui.panels.panel import Change, Panel, PanelInput, PanelText
from hextui.ui.record.session import END_OF_LINE, START_OF_RECORD
from hextui.ui.widgets.line_list import DIM, ScrollingList

if TYPE_CHECKING:
    from textual.widgets import TextArea

CELL = 5
"""Columns of a move."""

Loss = tuple[str, bool]
"""What a move lost, in five characters at most, and whether it is much."""
_NUMBER = 4  # columns of the ply that a row begins with
_DEEPEST = 4  # depth from which variations are indented no further


@dataclass(frozen=True)
class MoveRun:
    """A row: moves of one line that follow each other.

    ``depth``: 0 in the main line. ``head``: the first node of the variation, if the row begins one
    that can be folded. ``folded``: whether it is. ``of_losses``: it names what the moves lost.
    """

    nodes: tuple[Node, ...]
    depth: int
    head: Node | None = None
    folded: bool = False
    of_losses: bool = False

    @property
    def prefix(self) -> str:
        """The text before the moves: the ply of the first, and whether it is folded."""
        if self.of_losses:
            return " " * (_NUMBER + _indent(self.depth))
        ply = f"{self.nodes[0].ply:>3} "
        if not self.depth:
            return ply
        indent = " " * (_indent(self.depth) - 1)
        if self.head is None:
            return f"{indent} {ply}"
        sign = "+" if self.folded else "-"
        return f"{indent}{sign}{ply}"


def _indent(depth: int) -> int:
    return 2 * min(depth, _DEEPEST)


def room(width: int, depth: int) -> int:
    """Return how many moves a row takes; in the main line each player has columns of his own."""
    moves = (width - _NUMBER - _indent(depth)) // CELL
    if not depth:
        moves -= moves % 2
    return max(moves, 2)


def runs(root: Node, opened: Collection[Node], width: int) -> list[MoveRun]:
    """Return the rows of a record; ``opened`` are the first nodes of variations not folded."""
    rows = [MoveRun((root,), 0)]
    waiting: list[MoveRun | tuple[Node, int]] = []
    waiting += reversed(_open_line(list(root.onward()), 0, width))
    while waiting:
        item = waiting.pop()
        if isinstance(item, MoveRun):
            rows.append(item)
            continue
        head, depth = item
        if head in opened:
            waiting += reversed(_open_line([head, *head.onward()], depth, width))
        else:
            rows.append(_folded(head, depth, width))
    return rows


def with_losses(rows: Iterable[MoveRun], losses: Mapping[Node, Loss]) -> Iterator[MoveRun]:
    """Yield the rows, and below each with moves that lost something a row that names the losses."""
    for row in rows:
        yield row
        if not losses.keys().isdisjoint(row.nodes):
            yield replace(row, of_losses=True)


def _open_line(nodes: Sequence[Node], depth: int, width: int) -> list[MoveRun | tuple[Node, int]]:
    """Return the rows of a line, and its variations by their first node and depth."""
    rows: list[MoveRun | tuple[Node, int]] = []
    step = room(width, depth)
    head = nodes[0] if depth and (len(nodes) > step or _branches(nodes[1:])) else None
    for begin in range(0, len(nodes), step):
        part = nodes[begin : begin + step]
        rows.append(MoveRun(tuple(part), depth, None if begin else head))
        for node in part:
            if node.index == 0:
                rows += [(variation, depth + 1) for variation in node.siblings[1:]]
    return rows


def _folded(head: Node, depth: int, width: int) -> MoveRun:
    step = room(width, depth)
    nodes = [head, *islice(head.onward(), step)]
    hides = len(nodes) > step or _branches(nodes[1:])
    return MoveRun(tuple(nodes[:step]), depth, head if hides else None, hides)


def _branches(nodes: Sequence[Node]) -> bool:
    return any(len(node.siblings) > 1 for node in nodes)


_SHORT = {
    "swap-pieces": "swap", "swap-sides": "side", "resign": "resg", "forfeit": "forf",
}  # fmt: skip


class MoveTree(ScrollingList):
    """Moves in rows: Red's bold, commented ones underlined; variations below what they replace.

    What a move lost stands below it, in amber, or in red if it is much. The current
    variation is open, the others are folded until the user opens them.
    """

    # Space belongs to the analysis; Enter opens and folds.
    BINDINGS = [
        Binding("up,k", "row(-1)", "Row above", show=False),
        Binding("down,j", "row(1)", "Row below", show=False),
        Binding("left,h", "step(-1)", "Previous move", show=False),
        Binding("right,l", "step(1)", "Next move", show=False),
        Binding("enter", "fold", "Open or fold the variations", show=False),
    ]
    COMPONENT_CLASSES = {"lines--bad", "lines--doubtful"}
    DEFAULT_CSS = """
    MoveTree {
        & > .lines--cursor { background: $foreground 25%; }
        & > .lines--bad { color: $error; }
        & > .lines--doubtful { color: $warning; }
    }
    """

    def __init__(self, choose: Callable[[Node], Panel.Request]) -> None:
        """``choose`` asks the screen to show the node that the user goes to."""
        super().__init__()
        self._when_chosen = choose
        self._asked: Panel.Request | None = None  # the last time
        self.node = Node()
        self._record = Record(Board(1, 1), self.node)  # until the first one is shown
        self._palette: Palette = DARK
        self._losses: Mapping[Node, Loss] = {}
        self._opened: set[Node] = set()  # by the user; the current variation is open anyway
        self._rows: Sequence[MoveRun] = ()
        self._laid_out: tuple[object, ...] = ()  # what the rows and their colours depend on
        self._at = 0  # the row of the current node

    @property
    def _is_late(self) -> bool:
        """Whether the current node is gone: another one is about to be shown."""
        return not self._record.holds(self.node)

    def show(
        self, record: Record, node: Node, palette: Palette, losses: Mapping[Node, Loss]
    ) -> None:
        if record is not self._record:
            self._opened = set()
        elif self._asked and not self._asked.heard:
            node = self.node  # the user is ahead of the screen
        self._record = record
        self.node = node
        self._palette = palette
        self._losses = losses
        self._lay_out()

    def _lay_out(self) -> None:
        """Make the rows, if they are others now, and bring the current node into sight."""
        if self._is_late:
            return
        at_before = self._at
        top_before = self._top
        changed = self._make_rows()
        self._at = next(place for place, row in enumerate(self._rows) if self.node in row.nodes)
        self._scroll_to_current()

        if changed or self._top != top_before:
            self.refresh()
            return
        for place in {at_before, self._at}:
            self.refresh(Region(0, place - self._top, self.size.width, 1))

    def _make_rows(self) -> bool:
        """Make the rows if anything that they depend on has changed; return whether it has."""
        opened = self._opened.union(node for node in self.node.line() if node.index)
        edit = self._record.last_edit
        wanted = (self._record, edit, self._palette, self.size.width, opened, self._losses)
        if wanted == self._laid_out:
            return False
        self._laid_out = wanted
        rows = runs(self._record.root, opened, self.size.width)
        self._rows = list(with_losses(rows, self._losses))
        return True

    def _scroll_to_current(self) -> None:
        """Scroll until the row of the current node can be seen, with the row of its losses."""
        last = self._at
        if last + 1 < len(self._rows) and self._rows[last + 1].of_losses:
            last += 1
        if self._at < self._top or last >= self._top + self._room:
            self._top = self._at - self._room // 2  # in the middle
        self._top = self._within(self._top)

    def on_resize(self) -> None:
        if self._rows:
            self._lay_out()

    # Painting

    def _painted(self, place: int, width: int) -> Strip:
        row = self._rows[place]
        base = self._base
        segments = [Segment(row.prefix, base + DIM)]
        for node in row.nodes:
            text, style = self._loss(node) if row.of_losses else self._cell(node)
            segments += [Segment(text, base + style), Segment(" " * (CELL - len(text)), base)]
        if row.folded and not row.of_losses and row.nodes[-1].children:
            segments.append(Segment("...", base + DIM))
        return Strip(segments).adjust_cell_length(width, base)

    def _loss(self, node: Node) -> tuple[str, Style]:
        text, much = self._losses.get(node, ("", False))
        return text, self.get_component_rich_style("lines--bad" if much else "lines--doubtful")

    def _cell(self, node: Node) -> tuple[str, Style]:
        turn = node.turn
        if turn is None:
            style = Style(italic=True)
            text = self._name_without_move(node)
        else:
            color = self._palette.ink(turn.color)
            style = Style(color=color, bold=turn.color is Color.BLACK)
            name = turn.name(self._record.board)
            text = (_SHORT.get(name, name) + glyph_of(node))[:CELL]
        if node.comment:
            style += Style(underline=True)
        if node is self.node:
            style += self.get_component_rich_style("lines--cursor")
        return text, style

    def _name_without_move(self, node: Node) -> str:
        if node.setup:
            return "set"
        return "note" if node.parent else f"{self._record.board} board"

    # What the user does

    def action_row(self, step: int) -> None:
        """Go to the row above (-1) or below (1), to the move in the same column."""
        target = self._at + step
        while 0 <= target < len(self._rows) and self._rows[target].of_losses:
            target += step
        if 0 <= target < len(self._rows):
            nodes = self._rows[target].nodes
            place = self._rows[self._at].nodes.index(self.node)
            self._choose(nodes[min(place, len(nodes) - 1)])

    def action_step(self, step: int) -> None:
        node = self.node.parent if step < 0 else next(self.node.onward(), None)
        if node is not None:
            self._choose(node)
        else:
            self.post_message(Panel.Refused(END_OF_LINE if step > 0 else START_OF_RECORD))

    def action_fold(self) -> None:
        """Leave and fold the current variation; in the main line, open or fold all of it."""
        if self._is_late:
            return
        head = next((node for node in reversed(self.node.line()) if node.index), None)
        if head is not None:
            self._turn(head)
        elif self._opened:
            self._opened = set()
        else:
            line = self._record.root.onward()
            self._opened = {node for after in line for node in after.siblings[1:]}
            if not self._opened:
                self.post_message(Panel.Refused("The main line has no variations"))
        self._lay_out()

    def _turn(self, head: Node) -> None:
        """Open or fold a variation; the current one is left for the move that it replaces."""
        if self._is_late or not self._record.holds(head):
            return
        if head in self.node.line():
            self._opened.discard(head)
            self._choose(head.siblings[0])
        else:
            self._opened ^= {head}
            self._lay_out()

    def _choose(self, node: Node) -> None:
        """Make a node the current one. A key that comes before it is shown goes on from it."""
        self.node = node
        self._lay_out()
        self._asked = self._when_chosen(node)

    def on_click(self, event: events.Click) -> None:
        """Go to the move; on the sign of a variation, open or fold it."""
        number = self._top + event.y
        if number >= len(self._rows):
            return
        row = self._rows[number]
        if event.x < len(row.prefix):
            if row.head is not None:
                self._turn(row.head)
            return
        place = (event.x - len(row.prefix)) // CELL
        if place < len(row.nodes):
            self._choose(row.nodes[place])


class Comment(Vertical):
    """The comment of a node, if it has one; a click and an action let the user write it.

    Escape, Ctrl+S and going elsewhere end writing.
    """

    BINDINGS = [Binding("escape,ctrl+s", "end", "Keep the comment", id="comment.keep")]
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
        shown = printable(text, keep_lines=True)
        static = self.query_one(Static)
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

    def on_key(self, event: events.Key) -> None:
        """Type what a text area takes for no text: joiners, and marks of the direction of text."""
        typed = event.character or ""
        if self._area and self._written and len(typed) == 1 and category(typed) == "Cf":
            event.stop()
            self._area.insert(typed)

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
    SHOWS = frozenset({Change.SESSION, Change.GAME})

    def __init__(self) -> None:
        super().__init__(MoveTree(self._go_to), Comment())

    def _go_to(self, node: Node) -> Panel.Request:
        request = self.NodeChosen(node)
        self.post_message(request)
        return request

    def fill(self, given: PanelInput) -> None:
        record, node = given.session.record, given.session.node
        losses = losses_of(given.survey, given.options.evaluator)
        self.query_one(MoveTree).show(record, node, given.palette, losses)
        self.query_one(Comment).show(node.comment)


def losses_of(survey: LineReview, focus: str) -> dict[Node, Loss]:
    """Return what moves of the main line lost: a proved win, or win probability by a search."""
    nodes = {position.ply: position.node for position in survey.positions}
    losses: dict[Node, Loss] = {}
    for entry in survey.mistakes(focus):
        match entry:
            case Blunder():
                is_certain = len(entry.moves) == 1
                text = "lost" if is_certain else "lost?"
                losses |= {nodes[move.ply]: (text, is_certain) for move in entry.moves}
            case CostlyMove() if not survey.is_provisional(entry):
                much = entry.severity is Severity.MISTAKE
                losses[nodes[entry.moves[0].ply]] = (f"-{entry.cost:.0%}", much)
    return losses
