"""Marks, labels and glyphs of the record on the main screen, and pictures of its positions."""

from pathlib import Path

from textual import on, work
from textual.widget import Widget

from hextui.locations import named_path
from hextui.records.errors import RecordError
from hextui.records.markup import GLYPHS, MARKS, glyph_of, marks_of, set_glyph, set_mark
from hextui.ui.main.arranging import ArrangingScreen
from hextui.ui.widgets.comment import Comment


class AnnotatingScreen(ArrangingScreen):
    """Writes on the record what a reader of the game is to see."""

    _focused_before: Widget | None = None

    @on(Comment.Clicked)
    def action_comment(self) -> None:
        """Write the comment of the node looked at, in the record's panel."""
        if self.show_panels():
            self._focused_before = self.focused
            self.panels.bring("record")
            self.query_one(Comment).write(self.session.record, self.session.node)

    def keep_comment(self) -> None:
        """End the writing of a comment, if one is being written: what is written is kept."""
        comment = self.query_one(Comment)
        if comment.keep():
            if comment.has_focus_within:
                self.set_focus(self._focused_before)
            self.show()

    @on(Comment.Ended)
    def _end_comment(self) -> None:
        self.keep_comment()

    def action_main_line(self) -> None:
        """Make the line up to the node looked at the main line."""
        self.session.record.make_main(self.session.node)
        self.show()

    def action_glyph(self) -> None:
        """Give the move looked at the next glyph; after the last one comes none."""
        session = self.session
        if session.node.turn is None:
            self.complain("A glyph belongs to a move")
            return
        glyphs = ("", *GLYPHS)
        after = glyphs[(glyphs.index(glyph_of(session.node)) + 1) % len(glyphs)]
        set_glyph(session.record, session.node, after)
        self.show()

    @work(exclusive=True, group="dialogs")
    async def action_mark(self) -> None:
        """Ask for a mark or a label of the cell at the cursor."""
        from hextui.ui.screens.dialogs import LineDialog

        session, cell = self.session, self.session.cursor
        before = marks_of(session.node, session.board).get(cell, "").removeprefix("=")
        hint = f"{', '.join(MARKS)}, or the text of a label; nothing takes it away."
        title = f"Mark {session.board.name(cell)}"
        mark = await self.app.push_screen_wait(LineDialog(title, hint, _read_mark, before))
        if mark is not None:
            set_mark(session.record, session.node, cell, mark)
            self.show()

    @work(exclusive=True, group="dialogs")
    async def action_export(self) -> None:
        """Ask for a file and save a picture of the position there, or the game as a link."""
        from hextui.records.export import ENDINGS, form_of, save_export
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog

        session = self.session
        forms = ", ".join(
            ending if ending == f".{form}" else f"{ending} {form}"
            for ending, form in ENDINGS.items()
        )
        hint = f"The ending says what is written: {forms}."
        value = f"{Path(session.name).stem}-{session.node.ply}.svg"
        path = await self.app.push_screen_wait(LineDialog("Export", hint, _read_export, value))
        if path is None:
            return
        if path.exists():
            choices = (Choice("o", "Overwrite", "overwrite"),)
            dialog = ChoiceDialog("Overwrite?", f"{path} exists already.", choices)
            if await self.app.push_screen_wait(dialog) != "overwrite":
                return
        try:
            numbers = self.shown.numbers
            save_export(session.record, session.node, path, form_of(path), numbers)
        except RecordError as error:
            self.complain(error)
        else:
            self.notify(f"Saved {path}", timeout=4, markup=False)


def _read_mark(text: str) -> str:
    """Read what ``set_mark`` takes: the name of a mark, or ``=`` and a label; '' for none."""
    return text.lower() if text.lower() in MARKS else f"={text}" if text else ""


def _read_export(text: str) -> Path:
    from hextui.records.export import form_of

    path = named_path(text)
    form_of(path)
    if path.is_dir():
        raise ValueError(f"{text} is a folder")
    return path
