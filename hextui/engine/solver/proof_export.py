"""Write the proof of a position that the strong solver has solved.

The strategy is read from the solver's table; positions that the table lost are solved again. The
leaves are connections of the winner's edges. A reply answers every move outside its carrier. Dead
cells and captured pairs are filled in.
"""

from collections.abc import Callable, Iterable

import numpy as np

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.connection import Connection, Rule
from hextui.engine.connections import ConnectionSearch, ConnectionSettings, ConnectionTable
from hextui.engine.kernels.solver import layout
from hextui.engine.limit import StoppedError
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.solver import proof as proofs
from hextui.engine.solver.dfpn import Solver, solutions
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.search import Search
from hextui.engine.solver.solution import Solution


class Exporter:
    """Proves positions of a solver's board; uses the solver, so one caller at a time.

    Once ``is_late``, a proof is shortened: the winner's answers to the first moves of the loser
    are complete, but `Replies` further down have a carrier alone, no answers.
    """

    def __init__(
        self,
        solver: Solver,
        stop: Callable[[], bool] | None = None,
        is_late: Callable[[], bool] = lambda: False,
    ) -> None:
        board = solver.search.board
        self._solver = solver
        self._stop = stop or (lambda: False)
        self._is_late = is_late
        self._leaves = {color: LeafMaker(board, color) for color in Color}
        self._rings = Rings(board)

    def prove(self, position: Position) -> Proof:
        """Return the proof of who wins, when nobody swaps; raises StoppedError when stopped."""
        self._solver.check_position(position)
        orientation = canonical(position)
        oriented = orientation.position
        search = self._solver.search
        answer = search.look_up(oriented)
        winner = oriented.winner or (answer and answer.winner)
        winner = winner or _solved(search, oriented, self._stop).winner
        assert winner is not None
        writer = _ProofWriter(
            search=search,
            winner=winner,
            leaves=self._leaves[winner],
            rings=self._rings,
            stop=self._stop,
            is_late=self._is_late,
        )
        return writer.proof(oriented).back(orientation)


def _solved(search: Search, position: Position, stop: Callable[[], bool]) -> Solution:
    *_, solution = solutions(search, position, stop=stop)
    if solution.winner is None:
        raise StoppedError("stopped before the proof was complete")
    return solution


