"""``hextui match``: two players play each other, many games, with a folder of results."""

from dataclasses import dataclass
from pathlib import Path

from hextui.commands.documents import complain
from hextui.commands.study import Options, conduct
from hextui.engine.board import Board
from hextui.engine.position import MoveKind
from hextui.records.errors import RecordError
from hextui.records.plain import read_plain
from hextui.studies.match import Match, every_cell, play
from hextui.studies.players import player

GAMES = 100


@dataclass(frozen=True)
class Wanted:
    """What the user asks for; ``openings``: None, ``all``, or a file."""

    first: str
    second: str
    board: Board
    games: int | None
    openings: str | None
    swap: bool


def run(wanted: Wanted, options: Options) -> int:
    """Play a match, or what is left of it; return the exit code."""
    try:
        match = _match(wanted, options.seed)
    except ValueError as error:
        return complain(error)
    sizes = {wanted.board.cells}
    return conduct(match.description(), match.schedule(), play, sizes, options)


def _match(wanted: Wanted, seed: int) -> Match:
    board = wanted.board
    if wanted.swap and board.rows != board.columns:
        raise ValueError(f"--swap needs a square board, not {board}")
    openings: tuple[tuple[str, ...], ...] = ((),)
    if wanted.openings == "all":
        openings = every_cell(board)
    elif wanted.openings is not None:
        openings = read_openings(Path(wanted.openings).expanduser(), board)
    games = wanted.games or (GAMES if wanted.openings is None else 2 * len(openings))
    names = (player(wanted.first).name, player(wanted.second).name)
    return Match(*names, board, games, openings, wanted.swap, seed)


def read_openings(path: Path, board: Board) -> tuple[tuple[str, ...], ...]:
    """Read a file with an opening a line: moves, as in ``c2 d4`` or ``1. a3 2. swap``.

    Raises RecordError, with the place, for what does not fit the board, and where a game is
    over before it begins.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise RecordError(reason, source=str(path)) from None
    openings = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = read_plain(line, board=board)
            if record.board != board:
                raise RecordError(f"the board is {record.board}, the match is on {board}")
            moves = [turn.move for turn in record.turns()]
            if any(move.kind is MoveKind.RESIGN for move in moves):
                raise RecordError("nobody may resign in an opening")
            if record.position(record.main_line()[-1]).winner is not None:
                raise RecordError("the game is over after this opening")
        except RecordError as error:
            raise RecordError(error.what, number, error.column, str(path)) from None
        openings.append(tuple(move.name(board) for move in moves))
    if not openings:
        raise RecordError("no opening in it", source=str(path))
    return tuple(openings)
