"""Write the proof of a position that the strong solver has solved.

The strategy is read from the solver's table; positions that the table lost are solved again. The
leaves are connections of the winner's edges. Against the loser's moves the proof uses must-play: a
reply answers every move outside its carrier, so only moves inside all carriers so far are left.
Dead cells and captured pairs are filled in; moves that a reply makes dead are left out.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import product

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.connection import Connection, Rule
from hextui.engine.connections import ConnectionSearch, ConnectionSettings, ConnectionTable
from hextui.engine.limit import Limit
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver
from hextui.engine.solver.proof import (
    And,
    Captured,
    Dead,
    Fill,
    Joined,
    Kill,
    Node,
    Or,
    Play,
    Proof,
    ProofBuilder,
    Replies,
    Reply,
    Step,
    Touch,
)
from hextui.engine.solver.solution import Solution


class UnprovedError(Exception):
    """The solver was told to stop before the proof was complete."""


class Exporter:
    """Proves positions of a solver's board; uses the solver, so one caller at a time."""

    def __init__(self, solver: Solver, stop: Callable[[], bool] | None = None) -> None:
        self._check_position = solver.check_position
        self._solver = solver.canonical
        self._stop = stop
        self._leaves = {color: LeafMaker(self._solver.board, color) for color in Color}
        self._rings = Rings(self._solver.board)
        self._builder = ProofBuilder()
        self._places: dict[tuple[bytes, Color], int] = {}
        self._winner = Color.BLACK

    def prove(self, position: Position) -> Proof:
        """Return the proof of who wins, when nobody swaps; raises UnprovedError when stopped.

        Raises ValueError for a position of another board, or if the solver is closed.
        """
        self._check_position(position)
        held = canonical(position)
        return proof_back(self._proved(held.position), held)

    def _proved(self, position: Position) -> Proof:
        """Return the proof of a position in canonical orientation."""
        self._builder = ProofBuilder()
        self._places = {}
        self._winner = self._winner_of(position)
        root = self._node(
            position, self._rings.padded(position.stones), range(len(position.stones))
        )
        return self._builder.proof(position, self._winner, root)

    def _winner_of(self, position: Position) -> Color:
        if position.winner is not None:
            return position.winner
        known = self._solver.look_up(position)
        if known is not None and known.winner is not None:
            return known.winner
        winner = self._solved(position).winner
        assert winner is not None
        return winner

    def _solved(self, position: Position) -> Solution:
        """Solve a position; raises UnprovedError when stopped."""
        *_, solution = self._solver.solve(position, Limit(), self._stop)
        if solution.winner is None:
            raise UnprovedError("stopped before the proof was complete")
        return solution

    def _after(self, position: Position, stones: bytearray, cell: int) -> int:
        """Return the node of what follows a move."""
        played = bytearray(stones)
        played[cell] = position.to_move
        return self._node(position.play(cell), played, (cell,))

    def _node(self, position: Position, stones: bytearray, fresh: Iterable[int]) -> int:
        """Return the node of a position; ``stones`` are filled in but for what is fresh."""
        if self._stop is not None and self._stop():
            raise UnprovedError("stopped before the proof was complete")
        pairs = self._rings.fill(stones, fresh, self._winner)
        key = (bytes(stones), position.to_move)
        if key not in self._places:
            self._places[key] = self._builder.add(self._made(position, stones))
        place = self._places[key]
        if not pairs:
            return place
        return self._builder.add(Fill(tuple(Captured(*pair) for pair in pairs), place))

    def _made(self, position: Position, stones: bytearray) -> Node:
        board, mover = position.board, position.to_move
        filled = Position(board, bytes(stones[: board.cells]), mover)
        if filled.winner is self._winner:
            return Joined(True, frozenset())
        full, semis = self._leaves[self._winner].connections(filled)
        if full is not None:
            return full
        if mover is not self._winner:
            return self._replies(position, stones, filled, semis)
        if semis:
            return semis[0]
        cell = self._winning_move(position, filled)
        return Play(cell, self._after(position, stones, cell))

    def _winning_move(self, position: Position, filled: Position) -> int:
        known = self._solver.look_up(position)
        if known is not None and known.best is not None and known.best in filled.empties:
            return known.best
        for cell in filled.empties:
            known = self._solver.look_up(position.play(cell))
            if known is not None and known.winner is self._winner:
                return cell
        # the table lost it or never held it: other moves may lose, and take long to solve
        solution = self._solved(filled)
        return next(iter(solution.winning_moves or sorted(solution.carrier) or filled.empties))

    def _replies(
        self, position: Position, stones: bytearray, filled: Position, semis: list[Joined]
    ) -> Replies:
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
            use(self._after(position, stones, self._strongest(position, moves, region)))
        carrier = frozenset[int]().union(*(self._builder.carrier(place) for _, place in answers))
        while more := {killers[cell] for cell in carrier & region} - carrier:
            carrier |= {cell for cell in more if cell is not None}
        replies = [Reply(to & carrier, place) for to, place in answers if to & carrier]
        kills = [
            Kill(cell, by) for cell in sorted(carrier & region) if (by := killers[cell]) is not None
        ]
        return Replies(carrier, (*replies, *kills))

    def _strongest(self, position: Position, moves: set[int], region: frozenset[int]) -> int:
        """Return the move after which the winner is known to need the fewest of the region."""

        def left(cell: int) -> tuple[int, int]:
            known = self._solver.look_up(position.play(cell))
            if known is None or known.winner is not self._winner:
                return len(region), cell
            return len(known.carrier & region), cell

        return min(moves, key=left)


