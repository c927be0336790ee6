"""The front door: what ``import hextui`` offers to a program or a notebook.

Cells, sides and colours go in as strings ("c4", "left", "red"); a ``Color`` and a ``Board`` do as
well. Cells come out as strings, colours as ``Color``. Positions and records are the engine's own.
The first call that needs the engine compiles it for that size of board, about a minute; ``warm``
does so ahead. What is computed here runs in the caller's thread.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, overload

from hextui.engine.board import EMPTY, Board, Color, edges_of
from hextui.engine.connection import Connection
from hextui.engine.connections import ConnectionTable
from hextui.engine.evaluators import evaluator as evaluator_named
from hextui.engine.evaluators.workbench import bench_of
from hextui.engine.limit import Limit
from hextui.engine.oriented import connections_of
from hextui.engine.position import Move, Position
from hextui.engine.search.front import best_lines
from hextui.engine.search.lines import DEFAULT_EVALUATOR, DEFAULT_WIDTHS, LineSettings
from hextui.engine.solver import dfpn
from hextui.engine.solver.check import check as checked
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_export import Exporter
from hextui.engine.warm import compile_width
from hextui.engine.widths import WIDTHS, is_all_warm, width_of
from hextui.records.codecs.svg_board import svg_position
from hextui.records.formats import read_record, source_of_argument
from hextui.records.record import Record

__all__ = [
    "Board",
    "Color",
    "Position",
    "Solver",
    "check",
    "connections",
    "draw",
    "lines",
    "position",
    "rank",
    "read",
    "solve",
    "warm",
]


def position(board: Board | str | int, moves: str | Iterable[str] = "") -> Position:
    """Return the position after some moves on an empty board, Black's first.

    A size is "11" or 11, or "4x3" with columns first. A move is a cell, ``swap-pieces``,
    ``swap-sides``, ``pass`` or ``resign``. Raises ValueError for what is neither, IllegalMoveError
    for a move that the rules forbid. ``Position.parse`` reads a diagram.

    >>> print(position("5x5", "a5 c3"))
    . . . . .
     . . . . .
      . . W . .
       . . . . .
        B . . . .
    """
    board = _board(board)
    reached = Position.empty(board)
    for move in moves.split() if isinstance(moves, str) else moves:
        reached = reached.apply(Move.parse(move, board))
    return reached


def read(source: str | Path, number: int = 1) -> Record:
    """Return a game record, the first of a file by default.

    ``source`` is a file of any format read, or what the command line takes for one: a HexWorld
    link or fragment, SGF text, ``-`` for standard input. Raises RecordError, a ValueError in one
    line.

    >>> game = read("(;FF[4]GM[11]SZ[5];B[a5];W[c3];B[b4])")
    >>> game.plies, game.position(ply=2) == position("5x5", "a5 c3")
    (3, True)
    """
    return read_record(source_of_argument(source) if isinstance(source, str) else source, number)


@dataclass(frozen=True)
class VirtualConnection:
    """A connection of two ends that the other side cannot cut, inside its ``carrier``.

    ``ends``: a cell, the first one of a group, or a side. ``kind``: ``full`` stands whoever moves
    first, ``semi`` if its owner does; ``key`` is then the move, if the AND rule made it. ``rule``
    and ``premises``, the ids of others, tell how it was found.
    """

    id: int
    ends: tuple[str, str]
    carrier: frozenset[str]
    kind: str
    rule: str
    key: str | None
    premises: tuple[int, ...]


class Connections:
    """The virtual connections of one colour at a position, most telling first.

    >>> found = connections(position("3x3", "b2"), "black")
    >>> found
    <Connections of black on 3x3: 59 full, 58 semi>
    >>> [(c.ends, c.kind) for c in found][0]
    (('top', 'bottom'), 'full')
    """

    def __init__(self, table: ConnectionTable) -> None:
        self._table = table

    @property
    def complete(self) -> bool:
        """Whether the search ran to its end; false only where it met its limit of memory."""
        return self._table.complete

    def __len__(self) -> int:
        return self._table.fulls + self._table.semis

    def __repr__(self) -> str:
        table = self._table
        ends = f"{table.color} on {table.position.board}"
        return f"<Connections of {ends}: {table.fulls} full, {table.semis} semi>"

    def __iter__(self) -> Iterator[VirtualConnection]:
        return map(self._named, self._table.live())

    def between(self, first: str, second: str) -> tuple[VirtualConnection, ...]:
        """Return the connections of two ends, full ones first, then by size.

        An end is a cell that is empty or has an own stone, which stands for its group, or an own
        side: ``top`` and ``bottom`` for Black, ``left`` and ``right`` for White. Raises
        ValueError for anything else.
        """
        return tuple(map(self._named, self._table.between(self._node(first), self._node(second))))

    def why(self, connection: VirtualConnection) -> tuple[VirtualConnection, ...]:
        """Return all that a connection rests on, adjacencies first, itself last."""
        return tuple(map(self._named, self._table.derivation(connection.id)))

    def _node(self, name: str) -> int:
        at, color = self._table.position, self._table.color
        sides = {str(side): at.board.cells + n for n, side in enumerate(edges_of(color))}
        word = name.strip().lower()
        if word in sides:
            return sides[word]
        if word in ("top", "bottom", "left", "right"):
            raise ValueError(f"{color} joins {' and '.join(sides)}, not {word}")
        cell = at.board.cell(word)
        if at.stones[cell] not in (EMPTY, color):
            raise ValueError(f"{word} is {color.opponent}")
        return cell

    def _named(self, found: Connection) -> VirtualConnection:
        name, board = self._table.node_name, self._table.position.board
        first, second = map(name, sorted(found.ends))
        return VirtualConnection(
            found.id,
            (first, second),
            _names(board, found.carrier),
            str(found.kind),
            str(found.rule),
            None if found.key is None else board.name(found.key),
            found.premises,
        )


def connections(position: Position, color: Color | str) -> Connections:
    """Return the virtual connections of a colour (see docs/methods.md#virtual-connections).

    >>> p = position("5x5", "a5 c3")
    >>> [best, *_] = connections(p, "white").between("c3", "right")
    >>> best.kind, sorted(best.carrier)
    ('full', ['c4', 'd2', 'd3', 'd4', 'e1', 'e2', 'e3', 'e4'])
    """
    return Connections(connections_of(position, _color(color)))


class RatedMove(NamedTuple):
    """A move with the evaluator's own number and its rank, 1 for the best; ties are exact."""

    move: str
    value: float
    rank: int


@dataclass(frozen=True)
class Rated(Sequence[RatedMove]):
    """Every legal move by one evaluator, best first for the side to move.

    ``exact`` is False where a cap stopped a count; ``note`` says in words what must be known.
    """

    evaluator: str
    moves: tuple[RatedMove, ...]
    exact: bool
    note: str

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, place: int) -> RatedMove: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[RatedMove, ...]: ...
    def __getitem__(self, place: int | slice) -> RatedMove | tuple[RatedMove, ...]:
        return self.moves[place]


