"""Public API: who wins, by the solver, checked proofs, and a search of every line of any game."""

from typing import TYPE_CHECKING, Any, NamedTuple

from hextui.api.positions import Closable, board_of, expect, expect_position
from hextui.engine.board import Board
from hextui.engine.cells import Cells
from hextui.engine.position import Position
from hextui.engine.solver.check import ProofError
from hextui.engine.solver.check import check as checked
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.solution import Solution

if TYPE_CHECKING:
    from hextui.engine.search.best_move import GameState
    from hextui.engine.solver import dfpn

__all__ = ["Proof", "ProofError", "Solution", "Solver", "best_move", "check", "solve"]


class Solver(Closable):
    """Solves positions of one board, and keeps its transposition table between questions.

    It holds up to 256 MiB of memory, and threads, until it is closed: use ``with``. One thread at a
    time may use it.

    >>> from hextui import position
    >>> with Solver("4x4") as solver:
    ...     solution = solver.solve(position("4x4"), seconds=60)
    ...     proof = solver.prove(position("4x4"))
    >>> solution.winning_moves
    <Cells d1 c2 b3 a4>
    >>> print(proof)
    black wins: 1 node, 1 connection among them
    """

    def __init__(self, board: Board | str | int) -> None:
        from hextui.engine.solver import dfpn

        self._solver: dfpn.Solver | None = dfpn.Solver(board_of(board))

    def close(self) -> None:
        """Free memory and threads; the solver cannot be used after that."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def solve(self, position: Position, *, seconds: float | None = None) -> Solution:
        """Find the winner, then the verdict of every move, within a number of seconds if given.

        Asked again, it resumes where it stopped. Raises ValueError for a position of another
        board, or after ``close``.
        """
        from hextui.engine.limit import Limit

        expect_position(position)
        *_, final = self._open.solve(position, Limit(seconds=seconds), all_moves=True)
        return final

    def prove(self, position: Position) -> Proof:
        """Return a proof of who wins; what is not solved yet is solved first."""
        from hextui.engine.solver.proof_export import Exporter

        return Exporter(self._open).prove(expect_position(position))

    @property
    def _open(self) -> "dfpn.Solver":
        if self._solver is None:
            raise ValueError("the solver is closed")
        return self._solver


def solve(position: Position, *, seconds: float | None = None) -> Solution:
    """Solve one position (see docs/solver.md); use a ``Solver`` for several of one board.

    >>> from hextui import position
    >>> solution = solve(position("3x3", "a1"))
    >>> solution.winner, solution.winning_moves
    (<Color.WHITE: 2>, <Cells b2>)
    """
    with Solver(expect_position(position).board) as solver:
        return solver.solve(position, seconds=seconds)


def check(proof: Proof) -> Cells:
    """Check a proof from adjacencies up; return the empty cells that the winner needs.

    This shares no code with the search. Raises ProofError, a ValueError, if the proof does not
    hold, and ValueError if checking it takes too long.

    >>> from hextui import position
    >>> with Solver("3x3") as solver:
    ...     proof = solver.prove(position("3x3", "a1 b2"))
    >>> check(proof)
    <Cells c1 a2 c2 a3>
    """
    expect(proof, Proof, "a Proof (Solver.prove makes one)")
    return Cells.of(proof.position.board, checked(proof).carrier)


class ScoredMove(NamedTuple):
    """A move, None if the game is over, and its score: 1 wins, 0 draws, -1 loses."""

    move: Any
    score: int


def best_move(state: "Position | GameState") -> ScoredMove:
    """Return the best move of a two-player game, found by searching every line.

    A state is a Hex position with at most 9 empty cells, or any hashable object with ``moves``
    (what ``play`` takes; none when the game is over), ``to_move``, ``winner`` (None in a draw) and
    ``play(move)``, which returns the next state. Moves of Hex are returned as strings.

    >>> from hextui import position
    >>> best_move(position("3x3", "a1"))
    ScoredMove(move='b2', score=1)
    >>> class Nim(NamedTuple):  # take one or two; who takes the last one wins
    ...     left: int
    ...     to_move: int = 0
    ...     @property
    ...     def moves(self): return tuple(range(1, min(self.left, 2) + 1))
    ...     @property
    ...     def winner(self): return None if self.left else 1 - self.to_move
    ...     def play(self, move): return Nim(self.left - move, 1 - self.to_move)
    >>> best_move(Nim(5))
    ScoredMove(move=2, score=1)
    """
    from hextui.engine.search import best_move as search
    from hextui.engine.search.small_games import HexGame

    if isinstance(state, Position):
        game = HexGame.at(state)
        scored = search.best_move(game)
        return ScoredMove(
            None if scored.move is None else game.move_name(scored.move), scored.score
        )
    missing = [n for n in ("moves", "to_move", "winner", "play") if not hasattr(state, n)]
    if missing:
        raise TypeError(f"a state of a game has no {missing[0]}: {state!r:.60}")
    scored = search.best_move(state)
    return ScoredMove(scored.move, scored.score)
