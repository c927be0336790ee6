"""The commands of virtual connections, the must-play region and inferior cells."""

from collections.abc import Iterator

from hextui.engine.board import EMPTY, Board, Color, Edge, edges_of
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.inferior import InferiorCells
from hextui.engine.position import Position
from hextui.htp.htp_requests import HtpError, HtpRequest, points
from hextui.htp.htp_session import HtpSession

NORTH = {Edge.TOP: "north", Edge.BOTTOM: "south", Edge.LEFT: "west", Edge.RIGHT: "east"}
_EDGES = {word: edge for edge, name in NORTH.items() for word in (name, str(edge))}


def between_cells(session: HtpSession, request: HtpRequest) -> str:
    """Return the connections of two ends, a line each."""
    request.take(3)
    found = _between(session, request)
    return "\n".join(["", *(_line(session.game.board, request.color(), c) for c in found)])


def connected_to(session: HtpSession, request: HtpRequest) -> str:
    """Return the ends that an end has connections with: cells, and the own sides."""
    request.take(2)
    color, kind = request.color(), _kind(request)
    position = session.position(color)
    node = _node(position, color, request.words[1])
    table = session.bench_at(position, request.stopped).table(color)
    captain = position.groups.captain[node] if node < position.board.cells else -1
    node = node if captain < 0 else captain
    others = {
        end
        for connection in table.live()
        if connection.kind is kind and node in connection.ends
        for end in connection.ends
        if end != node
    }
    return " ".join(_name(position.board, color, end) for end in sorted(others))


def intersection(session: HtpSession, request: HtpRequest) -> str:
    """Return the cells that all connections of two ends need."""
    request.take(3)
    carriers = [connection.carrier for connection in _between(session, request)]
    common = frozenset.intersection(*carriers) if carriers else frozenset()
    return points(session.game.board, tuple(sorted(common)))


def union(session: HtpSession, request: HtpRequest) -> str:
    """Return the cells that any connection of two ends needs."""
    request.take(3)
    carriers = [connection.carrier for connection in _between(session, request)]
    return points(session.game.board, tuple(sorted(frozenset().union(*carriers))))


def build(session: HtpSession, request: HtpRequest) -> str:
    """Return what a colour to move need not look at: inferior cells, and x outside must-play."""
    position, region = _must_play(session, request)
    marks = _marks(session, position)
    for cell in position.empties:
        if cell not in region:
            marks.setdefault(cell, "x")
    return _pairs(position.board, marks)


def mustplay(session: HtpSession, request: HtpRequest) -> str:
    """Return where a colour to move must play, or it loses to a connection."""
    position, region = _must_play(session, request)
    return points(position.board, tuple(sorted(region)))


def inferior(session: HtpSession, request: HtpRequest) -> str:
    """Return the inferior cells of a colour to move, and why."""
    request.take(1)
    position = session.position(request.color())
    session.compile(position.board, request.stopped)
    return _pairs(position.board, _marks(session, position))


def fillin(session: HtpSession, request: HtpRequest) -> str:
    """Return the cells that may be filled in: dead and captured ones."""
    request.take(1)
    position = session.position(request.color())
    session.compile(position.board, request.stopped)
    marks = _marks(session, position)
    return _pairs(position.board, {c: mark for c, mark in marks.items() if mark[0] == "f"})


def _must_play(session: HtpSession, request: HtpRequest) -> tuple[Position, frozenset[int]]:
    request.take(1)
    color = request.color()
    position = session.position(color)
    bench = session.bench_at(position, request.stopped)
    from hextui.engine.must_play import must_play

    return position, must_play(bench.table(color.opponent))


def _marks(session: HtpSession, position: Position) -> dict[int, str]:
    """Return the inferior cells as HexGui draws them: fd fc by colour, iv id with a witness."""
    if position.winner is not None:
        return {}
    from hextui.engine.inferior import inferior_cells

    found: InferiorCells = inferior_cells(position)
    name = position.board.name
    marks = {cell: f"iv[{name(other)}]" for cell, other in found.vulnerable.items()}
    marks |= {cell: f"id[{name(other)}]" for cell, other in found.dominated.items()}
    for color in Color:
        marks |= dict.fromkeys(found.captured[color], f"fc{str(color)[0]}")
    marks |= dict.fromkeys(found.dead, f"fd{str(position.to_move)[0]}")
    return {cell: marks[cell] for cell in sorted(marks)}


def _pairs(board: Board, marks: dict[int, str]) -> str:
    return " ".join(f"{board.name(cell)} {mark}" for cell, mark in sorted(marks.items()))


def _kind(request: HtpRequest) -> ConnectionKind:
    return ConnectionKind(request.name.rpartition("-")[2])


def _between(session: HtpSession, request: HtpRequest) -> Iterator[Connection]:
    """Return the connections of two ends, of the kind that the command's name says."""
    color, kind = request.color(), _kind(request)
    position = session.position(color)
    ends = [_node(position, color, word) for word in request.words[1:]]
    table = session.bench_at(position, request.stopped).table(color)
    return (c for c in table.between(*ends) if c.kind is kind)


def _node(position: Position, color: Color, word: str) -> int:
    """Return the node of a cell's name or an own side's; raises ValueError."""
    edge = _EDGES.get(word.lower())
    if edge is None:
        cell = position.board.cell(word)
        if position.stones[cell] not in (EMPTY, color):
            raise HtpError(f"{word} is {color.opponent}")
        return cell
    if edge.color is not color:
        own = " and ".join(NORTH[side] for side in edges_of(color))
        raise HtpError(f"{color} joins {own}, not {word}")
    return position.board.cells + edges_of(color).index(edge)


def _name(board: Board, color: Color, node: int) -> str:
    if node < board.cells:
        return board.name(node)
    return NORTH[edges_of(color)[node - board.cells]]


def _line(board: Board, color: Color, found: Connection) -> str:
    first, second = (_name(board, color, end) for end in sorted(found.ends))
    carrier = points(board, tuple(sorted(found.carrier)))
    key = "" if found.key is None else f" {board.name(found.key)}"
    brackets = f"[ {carrier} ] [ ]" if carrier else "[ ] [ ]"
    return f"{color} {first} {second} {found.kind} {found.rule} {brackets}{key}"