def rank(position: Position, evaluator: str) -> Rated:
    """Rank every legal move by an evaluator, named as in docs/methods.md#evaluators.

    Raises ValueError for a name that is none.

    >>> [(m.move, m.rank) for m in rank(position("5x5", "a5 c3"), "k-paths:1")[:3]]
    [('b3', 1), ('d3', 2), ('d2', 3)]
    """
    bench = bench_of(position.board)
    bench.look_at(position)
    *_, final = evaluator_named(evaluator).rank(bench)
    name = position.board.name
    moves = tuple(RatedMove(name(m.cell), m.value, m.rank) for m in final.moves)
    return Rated(final.evaluator, moves, final.exact, final.note)


class BestLine(NamedTuple):
    """Moves of both sides in turn, and what the end is worth to the side that moves first.

    ``winner`` is set where the line ends with a proved win; the value is then inf or -inf.
    """

    moves: tuple[str, ...]
    value: float
    winner: Color | None


def lines(
    position: Position,
    evaluator: str = DEFAULT_EVALUATOR,
    *,
    widths: Sequence[int] = DEFAULT_WIDTHS,
    count: int = 5,
    literal: bool = False,
) -> tuple[BestLine, ...]:
    """Return the best lines of play by selective minimax, best first; none after a win.

    ``widths`` are the numbers of moves looked at, ply by ply, the last 0 (see
    docs/methods.md#selective-minimax). ``literal``: nothing proved ends a line, as in the source of
    ``blocking``; else the solver looks at the position first. Raises ValueError for widths or a
    name that are none.

    >>> lines(position("5x5", "a5 c3"), widths=(4, 2, 0), count=1)
    (BestLine(moves=('b3',), value=inf, winner=<Color.BLACK: 1>),)
    """
    settings = LineSettings(tuple(widths), count, literal)
    *_, final = best_lines(position, evaluator_named(evaluator), settings)
    name = position.board.name
    return tuple(
        BestLine(tuple(map(name, line.moves)), line.value, line.winner) for line in final.lines
    )


