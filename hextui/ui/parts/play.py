"""Actions that play: moves, puzzles, and marks of the moves that searches consider."""

from collections.abc import Sequence

from hextui.engine.board import EMPTY
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.ui.drawing.board_view import Mode
from hextui.ui.keys import Topic, action
from hextui.ui.parts import ActionGroup
from hextui.ui.search_marks import SearchMark


class PlayActions(ActionGroup):
    """Plays moves and puzzles, and chooses which moves searches consider."""

    @action(
        "play",
        "enter",
        "Play",
        "Play a move at the cursor; in setup mode place the chosen stone",
        Topic.PLAY,
    )
    def play(self) -> None:
        """Play a move at the cursor, or place the chosen stone or mark there."""
        session = self._workspace.session
        if session.mode is Mode.REGION:
            session.search_marks.turn(session.position, session.cursor)
            self._workspace.show()
            return
        if session.mode is Mode.SETUP:
            session.place(session.cursor, session.stone)
            self._workspace.show()
        else:
            self.turn(Move.play(session.cursor))

    def click(self, cell: int, button: int) -> None:
        """Play, place or mark with the left button; only move the cursor with the others."""
        session = self._workspace.session
        session.cursor = cell
        taken = session.position.stones[cell] != EMPTY
        if button == 1 and (session.mode is not Mode.PLAY or not taken):
            self.play()
        else:
            self._workspace.show()

    def turn(self, move: Move) -> None:
        """Play a move of any kind."""
        try:
            self._workspace.session.turn(move)
        except IllegalMoveError as error:
            self._workspace.complain(error)
        self._workspace.show()

    def line(self, moves: Sequence[Move]) -> None:
        """Play moves of both sides in turn, as one edit, and move the cursor to the last one."""
        session = self._workspace.session
        if moves[-1].kind is MoveKind.PLAY:
            session.cursor = moves[-1].cell
        try:
            session.play_line(moves)
        except IllegalMoveError as error:
            self._workspace.complain(error)
        self._workspace.show()

    def add(self, cell: int) -> None:
        """Add a move as a variation, and stay at the current node."""
        session = self._workspace.session
        session.record.play(session.node, Move.play(cell))
        self._workspace.tell(f"{session.board.name(cell)} added as a variation", 3)
        self._workspace.show()

    @action(
        "play-best",
        "comma",
        "Play best move",
        "Play the best move of the evaluator in focus",
        Topic.ANALYSIS,
        after="analysis",
    )
    def best(self) -> None:
        """Play the best move of the evaluator in focus, or of another until it has a ranking."""
        snapshot = self._workspace.snapshot
        focus = snapshot.ranking_for(self._workspace.shown.evaluator) if snapshot else ""
        ranking = snapshot.rankings.get(focus) if snapshot else None
        if ranking and ranking.moves:
            self._workspace.session.cursor = ranking.moves[0].cell
            self.turn(Move.play(ranking.moves[0].cell))
        else:
            self._workspace.complain("No best move is known yet")

    @action("swap", "s", "Swap", "Swap, as the second move", Topic.PLAY)
    def swap(self) -> None:
        """Swap sides; legal as the second move."""
        try:
            self._workspace.session.swap()
        except IllegalMoveError as error:
            self._workspace.complain(error)
        self._workspace.show()

    @action("pass", "P", "Pass", "Pass the turn", Topic.PLAY)
    def pass_turn(self) -> None:
        """Pass the turn."""
        self.turn(Move(MoveKind.PASS))

    @action("resign", "R", "Resign", "Resign for the side to move", Topic.PLAY)
    def resign(self) -> None:
        """Resign for the side to move."""
        self.turn(Move(MoveKind.RESIGN))

    @action(
        "puzzle",
        "Q",
        "Puzzle",
        "Hide the analysis and find the winning move; the solver judges your tries",
        Topic.PLAY,
    )
    async def puzzle(self) -> None:
        """Hide the analysis until the user leaves the puzzle."""
        from hextui.ui.screens.puzzle_screen import PuzzleScreen

        if self._workspace.services.open_lane is None:
            self._workspace.complain("There is no engine in this run")
            return
        first = self._workspace.session
        palette, names = self._workspace.palette, self._workspace.shown.names
        last = await self._workspace.ask(
            PuzzleScreen(first, palette, self._workspace.services.open_lane, names)
        )
        if last is None or last is first:
            return
        if first.record.modified:
            self._workspace.records.open(last)
        else:
            self._workspace.records.replace(first, last)

    @action(
        "region",
        "J",
        "Region",
        "Mark a region, moves to allow or moves to leave out of searches, or end marking",
        Topic.NARROWING,
    )
    def toggle_region(self) -> None:
        """Switch between marking cells and playing."""
        session = self._workspace.session
        session.mode = Mode.PLAY if session.mode is Mode.REGION else Mode.REGION
        self._workspace.show()

    @action(
        "region-cell",
        "r",
        "Region cell",
        "Marking: add the cell at the cursor to the region or remove it; Enter then does the same",
        Topic.NARROWING,
        SearchMark.REGION,
        mode=Mode.REGION,
    )
    @action(
        "allow-move",
        "t",
        "Allow move",
        "Marking: allow the move at the cursor; no others are considered first here",
        Topic.NARROWING,
        SearchMark.ALLOW,
        mode=Mode.REGION,
    )
    @action(
        "avoid-move",
        "x",
        "Leave out",
        "Marking: leave out the move at the cursor as a first move here",
        Topic.NARROWING,
        SearchMark.AVOID,
        mode=Mode.REGION,
    )
    def mark(self, what: SearchMark) -> None:
        """Mark the cell at the cursor or remove its mark, and choose the mark for Enter."""
        session = self._workspace.session
        session.search_marks.brush = what
        session.search_marks.turn(session.position, session.cursor)
        self._workspace.show()

    @action(
        "region-box",
        "b",
        "Box",
        "Marking: the same for the rectangle from the last cell to the cursor",
        Topic.NARROWING,
        mode=Mode.REGION,
    )
    def box(self) -> None:
        """Mark the rectangle from the last marked cell to the cursor."""
        session = self._workspace.session
        if session.search_marks.box(session.position, session.cursor):
            self._workspace.show()
        else:
            self._workspace.complain("No corner yet: mark a cell, then go to the opposite corner")

    def drag(self, cell: int) -> None:
        """Mark the rectangle from the clicked cell to the one where the mouse is."""
        if self._workspace.session.mode is Mode.REGION:
            self._workspace.session.cursor = cell
            self.box()

    @action(
        "all-moves",
        "asterisk",
        "Remove marks",
        "Remove all marks: all moves are considered",
        Topic.NARROWING,
    )
    def all_moves(self) -> None:
        """Remove all marks, so that searches consider all moves."""
        if self._workspace.session.search_marks.clear():
            self._workspace.tell("All moves are considered again", 3)
            self._workspace.show()
        else:
            self._workspace.complain("All moves are considered: J marks a region")
