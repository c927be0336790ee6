"""Commands about virtual connections, the must-play region, inferior cells and evaluators."""

import math
from collections.abc import Iterator

from hextui.engine.board import Board, Color, Edge
from hextui.engine.connection import Connection, ConnectionKind, node_name, node_named
from hextui.engine.evaluators import evaluator
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, qualities
from hextui.engine.search.lines import DEFAULT_EVALUATOR
from hextui.htp.htp_requests import HtpRequest, points
from hextui.htp.htp_session import Handler, HtpSession
from hextui.text import Names

_COMPASS = {Edge.TOP: "north", Edge.BOTTOM: "south", Edge.LEFT: "west", Edge.RIGHT: "east"}


def between_cells(session: HtpSession, request: HtpRequest) -> str:
    """Return the connections of two ends, one a line."""
    request.take(3)
    cells = _between(session, request)
    return "\n".join(["", *(_line(session.game.board, request.color(), c) for c in cells)])


def connected_to(session: HtpSession, request: HtpRequest) -> str:
    """Return the ends that an end is connected to: cells and own edges."""
    request.take(2)
    color = request.color()
    kind = _kind(request)
    position = session.position(color)
    node = node_named(request.words[1], position, color, _COMPASS)
    table = session.bench_at(position, request.stopped).table(color)
    captain = position.groups.captain[node] if node < position.board.cells else -1
    node = node if captain < 0 else captain
    others = {
        end
        for connection in table
        if connection.kind is kind and node in connection.nodes
        for end in connection.nodes
        if end != node
    }
    return " ".join(node_name(end, position.board, color, _COMPASS) for end in sorted(others))


def cells_between(session: HtpSession, request: HtpRequest) -> str:
    """Return the cells that all connections of two ends have in common, or those of any."""
    request.take(3)
    join = frozenset.intersection if "intersection" in request.name else frozenset.union
    carriers = [connection.cells for connection in _between(session, request)]
    return points(session.game.board, tuple(sorted(join(*carriers) if carriers else ())))


def build(session: HtpSession, request: HtpRequest) -> str:
    """Return the moves that a colour can ignore: inferior cells, and x outside must-play."""
    position = session.asked(request)
    region = session.bench_at(position, request.stopped).must_play
    outside = dict.fromkeys(set(position.empties) - region, "x")
    return _pairs(position.board, outside | _marks(position))


def mustplay(session: HtpSession, request: HtpRequest) -> str:
    """Return the must-play region of a colour to move."""
    position = session.asked(request)
    region = session.bench_at(position, request.stopped).must_play
    return points(position.board, tuple(sorted(region)))


def inferior(session: HtpSession, request: HtpRequest) -> str:
    """Return the inferior cells of the side to move, each with its kind; or only the fill-in."""
    position = session.asked(request)
    session.compiled(position.board, request.stopped)
    wanted = "f" if request.name == "compute-fillin" else "fi"
    marks = {c: mark for c, mark in _marks(position).items() if mark[0] in wanted}
    return _pairs(position.board, marks)


def _marks(position: Position) -> dict[int, str]:
    """Return the marks of inferior cells for HexGui: fd and fc by colour, iv and id with a cell."""
    if position.winner is not None:
        return {}
    from hextui.engine.inferior import inferior_cells

    inferior = inferior_cells(position)
    marks = {cell: f"iv[{other}]" for cell, other in inferior.vulnerable.items()}
    marks |= {cell: f"id[{other}]" for cell, other in inferior.dominated.items()}
    for color in Color:
        marks |= dict.fromkeys(inferior.captured[color], f"fc{str(color)[0]}")
    marks |= dict.fromkeys(inferior.dead, f"fd{str(position.to_move)[0]}")
    return {position.board.cell(cell): mark for cell, mark in marks.items()}


def _pairs(board: Board, marks: dict[int, str]) -> str:
    return " ".join(f"{board.name(cell)} {mark}" for cell, mark in sorted(marks.items()))


def _kind(request: HtpRequest) -> ConnectionKind:
    return ConnectionKind(request.name.rpartition("-")[2])


def _between(session: HtpSession, request: HtpRequest) -> Iterator[Connection]:
    """Return the connections of two ends, of the kind in the command's name."""
    color = request.color()
    kind = _kind(request)
    position = session.position(color)
    ends = [node_named(word, position, color, _COMPASS) for word in request.words[1:]]
    table = session.bench_at(position, request.stopped).table(color)
    return (c for c in table.between(*ends) if c.kind is kind)


