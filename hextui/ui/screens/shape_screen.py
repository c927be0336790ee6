"""Mark a shape on the board, find it in the library's games, and see what was played next."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from textual import work
from textual.binding import Binding

from hextui.engine.board import Edge
from hextui.engine.position import Position
from hextui.library.shape import Shape
from hextui.library.shape_search import ShapeFound
from hextui.records.board_view import BoardView
from hextui.text import counted, listed
from hextui.ui.record.files import opened_library
from hextui.ui.screens.step_screen import MoveScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.words.shapes import cell_letters, next_stones

_LISTED = 8  # next stones beside the board
_TASK = "Where else does this shape occur?"
_HOW_TO = (
    "r or a click marks a cell with what stands there, b or the mouse held down a box. Other "
    "cells are free."
)


@dataclass(frozen=True)
class ShapeSubject:
    """A position to mark a shape in, where the cursor is, and the library's file."""

    position: Position
    cursor: int
    library: Path


class ShapeScreen(MoveScreen[ShapeSubject, Shape | None]):
    """Marks a shape and shows how games continued there; returns it to list these games."""

    ABOUT = (
        "Mark stones and empty cells, and find the games in which they stand like this, also "
        "turned, or mirrored with the colours exchanged. Letters are the next stones."
    )
    BINDINGS = [
        ("enter", "choose", "Find"),
        ("enter", "list_games", "List the games"),
        ("r", "mark", "Mark"),
        ("b", "box", "Box"),
        Binding("space", "mark", show=False),
        ("a", "anchor", "Sides"),
        ("x", "clear", "Clear"),
        ("escape", "dismiss", "Back"),
    ]
    _cells: frozenset[int] = frozenset()
    _last: int | None = None  # cell that was marked, or cleared
    _anchor = 0  # which of the anchors
    _found: ShapeFound | None = None

    def board(self) -> BoardWidget:
        self.cursor = self.subject.cursor
        return BoardWidget(self.view, self.point, self.click, self.drag)

    def on_mount(self) -> None:
        self.set_text("title", "Find a shape in the library")
        self.set_text("task", _TASK)
        self.set_text("how-to", _HOW_TO)
        self._change()

    @property
    def view(self) -> BoardView:
        """The board with the marked cells, and letters on the next stones that were found."""
        position = self.subject.position
        free = frozenset(range(position.board.cells)) - self._cells if self._cells else frozenset()
        letters = dict(self._letters()) if self._found is not None else {}
        return BoardView(position, cursor=self.cursor, outside=free, markup=letters)

    def _letters(self) -> Iterator[tuple[int, str]]:
        """Yield the cells of this board that games continue on, and their letters."""
        assert self._found is not None
        board = self.subject.position.board
        top, left = divmod(board.rectangle(*self._cells)[0], board.columns)
        for (down, right), letter in cell_letters(self._found).items():
            row = top + down
            column = left + right
            if 0 <= row < board.rows and 0 <= column < board.columns:
                yield row * board.columns + column, f"{letter} "

    # Marking

    @property
    def _anchors(self) -> list[tuple[Edge, ...]]:
        """The sides that the shape may be held at: all that it touches first, none last."""
        board = self.subject.position.board
        touched = [edge for edge in Edge if self._cells.intersection(board.edge_cells[edge])]
        sizes = range(len(touched), -1, -1)
        return [edges for size in sizes for edges in combinations(touched, size)]

    @property
    def _shape(self) -> Shape:
        """The shape that is marked. Raises ValueError without a stone."""
        marked = Shape.marked(self.subject.position, self._cells)
        return replace(marked, edges=frozenset(self._anchors[self._anchor]))

    def click(self, cell: int, button: int) -> None:
        self.point(cell)
        if button == 1:
            self.action_mark()

    def drag(self, cell: int) -> None:
        """Mark the box from the clicked cell to another."""
        self.point(cell)
        self.action_box()

    def action_mark(self) -> None:
        self._last = self.cursor
        self._cells ^= {self.cursor}
        self._anchor = 0
        self._change()

    def action_box(self) -> None:
        """Mark the cells between the last one and the cursor, or clear them, as that one was."""
        if self._last is None:
            self.complain("No corner yet: mark a cell, then go to the opposite corner")
            return
        box = self.subject.position.board.rectangle(self._last, self.cursor)
        if self._last in self._cells:
            self._cells = self._cells.union(box)
        else:
            self._cells = self._cells.difference(box)
        self._anchor = 0
        self._change()

    def action_clear(self) -> None:
        self._cells = frozenset()
        self._last = None
        self._change()

    def action_anchor(self) -> None:
        """Hold the shape at other sides that it touches, or at none."""
        self._anchor = (self._anchor + 1) % len(self._anchors)
        self._change()

    def _change(self) -> None:
        """Show what is marked now, and forget what was found."""
        self.workers.cancel_group(self, "shape")
        self._found = None
        try:
            shape = self._shape
        except ValueError:
            self.say("Mark a stone and the cells around it." if not self._cells else "No stone yet")
        else:
            self.say(f"{shape.text(self.names)}\n{_where(shape)}")
        self.show_board()
        self.refresh_bindings()

    # Finding

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter finds the shape, or lists the games that were found."""
        if action == "list_games" and self._found is None:
            return False
        if action == "choose" and self._found is not None:
            return False
        return super().check_action(action, parameters)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        match action:
            case "choose" if not self._cells:
                return "Mark a stone and the cells around it"
            case "clear" if not self._cells:
                return "No cell is marked"
            case "anchor" if len(self._anchors) == 1:
                return "The marked cells touch no side"
            case "list_games" if self._found is not None and not self._found.matches:
                return "No game has this shape"
        return ""

    def action_choose(self) -> None:
        try:
            shape = self._shape
        except ValueError as error:
            self.complain(error)
            return
        self.say(f"{shape.text(self.names)}\nSearching the library ...")
        self._find(shape)

    @work(exclusive=True, group="shape")
    async def _find(self, shape: Shape) -> None:
        try:
            answer = await asyncio.to_thread(_found_in, self.subject.library, shape)
        except ValueError as error:
            self.say(f"The library cannot be read: {error}", right=False)
            return
        self._found = answer
        self.say(self._words(answer))
        self.show_board()
        self.refresh_bindings()

    def _words(self, answer: ShapeFound) -> str:
        """Return how many games have the shape, and the next stones, most games first."""
        games = counted(answer.searched, "game")
        lines = [f"{len(answer.matches):,} of {games}, {_where(answer.shape)}"]
        rows = next_stones(answer, self.names)
        lettered = [row for row in rows if len(row.place) == 1]
        for row in (*lettered[:_LISTED], *rows[len(lettered) :]):
            lines.append(f"{row.place:<9} {row.player:<5} {row.games:>6} {row.won:>4}".rstrip())
        if len(lettered) > _LISTED:
            lines.append(f"and {counted(len(lettered) - _LISTED, 'other next stone')}")
        return "\n".join(lines)

    def action_list_games(self) -> None:
        assert self._found is not None
        self.dismiss(self._found.shape)


def _found_in(path: Path, shape: Shape) -> ShapeFound:
    with opened_library(path) as library:
        return library.find_shape(shape)


def _where(shape: Shape) -> str:
    """Return where a shape is looked for."""
    if not shape.edges:
        return "anywhere"
    return f"at the {listed(map(str, sorted(shape.edges)), 'and')}"
