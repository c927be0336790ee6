"""Actions that play: moves, and marks of the moves that searches consider."""

from collections.abc import Sequence

from hextui.engine.board import EMPTY
from hextui.engine.position import Move, MoveKind
from hextui.records.board_view import Mode
from hextui.ui.app.keys import Topic, action
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup
from hextui.ui.record.session import SearchMark


class PlayActions(ActionGroup):
    """Plays moves, and chooses which moves searches consider."""

    @action("play", "enter", "Play", Topic.PLAY)
    def play(self) -> None:
        """Play at the cursor, or try a move where a win is explained; in setup mode add a stone."""
        session = self._session
        if session.mode is Mode.REGION:
            self.mark(session.search_marks.brush)
        elif session.mode is Mode.SETUP:
            session.place(session.cursor, session.stone)
            self._workspace.changed(Change.SESSION)
        elif self._workspace.tries:
            self._screen.query_one(ExplainPanel).try_move(session.cursor)
        else:
            self.turn(Move.play(session.cursor))

    def click(self, cell: int, button: int) -> None:
        """Play, try, place or mark with the left button; only move the cursor with the others."""
        session = self._session
        session.cursor = cell
        taken = session.position.stones[cell] != EMPTY
        if button == 1 and (session.mode is not Mode.PLAY or not taken):
            self._workspace.changed(Change.CURSOR)
            self.play()
        else:
            self._workspace.changed(Change.SESSION)

    def line(self, moves: Sequence[Move]) -> None:
        """Play moves of both sides in turn, as one edit, and move the cursor to the last one."""
        session = self._session
        if moves[-1].kind is MoveKind.PLAY:
            session.cursor = moves[-1].cell
        with self._errors_shown():
            session.play_line(moves)
        self._workspace.changed(Change.SESSION)

    @action("add-better", "x", "Add the winning move", Topic.PLAY, mode=Mode.PLAY)
    def add_better(self) -> None:
        """Add the winning move that HERE names as a variation, and stay here."""
        session, cell = self._session, self._workspace.here.better
        if cell is None:
            self._complain("No better move than the record's is proved here")
            return
        session.record.play(session.node, Move.play(cell))
        self._tell(f"{session.board.name(cell)} added as a variation", 3)
        self._workspace.changed(Change.SESSION)

    @action("play-best", "comma", "Play best move", Topic.ANALYSIS, after="analysis")
    def best(self) -> None:
        """Play the move that HERE names: proved to win, or preferred by the search."""
        situation = self._workspace.here
        if situation.best is not None:
            if situation.best.kind is MoveKind.PLAY:
                self._session.cursor = situation.best.cell
            self.turn(situation.best)
        elif situation.verdict is not None:
            self._complain("Every move loses (proved)")
        else:
            self._complain("No best move is known yet")

    @action("swap", "s", "Swap", Topic.PLAY)
    def swap(self) -> None:
        """Swap, as the second move."""
        with self._errors_shown():
            self._session.swap()
        self._workspace.changed(Change.SESSION)

    @action("pass", "P", "Pass", Topic.PLAY, "Pass the turn", Move(MoveKind.PASS))
    @action(
        "resign", "R", "Resign", Topic.PLAY, "Resign for the side to move", Move(MoveKind.RESIGN)
    )
    def turn(self, move: Move) -> None:
        """Play a move of any kind."""
        with self._errors_shown():
            self._session.turn(move)
        self._workspace.changed(Change.SESSION)

    @action("region", "J", "Region", Topic.NARROWING)
    def toggle_region(self) -> None:
        """Mark a region, moves to allow or moves to leave out of searches, or end marking."""
        session = self._session
        session.mode = Mode.PLAY if session.mode is Mode.REGION else Mode.REGION
        self._workspace.changed(Change.SESSION)

    @action("region-cell", "r", "Region cell", Topic.NARROWING, mode=Mode.REGION)
    def region_cell(self) -> None:
        """Marking: add the cell at the cursor to the region or remove it; Enter then does too."""
        self.mark(SearchMark.REGION)

    @action("allow-move", "t", "Allow move", Topic.NARROWING, mode=Mode.REGION)
    def allow_move(self) -> None:
        """Marking: allow the move at the cursor; here other first moves are left out."""
        self.mark(SearchMark.ALLOW)

    @action("avoid-move", "x", "Leave out", Topic.NARROWING, mode=Mode.REGION)
    def avoid_move(self) -> None:
        """Marking: leave out the move at the cursor as a first move here."""
        self.mark(SearchMark.AVOID)

    def mark(self, what: SearchMark) -> None:
        """Mark the cell at the cursor or remove its mark, and choose the mark for Enter."""
        session = self._session
        session.search_marks.brush = what
        session.search_marks.turn(session.position, session.cursor)
        self._workspace.changed(Change.SESSION)

    @action("region-box", "b", "Box", Topic.NARROWING, mode=Mode.REGION)
    def box(self) -> None:
        """Marking: mark the rectangle from the last cell to the cursor in the same way."""
        session = self._session
        if session.search_marks.box(session.position, session.cursor):
            self._workspace.changed(Change.SESSION)
        else:
            self._complain("No corner yet: mark a cell, then go to the opposite corner")

    def drag(self, cell: int) -> None:
        """Mark the rectangle from the clicked cell to the one where the mouse is."""
        if self._session.mode is Mode.REGION:
            session = self._session
            session.cursor = cell
            session.search_marks.box(session.position, cell)
            self._workspace.changed(Change.SESSION)

    @action("all-moves", "asterisk", "Remove marks", Topic.NARROWING)
    def all_moves(self) -> None:
        """Remove all marks: all moves are considered."""
        if self._session.search_marks.clear():
            self._tell("All moves are considered again", 3)
            self._workspace.changed(Change.SESSION)
        else:
            self._complain("All moves are considered: J marks a region")
