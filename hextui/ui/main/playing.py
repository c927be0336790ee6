"""Playing moves and placing stones."""

from collections.abc import Sequence

from hextui.engine.board import EMPTY
from hextui.engine.position import IllegalMoveError, Move, MoveKind
from hextui.ui.drawing.board_view import Mode
from hextui.ui.main.desk import Desk


class Playing:
    """Plays on the board looked at, or says why a move is not legal."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def play(self) -> None:
        """Play a move at the cursor, or place the chosen stone or mark there."""
        session = self._desk.session
        if session.mode is Mode.REGION:
            session.thought_of.turn(session.position, session.cursor)
            self._desk.show()
            return
        if session.mode is Mode.SETUP:
            session.place(session.cursor, session.stone)
            self._desk.show()
        else:
            self.turn(Move.play(session.cursor))

    def click(self, cell: int, button: int) -> None:
        """The left button plays, places or marks; the others only move the cursor."""
        session = self._desk.session
        session.cursor = cell
        taken = session.position.stones[cell] != EMPTY
        if button == 1 and (session.mode is not Mode.PLAY or not taken):
            self.play()
        else:
            self._desk.show()

    def turn(self, move: Move) -> None:
        """Play a move of any kind."""
        try:
            self._desk.session.turn(move)
        except IllegalMoveError as error:
            self._desk.complain(error)
        self._desk.show()

    def line(self, moves: Sequence[Move]) -> None:
        """Play moves of both sides in turn, as one edit; the cursor goes to the last one."""
        session = self._desk.session
        if moves[-1].kind is MoveKind.PLAY:
            session.cursor = moves[-1].cell
        try:
            session.play_line(moves)
        except IllegalMoveError as error:
            self._desk.complain(error)
        self._desk.show()

    def add(self, cell: int) -> None:
        """Add a move as a variation, and stay where one is."""
        session = self._desk.session
        session.record.play(session.node, Move.play(cell))
        self._desk.tell(f"{session.board.name(cell)} is a variation of the record now", 3)
        self._desk.show()

    def best(self) -> None:
        """Play the best move of the evaluator in focus, or of who ranks while that is late."""
        snapshot = self._desk.snapshot
        focus = snapshot.ranking_for(self._desk.shown.evaluator) if snapshot else ""
        ranking = snapshot.rankings.get(focus) if snapshot else None
        if ranking and ranking.moves:
            self._desk.session.cursor = ranking.moves[0].cell
            self.turn(Move.play(ranking.moves[0].cell))
        else:
            self._desk.complain("No best move is known yet")

    def swap(self) -> None:
        """Swap, if this is the second move."""
        try:
            self._desk.session.swap()
        except IllegalMoveError as error:
            self._desk.complain(error)
        self._desk.show()

    def pass_turn(self) -> None:
        """Pass the turn."""
        self.turn(Move(MoveKind.PASS))

    def resign(self) -> None:
        """Resign for the side to move."""
        self.turn(Move(MoveKind.RESIGN))

    def place(self, stone: int) -> None:
        """Place a stone (0 empties) at the cursor and choose it for Enter and clicks."""
        self._desk.session.stone = stone
        self.play()