def proof_back(proof: Proof, held: Orientation) -> Proof:
    """Return a proof of a position in another orientation for the position itself."""
    if held.plain:
        return proof
    return Proof(
        held.back(proof.position),
        held.color_back(proof.winner),
        tuple(_node_back(node, held) for node in proof.nodes),
    )


def _node_back(node: Node, held: Orientation) -> Node:
    cell_of = held.cell_of
    match node:
        case Joined():
            steps = tuple(_step_back(step, held) for step in node.steps)
            return Joined(node.full, held.cells_back(node.carrier), steps)
        case Play():
            return Play(cell_of[node.cell], node.then)
        case Replies():
            answers = tuple(
                Reply(held.cells_back(answer.to), answer.then)
                if isinstance(answer, Reply)
                else Kill(cell_of[answer.cell], cell_of[answer.by])
                for answer in node.answers
            )
            return Replies(held.cells_back(node.carrier), answers)
        case Fill():
            fills = tuple(
                Dead(cell_of[step.cell])
                if isinstance(step, Dead)
                else Captured(cell_of[step.first], cell_of[step.second])
                for step in node.steps
            )
            return Fill(fills, node.then)


def _step_back(step: Step, held: Orientation) -> Step:
    match step:
        case Touch():
            return Touch(int(held.node_of[step.first]), int(held.node_of[step.second]))
        case And() | Or():
            captured = tuple(
                (held.cell_of[one], held.cell_of[other]) for one, other in step.captured
            )
            return replace(step, captured=captured)


_QUICK = ConnectionSettings(captured=True)
_WIDE = ConnectionSettings(
    and_over_edges=True,
    captured=True,
    full_limit=30,
    semi_limit=60,
    cell_full_limit=30,
    cell_semi_limit=60,
)


class LeafMaker:
    """Finds the connections again, inside carriers that are known to connect.

    One thread at a time may use it.
    """

    def __init__(self, board: Board, winner: Color) -> None:
        self._winner = winner
        self._search = ConnectionSearch(board, winner, _QUICK)
        self._wide: ConnectionSearch | None = None

    def leaf(self, position: Position, full: bool, carrier: frozenset[int] | None = None) -> Joined:
        """Return a leaf for a position whose edges are connected inside ``carrier``.

        ``full``: whoever moves, else only if the winner does. Without a carrier all empty cells may
        be used. The leaf's carrier can be smaller. If the search does not find the connection, the
        leaf has no steps, and whoever checks it plays the carrier out.
        """
        inside = frozenset(position.empties) if carrier is None else carrier
        given = _given(position, inside, self._winner.opponent)
        found = self._derived(self._search, given, full)
        if found is None:
            if self._wide is None:
                self._wide = ConnectionSearch(position.board, self._winner, _WIDE)
            found = self._derived(self._wide, given, full)
        return found or Joined(full, inside)

    def find(self, position: Position, full: bool) -> Joined | None:
        """Return a leaf if the quick search finds a connection of the edges."""
        return self._derived(self._search, position, full)

    def connections(self, position: Position) -> tuple[Joined | None, list[Joined]]:
        """Return the smallest full connection of the edges, and the semi ones, smallest first.

        Semi ones are listed only where there is no full one.
        """
        self._search.search(position)
        table = self._search.table()
        if table.edge_fulls:
            return derivation(table, table.edge_fulls[0]), []
        return None, [derivation(table, semi) for semi in table.edge_semis]

    @staticmethod
    def _derived(search: ConnectionSearch, position: Position, full: bool) -> Joined | None:
        search.search(position)
        table = search.table()
        connections = table.edge_fulls if full else table.edge_semis
        return derivation(table, connections[0]) if connections else None


