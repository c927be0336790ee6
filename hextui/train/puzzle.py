"""Puzzles: positions in which few moves win, with their solutions, as values and as SGF.

A puzzle is a record whose root sets up the stones. Its first variations are the moves with what
follows: winning moves carry ``TE``, losing ones ``BM``. The root's ``GE`` names the theme and
``DI`` the level, as in other collections of problems.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.orientation import canonical
from hextui.engine.position import Move, Position
from hextui.library.answers import Broken, files_of
from hextui.records.formats import Source, read_collection
from hextui.records.record import Record
from hextui.records.record_text import RecordError, escape
from hextui.records.tree import Node, Setup, Turn
from hextui.text import Names, either

MOST_LEVEL = 9
BUILT_IN_FILE = Path(__file__).parents[1] / "samples" / "puzzles.sgf"


class Theme(StrEnum):
    """What a puzzle is about; docs/training.md#themes has the rules."""

    BRIDGE = "bridge intrusion"
    LADDER = "ladder"
    ESCAPE = "ladder escape"
    TEMPLATE = "edge template"
    DOUBLE = "double threat"
    SQUEEZE = "must-play squeeze"
    QUIET = "quiet move"
    MISTAKE = "own mistake"


@dataclass(frozen=True)
class Puzzle:
    """A position with the moves that win, all others lose; nobody may swap.

    ``wins`` is empty where the file does not say. Each of ``lines`` begins with a move and what
    follows it: winning moves first, then the most tempting losing ones with their refutation.
    ``theme`` and ``level`` (1 to 9) are None where they are not known. ``name`` says where it is
    from, ``str`` is the task in words.

    >>> import hextui
    >>> puzzle, *_ = hextui.puzzles("(;GM[11]SZ[3]AB[a1]AW[c3]PL[B];B[b2]TE[1])")
    >>> print(puzzle)
    Black to move and win. Exactly one move wins.
    >>> puzzle.position["a1"], puzzle.winning_moves, puzzle.lines
    (<Color.BLACK: 1>, <Cells b2>, (<Cells b2>,))
    """

    position: Position
    wins: tuple[int, ...] = ()
    lines: tuple[Cells, ...] = ()
    theme: Theme | None = None
    level: int | None = None
    name: str = ""

    def __str__(self) -> str:
        return self.task(Names.BLACK_WHITE)

    @property
    def winning_moves(self) -> Cells:
        """The moves that win; none where the file does not say."""
        return Cells(self.position.board, self.wins)

    @property
    def key(self) -> str:
        """What the position is known by in every orientation, as hexadecimal digits."""
        return canonical(self.position).position.key.hex()

    def seen_by_black(self) -> "Puzzle":
        """Return the puzzle with Black to move: mirrored, with exchanged colours, for White."""
        if self.position.to_move is Color.BLACK:
            return self
        board = self.position.board
        wins = tuple(sorted(map(board.mirror, self.wins)))
        lines = tuple(
            Cells(board.transposed, tuple(map(board.mirror, line.numbers))) for line in self.lines
        )
        return replace(self, position=self.position.mirrored(), wins=wins, lines=lines)

    def task(self, names: Names) -> str:
        """Return the task in words: who moves, and how many moves win, if that is known."""
        mover = names.player(self.position.to_move)
        if not self.wins:
            return f"{mover} to move: which moves win?"
        moves = "Exactly one move wins" if len(self.wins) == 1 else f"{len(self.wins)} moves win"
        return f"{mover} to move and win. {moves}."

    def solution(self, names: Names) -> str:
        """Return the winning moves in words; they are known."""
        moves = either(list(self.winning_moves))
        return f"{names.player(self.position.to_move)} wins with {moves}"


def puzzle_record(puzzle: Puzzle, names: Names) -> Record:
    """Return a puzzle as a record with its solution and refutations, commented in words."""
    position = puzzle.position
    board, mover = position.board, position.to_move
    setup = Setup.between(Position.empty(board, mover.opponent), position)
    record = Record(board)
    record.root.setup = setup
    about = {"GN": puzzle.name, "GE": puzzle.theme or "", "C": puzzle.task(names)}
    if puzzle.level is not None:
        about["DI"] = str(puzzle.level)
    record.root.properties.update({n: (escape(text),) for n, text in about.items() if text})
    for line in puzzle.lines:
        won = line[0] in puzzle.winning_moves
        said = f"{puzzle.solution(names)}." if won else _refuted(mover, line, names)
        properties = {"C": (escape(said),), "TE" if won else "BM": ("1",)}
        node, color = record.root, mover
        for cell in line.numbers:
            node = record.append(node, Turn(color, Move.play(cell)), properties=properties)
            properties = {}
            color = color.opponent
    return record


def _refuted(mover: Color, line: Cells, names: Names) -> str:
    first, *answers = line
    answer = f": {names.player(mover.opponent)} answers {answers[0]}" if answers else ""
    return f"{first} loses{answer}."


def puzzle_of(record: Record) -> Puzzle | None:
    """Return the puzzle that a record sets up, None if it sets up no stones or the game is over."""
    node = next((node for node in record.main_line() if node.setup.cells), None)
    if node is None:
        return None
    position = record.position(node).without_swap
    if position.winner is not None:
        return None
    wins = []
    lines = []
    for child in node.children:
        cells = _line_cells(child, position.to_move)
        if not cells:
            continue
        lines.append(Cells(position.board, cells))
        if "TE" in child.properties:
            wins.append(cells[0])
    theme = record.info("GE")
    return Puzzle(
        position=position,
        wins=tuple(sorted(wins)),
        lines=tuple(lines),
        theme=Theme(theme) if theme in list(Theme) else None,
        level=_level(record.info("DI")),
        name=record.info("GN"),
    )


def _line_cells(node: Node, mover: Color) -> tuple[int, ...]:
    """Return the cells of a line that begins at a node; () unless ``mover`` begins it with one."""
    turns = [each.turn for each in (node, *node.onward()) if each.turn]
    if not turns or turns[0].color is not mover:
        return ()
    cells = tuple(turn.move.cell for turn in turns)
    return () if min(cells) < 0 else cells


def _level(text: str) -> int | None:
    """Return the level that a text states, None if it is none of ours."""
    if text.isdecimal() and 1 <= int(text) <= MOST_LEVEL:
        return int(text)
    return None


def read_puzzles(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles of a collection in any format, or of all files in a folder.

    Records that set up nothing are left out. Raises RecordError for a source that cannot be read,
    and for the first record in it that cannot.
    """
    folder = isinstance(source, Path) and os.path.isdir(source)  # a name may be too long for stat
    files = files_of([source]) if isinstance(source, Path) and folder else [source]
    for each in files:
        if isinstance(each, Broken):
            raise RecordError(each.reason, source=each.source)
        for record in read_collection(each):
            if isinstance(record, RecordError):
                raise record
            if (puzzle := puzzle_of(record)) is not None:
                yield puzzle
