"""The frame of the commands that answer for positions: input, JSON or text, batch, errors.

A command is two functions: one makes a JSON document of a position, the other turns such a
document into text for people, so that both always say the same.
"""

import argparse
import math
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hextui.commands.output import ProgressLine, complain, remark, say, say_json
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.records import standard_input
from hextui.records.errors import RecordError
from hextui.records.formats import parse_position_argument
from hextui.records.record import Record
from hextui.records.standard_input import MIB
from hextui.records.text import printable
from hextui.words.names import Names

if TYPE_CHECKING:
    from hextui.engine.widths import Kernels

Document = dict[str, Any]

_LONGEST_LINE = 64 * MIB  # of a batch; a game has no more


@dataclass(frozen=True)
class Request:
    """Which position of a record is meant: ``--game``, ``--ply``, ``--to-move`` and ``--size``.

    Without a game the first is taken, and a line on standard error says so if there are others.
    """

    game: int | None = None
    ply: int | None = None
    to_move: Color | None = None
    size: Board | None = None

    def position(self, source: str) -> Position:
        """Read the position; raises ValueError with a line that says what is wrong."""
        record = chosen_game(source, self.game, self.size)
        position = position_at(record, self.ply)
        return position if self.to_move is None else position.with_to_move(self.to_move)


def chosen_game(source: str, game: int | None, size: Board | None = None) -> Record:
    """Read a game of a source; None takes the first and says so if there are others.

    Standard error says what was guessed. Raises RecordError.
    """
    record = parse_position_argument(source, game or 1, size)
    if (origin := record.origin) is not None:
        where = origin.path or standard_input.NAME
        if game is None and not origin.alone:
            remark(f"{where} holds several games, and this is the first: --game N takes another")
        for note in origin.notes:
            remark(f"{where}: {note}")
    return record


def position_at(record: Record, ply: int | None) -> Position:
    """Return the position after ``ply`` turns of the main line, the last by default.

    Raises RecordError if the record is shorter.
    """
    line = record.main_line()
    turns = [node for node in line if node.turn is not None]
    if ply is None:
        return record.position(line[-1])
    if not 0 <= ply <= len(turns):
        raise RecordError(f"ply {ply}: the main line has 0 to {len(turns)}")
    return record.position(turns[ply - 1] if ply else line[0])


def answer(
    options: argparse.Namespace,
    make: Callable[[Position], Document],
    show: Callable[[Document, Names], str],
) -> int:
    """Answer for the POSITION of the options, or for one a line of standard input.

    ``options``: see ``position_arguments``; ``show`` also gets what the players are called.
    Returns the exit code.
    """
    if (options.position is None) != options.batch:
        return complain("give a POSITION, or --batch and none")
    if options.batch:
        request = Request(options.game or 1, options.ply, options.to_move, options.size)
        return _answer_batch(request, make)
    request = Request(options.game, options.ply, options.to_move, options.size)
    try:
        document = make(request.position(options.position))
    except ValueError as error:
        return complain(error)
    if options.json:
        say_json(document)
    else:
        say(show(document, options.names))
    return 0


def _answer_batch(request: Request, make: Callable[[Position], Document]) -> int:
    try:
        for line in standard_input.lines(_LONGEST_LINE):
            say_json(_document(request, line, make))
    except RecordError as error:
        return complain(error)
    return 0


def _document(
    request: Request, line: str | RecordError, make: Callable[[Position], Document]
) -> Document:
    try:
        if isinstance(line, RecordError):
            raise line
        if line.strip() == "-":
            raise RecordError("standard input holds the batch, and no position besides", source="-")
        return make(request.position(line.strip()))
    except ValueError as error:
        return {"error": str(error)}


def compile_first(board: Board, *wanted: "Kernels") -> None:
    """Compile the kernels that a board needs, with the progress on standard error.

    Kernels that are ready, or those of a wider class, are used as they are.
    """
    from hextui.engine.widths import is_warm, serving_width
    from hextui.engines.own.warmup import Warmup

    line = ProgressLine()
    with closing(Warmup()) as warmup:
        for kernels in wanted:
            if not is_warm(kernels, serving_width(board.cells, kernels)):
                for progress in warmup.wait(board, kernels):
                    line.show(f"compiling for the first use: {progress.amount}")
    line.end()


def number(value: float) -> float | str:
    """Return a number as JSON has it: infinite ones are the strings ``inf`` and ``-inf``."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def size_of(board: Board) -> Document:
    """Return the size of a board as JSON."""
    return {"rows": board.rows, "columns": board.columns}


def table(rows: Iterable[Iterable[object]]) -> str:
    """Lay out rows in columns: numbers to the right, words to the left."""
    values = [list(row) for row in rows]
    texts = [[_cell(value) for value in row] for row in values]
    numeric = [[isinstance(value, int | float) for value in row] for row in values]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = []
    for row, kinds in zip(texts, numeric, strict=True):
        cells = (
            text.rjust(width) if kind else text.ljust(width)
            for text, width, kind in zip(row, widths, kinds, strict=True)
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else printable(str(value))