class _ProofWriter:
    """Writes the proof of one position, in the orientation in which it is seen."""

    def __init__(
        self,
        search: Search,
        winner: Color,
        leaves: "LeafMaker",
        rings: "Rings",
        stop: Callable[[], bool],
        is_late: Callable[[], bool],
    ) -> None:
        self._search = search
        self._winner = winner
        self._leaves = leaves
        self._rings = rings
        self._stop = stop
        self._is_late = is_late
        self._builder = proofs.ProofBuilder()
        self._places: dict[tuple[bytes, Color], int] = {}
        self._depth = 0  # of the replies that are being written

    def proof(self, position: Position) -> Proof:
        stones = self._rings.padded(position.stones)
        root = self._node(position, stones, range(len(position.stones)))
        return self._builder.proof(position, self._winner, root)

    def _after(self, position: Position, stones: bytearray, cell: int) -> int:
        played = bytearray(stones)
        played[cell] = position.to_move
        return self._node(position.play(cell), played, (cell,))

    def _node(self, position: Position, stones: bytearray, fresh: Iterable[int]) -> int:
        """Return the node of a position; ``stones`` are filled in but for what is fresh."""
        if self._stop():
            raise StoppedError("stopped before the proof was complete")
        pairs = self._rings.fill(stones, fresh, self._winner)
        key = (bytes(stones), position.to_move)
        if key not in self._places:
            self._places[key] = self._builder.add(self._made(position, stones))
        place = self._places[key]
        return self._builder.add(proofs.Fill(pairs, place)) if pairs else place

    def _made(self, position: Position, stones: bytearray) -> proofs.Node:
        board, mover = position.board, position.to_move
        filled = Position(board, bytes(stones[: board.cells]), mover)
        if filled.winner is self._winner:
            return proofs.Joined(True, frozenset())
        full, semis = self._leaves.connections(filled)
        if full is not None:
            return full
        if mover is not self._winner:
            return self._replies(position, stones, filled, semis)
        if semis:
            return semis[0]
        cell = self._winning_move(position, filled)
        return proofs.Play(cell, self._after(position, stones, cell))

    def _winning_move(self, position: Position, filled: Position) -> int:
        answer = self._search.look_up(position)
        if answer is not None and answer.best is not None and answer.best in filled.empties:
            return answer.best
        for cell in filled.empties:
            answer = self._search.look_up(position.play(cell))
            if answer is not None and answer.winner is self._winner:
                return cell
        # the table lost it or never held it: other moves may lose, and take long to solve
        solution = _solved(self._search, filled, self._stop)
        return next(iter(solution.wins or solution.carrier.numbers or filled.empties))

    def _replies(
        self, position: Position, stones: bytearray, filled: Position, semis: list[proofs.Joined]
    ) -> proofs.Replies:
        self._depth += 1
        region = frozenset(filled.empties)
        answers: list[tuple[frozenset[int], int]] = []

        def use(place: int) -> None:
            nonlocal region
            carrier = self._builder.carrier(place)
            answers.append((region - carrier, place))
            region &= carrier

        for semi in semis:
            if region - semi.carrier:
                use(self._builder.add(semi))
        killers = {cell: self._rings.killer(stones, self._winner, cell) for cell in region}
        while moves := {cell for cell in region if killers[cell] is None or not answers}:
            if self._depth > 1 and self._is_late():
                needed = self._needed(position)
                self._depth -= 1
                return proofs.Replies(needed & frozenset(filled.empties), ())
            use(self._after(position, stones, self._strongest(position, moves, region)))
        self._depth -= 1
        return self._replies_of(answers, killers, region)

    def _needed(self, position: Position) -> frozenset[int]:
        """Return the cells that the winner needs, from the solver's table or a new search."""
        answer = self._search.look_up(position)
        if answer is not None and answer.winner is self._winner:
            return answer.carrier
        return frozenset(_solved(self._search, position, self._stop).carrier.numbers)

    def _replies_of(
        self,
        answers: list[tuple[frozenset[int], int]],
        killers: dict[int, int | None],
        region: frozenset[int],
    ) -> proofs.Replies:
        """Return the node of answers; moves in the region that is left are killed.

        The carrier gets the killers that it needs, and their killers in turn.
        """
        carrier = frozenset[int]().union(*(self._builder.carrier(place) for _, place in answers))
        while more := {killers[cell] for cell in carrier & region} - carrier:
            carrier |= {cell for cell in more if cell is not None}
        replies = [proofs.Reply(to & carrier, place) for to, place in answers if to & carrier]
        kills = [
            proofs.Kill(cell, by)
            for cell in sorted(carrier & region)
            if (by := killers[cell]) is not None
        ]
        return proofs.Replies(carrier, (*replies, *kills))

    def _strongest(self, position: Position, moves: set[int], region: frozenset[int]) -> int:
        """Return the move after which the winner is known to need the fewest of the region."""

        def left(cell: int) -> tuple[int, int]:
            answer = self._search.look_up(position.play(cell))
            if answer is None or answer.winner is not self._winner:
                return len(region), cell
            return len(answer.carrier & region), cell

        return min(moves, key=left)


class LeafMaker:
    """Finds the connections of a winner's edges; one thread at a time may use it."""

    def __init__(self, board: Board, winner: Color) -> None:
        self._search = ConnectionSearch(board, winner, ConnectionSettings(captured=True))

    def connections(self, position: Position) -> tuple[proofs.Joined | None, list[proofs.Joined]]:
        """Return the smallest full connection of the edges, else the semi ones, smallest first."""
        self._search.search(position)
        table = self._search.table()
        if table.edge_fulls:
            return derivation(table, table.edge_fulls[0]), []
        return None, [derivation(table, semi) for semi in table.edge_semis]


