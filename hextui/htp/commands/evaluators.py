"""The commands that ask evaluators: values, heat, explanations."""

import math

from hextui.engine.board import Color
from hextui.engine.evaluators import evaluator
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, qualities
from hextui.engine.search.lines import DEFAULT_EVALUATOR
from hextui.htp.htp_requests import HtpRequest
from hextui.htp.htp_session import HtpSession
from hextui.words.names import Names


def values(session: HtpSession, request: HtpRequest) -> str:
    """Return an evaluator's value of each move: ``hextui-values k-paths:1 black``."""
    name, word = request.take(2)
    return _values(session, name, session.position(Color.parse(word)), request)


def cell_energy(session: HtpSession, request: HtpRequest) -> str:
    """Return the current through each cell, in both colours' circuits."""
    request.take(1)
    return _values(session, "resistance", session.position(request.color()), request)


def two_distance(session: HtpSession, request: HtpRequest) -> str:
    """Return both colours' two-distances of each cell, added up."""
    request.take(1)
    return _values(session, "two-distance", session.position(request.color()), request)


def heat(session: HtpSession, request: HtpRequest) -> str:
    """Return how high an evaluator ranks each move, 1 for the first and 0 for the last."""
    name, word = request.take(2)
    position = session.position(Color.parse(word))
    found = _ranking(session, name, position, request)
    cells = " ".join(
        f"{position.board.name(cell)} {quality.mid_q:.3f}"
        for cell, quality in sorted(qualities(found).items())
    )
    best = position.board.name(found.moves[0].cell) if found.moves else "none"
    return f"INFLUENCE {cells} TEXT {found.evaluator}, {position.to_move} to move: {best}"


def resistance(session: HtpSession, request: HtpRequest) -> str:
    """Return the logarithms of both colours' resistances, and by how much Black's is smaller."""
    request.take(1)
    position = session.position(request.color())
    bench = session.bench_at(position, request.stopped)
    found = {color: bench.circuit(color).resistance for color in Color}
    black, white = (math.log(found[color]) if found[color] else -math.inf for color in Color)
    return f"res {white - black:.3f} rew {white:.3f} reb {black:.3f}"


def explain(session: HtpSession, request: HtpRequest) -> str:
    """Return in words why a move has its value; the best move and our evaluator if not named."""
    given = request.take(1, 3)
    position = session.position(request.color())
    bench = session.bench_at(position, request.stopped)
    from hextui.words.explanations import explanation_words

    chosen = evaluator(given[2] if len(given) > 2 else DEFAULT_EVALUATOR)
    if position.winner is not None:
        return f"{position.winner} has won"
    if len(given) > 1:
        cell = position.board.cell(given[1])
    else:
        cell = _ranking(session, chosen.name, position, request).moves[0].cell
    found = chosen.explained(bench, cell)
    words = explanation_words(found, Names.BLACK_WHITE)
    lines = [
        f"{found.evaluator}: {position.board.name(cell)} has {found.value:.6g}, "
        f"rank {found.rank} of {found.moves}",
        words.sentence,
        words.formula,
        *(
            f"{term.symbol} {meaning}: {term.value}"
            for term, meaning in zip(found.facts.terms, words.meanings, strict=True)
        ),
    ]
    return "\n".join(lines)


def _values(session: HtpSession, name: str, position: Position, request: HtpRequest) -> str:
    found = _ranking(session, name, position, request)
    board = position.board
    moves = sorted(found.moves, key=lambda move: move.cell)
    return " ".join(f"{board.name(move.cell)} {move.value:.6g}" for move in moves)


def _ranking(session: HtpSession, name: str, position: Position, request: HtpRequest) -> Ranking:
    """Return the final ranking of a position, or what there is of it once it is to stop."""
    bench = session.bench_at(position, request.stopped)
    chosen = evaluator(name)
    found = Ranking(chosen.name, ())
    if position.winner is None:
        for found in chosen.rank(bench):  # noqa: B007
            if request.stopped():
                break
    return found
