"""The commands of the strong solver."""

import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.htp.htp_requests import HtpRequest, points
from hextui.htp.htp_session import HtpSession

if TYPE_CHECKING:
    from hextui.engine.solver.dfpn import Solver
    from hextui.engine.solver.search import SearchAnswer
    from hextui.engine.solver.solution import Solution

SHOWN_SECONDS = 1.0
"""So often live graphics are shown."""
A_MOMENT = Limit(nodes=250)
"""What is spent where only what is known already is asked for."""


def solve_state(session: HtpSession, request: HtpRequest) -> str:
    """Return who wins with a colour to move; ``empty`` if a limit or the client ended it."""
    solution = _solved(session, request, _limit(session))
    winner = session.game.position.winner if solution is None else solution.winner
    return "empty" if winner is None else str(winner)


def find_winning(session: HtpSession, request: HtpRequest) -> str:
    """Return the moves of a colour that are proved to win: all of them, unless it was ended."""
    solution = _solved(session, request, _limit(session), all_moves=True)
    return points(session.game.board, tuple(solution.winning_moves) if solution else ())


def get_pv(session: HtpSession, request: HtpRequest) -> str:
    """Return the line to the end of what is proved; nothing while the winner is unknown."""
    solution = _solved(session, request, A_MOMENT)
    return points(session.game.board, solution.line if solution else ())


def get_bounds(session: HtpSession, request: HtpRequest) -> str:
    """Return what is known of each move: W, L, or disproof and proof number after it."""
    request.take(1)
    position = session.position(request.color())
    solver = session.solver_of(position.board, request.stopped)
    return " ".join(f"{cell} {bound}" for cell, bound in _bounds(solver, position))


def get_state(session: HtpSession, request: HtpRequest) -> str:
    """Return what is known of the position in words."""
    solution = _solved(session, request, A_MOMENT)
    if solution is None:
        return f"{session.game.position.winner} has won"
    winner = "unknown" if solution.winner is None else str(solution.winner)
    return (
        f"winner {winner}, proof number {solution.proof_number}, "
        f"disproof number {solution.disproof_number}, table {solution.table_used:.1%} full"
    )


def clear_table(session: HtpSession, request: HtpRequest) -> str:
    """Forget what was solved."""
    session.forget_solutions()
    return ""


def _limit(session: HtpSession) -> Limit:
    return Limit(seconds=session.dfpn.timelimit or None)


def _solved(
    session: HtpSession, request: HtpRequest, limit: Limit, *, all_moves: bool = False
) -> "Solution | None":
    """Return what the solver finds with the first argument to move; None if the game is over."""
    request.take(1)
    position = session.position(request.color())
    if position.winner is not None:
        return None
    solver = session.solver_of(position.board, request.stopped)
    asked = (position, limit, request.stopped)
    shown, solution = -math.inf, None
    for solution in solver.solve(*asked, all_moves=all_moves):  # noqa: B007
        if session.dfpn.use_guifx and time.monotonic() - shown >= SHOWN_SECONDS:
            shown = time.monotonic()
            session.show("dfpn", _picture(solver, position))
    return solution


def _picture(solver: "Solver", position: Position) -> str:
    """Return the search as HexGui draws it: the most promising move, and what is known of all."""
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
    """Yield the moves that the solver has looked at, and what it knows of them."""
    for cell in position.empties:
        after = position.play(cell)
        known = solver.look_up(after)
        if after.winner is not None:
            yield position.board.name(cell), "W"
        elif known is not None:
            yield position.board.name(cell), _bound(known, position.to_move)


def _bound(known: "SearchAnswer", mover: Color) -> str:
    if known.winner is not None:
        return "W" if known.winner is mover else "L"
    return f"{known.delta}@{known.phi}"