def derivation(table: ConnectionTable, connection: Connection) -> proofs.Joined:
    """Return a leaf for a connection of the edges that a fresh search found."""
    rows = table.why(connection)
    places = {row.id: place for place, row in enumerate(rows)}
    steps = tuple(_step(row, places) for row in rows)
    return proofs.Joined(connection.kind == "full", connection.cells, steps)


def _step(row: Connection, places: dict[int, int]) -> proofs.Step:
    premises = [places[premise] for premise in row.premises]
    match row.rule:
        case Rule.ADJACENCY:
            return proofs.Touch(*row.nodes)
        case Rule.AND:
            return proofs.And(premises[0], premises[1], row.pairs)
        case Rule.OR:
            return proofs.Or(tuple(premises), row.pairs)
        case Rule.STONE | Rule.TEMPLATE:
            raise ValueError("a fresh search plays no stones, and looks no templates up")


_RING = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # neighbours in cyclic order


class Rings:
    """The rings of one board. Stones are a bytearray with three places more: see `padded`."""

    def __init__(self, board: Board) -> None:
        self._near = board.neighbours
        self._dead = layout.DEAD_CODES.astype(np.bool_).tobytes()
        self._ring = []
        for cell in range(board.cells):
            row, column = divmod(cell, board.columns)
            ring = [
                layout.border_of(row + down, column + right, board.rows, board.columns)
                for down, right in _RING
            ]
            self._ring.append(ring)

    def padded(self, stones: bytes) -> bytearray:
        """Return stones, then what lies beyond the players' edges, and EMPTY beyond corners."""
        return bytearray(stones) + bytes((*Color, EMPTY))

    def is_dead(self, stones: bytearray, cell: int) -> bool:
        """Return whether the ring of a cell makes it dead."""
        a, b, c, d, e, f = self._ring[cell]
        return bool(
            self._dead[
                stones[a]
                | stones[b] << 2
                | stones[c] << 4
                | stones[d] << 6
                | stones[e] << 8
                | stones[f] << 10
            ]
        )

    def kills(self, stones: bytearray, color: Color, killer: int, cell: int) -> bool:
        """Return whether a stone of ``color`` on ``killer`` makes ``cell`` dead."""
        stones[killer] = color
        dead = self.is_dead(stones, cell)
        stones[killer] = EMPTY
        return dead

    def killer(self, stones: bytearray, color: Color, cell: int) -> int | None:
        """Return where a stone of ``color`` makes an empty cell dead, if anywhere beside it."""
        for near in self._near[cell]:
            if stones[near] == EMPTY and self.kills(stones, color, near, cell):
                return near
        return None

    def fill(
        self, stones: bytearray, fresh: Iterable[int], winner: Color
    ) -> tuple[tuple[int, int], ...]:
        """Fill in around fresh stones, to a fixpoint; return the pairs that ``winner`` captures."""
        loser = winner.opponent
        pairs: list[tuple[int, int]] = []
        waiting = {near for cell in fresh for near in (cell, *self._near[cell])}
        while waiting:
            cell = waiting.pop()
            if stones[cell] != EMPTY:
                continue
            if self.is_dead(stones, cell):
                stones[cell] = loser
                waiting.update(self._near[cell])
            elif (captured := self._captured_with(stones, cell)) is not None:
                other, owner = captured
                stones[cell] = stones[other] = owner
                waiting.update(self._near[cell])
                waiting.update(self._near[other])
                if owner is winner:
                    pairs.append((cell, other))
        return tuple(pairs)

    def _captured_with(self, stones: bytearray, cell: int) -> tuple[int, Color] | None:
        """Return the cell beside an empty one that is captured with it, and whose they are."""
        for near in self._near[cell]:
            owner = self._captor(stones, cell, near)
            if owner is not None:
                return near, owner
        return None

    def _captor(self, stones: bytearray, first: int, second: int) -> Color | None:
        """Return who captures two empty cells: whose stone on either makes the other dead."""
        if stones[second] == EMPTY:
            for color in Color:
                if self.kills(stones, color, first, second) and self.kills(
                    stones, color, second, first
                ):
                    return color
        return None
