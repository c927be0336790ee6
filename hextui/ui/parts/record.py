"""Actions on the record: walk through it, edit it, set up positions, annotate."""

from hextui.engine.board import EMPTY, Color
from hextui.records.markup import GLYPHS, MARKS, glyph_of, marks_of, set_glyph, set_mark
from hextui.records.tree import Node
from hextui.ui.drawing.board_view import Mode
from hextui.ui.keys import Topic, action
from hextui.ui.parts import ActionGroup


class RecordActions(ActionGroup):
    """Walks through the record that is shown, edits it and annotates it."""

    @action("next", "n", "Next", "Go to the next ply", Topic.WALK, 1)
    @action("previous", "p", "Back", "Go to the previous ply", Topic.WALK, -1)
    @action(
        "ten-on",
        "pagedown",
        "Ten plies forward",
        "Go ten plies forward",
        Topic.WALK,
        10,
        after="last",
    )
    @action(
        "ten-back", "pageup", "Ten plies back", "Go ten plies back", Topic.WALK, -10, after="ten-on"
    )
    def walk(self, steps: int) -> None:
        """Go plies forward, or back."""
        session = self._workspace.session
        if session.forward(steps) if steps > 0 else session.back(-steps):
            self._workspace.show()

    @action("first", "home,g", "First ply", "Go to the start of the record", Topic.WALK)
    def first(self) -> None:
        """Go to the start of the record."""
        self._workspace.session.first()
        self._workspace.show()

    @action("last", "end,G", "Last ply", "Go to the end of the variation", Topic.WALK)
    def last(self) -> None:
        """Go to the end of the line."""
        self._workspace.session.last()
        self._workspace.show()

    @action(
        "previous-variation",
        "left_square_bracket",
        "Previous variation",
        "Go to the previous variation of the nearest branch",
        Topic.WALK,
        -1,
    )
    @action(
        "next-variation",
        "right_square_bracket",
        "Next variation",
        "Go to the next variation of the nearest branch",
        Topic.WALK,
        1,
    )
    def variation(self, step: int) -> None:
        """Go to another variation."""
        if self._workspace.session.variation(step):
            self._workspace.show()
        else:
            self._workspace.complain("No variations up to here")

    def go_to(self, node: Node) -> None:
        """Go to a node chosen in a panel, if the record still has it."""
        if self._workspace.session.record.holds(node):
            self._workspace.session.go_to(node)
            self._workspace.show()

    def point(self, cell: int) -> None:
        """Move the cursor to a cell."""
        self._workspace.session.cursor = cell
        self._workspace.show_cursor()

    @action("undo", "u", "Undo", "Undo the last edit of the record", Topic.PLAY)
    def undo(self) -> None:
        """Undo the last edit."""
        if not self._workspace.session.undo():
            self._workspace.complain("Nothing to undo")
        self._workspace.show()

    @action("redo", "ctrl+y", "Redo", "Redo the last undone edit", Topic.PLAY)
    def redo(self) -> None:
        """Redo the last undone edit."""
        if not self._workspace.session.redo():
            self._workspace.complain("Nothing to redo")
        self._workspace.show()

    @action("comment", "c", "Comment", "Write a comment on this position", Topic.PLAY)
    def comment(self) -> None:
        """Let the user write the current node's comment in the Record panel."""
        session = self._workspace.session
        self._workspace.bring("record")
        self._workspace.screen.comment.write(session.record, session.node)

    def keep_comment(self) -> None:
        """Keep the comment that is being written, if there is one."""
        if self._workspace.screen.comment.keep():
            self._workspace.show()

    @action(
        "promote", "ctrl+up", "Promote variation", "Move this variation one place up", Topic.PLAY
    )
    def promote(self) -> None:
        """Move the current variation one place up."""
        session = self._workspace.session
        session.record.promote(session.node)
        self._workspace.show()

    @action("main-line", "B", "Make main line", "Make the current line the main line", Topic.PLAY)
    def main_line(self) -> None:
        """Make the line up to the current node the main line."""
        session = self._workspace.session
        session.record.make_main(session.node)
        self._workspace.show()

    @action(
        "mark",
        "K",
        "Mark or label",
        "Mark or label the cell at the cursor, or remove that",
        Topic.PLAY,
    )
    async def mark(self) -> None:
        """Ask for a mark or a label of the cell at the cursor."""
        from hextui.ui.screens.dialogs import LineDialog

        session = self._workspace.session
        node, cell = session.node, session.cursor
        before = marks_of(node, session.board).get(cell, "").removeprefix("=")
        hint = f"{', '.join(MARKS)}, or the text of a label; empty removes it."
        title = f"Mark {session.board.name(cell)}"
        mark = await self._workspace.ask(LineDialog(title, hint, _read_mark, before))
        if mark is not None:
            set_mark(session.record, node, cell, mark)
            self._workspace.show()

    @action(
        "glyph",
        "exclamation_mark",
        "Glyph",
        "Give the move the next glyph: ! !! !? ?! ? ?? or none",
        Topic.PLAY,
    )
    def glyph(self) -> None:
        """Give the current move the next glyph; none follows the last one."""
        session = self._workspace.session
        if session.node.turn is None:
            self._workspace.complain("A glyph belongs to a move")
            return
        glyphs = ("", *GLYPHS)
        after = glyphs[(glyphs.index(glyph_of(session.node)) + 1) % len(glyphs)]
        set_glyph(session.record, session.node, after)
        self._workspace.show()

    @action(
        "delete",
        "delete",
        "Delete from here",
        "Remove this node and everything after it",
        Topic.PLAY,
    )
    def delete(self) -> None:
        """Remove the current node and all that follows it."""
        session = self._workspace.session
        if session.node.parent is None:
            self._workspace.complain("The start of a record cannot be deleted")
        else:
            session.go_to(session.record.delete(session.node))
            self._workspace.show()

    @action(
        "setup", "i", "Setup mode", "Place stones freely, or return to playing moves", Topic.SETUP
    )
    def toggle_setup(self) -> None:
        """Switch between setup mode and playing."""
        session = self._workspace.session
        session.mode = Mode.PLAY if session.mode is Mode.SETUP else Mode.SETUP
        self._workspace.show()

    @action(
        "place-black",
        "{black}",
        "Place {black}",
        "Setup mode: put a stone of {black} at the cursor, and choose {black}",
        Topic.SETUP,
        Color.BLACK,
        mode=Mode.SETUP,
    )
    @action(
        "place-white",
        "{white}",
        "Place {white}",
        "Setup mode: put a stone of {white} at the cursor, and choose {white}",
        Topic.SETUP,
        Color.WHITE,
        mode=Mode.SETUP,
    )
    @action(
        "place-empty",
        "x",
        "No stone",
        "Setup mode: empty the cell at the cursor, and choose emptying",
        Topic.SETUP,
        EMPTY,
        mode=Mode.SETUP,
    )
    def place(self, stone: int) -> None:
        """Place a stone (0 empties) at the cursor and choose it for Enter and clicks."""
        session = self._workspace.session
        session.stone = stone
        session.place(session.cursor, stone)
        self._workspace.show()

    @action(
        "change-side",
        "t",
        "Side to move",
        "Setup mode: give the other side the move",
        Topic.SETUP,
        mode=Mode.SETUP,
    )
    def change_side(self) -> None:
        """Change the side to move."""
        self._workspace.session.change_side()
        self._workspace.show()


def _read_mark(text: str) -> str:
    """Return what ``set_mark`` takes: the name of a mark, or ``=`` and a label; '' for none."""
    return text.lower() if text.lower() in MARKS else f"={text}" if text else ""