@dataclass(frozen=True)
class Outcome:
    """What the solver knows of a position, when nobody swaps.

    ``winner`` is None while unknown. Every empty cell is a winning, a losing or an unknown move.
    ``carrier``: the empty cells that the winner needs, whoever gets the others. ``line``: moves
    from here to the end of what is proved, the loser's those that held out longest. ``nodes`` are
    positions expanded. ``complete``: the winner and the verdict of every move are known.
    """

    winner: Color | None
    winning_moves: tuple[str, ...]
    losing_moves: tuple[str, ...]
    unknown_moves: tuple[str, ...]
    carrier: frozenset[str]
    line: tuple[str, ...]
    nodes: int
    seconds: float
    complete: bool


class Solver:
    """Solves positions of one board; what it found out serves the next question too.

    It holds much memory (256 MiB at most) and threads until it is closed: use ``with``. One
    thread at a time may use it.

    >>> with Solver("4x4") as solver:
    ...     outcome = solver.solve(position("4x4"), seconds=60)
    ...     proof = solver.prove(position("4x4"))
    >>> outcome.winning_moves
    ('d1', 'c2', 'b3', 'a4')
    >>> print(proof)
    black wins: 1 node, 1 connection among them
    """

    def __init__(self, board: Board | str | int) -> None:
        board = _board(board)
        self._solver: dfpn.Solver | None = dfpn.Solver(board)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give memory and threads back; the solver answers no more."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def solve(self, position: Position, *, seconds: float | None = None) -> Outcome:
        """Find the winner, then the verdict of every move, within a number of seconds if given.

        Asked again, it goes on where it stopped. Raises ValueError for a position of another
        board, or after ``close``.
        """
        *_, final = self._open.solve(position, Limit(seconds=seconds), all_moves=True)
        board = position.board
        return Outcome(
            final.winner,
            tuple(map(board.name, final.winning_moves)),
            tuple(map(board.name, final.losing_moves)),
            tuple(map(board.name, final.unknown_moves)),
            _names(board, final.carrier),
            tuple(map(board.name, final.line)),
            final.nodes,
            final.seconds,
            final.complete,
        )

    def prove(self, position: Position) -> Proof:
        """Return a proof of who wins, solving first what is not solved yet."""
        return Exporter(self._open).prove(position)

    @property
    def _open(self) -> dfpn.Solver:
        if self._solver is None:
            raise ValueError("the solver is closed")
        return self._solver


def solve(position: Position, *, seconds: float | None = None) -> Outcome:
    """Solve one position (see docs/solver.md); for several of a board use a ``Solver``.

    >>> outcome = solve(position("3x3", "a1"))
    >>> outcome.winner, outcome.winning_moves
    (<Color.WHITE: 2>, ('b2',))
    """
    with Solver(position.board) as solver:
        return solver.solve(position, seconds=seconds)


def check(proof: Proof) -> frozenset[str]:
    """Check a proof from adjacencies up; return the empty cells that the winner needs.

    It shares no code with the search. Raises ProofError, a ValueError, if the proof does not hold,
    and ValueError if checking it takes too long.

    >>> with Solver("3x3") as solver:
    ...     proof = solver.prove(position("3x3", "a1 b2"))
    >>> sorted(check(proof))
    ['a2', 'a3', 'c1', 'c2']
    """
    return _names(proof.position.board, checked(proof).carrier)


class Picture(str):
    """A picture as SVG text; notebooks show it."""

    def _repr_svg_(self) -> str:
        return str(self)


def draw(position: Position, labels: Mapping[str, str] | Iterable[str] = ()) -> Picture:
    """Draw a position as SVG, with texts on some cells, or dots on cells without texts.

    >>> picture = draw(position("5x5", "a5 c3"), {"b4": "?"})
    >>> picture.startswith("<svg"), "?" in picture
    (True, True)
    """
    texts = labels if isinstance(labels, Mapping) else dict.fromkeys(labels, "•")
    return Picture(svg_position(position, {position.board.cell(c): t for c, t in texts.items()}))


def warm(
    board: Board | str | int | None = None, *, progress: Callable[[str], object] | None = None
) -> None:
    """Compile the engine for a board, or for all sizes; what is compiled is not done again.

    ``progress`` is told each step in words.

    >>> warm("3x3", progress=lambda step: None)
    """
    for width in WIDTHS if board is None else (width_of(_board(board).cells),):
        if is_all_warm(width):
            continue
        for step in compile_width(width):
            if progress is not None:
                progress(f"up to {64 * width} cells: {step.done} of {step.total}, {step.label}")


def _board(board: Board | str | int) -> Board:
    return board if isinstance(board, Board) else Board.parse(str(board))


def _color(color: Color | str) -> Color:
    return Color.parse(color) if isinstance(color, str) else color


def _names(board: Board, cells: Iterable[int]) -> frozenset[str]:
    return frozenset(map(board.name, cells))
