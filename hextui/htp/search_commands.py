"""Commands that choose a move, search for lines, and solve."""

import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.search.lines import DEFAULT_SEARCH, LineSettings
from hextui.engines.engine import Stop
from hextui.htp.htp_requests import HtpRequest, points
from hextui.htp.htp_session import Handler, HtpSession

if TYPE_CHECKING:
    from hextui.engine.solver.dfpn import Solver
    from hextui.engine.solver.solution import Solution

LINES_SECONDS = 0.2  # between two blocks of live graphics of lines
OVER = Move(MoveKind.RESIGN)  # our move after a win: tournament scripts end a game at nothing else


def genmove(session: HtpSession, request: HtpRequest) -> str:
    """Choose a move of a colour, and play it."""
    request.take(1)
    color = request.color()
    begun = time.monotonic()
    move = _choose(session, color, request.stopped)
    session.clocks.spend(color, time.monotonic() - begun)
    session.game.play(color, move, session.parameters.swap)
    return move.name(session.game.board)


def reg_genmove(session: HtpSession, request: HtpRequest) -> str:
    """Choose a move of a colour without playing it."""
    request.take(1)
    return _choose(session, request.color(), request.stopped).name(session.game.board)


def _choose(session: HtpSession, color: Color, stopped: Stop) -> Move:
    position = session.position(color)
    if position.winner is not None:
        return OVER
    session.compiled(position.board, stopped)
    from hextui.engines.registry import player

    share = session.clocks.share(color, len(position.empties))
    times = [limit for limit in (share, session.parameters.max_time or None) if limit is not None]
    end = time.monotonic() + min(times, default=math.inf)
    move = player(session.parameters.player).choose(
        position, lambda: stopped() or time.monotonic() >= end
    )
    # the only word for a swap in this protocol, also where the stones stay
    return Move(MoveKind.SWAP_PIECES) if move.kind is MoveKind.SWAP_SIDES else move


def pv(session: HtpSession, request: HtpRequest) -> str:
    """Return the best line by an evaluator: ``hextui-pv resistance black``."""
    name, word = request.take(2)
    position = session.position(Color.parse(word))
    session.compiled(position.board, request.stopped)
    from hextui.engine.evaluators import evaluator
    from hextui.engine.search.front import best_lines

    best: tuple[int, ...] = ()
    for lines in best_lines(position, evaluator(name), LineSettings(), stop=request.stopped):
        if lines.lines:
            best = lines.lines[0].moves.numbers
    return points(position.board, best)


def gfx_analyze(session: HtpSession, request: HtpRequest) -> str:
    """Send the lines of a tree search in the form of KataGo's analysis; return the best one."""
    request.take(0, 1)
    color = request.color() if request.words else session.game.position.to_move
    position = session.position(color)
    if position.winner is not None:
        return "no moves: the game is over"
    session.compiled(position.board, request.stopped)
    from hextui.engine.search.tree_search import SearchedMove, TreeSearch, searched_moves
    from hextui.engines.own_players import SearchPlayer
    from hextui.engines.registry import player

    served = player(session.parameters.player)
    if not isinstance(served, SearchPlayer):
        served = player(DEFAULT_SEARCH)
        assert isinstance(served, SearchPlayer)
    board = position.board

    def show(moves: list[SearchedMove]) -> None:
        infos = " ".join(
            f"info move {board.name(move.cell)} visits {move.visits} winrate {move.value:.4f} "
            f"scoreLead 0 order {order} pv {points(board, move.line)}"
            for order, move in enumerate(moves[: LineSettings().count])
        )
        if infos:
            session.show("kata", infos)

    search = TreeSearch(board, threads=served.threads)
    stop = request.stopped
    moves = searched_moves(search, position, served.limit, stop, show=show, often=LINES_SECONDS)
    show(moves)
    return f"{color}: {points(board, moves[0].line) if moves else 'no line'}"


SOLVER_SECONDS = 1.0  # between two blocks of live graphics of the solver
A_MOMENT = Limit(nodes=250)  # for commands that only report what is known already


