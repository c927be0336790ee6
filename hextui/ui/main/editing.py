"""Walking through a record and editing it: the part of the main screen that analyses nothing."""

from textual import on

from hextui.engine.board import EMPTY
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.ui.drawing.board_view import Mode
from hextui.ui.main.session_screen import SessionScreen
from hextui.ui.widgets.board import BoardWidget
from hextui.ui.widgets.panel import Panel


class EditingScreen(SessionScreen):
    """Walks and edits; `show` is called after every change."""

    # Walking

    def action_walk(self, steps: int) -> None:
        """Go plies on or back."""
        session = self.session
        if session.forward(steps) if steps > 0 else session.back(-steps):
            self.show()

    def action_first(self) -> None:
        """Go to the start of the record."""
        self.session.first()
        self.show()

    def action_last(self) -> None:
        """Go to the end of the line."""
        self.session.last()
        self.show()

    def action_variation(self, step: int) -> None:
        """Go to another variation."""
        if self.session.variation(step):
            self.show()
        else:
            self.complain("No variations up to here")

    @on(Panel.Went)
    def _go_to_node(self, event: Panel.Went) -> None:
        self.session.go_to(event.node)
        self.show()

    @on(BoardWidget.Wheeled)
    def _walk_by_wheel(self, event: BoardWidget.Wheeled) -> None:
        self.action_walk(event.steps)

    # Playing

    @on(Panel.Pointed)
    def _point_at_move(self, event: Panel.Pointed) -> None:
        self.point(event.cell)

    @on(Panel.Played)
    def _play_moves(self, event: Panel.Played) -> None:
        if event.moves[-1].kind is MoveKind.PLAY:
            self.session.cursor = event.moves[-1].cell
        try:
            self.session.play_line(event.moves)
        except IllegalMoveError as error:
            self.complain(error)
        self.show()

    def point(self, cell: int) -> None:
        """Move the cursor to a cell."""
        self.session.cursor = cell
        self.show_cursor()

    @on(BoardWidget.Clicked)
    def _click(self, event: BoardWidget.Clicked) -> None:
        """The left button plays or places on the cell; the others only move the cursor."""
        session = self.session
        session.cursor = event.cell
        taken = session.position.stones[event.cell] != EMPTY
        if event.button == 1 and (session.mode is Mode.SETUP or not taken):
            self.action_play()
        else:
            self.show()

    def action_play(self) -> None:
        """Play a move at the cursor, or place the chosen stone there."""
        session = self.session
        if session.mode is Mode.SETUP:
            session.place(session.cursor, session.stone)
            self.show()
        else:
            self.turn(Move.play(session.cursor))

    def turn(self, move: Move) -> None:
        """Play a move of any kind, or say why it is not legal."""
        try:
            self.session.turn(move)
        except IllegalMoveError as error:
            self.complain(error)
        self.show()

    def action_swap(self) -> None:
        """Swap, if this is the second move."""
        try:
            self.session.swap()
        except IllegalMoveError as error:
            self.complain(error)
        self.show()

    def action_pass_turn(self) -> None:
        """Pass the turn."""
        self.turn(Move(MoveKind.PASS))

    def action_resign(self) -> None:
        """Resign for the side to move."""
        self.turn(Move(MoveKind.RESIGN))

    # Editing

    def action_undo(self) -> None:
        """Take the last edit back."""
        if not self.session.undo():
            self.complain("Nothing to undo")
        self.show()

    def action_redo(self) -> None:
        """Make the last undone edit again."""
        if not self.session.redo():
            self.complain("Nothing to redo")
        self.show()

    def action_promote(self) -> None:
        """Move the variation looked at one place up."""
        self.session.record.promote(self.session.node)
        self.show()

    def action_delete(self) -> None:
        """Remove the node looked at and all that follows it."""
        if self.session.node.parent is None:
            self.complain("The start of a record cannot be deleted")
        else:
            self.session.go_to(self.session.record.delete(self.session.node))
            self.show()

    def action_toggle_setup(self) -> None:
        """Go to setup mode or back to playing."""
        session = self.session
        session.mode = Mode.PLAY if session.mode is Mode.SETUP else Mode.SETUP
        self.refresh_bindings()
        self.show()

    def action_place(self, stone: int) -> None:
        """Place a stone (0 empties) at the cursor and choose it for Enter and clicks."""
        self.session.stone = stone
        self.action_play()

    def action_change_side(self) -> None:
        """Give the other side the move."""
        self.session.change_side()
        self.show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the letters of setup mode to others outside it."""
        if action in ("place", "change_side"):
            return self.session.mode is Mode.SETUP
        return True
