"""Marks, labels, glyphs and comments of the record, and pictures of its positions."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from hextui.locations import named_path
from hextui.records.errors import RecordError
from hextui.records.markup import GLYPHS, MARKS, glyph_of, marks_of, set_glyph, set_mark
from hextui.records.record import Record
from hextui.records.tree import Node
from hextui.ui.main.desk import Desk


class Pad(Protocol):
    """Where a comment is written."""

    def write(self, record: Record, node: Node) -> None:
        """Let the user write the comment of a node."""
        ...

    def keep(self) -> bool:
        """Put what is written into the record; False if nothing is being written."""
        ...


class Annotating:
    """Writes on the record what a reader of the game is to see.

    ``pad`` returns the place where comments are written.
    """

    def __init__(self, desk: Desk, pad: Callable[[], Pad]) -> None:
        self._desk = desk
        self._pad = pad

    def comment(self) -> None:
        """Write the comment of the node looked at, in the record's panel."""
        session = self._desk.session
        self._desk.bring("record")
        self._pad().write(session.record, session.node)

    def keep_comment(self) -> None:
        """End the writing of a comment, if one is being written: what is written is kept."""
        if self._pad().keep():
            self._desk.show()

    def glyph(self) -> None:
        """Give the move looked at the next glyph; after the last one comes none."""
        session = self._desk.session
        if session.node.turn is None:
            self._desk.complain("A glyph belongs to a move")
            return
        glyphs = ("", *GLYPHS)
        after = glyphs[(glyphs.index(glyph_of(session.node)) + 1) % len(glyphs)]
        set_glyph(session.record, session.node, after)
        self._desk.show()

    async def mark(self) -> None:
        """Ask for a mark or a label of the cell at the cursor."""
        from hextui.ui.screens.dialogs import LineDialog

        session = self._desk.session
        node, cell = session.node, session.cursor
        before = marks_of(node, session.board).get(cell, "").removeprefix("=")
        hint = f"{', '.join(MARKS)}, or the text of a label; nothing takes it away."
        title = f"Mark {session.board.name(cell)}"
        mark = await self._desk.ask(LineDialog(title, hint, _read_mark, before))
        if mark is not None:
            set_mark(session.record, node, cell, mark)
            self._desk.show()

    async def game_info(self) -> None:
        """Ask for what is known about the game."""
        from hextui.records.game_info import info_of, set_info
        from hextui.ui.screens.dialogs import GameInfoDialog

        record, names = self._desk.session.record, self._desk.shown.names
        texts = await self._desk.ask(GameInfoDialog(info_of(record, names), names))
        if texts is not None and set_info(record, texts, names):
            self._desk.show()

    async def export(self) -> None:
        """Ask for a file and save a picture of the position there, or the game as a link."""
        from hextui.records.writing import export_form_of, export_forms, save_export
        from hextui.ui.drawing.overlays import board_view, highlights
        from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog

        session = self._desk.session
        forms = ", ".join(
            ending if ending == f".{form}" else f"{ending} {form}"
            for form, ending in export_forms().items()
        )
        hint = f"The ending says what is written: {forms}."
        value = f"{Path(session.name).stem}-{session.node.ply}.svg"
        path = await self._desk.ask(LineDialog("Export", hint, _read_export, value))
        if path is None:
            return
        if os.path.exists(path):
            choices = (Choice("o", "Overwrite", "overwrite"),)
            dialog = ChoiceDialog("Overwrite?", f"{path} exists already.", choices)
            if await self._desk.ask(dialog) != "overwrite":
                return
        try:
            shown = self._desk.shown
            verdicts = self._desk.verdicts.moves(session.position).by_cell
            view = board_view(session, shown, self._desk.snapshot, verdicts)
            seen = highlights(view, shown)
            form = export_form_of(path)
            save_export(
                session.record, session.node, path, form, shown.numbers, seen, names=shown.names
            )
        except RecordError as error:
            self._desk.complain(error)
        else:
            self._desk.tell(f"Saved {path}", 4)


def _read_mark(text: str) -> str:
    """Read what ``set_mark`` takes: the name of a mark, or ``=`` and a label; '' for none."""
    return text.lower() if text.lower() in MARKS else f"={text}" if text else ""


def _read_export(text: str) -> Path:
    from hextui.records.writing import export_form_of

    path = named_path(text)
    export_form_of(path)
    if os.path.isdir(path):  # False also for a name that no system takes
        raise ValueError(f"{text} is a folder")
    return path
