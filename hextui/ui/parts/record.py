"""Actions on the record: walk through it, edit it, set up positions, annotate."""

from collections.abc import Callable

from textual.timer import Timer

from hextui.engine.board import EMPTY, Color
from hextui.records.board_view import Mode
from hextui.records.markup import GLYPHS, MARKS, glyph_of, marks_of, set_glyph, set_mark
from hextui.records.tree import Node
from hextui.ui.app.keys import Topic, action
from hextui.ui.app.workspace import Workspace
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup
from hextui.ui.record.session import END_OF_LINE, START_OF_RECORD

AUTOPLAY_SECONDS = 2


class RecordActions(ActionGroup):
    """Walks through the record that is shown, edits it and annotates it."""

    def __init__(self, workspace: Workspace, autoplay_seconds: float | None = None) -> None:
        super().__init__(workspace)
        self._seconds = autoplay_seconds or AUTOPLAY_SECONDS
        self._autoplay: Timer | None = None
        self._reached: Node | None = None  # by autoplay

    @action("next", "n", "Next", Topic.WALK, "Go to the next ply", 1)
    @action("previous", "p", "Back", Topic.WALK, "Go to the previous ply", -1)
    def walk(self, steps: int) -> None:
        """Go plies forward, or back."""
        if steps > 0:
            self._show_walk(self._session.forward(steps), END_OF_LINE)
        else:
            self._show_walk(self._session.back(-steps), START_OF_RECORD)

    def _show_walk(self, moved: bool, why_not: str) -> None:
        if moved:
            self._workspace.changed(Change.SESSION)
        else:
            self._complain(why_not)

    @action("first", "home,g", "First ply", Topic.WALK)
    def first(self) -> None:
        """Go to the start of the record."""
        self._show_walk(self._session.first(), START_OF_RECORD)

    @action("last", "end,G", "Last ply", Topic.WALK)
    def last(self) -> None:
        """Go to the end of the variation."""
        self._show_walk(self._session.last(), END_OF_LINE)

    @action("ten-on", "pagedown", "Ten plies forward", Topic.WALK, "Go ten plies forward", 10)
    @action("ten-back", "pageup", "Ten plies back", Topic.WALK, "Go ten plies back", -10)
    def leap(self, steps: int) -> None:
        """Go many plies forward, or back."""
        self.walk(steps)

    @action(
        "previous-variation",
        "left_square_bracket",
        "Previous variation",
        Topic.WALK,
        "Go to the previous variation of the nearest branch",
        -1,
    )
    @action(
        "next-variation",
        "right_square_bracket",
        "Next variation",
        Topic.WALK,
        "Go to the next variation of the nearest branch",
        1,
    )
    def variation(self, step: int) -> None:
        """Go to another variation."""
        if self._session.variation(step):
            self._workspace.changed(Change.SESSION)
        else:
            self._complain("No variations up to here")

    @action("go-to-ply", "colon", "Go to ply", Topic.WALK)
    async def go_to_ply(self) -> None:
        """Go to a ply by its number."""
        line = self._session.line()

        def read(text: str) -> int:
            if not (text.isdecimal() and int(text) <= line[-1].ply):
                raise ValueError(f"{text or 'Nothing'} is not a number from 0 to {line[-1].ply}")
            return int(text)

        hint = f"A number from 0 to {line[-1].ply}."
        ply = await self._talk.ask_line("Go to ply", hint, read, "")
        if ply is not None:
            self.go_to(next(node for node in line if node.ply >= ply))

    @action("autoplay", "8", "Autoplay", Topic.WALK)
    def autoplay(self) -> None:
        """Step forward every 2 s to the end of the line; any other step stops that."""
        if self._autoplay is not None:
            self._end_autoplay("Autoplay stopped")
            return
        self._reached = self._session.node
        self._autoplay = self._screen.set_interval(self._seconds, self._play_on)
        self._tell(f"Autoplay: a ply every {self._seconds} s; 8 stops it", 3)

    def _play_on(self) -> None:
        if self._session.node is not self._reached or self._screen.app.screen is not self._screen:
            self._end_autoplay("Autoplay stopped")
            return
        self.walk(1)
        if self._session.node is self._reached or self._session.next_node is None:
            self._end_autoplay("Autoplay has reached the end")
        self._reached = self._session.node

    def _end_autoplay(self, why: str) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()
            self._autoplay = None
            self._tell(why, 2)

    def go_to(self, node: Node) -> None:
        """Go to a node chosen in a panel, if the record still has it."""
        if self._session.record.holds(node):
            self._session.go_to(node)
            self._workspace.changed(Change.SESSION)

    def point(self, cell: int) -> None:
        """Move the cursor to a cell."""
        self._session.cursor = cell
        self._workspace.changed(Change.CURSOR)

    @action("undo", "u", "Undo", Topic.PLAY)
    def undo(self) -> None:
        """Undo the last edit of the record, or take a try back where a win is explained."""
        if self._workspace.tries:
            if not self._screen.query_one(ExplainPanel).take_back():
                self._complain("No try to take back: Escape ends the tries")
            return
        if not self._session.undo():
            self._complain("Nothing to undo")
        self._workspace.changed(Change.SESSION)

    @action("redo", "ctrl+y", "Redo", Topic.PLAY)
    def redo(self) -> None:
        """Redo the last undone edit."""
        if not self._session.redo():
            self._complain("Nothing to redo")
        self._workspace.changed(Change.SESSION)

    @action("comment", "c", "Comment", Topic.PLAY)
    def comment(self) -> None:
        """Write a comment on this position."""
        self._workspace.bring("record")
        self._screen.comment.write(self._session.record, self._session.node)

    def keep_comment(self) -> None:
        """Keep the comment that is being written, if there is one."""
        if self._screen.comment.keep():
            self._workspace.changed(Change.SESSION)

    @action("promote", "ctrl+up", "Promote variation", Topic.PLAY)
    def promote(self) -> None:
        """Move this variation one place up."""
        self._reorder(self._session.record.promote, "This variation comes first already")

    @action("main-line", "B", "Make main line", Topic.PLAY)
    def main_line(self) -> None:
        """Make the current line the main line."""
        self._reorder(self._session.record.make_main, "This is the main line already")

    def _reorder(self, change: Callable[[Node], object], reason: str) -> None:
        """Change the order of variations; say why if that changes nothing."""
        node = self._session.node
        if not any(above.index for above in node.line()):
            self._complain(reason)
            return
        change(node)
        self._workspace.changed(Change.SESSION)

    @action("mark", "K", "Mark or label", Topic.PLAY)
    async def mark(self) -> None:
        """Mark or label the cell at the cursor, or remove its mark."""
        session = self._session
        node, cell = session.node, session.cursor
        before = marks_of(node, session.board).get(cell, "").removeprefix("=")
        hint = f"{', '.join(MARKS)}, or the text of a label; empty removes it."
        title = f"Mark {session.board.name(cell)}"
        mark = await self._talk.ask_line(title, hint, _read_mark, before)
        if mark is not None:
            set_mark(session.record, node, cell, mark)
            self._workspace.changed(Change.SESSION)

    @action("glyph", "exclamation_mark", "Glyph", Topic.PLAY)
    def glyph(self) -> None:
        """Give the move the next glyph: ! !! !? ?! ? ?? or none."""
        session = self._session
        if session.node.turn is None:
            self._complain("A glyph belongs to a move")
            return
        glyphs = ("", *GLYPHS)
        after = glyphs[(glyphs.index(glyph_of(session.node)) + 1) % len(glyphs)]
        set_glyph(session.record, session.node, after)
        self._workspace.changed(Change.SESSION)

    @action("delete", "delete", "Delete from here", Topic.PLAY)
    def delete(self) -> None:
        """Remove this node and everything after it."""
        session = self._session
        if session.node.parent is None:
            self._complain("The start of a record cannot be deleted")
        else:
            session.go_to(session.record.delete(session.node))
            self._workspace.changed(Change.SESSION)

    @action("setup", "i", "Setup mode", Topic.SETUP)
    def toggle_setup(self) -> None:
        """Place stones freely, or return to playing moves."""
        session = self._session
        session.mode = Mode.PLAY if session.mode is Mode.SETUP else Mode.SETUP
        self._workspace.changed(Change.SESSION)

    @action("place-black", "{black}", "Place {black}", Topic.SETUP, mode=Mode.SETUP)
    def place_black(self) -> None:
        """Setup mode: place a stone of {black} at the cursor; Enter then does too."""
        self.place(Color.BLACK)

    @action("place-white", "{white}", "Place {white}", Topic.SETUP, mode=Mode.SETUP)
    def place_white(self) -> None:
        """Setup mode: place a stone of {white} at the cursor; Enter then does too."""
        self.place(Color.WHITE)

    @action("place-empty", "x", "Empty cell", Topic.SETUP, mode=Mode.SETUP)
    def place_empty(self) -> None:
        """Setup mode: empty the cell at the cursor; Enter then does too."""
        self.place(EMPTY)

    def place(self, stone: int) -> None:
        """Place a stone (0 empties) at the cursor and choose it for Enter and clicks."""
        session = self._session
        session.stone = stone
        session.place(session.cursor, stone)
        self._workspace.changed(Change.SESSION)

    @action("change-side", "t", "Side to move", Topic.SETUP, mode=Mode.SETUP)
    def change_side(self) -> None:
        """Setup mode: give the other side the move."""
        self._session.change_side()
        self._workspace.changed(Change.SESSION)


def _read_mark(text: str) -> str:
    """Return what ``set_mark`` takes: the name of a mark, or ``=`` and a label; '' for none."""
    if text.lower() in MARKS:
        return text.lower()
    return f"={text}" if text else ""
