"""Input and output of the commands that answer for positions: JSON or text, batches, errors.

Such a command is two functions: one makes a JSON document of a position, the other turns such a
document into text for people, so that both always say the same.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from hextui.commands.arguments import usage_errors
from hextui.commands.output import ProgressLine, complain, remark, say, say_json
from hextui.engine.board import Board, Color
from hextui.engine.limit import check_analysed
from hextui.engine.position import Position
from hextui.records.codecs.codec import MIB
from hextui.records.formats import STANDARD_INPUT, parse_position_argument, standard_input_lines
from hextui.records.record import Record
from hextui.records.record_text import RecordError, printable
from hextui.records.summary import PassedKind, ReadSummary
from hextui.text import Names

if TYPE_CHECKING:
    from hextui.engine.widths import Kernels

Document = dict[str, Any]

_MOST_NOTES = 20  # that are printed
_LONGEST_LINE = 64 * MIB  # of a batch: as much as a file may have


def chosen_game(
    source: str,
    game: int | None,
    size: Board | None = None,
    *,
    analysed: bool = True,
    strict: bool = False,
    charset: str | None = None,
) -> Record:
    """Read game ``game`` of a source; None takes the first.

    ``size`` is the board of games that do not give one, ``charset`` the character set. Prints on
    standard error what was guessed, and if a file has other games. Raises TooCostlyError for a
    board too large to be ``analysed``, and RecordError, if ``strict`` also for a game with errors.
    """
    record = parse_position_argument(source, game or 1, size, strict, charset)
    if analysed:
        check_analysed(record.board)
    if (origin := record.origin) is not None:
        where = origin.path or STANDARD_INPUT
        if game is None and not origin.alone:
            remark(f"{where} holds several games; this is the first: --game N takes another")
        for note in origin.notes:
            remark(f"{where}: {note}")
    return record


def remark_all(notes: Sequence[str]) -> None:
    """Print notes on standard error, the first ones of many."""
    for note in notes[:_MOST_NOTES]:
        remark(note)
    if len(notes) > _MOST_NOTES:
        remark(f"{len(notes) - _MOST_NOTES:,} more notes of this kind")


def report_passed_over(summary: ReadSummary) -> None:
    """Print on standard error what was passed over, and why; but not what has no record's name."""
    empty = []
    for passed in summary.passed_over:
        line = f"skipped: {passed}"
        if passed.kind is PassedKind.BROKEN:
            complain(line)
        elif passed.kind is PassedKind.NO_GAMES:
            empty.append(line)
    remark_all(empty)


def read_position(
    source: str,
    game: int | None = None,
    ply: int | None = None,
    to_move: Color | None = None,
    size: Board | None = None,
    strict: bool = False,
) -> Position:
    """Read a position of a source: of a game, after ``ply`` turns of its main line.

    By default the last position of the first game; see `chosen_game` for the others.
    Raises ValueError with one line that says what is wrong.
    """
    position = chosen_game(source, game, size, strict=strict).position(ply=ply)
    return position if to_move is None else position.with_to_move(to_move)


def answer(
    options: argparse.Namespace,
    make: Callable[[Position], Document],
    show: Callable[[Document, Names], str],
) -> int:
    """Print the document of the POSITION in the options, or with ``--batch`` of each on stdin.

    ``show`` turns a document into text. Returns the exit code.
    """
    if (options.position is None) != options.batch:
        return complain("give a POSITION, or --batch without one")
    with usage_errors():
        if not options.batch:
            document = make(read_position(options.position, options.game, **_chosen(options)))
            print_document(document, options, show)
            return 0
        for position in batch_positions(options):
            say_json(position if isinstance(position, dict) else answer_or_error(make, position))
    return 0


def batch_positions(options: argparse.Namespace) -> Iterator[Position | Document]:
    """Yield the position of each line on standard input, or the answer to a bad line."""
    for line in standard_input_lines(_LONGEST_LINE):
        try:
            if isinstance(line, RecordError):
                raise line
            if line.strip() == "-":
                what = "standard input holds the batch: a line of it is a file, a link or SGF"
                raise RecordError(what, source="-")
            # a script would not notice that it got the answer for another position
            yield read_position(line.strip(), options.game or 1, **_chosen(options), strict=True)
        except ValueError as error:
            yield {"error": str(error)}


def answer_or_error(make: Callable[[Position], Document], position: Position) -> Document:
    """Return the document of a position of a batch, or one that says what is wrong."""
    try:
        return make(position)
    except ValueError as error:
        return {"error": str(error)}


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """Return which position of a game the options choose, and its board."""
    return {"ply": options.ply, "to_move": options.to_move, "size": options.size}


def print_document(
    document: Document, options: argparse.Namespace, show: str | Callable[[Document, Names], str]
) -> None:
    """Print a document: as JSON with ``--json``, else the text, or what ``show`` makes of it."""
    if options.json:
        say_json(document)
    else:
        say(show if isinstance(show, str) else show(document, options.names))


def compile_first(board: Board, *wanted: "Kernels") -> None:
    """Compile the kernels that a board needs unless they are ready; progress goes to stderr."""
    from hextui.engine.widths import is_warm, serving_width
    from hextui.engines.warmup import Warmup

    with ProgressLine() as line, closing(Warmup()) as warmup:
        for kernels in wanted:
            if not is_warm(kernels, serving_width(board, kernels)):
                for progress in warmup.wait(board, kernels):
                    line.show(f"compiling for the first use: {progress.amount}")


def table(rows: Iterable[Iterable[object]]) -> str:
    """Return rows laid out in columns, numbers aligned right and words left."""
    values = [list(row) for row in rows]
    texts = [list(map(_text, row)) for row in values]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = []
    for row in values:
        cells = map(_aligned, row, widths)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _aligned(value: object, width: int) -> str:
    text = _text(value)
    return text.rjust(width) if isinstance(value, int | float) else text.ljust(width)


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else printable(str(value))