def derivation(table: ConnectionTable, connection: Connection) -> Joined:
    """Return a leaf for a connection of the edges that a fresh search found."""
    rows = table.derivation(connection.id)
    places = {row.id: place for place, row in enumerate(rows)}
    steps = tuple(_step(row, places) for row in rows)
    return Joined(connection.kind == "full", connection.carrier, steps)


def _step(row: Connection, places: dict[int, int]) -> Step:
    premises = [places[premise] for premise in row.premises]
    match row.rule:
        case Rule.ADJACENCY:
            return Touch(*row.ends)
        case Rule.AND:
            return And(premises[0], premises[1], row.captured)
        case Rule.OR:
            return Or(tuple(premises), row.captured)
        case Rule.STONE | Rule.TEMPLATE:
            raise ValueError("a fresh search plays no stones, and looks no templates up")


def _given(position: Position, inside: frozenset[int], loser: Color) -> Position:
    """Return the position with all other empty cells given to the loser."""
    stones = bytearray(position.stones)
    for cell in position.empties:
        stones[cell] = EMPTY if cell in inside else loser
    return Position(position.board, bytes(stones), position.to_move)


_RING = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))  # neighbours in cyclic order


@cache
def _dead_codes() -> bytes:
    """Return for every ring, two bits a cell, whether its middle is dead."""
    dead = bytearray(4**6)
    for ring in product((EMPTY, *Color), repeat=6):
        ways = product(*((stone,) if stone else tuple(Color) for stone in ring))
        hangs = (sum(a != b for a, b in zip(way, (*way[1:], way[0]), strict=True)) for way in ways)
        dead[sum(stone << 2 * place for place, stone in enumerate(ring))] = all(
            changes <= 2 for changes in hangs
        )
    return bytes(dead)


class Rings:
    """The rings of one board. Stones are a bytearray with three places more: see `padded`."""

    def __init__(self, board: Board) -> None:
        self._cells = board.cells
        self._near = board.neighbours
        self._dead = _dead_codes()
        self._ring = [_ring_of(board, cell) for cell in range(board.cells)]

    def padded(self, stones: bytes) -> bytearray:
        """Return stones followed by what lies beyond corners, and beyond the players' edges."""
        return bytearray(stones) + bytes((EMPTY, Color.BLACK, Color.WHITE))

    def is_dead(self, stones: bytearray, cell: int) -> bool:
        """Tell whether the ring of a cell makes it dead."""
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
        """Tell whether a stone of ``color`` on ``killer`` makes ``cell`` dead."""
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
        """Fill in around fresh stones, to a fixpoint; return the pairs that ``winner`` captures.

        Dead cells, and what the other player captures, get the other player's stones.
        """
        loser = winner.opponent
        pairs: list[tuple[int, int]] = []
        waiting = {near for cell in fresh for near in (cell, *self._near[cell])}
        while waiting:
            cell = waiting.pop()
            if stones[cell] != EMPTY:
                continue
            filled: tuple[int, ...] = ()
            if self.is_dead(stones, cell):
                stones[cell] = loser
                filled = (cell,)
            else:
                for near in self._near[cell]:
                    owner = self._captor(stones, cell, near)
                    if owner is not None:
                        stones[cell] = stones[near] = owner
                        filled = (cell, near)
                        if owner is winner:
                            pairs.append((cell, near))
                        break
            waiting.update(near for done in filled for near in self._near[done])
        return tuple(pairs)

    def _captor(self, stones: bytearray, one: int, other: int) -> Color | None:
        if stones[other] == EMPTY:
            for color in Color:
                if self.kills(stones, color, one, other) and self.kills(stones, color, other, one):
                    return color
        return None


def _ring_of(board: Board, cell: int) -> tuple[int, ...]:
    row, column = divmod(cell, board.columns)
    found = []
    for down, right in _RING:
        r, c = row + down, column + right
        above, beside = not 0 <= r < board.rows, not 0 <= c < board.columns
        if above or beside:
            # what lies beyond a corner could be anybody's: as an empty cell it proves least
            place = EMPTY if above and beside else Color.BLACK if above else Color.WHITE
            found.append(board.cells + place)
        else:
            found.append(r * board.columns + c)
    return tuple(found)
