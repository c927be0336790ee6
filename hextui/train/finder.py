"""Finding puzzles in a game: positions in which few moves win, every move proved.

The game is solved backwards from its end as far as the nodes last. Then every move is judged where
the side to move wins: first where it lost the win, then from the end backwards. The work is
counted in nodes of the solver, so the puzzles depend on the game alone.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.engine.board import Color, edges_of
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Reason, Solution
from hextui.engine.solver.tactics import groups_at_both
from hextui.records.record import Record


@dataclass(frozen=True)
class FinderSettings:
    """How much to look for.

    ``most_wins``: of moves in a puzzle. ``winner_nodes``: to prove the winner of a position;
    ``judge_nodes``: to judge all moves of one; ``game_nodes``: for all of a game. ``misses``:
    positions in a row without a proved winner that end the way back.
    """

    most_wins: int = 1
    winner_nodes: int = 200
    judge_nodes: int = 2000
    game_nodes: int = 8000
    misses: int = 2


DEFAULT = FinderSettings()
TABLE_BYTES = 64 << 20
LIKELY = 6  # moves that are judged first: mostly a second one wins, and there is no puzzle
TRIAL_PART, HOPELESS = 5, 40
"""A position is given up if more moves than the second are open after this part of its nodes."""
TEMPTING = 3  # losing moves whose refutation a puzzle shows
LEAST_TEMPTING = 0.05  # of the network's probability of such a move


@dataclass(frozen=True)
class FoundPuzzle:
    """A position of a game in which few moves win: its ply, and the solution of all moves.

    ``likely``: the network's probability of each empty cell. ``lines``: what follows the winning
    moves, the solution's first, then the most tempting losing moves with what refutes them.
    ``missed``: whether the game's move lost the win.
    """

    ply: int
    solution: Solution
    likely: Mapping[int, float]
    lines: tuple[tuple[int, ...], ...]
    missed: bool


def puzzles_in(record: Record, settings: FinderSettings = DEFAULT) -> list[FoundPuzzle]:
    """Return the puzzles of a game's main line, in its order; the empty board is none."""
    positions = [
        here_position
        for here_position in game_positions(record, record.main_line())
        if here_position.cell is not None and any(here_position.position.stones)
    ]
    if not positions:
        return []
    solver = Solver(positions[0].position.board, SolverSettings(table_bytes=TABLE_BYTES))
    with closing(solver):
        puzzles = _Finder(solver, positions, settings).found()
        return sorted(puzzles, key=lambda here_position: here_position.ply)


class _Finder:
    """The search in one game."""

    def __init__(
        self, solver: Solver, positions: list[GamePosition], settings: FinderSettings
    ) -> None:
        self._solver = solver
        self._positions = positions
        self._settings = settings
        self._left = settings.game_nodes

    def found(self) -> Iterator[FoundPuzzle]:
        for number, missed in self._candidates():
            if self._left <= 0:
                return
            position = self._positions[number].position.without_swap
            likely = shipped_judge().move_probabilities(position)
            solution = self._judged(position, likely)
            if solution is not None and not self._is_forced(number, solution):
                yield self._puzzle(number, solution, likely, missed)

    def _candidates(self) -> list[tuple[int, bool]]:
        """Return the positions that the side to move wins, those where it lost the win first."""
        winners: dict[int, Color] = {}
        misses = 0
        for number in reversed(range(len(self._positions))):
            winner = self._winner(self._positions[number].position.without_swap)
            if winner is None:
                misses += 1
                if misses == self._settings.misses or self._left <= 0:
                    break
            else:
                winners[number], misses = winner, 0
        candidates = []
        for number, winner in winners.items():
            mover = self._positions[number].position.to_move
            if winner is mover:
                candidates.append((number, winners.get(number + 1, winner) is not winner))
        return sorted(candidates, key=lambda candidate: (not candidate[1], -candidate[0]))

    def _winner(self, position: Position) -> Color | None:
        *_, last = self._solver.solve(position, self._limit(self._settings.winner_nodes))
        self._left -= last.nodes
        return last.winner

    def _limit(self, nodes: int) -> Limit:
        return Limit(nodes=max(min(nodes, self._left), 1))

    def _judged(self, position: Position, likely: Mapping[int, float]) -> Solution | None:
        """Return the solution of all moves; None if it is no puzzle, or not worth solving."""
        first = sorted(likely, key=lambda cell: (-likely[cell], cell))[:LIKELY]
        trial = self._settings.judge_nodes // TRIAL_PART
        spent = 0
        for nodes in (trial, self._settings.judge_nodes - trial):
            last = self._tried(position, self._limit(nodes), first)
            spent += last.nodes
            self._left -= last.nodes
            if last.complete or self._is_none(last) or len(last.unknown_moves) > HOPELESS:
                break
        joined = any(v.reason is Reason.CONNECTED for v in last.wins.values())
        decided = last.complete and bool(last.wins)
        good = decided and not joined and not self._is_none(last)
        return replace(last, nodes=spent) if good else None

    def _tried(self, position: Position, limit: Limit, first: list[int]) -> Solution:
        """Return what is known of all moves at the limit, or once it is no puzzle."""
        answers = self._solver.solve(position, limit, all_moves=True, first=first)
        last = next(answers)
        while not (last.final or self._is_none(last)):
            last = next(answers)
        return last

    def _is_none(self, solution: Solution) -> bool:
        """Return whether a position is no puzzle: too many moves win, or only one can."""
        forced = solution.winner is not None and len(solution.must_play) < 2
        return forced or len(solution.wins) > self._settings.most_wins

    def _is_forced(self, number: int, solution: Solution) -> bool:
        """Return whether a win only saves a bridge into which the move before has intruded."""
        before = self._positions[number - 1].cell if number else None
        return before is not None and any(
            saves_bridge(solution.position, before, cell) for cell in solution.wins
        )

    def _puzzle(
        self, number: int, solution: Solution, likely: Mapping[int, float], missed: bool
    ) -> FoundPuzzle:
        position = solution.position
        wins = sorted(solution.wins, key=lambda cell: cell != solution.line.numbers[0])
        losses = sorted(solution.losses, key=lambda cell: (-likely[cell], cell))
        tempting = [cell for cell in losses[:TEMPTING] if likely[cell] >= LEAST_TEMPTING]
        others = ((cell, *self._line(position.play(cell))) for cell in (*wins[1:], *tempting))
        ply = self._positions[number].ply
        return FoundPuzzle(
            ply=ply,
            solution=solution,
            likely=likely,
            lines=(solution.line.numbers, *others),
            missed=missed,
        )

    def _line(self, position: Position) -> tuple[int, ...]:
        """Return how the side to move wins a position that is proved."""
        *_, last = self._solver.solve(position, Limit(nodes=self._settings.judge_nodes))
        return last.line.numbers


def saves_bridge(position: Position, intrusion: int, reply: int) -> bool:
    """Return whether a reply saves a bridge of the side to move, or one to its own edge.

    ``intrusion`` is a stone of the opponent on the bridge's other cell.
    """
    board, mover = position.board, position.to_move
    if intrusion not in board.neighbours[reply]:
        return False
    groups = groups_at_both(position, mover, intrusion, reply)
    at_edge = any({intrusion, reply} <= set(board.edge_cells[edge]) for edge in edges_of(mover))
    return groups == 2 or bool(groups and at_edge)
