"""``hextui match``: two players play each other, many games, with a folder of results."""

import argparse

from hextui.commands.arguments import BOARD_HELP, Parser, positive, usage_errors
from hextui.commands.experiments import MOST_GAMES, conduct, experiment_arguments
from hextui.engine.board import Board
from hextui.engine.position import MoveKind
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.records.codecs.codec import MIB
from hextui.records.codecs.plain import PlainList
from hextui.records.formats import read_bytes
from hextui.records.record_text import RecordError
from hextui.runs.experiment import Experiment

DEFAULT_GAMES = 100
_LONGEST = 16 * MIB  # of a file of openings


def add_arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    text = (
        "a player: an evaluator; a search such as search:visits=800, search:seconds=1, "
        "minimax(resistance), minimax(k-paths:0/8,6,4,2,0) or minimax(blocking/literal); solver; "
        "level:1 to level:9; onnx(FILE); or engine(NAME) for an engine in the settings file"
    )
    parser.value("first", "A", text)
    text = "the other player (default: search, the strongest)"
    parser.value("second", "B", text, nargs="?")
    parser.shared("--size", required=True, help=BOARD_HELP)
    text = "number of games (default: 100, or each opening with both colours)"
    parser.number("--games", text, most=MOST_GAMES)
    text = "all: every first move; or a file with one list of moves per line (default: none)"
    parser.value("--openings", "all|FILE", text)
    text = "at most S seconds per move; the match is then not reproducible"
    parser.value("--seconds", "S", text, type=positive)
    parser.number("--visits", "at most N visits per move of an attached engine")
    text = "players resign once the solver, expanding at most N nodes, has proved their loss "
    parser.number("--resign", f"{text}(default: 0, games are played to the end)", 0, least=0)
    parser.flag("--swap", "play with the swap rule")
    experiment_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play a match, or what is left of it; return the exit code."""
    with usage_errors():
        match = _match(options)
    return conduct(match, options)


def _match(options: argparse.Namespace) -> Experiment:
    from hextui.engines.registry import player
    from hextui.matches.match import Terms, every_cell, experiment

    board: Board = options.size
    if options.swap and board.rows != board.columns:
        raise ValueError(f"--swap needs a square board, not {board}")
    openings: tuple[tuple[str, ...], ...] = ((),)
    if options.openings == "all":
        openings = every_cell(board)
    elif options.openings is not None:
        openings = read_openings(options.openings, board)
    games = options.games or (DEFAULT_GAMES if options.openings is None else 2 * len(openings))
    names = (player(options.first).name, player(options.second or DEFAULT_SEARCH).name)
    terms = Terms(options.seconds, options.visits, options.resign)
    return experiment(*names, board, games, openings, options.swap, options.seed, terms)


def _read_opening(line: str, board: Board) -> tuple[str, ...]:
    """Return the moves of an opening; raises RecordError where it does not fit the match."""
    record = PlainList().read_text(line, board)
    if record.board != board:
        raise RecordError(f"the opening is on {record.board}, the match on {board}")
    moves = [turn.move for turn in record.turns()]
    if any(move.kind is MoveKind.RESIGN for move in moves):
        raise RecordError("nobody may resign in an opening")
    if record.position().winner is not None:
        raise RecordError("the game is over after this opening")
    return tuple(move.name(board) for move in moves)


def read_openings(source: str, board: Board) -> tuple[tuple[str, ...], ...]:
    """Read a file (or ``-``) with an opening a line: moves, as in ``c2 d4`` or ``1. a3 2. swap``.

    Raises RecordError, with the place, for what does not fit the board or ends the game.
    """
    text = read_bytes(source, _LONGEST).decode(errors="replace")
    openings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            openings.append(_read_opening(line, board))
        except RecordError as error:
            raise RecordError(error.what, number, error.column, source) from None
    if not openings:
        raise RecordError("it contains no opening", source=source)
    return tuple(openings)