def _line(board: Board, color: Color, connection: Connection) -> str:
    first, second = (node_name(end, board, color, _COMPASS) for end in sorted(connection.nodes))
    carrier = points(board, tuple(sorted(connection.cells)))
    key = "" if connection.key_cell is None else f" {board.name(connection.key_cell)}"
    brackets = f"[ {carrier} ] [ ]" if carrier else "[ ] [ ]"
    return f"{color} {first} {second} {connection.kind} {connection.rule} {brackets}{key}"


_EVALUATORS = {"eval-resist-cells": "resistance", "eval-twod": "two-distance"}


def values(session: HtpSession, request: HtpRequest) -> str:
    """Return an evaluator's value of each move: ``hextui-values k-paths:1 black``."""
    if name := _EVALUATORS.get(request.name, ""):
        position = session.asked(request)
    else:
        name, word = request.take(2)
        position = session.position(Color.parse(word))
    board = position.board
    ranking = _ranking(session, name, position, request)
    moves = sorted(ranking.moves, key=lambda move: move.cell)
    return " ".join(f"{board.name(move.cell)} {move.value:.6g}" for move in moves)


def heat(session: HtpSession, request: HtpRequest) -> str:
    """Return the rank of each move by an evaluator as a share, 1 for the first, 0 for the last."""
    name, word = request.take(2)
    position = session.position(Color.parse(word))
    ranking = _ranking(session, name, position, request)
    cells = " ".join(
        f"{position.board.name(cell)} {quality.mid_q:.3f}"
        for cell, quality in sorted(qualities(ranking).items())
    )
    best = position.board.name(ranking.moves[0].cell) if ranking.moves else "none"
    return f"INFLUENCE {cells} TEXT {ranking.evaluator}, {position.to_move} to move: {best}"


def resistance(session: HtpSession, request: HtpRequest) -> str:
    """Return the logarithms of both colours' resistances, and White's minus Black's."""
    bench = session.bench_at(session.asked(request), request.stopped)
    logarithms = {}
    for color in Color:
        resistance_of = bench.circuit(color).resistance
        logarithms[color] = math.log(resistance_of) if resistance_of else -math.inf
    black = logarithms[Color.BLACK]
    white = logarithms[Color.WHITE]
    return f"res {white - black:.3f} rew {white:.3f} reb {black:.3f}"


def explain(session: HtpSession, request: HtpRequest) -> str:
    """Explain a move's value in words; by default the best move's, by our evaluator."""
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
    explanation = chosen.explained(bench, cell)
    words = explanation_words(explanation, Names.BLACK_WHITE)
    lines = [
        f"{explanation.evaluator}: {position.board.name(cell)} has {explanation.value:.6g}, "
        f"rank {explanation.rank} of {explanation.moves}",
        words.sentence,
        words.formula,
        *(
            f"{term.symbol} {meaning}: {term.value}"
            for term, meaning in zip(explanation.facts.terms, words.meanings, strict=True)
        ),
    ]
    return "\n".join(lines)


def _ranking(session: HtpSession, name: str, position: Position, request: HtpRequest) -> Ranking:
    """Return the final ranking of a position, or the last one before the command was stopped."""
    bench = session.bench_at(position, request.stopped)
    chosen = evaluator(name)
    ranking = Ranking(chosen.name, ())
    if position.winner is None:
        for ranking in chosen.rank(bench):  # noqa: B007
            if request.stopped():
                break
    return ranking


COMMANDS: dict[str, Handler] = {
    **{f"vc-between-cells-{kind}": between_cells for kind in ConnectionKind},
    **{f"vc-connected-to-{kind}": connected_to for kind in ConnectionKind},
    **{f"vc-intersection-{kind}": cells_between for kind in ConnectionKind},
    **{f"vc-union-{kind}": cells_between for kind in ConnectionKind},
    "vc-build": build,
    "hextui-mustplay": mustplay,
    "compute-inferior": inferior,
    "compute-fillin": inferior,
    "hextui-values": values,
    "hextui-heat": heat,
    "hextui-explain": explain,
    "eval-resist": resistance,
    "eval-resist-cells": values,
    "eval-twod": values,
}
