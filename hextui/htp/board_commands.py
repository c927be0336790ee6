"""Commands about the program, the board, the game, its clocks and the parameters."""

import os
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.limit import check_analysed
from hextui.engine.position import Move, Position
from hextui.htp.htp_requests import HtpError, HtpRequest, points, seconds, whole
from hextui.htp.htp_session import Clock, Clocks, Handler, HtpSession, ServedGame
from hextui.locations import named_path
from hextui.version import __version__


def boardsize(session: HtpSession, request: HtpRequest) -> str:
    """Start on an empty board: ``boardsize 11``, or columns and rows."""
    sides = [whole(word, 1, 19, "a board's side") for word in request.take(1, 2)]
    session.restart(Position.empty(Board(sides[-1], sides[0])))
    return ""


def clear_board(session: HtpSession, request: HtpRequest) -> str:
    """Start a new game on the same board."""
    request.take(0)
    session.restart(Position.empty(session.game.board))
    return ""


def play(session: HtpSession, request: HtpRequest) -> str:
    """Play a move: ``play black c4``, whoever's turn it is."""
    _, word = request.take(2)
    move = Move.parse(word, session.game.board)
    session.game.play(request.color(), move, session.parameters.swap)
    return ""


def play_game(session: HtpSession, request: HtpRequest) -> str:
    """Start a new game and play moves in turn, Black's first; none if one is illegal."""
    empty = Position.empty(session.game.board)
    game = ServedGame(empty)
    color = Color.BLACK
    for word in request.words:
        game.play(color, Move.parse(word, empty.board), session.parameters.swap)
        color = color.opponent
    session.restart(empty)
    session.game = game
    return ""


def undo(session: HtpSession, request: HtpRequest) -> str:
    """Undo the last move."""
    request.take(0)
    session.game.undo()
    return ""


def all_legal_moves(session: HtpSession, request: HtpRequest) -> str:
    """Return the empty cells, and swap-pieces where it may be played; nothing after a win."""
    request.take(0, 1)
    position = session.game.position
    if position.winner is not None:
        return ""
    color = request.color() if request.words else position.to_move
    swap = session.parameters.allow_swap and session.game.may_swap(color)
    return " ".join([*position.legal_moves, *(["swap-pieces"] if swap else [])])


def final_score(session: HtpSession, request: HtpRequest) -> str:
    """Return the winner as ``B+`` or ``W+``."""
    winner = session.game.position.winner
    return "cannot score" if winner is None else f"{str(winner)[0].upper()}+"


def group_get(session: HtpSession, request: HtpRequest) -> str:
    """Return the stones of a group in row order; nothing for an empty cell."""
    (word,) = request.take(1)
    captains, board = session.game.position.groups.captain, session.game.board
    captain = captains[board.cell(word)]
    return points(board, (c for c, its in enumerate(captains) if 0 <= its == captain))


def load_sgf(session: HtpSession, request: HtpRequest) -> str:
    """Load a record of any format, to its end or to a number of moves."""
    from hextui.records.formats import read_record

    if not request.words:
        raise HtpError("loadsgf takes a file, and how many moves to play")
    path = named_path(request.rest)
    ply = None
    if len(request.words) > 1 and request.words[-1].isdecimal() and not os.path.exists(path):
        text, _, last = request.rest.rpartition(" ")
        path = named_path(text.strip())
        ply = whole(last, 0, 10**6, "moves")
    record = read_record(Path(path))
    check_analysed(record.board)
    session.restart(record.position(ply=None if ply is None else min(ply, record.plies)))
    return ""


def time_settings(session: HtpSession, request: HtpRequest) -> str:
    """Set main time, then the seconds of a period and its moves; all 0 for no limit."""
    main, period, stones = request.take(3)
    moves = whole(stones, 0, 10**6, "moves")
    session.clocks = Clocks(seconds(main), seconds(period), moves)
    return ""


def time_left(session: HtpSession, request: HtpRequest) -> str:
    """Return a side's time or both sides', or set it from the client's clock."""
    words = request.take(0, 3)
    if not words:
        return " ".join(f"{str(c).title()}: {_time(session.clocks.left.get(c))}" for c in Color)
    color = request.color()
    if len(words) == 1:
        return _time(session.clocks.left.get(color))
    stones = whole(words[2], 0, 10**6, "moves") if len(words) == 3 else 0
    session.clocks.left[color] = Clock(seconds(words[1]), stones)
    return ""


def _time(clock: Clock | None) -> str:
    if clock is None:
        return "unlimited"
    return f"{clock.left:.1f}/{clock.stones}" if clock.stones else f"{clock.left:.1f}"


_PARAMETERS = {
    "param_game": ("allow_swap", "swap_board", "game_time"),
    "param_dfpn": ("use_guifx", "timelimit"),
    "param_hextui": ("player", "max_time"),
}


def parameters(session: HtpSession, request: HtpRequest) -> str:
    """List or change a group of parameters; a change of game time resets both clocks."""
    words = request.take(0, 2)
    names = _PARAMETERS[request.name]
    if not words:
        return "\n".join(["", *map(session.parameters.shown, names)])
    if words[0] not in names:
        raise HtpError(f"no parameter {words[0][:40]!r}; choose from {', '.join(names)}")
    session.parameters.change(words[0], " ".join(words[1:]))
    if words[0] == "game_time":
        session.clocks = Clocks(session.parameters.game_time)
    return ""


COMMANDS: dict[str, Handler] = {
    "protocol_version": lambda session, request: "2",  # that of GTP
    "name": lambda session, request: "hextui",
    "version": lambda session, request: __version__,
    "gogui-interrupt": lambda session, request: "",
    "boardsize": boardsize,
    "clear_board": clear_board,
    "play": play,
    "play-game": play_game,
    "undo": undo,
    "showboard": lambda session, request: session.game.shown(),
    "all_legal_moves": all_legal_moves,
    "final_score": final_score,
    "group-get": group_get,
    "loadsgf": load_sgf,
    "time_settings": time_settings,
    "time_left": time_left,
    **dict.fromkeys(_PARAMETERS, parameters),
}
