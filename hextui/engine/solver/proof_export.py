"""Writes out the proof of a position that the strong solver has solved.

The strategy is read from the solver's table, and what the table lost is solved again. Connections
of the winner's edges are the leaves. Against the loser's moves the proof plays must-play: an answer
serves for every move outside its carrier, so that only moves inside all carriers so far are left.
Dead cells and captured pairs are filled in on the way; moves that a reply makes dead are left out.
"""

from collections.abc import Callable, Iterable

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver
from hextui.engine.solver.held import proof_back
from hextui.engine.solver.leaves import LeafMaker
from hextui.engine.solver.proof import (
    Captured,
    Fill,
    Joined,
    Kill,
    Node,
    Play,
    Proof,
    ProofBuilder,
    Replies,
    Reply,
)
from hextui.engine.solver.rings import Rings
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