def solve_state(session: HtpSession, request: HtpRequest) -> str:
    """Return the winner with a colour to move; ``empty`` if a limit or the client ended it."""
    solution = _solved(session, request)
    winner = session.game.position.winner if solution is None else solution.winner
    return "empty" if winner is None else str(winner)


def find_winning(session: HtpSession, request: HtpRequest) -> str:
    """Return a colour's moves that are proved to win: all of them, unless it was ended."""
    solution = _solved(session, request, all_moves=True)
    return points(session.game.board, tuple(solution.wins) if solution else ())


def get_pv(session: HtpSession, request: HtpRequest) -> str:
    """Return the line to the end of what is proved; nothing while the winner is unknown."""
    solution = _solved(session, request, A_MOMENT)
    return points(session.game.board, solution.line.numbers if solution else ())


def get_bounds(session: HtpSession, request: HtpRequest) -> str:
    """Return what is known of each move: W, L, or disproof and proof number after it."""
    position = session.asked(request)
    solver = session.compiled(position.board, request.stopped).solver(position.board)
    return " ".join(f"{cell} {bound}" for cell, bound in _bounds(solver, position))


def get_state(session: HtpSession, request: HtpRequest) -> str:
    """Return what is known of the position, in words."""
    solution = _solved(session, request, A_MOMENT)
    if solution is None:
        return f"{session.game.position.winner} has won"
    winner = "unknown" if solution.winner is None else str(solution.winner)
    return (
        f"winner {winner}, proof number {solution.proof_number}, "
        f"disproof number {solution.disproof_number}, table {solution.table_used:.1%} full"
    )


def clear_table(session: HtpSession, request: HtpRequest) -> str:
    """Clear the solver's transposition table."""
    session.forget_solutions()
    return ""


def _solved(
    session: HtpSession, request: HtpRequest, limit: Limit | None = None, *, all_moves: bool = False
) -> "Solution | None":
    """Return the solver's result, by default in ``timelimit``; None if the game is over."""
    position = session.asked(request)
    if position.winner is not None:
        return None
    solver = session.compiled(position.board, request.stopped).solver(position.board)
    limit = limit or Limit(seconds=session.parameters.timelimit or None)
    shown = -math.inf
    solution = None
    for solution in solver.solve(position, limit, request.stopped, all_moves=all_moves):  # noqa: B007
        if session.parameters.use_guifx and time.monotonic() - shown >= SOLVER_SECONDS:
            shown = time.monotonic()
            session.show("dfpn", _picture(solver, position))
    return solution


def _picture(solver: "Solver", position: Position) -> str:
    """Return the search as HexGui draws it: the most promising move, and all bounds."""
    bounds = list(_bounds(solver, position))
    losing = sum(bound == "L" for _, bound in bounds)
    open_moves = [(int(b.partition("@")[0]), cell) for cell, b in bounds if b not in ("W", "L")]
    _, first = min(open_moves, default=(0, ""))
    mover = "B" if position.to_move is Color.BLACK else "W"
    labels = " ".join(f"{cell} {bound.replace('@', '@@')}" for cell, bound in bounds)
    lines = [
        f"VAR {mover} {first}".rstrip() if first else "VAR",
        f"LABEL {labels}",
        f"TEXT {losing}/{len(position.empties)} proven losses, var: {first}",
    ]
    return "\n".join(lines)


def _bounds(solver: "Solver", position: Position) -> Iterator[tuple[str, str]]:
    """Yield the moves that the solver has visited, and their bounds."""
    for cell in position.empties:
        after = position.play(cell)
        answer = solver.look_up(after)
        winner = after.winner or (answer and answer.winner)
        if winner is not None:
            yield position.board.name(cell), "W" if winner is position.to_move else "L"
        elif answer is not None:
            yield position.board.name(cell), f"{answer.delta}@{answer.phi}"


COMMANDS: dict[str, Handler] = {
    "genmove": genmove,
    "reg_genmove": reg_genmove,
    "hextui-pv": pv,
    "gogui-gfx-analyze": gfx_analyze,
    "dfpn-solve-state": solve_state,
    "dfpn-solver-find-winning": find_winning,
    "dfpn-get-pv": get_pv,
    "dfpn-get-bounds": get_bounds,
    "dfpn-get-state": get_state,
    "dfpn-clear-tt": clear_table,
}
