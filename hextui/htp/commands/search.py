"""The commands that choose a move and search for lines."""

import math
import time

from hextui.engine.board import Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.search.lines import DEFAULT_EVALUATOR, LineSettings
from hextui.htp.htp_requests import HtpRequest, points
from hextui.htp.htp_session import HtpSession, Stop

SHOWN_SECONDS = 0.2
"""So often live graphics are shown."""
OVER = Move(MoveKind.RESIGN)
"""What we play once somebody has won: tournament scripts end a game at nothing else."""


def genmove(session: HtpSession, request: HtpRequest) -> str:
    """Choose a move of a colour, and play it."""
    request.take(1)
    color = request.color()
    begun = time.monotonic()
    move = _choose(session, color, request.stopped)
    session.clocks.spend(color, time.monotonic() - begun)
    session.game.play(color, move, session.rules.swap)
    return move.name(session.game.board)


def reg_genmove(session: HtpSession, request: HtpRequest) -> str:
    """Choose a move of a colour without playing it."""
    request.take(1)
    return _choose(session, request.color(), request.stopped).name(session.game.board)


def _choose(session: HtpSession, color: Color, stopped: Stop) -> Move:
    position = session.position(color)
    if position.winner is not None:
        return OVER
    session.compile(position.board, stopped)
    from hextui.matches.players import player

    share = session.clocks.share(color, len(position.empties))
    times = [limit for limit in (share, session.own.max_time or None) if limit is not None]
    end = time.monotonic() + min(times, default=math.inf)
    return player(session.own.player).choose(
        position, session.rules.allow_swap, lambda: stopped() or time.monotonic() >= end
    )


def pv(session: HtpSession, request: HtpRequest) -> str:
    """Return the best line by an evaluator: ``hextui-pv resistance black``."""
    name, word = request.take(2)
    position = session.position(Color.parse(word))
    return points(position.board, _best_line(session, position, name, request))


def gfx_analyze(session: HtpSession, request: HtpRequest) -> str:
    """Search for lines, show them as they improve, and return the best one.

    They are those of the tree search where it plays and all is not lost at once, or of minimax.
    """
    request.take(0, 1)
    color = request.color() if request.words else session.game.position.to_move
    position = session.position(color)
    line = _searched_line(session, position, request)
    line = line or _best_line(session, position, DEFAULT_EVALUATOR, request, live=True)
    moves = points(position.board, line)
    return f"{color}: {moves}" if moves else "no moves: the game is over"


def _searched_line(session: HtpSession, position: Position, request: HtpRequest) -> tuple[int, ...]:
    """Show the lines of the player's tree search; return the best, () where it tells none."""
    from hextui.engine.search.front import growing_moves
    from hextui.engine.search.tree_search import TreeSearch
    from hextui.matches.players import SearchPlayer, player

    served = player(session.own.player)
    if position.winner is not None or not isinstance(served, SearchPlayer):
        return ()
    session.compile(position.board, request.stopped)
    best: tuple[int, ...] = ()
    search = TreeSearch(position.board, threads=served.threads)
    stop, often = request.stopped, SHOWN_SECONDS
    for moves in growing_moves(search, position, served.limit, stop, often=often):
        shown = moves[: LineSettings().count]
        infos = [
            _info(position, move.line, move.visits, move.value, order)
            for order, move in enumerate(shown)
        ]
        if shown:
            best = shown[0].line
            session.show("kata", " ".join(infos))
    return best


def _info(
    position: Position, line: tuple[int, ...], visits: int, winrate: float, order: int
) -> str:
    """Return what KataGo's analysis tells of a line."""
    return (
        f"info move {position.board.name(line[0])} visits {visits} winrate {winrate:.4f} "
        f"scoreLead 0 order {order} pv {points(position.board, line)}"
    )


def _best_line(
    session: HtpSession, position: Position, name: str, request: HtpRequest, *, live: bool = False
) -> tuple[int, ...]:
    session.compile(position.board, request.stopped)
    from hextui.engine.evaluators import evaluator
    from hextui.engine.search.front import best_lines

    best: tuple[int, ...] = ()
    shown = -math.inf
    chosen, settings = evaluator(name), LineSettings()
    for found in best_lines(position, chosen, settings, stop=request.stopped):
        if found.lines:
            best = found.lines[0].moves
        if live and found.lines and (found.final or time.monotonic() - shown >= SHOWN_SECONDS):
            shown = time.monotonic()
            infos = [
                _info(position, line.moves, found.nodes, _share(line.value), order)
                for order, line in enumerate(found.lines)
            ]
            session.show("kata", " ".join(infos))
    return best


def _share(ratio: float) -> float:
    """Return the opponent's part of both resistances, by their ratio: 0 to 1, more is better."""
    return 1.0 if math.isinf(ratio) and ratio > 0 else max(ratio, 0.0) / (1 + max(ratio, 0.0))
