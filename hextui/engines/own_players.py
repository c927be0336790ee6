"""Our players, by name: they choose moves.

- An evaluator's name plays the first move of its ranking, one ply deep as in Honjo et al. 2010
  (https://hdl.handle.net/2115/51049), section 6.1.
- ``search`` is the tree search, with limits ``search:visits=800`` or ``search:seconds=1``.
- ``minimax(k-paths:0)`` is a selective minimax over an evaluator, with widths
  ``minimax(k-paths:0/8,6,4,2,0)``; ``/literal`` at the end turns its proofs off.
- ``solver`` plays what the solver proves, and where it loses what resists longest.
- ``level:1`` to ``level:9`` are players of graded strength (levels.py); ``level:5,network=FILE``
  asks the network of an ONNX file instead of the own one.

Which move they choose depends on the position, their name and their seed alone.
"""

import random
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Evaluator, evaluator
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.onnx_policy import OnnxPolicy
from hextui.engine.evaluators.resistance import Resistance
from hextui.engine.evaluators.tree_evaluator import USUAL, TreeEvaluator
from hextui.engine.evaluators.workbench import DEFAULT, bench_at
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import NetworkJudge
from hextui.engine.position import Move, Position
from hextui.engine.ranking import Ranking, qualities
from hextui.engine.search.front import best_lines
from hextui.engine.search.lines import DEFAULT_WIDTHS, LITERAL, LineSettings, minimax_named
from hextui.engine.search.tree_search import SearchedMove, TreeSearch, searched_moves
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.swap import wants_strong_stone, wants_swap
from hextui.engine.widths import Kernels
from hextui.engines.engine import Stop
from hextui.engines.levels import (
    LEVELS,
    SOLVER_PLAYER,
    balanced_openings,
    level_named,
    plausible_move,
)

UNLIMITED = Limit()
_NETWORK = ",network="
_SOLVER_NODES = 3000  # expansions: about 3 s on 11x11, and deterministic
_REFUTATION_NODES = 100  # to refute each move of a lost position
_SOLVER_BYTES = 64 << 20
_SOLVER_VISITS = 800  # of the search where the solver proves nothing


@dataclass(eq=False)
class EvaluatorPlayer:
    """Plays the first move of an evaluator's ranking.

    It chooses the same move in the same position again, and soon after a stop the best one found
    so far. Without win probabilities it rates first moves, while a swap is possible, by its ranking
    of the empty board: it opens with the median move, and takes over a move of the better half.
    """

    name: str
    evaluator: Evaluator
    connections: ConnectionSettings = DEFAULT
    _KERNELS: ClassVar[tuple[Kernels, ...]] = (Kernels.RANKINGS,)

    def kernels(self, position: Position) -> tuple[Kernels, ...]:
        """Return the kernels that have to be compiled for a choice."""
        return self._KERNELS

    def choose(self, position: Position, stop: Stop = lambda: False) -> Move:
        """Return a move or a swap. Raises ValueError if no cell is empty."""
        if not position.empties:
            raise ValueError("no cell is empty")
        if position.swap_legal and self._wants_swap(position, stop):
            return Move(position.swap_rule.move)
        if position.first_stone_swappable:
            return Move.play(self._opening(position, stop))
        return Move.play(self._best(position, stop))

    def _opening(self, position: Position, stop: Stop) -> int:
        """Return the first move of a game under the swap rule."""
        moves = self._ranking(position, stop).moves
        return moves[0 if self.evaluator.weighs_swap else len(moves) // 2].cell

    def _best(self, position: Position, stop: Stop) -> int:
        """Return the best cell; one is empty."""
        return self._ranking(position, stop).moves[0].cell

    def _wants_swap(self, position: Position, stop: Stop) -> bool:
        """Return whether the swap ranks first, or the stone is a strong one of the empty board."""
        if self.evaluator.weighs_swap:
            swap = self._ranking(position, stop).swap
            return swap is not None and swap.rank == 1
        cell = next(cell for cell, stone in enumerate(position.stones) if stone)
        empty = Position.empty(position.board, position.to_move.opponent)
        ranking = self._ranking(empty, stop)
        if cell not in ranking.by_cell:  # stopped before it ranked this move
            return False
        return wants_strong_stone(qualities(ranking)[cell])

    def _ranking(self, position: Position, stop: Stop) -> Ranking:
        """Return the final ranking, or after a stop the first one with moves."""
        bench = bench_at(position, self.connections)
        ranking = Ranking(self.evaluator.name, ())
        for ranking in self.evaluator.rank(bench):
            if ranking.moves and stop():
                break
        return ranking


@dataclass(eq=False)
class MinimaxPlayer(EvaluatorPlayer):
    """Plays the first move of the best line of a selective minimax over an evaluator.

    Unless it is literal, the solver is tried first, and a move proved to win is played at once.
    """

    settings: LineSettings = field(default_factory=LineSettings)
    _KERNELS = (Kernels.RANKINGS, Kernels.SEARCH, Kernels.SOLVER)

    def _best(self, position: Position, stop: Stop) -> int:
        """Return the first move of the best line."""
        best = -1
        for lines in best_lines(position, self.evaluator, self.settings, self.connections, stop):
            best = lines.lines[0].moves.numbers[0]
            if lines.lines[0].winner is position.to_move:
                break
        return best if best >= 0 else super()._best(position, stop)


@dataclass(eq=False)
class SearchPlayer(EvaluatorPlayer):
    """Plays the move with most visits of a tree search, or one that is proved to win.

    It plays like `resistance` where every move loses.
    """

    limit: Limit = UNLIMITED
    threads: int = 1
    judge: NetworkJudge | None = None  # None for the own network
    _search: TreeSearch | None = None
    _KERNELS = (Kernels.RANKINGS, Kernels.SEARCH, Kernels.SOLVER)

    def _best(self, position: Position, stop: Stop) -> int:
        """Return the first move of the search."""
        moves = self._searched(position, stop)
        return moves[0].cell if moves else super()._best(position, stop)

    def _opening(self, position: Position, stop: Stop) -> int:
        return self._best(position, stop)

    def _wants_swap(self, position: Position, stop: Stop) -> bool:
        moves = self._searched(position, stop)
        return not moves or wants_swap(moves[0].value)

    def _searched(self, position: Position, stop: Stop) -> list[SearchedMove]:
        """Return the moves of a search, the best first, at its limit or after a stop."""
        if self._search is None or self._search.board != position.board:
            self._search = TreeSearch(position.board, self.threads, self.judge)
        return searched_moves(self._search, position, self.limit, stop)


class SolverPlayer(SearchPlayer):
    """Plays a move that the solver proves to win; where all lose, the one that resists longest.

    That is the move after which the opponent needs the most cells, or which is not refuted in a
    moment. It plays like `search` where nothing is proved.
    """

    def __init__(self, connections: ConnectionSettings, limit: Limit) -> None:
        super().__init__(SOLVER_PLAYER, Resistance(), connections, limit)

    def _best(self, position: Position, stop: Stop) -> int:
        with closing(Solver(position.board, SolverSettings(table_bytes=_SOLVER_BYTES))) as solver:
            *_, solution = solver.solve(position, Limit(nodes=_SOLVER_NODES), stop)
            if solution.winner is position.to_move and solution.line:
                return solution.line.numbers[0]
            if solution.winner is position.to_move.opponent:
                cells = solution.carrier.numbers or position.empties
                return max(cells, key=partial(_cells_needed, solver, position, stop))
        return super()._best(position, stop)


def _cells_needed(solver: Solver, position: Position, stop: Stop, cell: int) -> int:
    """Return how many cells the opponent needs after a move, more than all if it may not win."""
    after = position.play(cell)
    *_, solution = solver.solve(after, Limit(nodes=_REFUTATION_NODES), stop)
    is_lost = solution.winner is position.to_move.opponent
    return len(solution.carrier) if is_lost else len(position.stones)


class LevelPlayer(SearchPlayer):
    """Plays like a person of its level; the seed and the position determine its lots.

    It takes over a first move if the network's win probability is below 0.5, and opens under the
    swap rule with one of the most balanced moves.
    """

    def __init__(
        self, number: int, seed: int, connections: ConnectionSettings, network: str = ""
    ) -> None:
        """``network``: an ONNX file. Raises NetworkFileError if it cannot be used."""
        self._level = LEVELS[number - 1]
        self._seed = seed
        policy = OnnxPolicy(network) if network else NetworkPolicy()
        self._network = policy.judge
        name = f"level:{number}" + (f"{_NETWORK}{network}" if network else "")
        limit = Limit(visits=self._level.visits or None)
        super().__init__(name, policy, connections, limit, judge=self._network)

    def kernels(self, position: Position) -> tuple[Kernels, ...]:
        """Return them; at first sight only the network's are needed."""
        if self._level.plays_at_first_sight(position, self._lots(position)):
            return (Kernels.NETWORK,)
        return super().kernels(position)

    def _lots(self, position: Position) -> random.Random:
        return random.Random(f"{self._seed} {position.without_swap.key.hex()}")

    def _opening(self, position: Position, stop: Stop) -> int:
        return self._lots(position).choice(balanced_openings(self._network.wins_after(position)))

    def _wants_swap(self, position: Position, stop: Stop) -> bool:
        return wants_swap(float(self._network.judge([position]).win[0]))

    def _best(self, position: Position, stop: Stop) -> int:
        lots = self._lots(position)
        if self._level.plays_at_first_sight(position, lots):
            return plausible_move(self._network.move_probabilities(position), self._level, lots)
        return super()._best(position, stop)


def own_player(
    name: str,
    seed: int = 0,
    connections: ConnectionSettings | None = None,
    limit: Limit = UNLIMITED,
) -> EvaluatorPlayer:
    """Return the player with this name; the seed determines what it draws by lot.

    ``limit``: per move of ``search`` without one in its name. Raises ValueError, with one line,
    for an unknown name.
    """
    connections = connections or DEFAULT
    level_name, _, network = name.partition(_NETWORK)
    if (level := level_named(level_name)) is not None:
        return LevelPlayer(level, seed, connections, network)
    if (search := minimax_named(name)) is not None:
        chosen, settings = search
        by = evaluator(chosen)
        literal = settings.literal
        usual = settings.widths == DEFAULT_WIDTHS
        shown = "" if usual else "/" + ",".join(map(str, settings.widths))
        full_name = f"minimax({by.name}{shown}{LITERAL if literal else ''})"
        return MinimaxPlayer(full_name, by.with_seed(seed), connections, settings)
    if name == SOLVER_PLAYER:
        return SolverPlayer(connections, Limit(visits=_SOLVER_VISITS))
    by = evaluator(name)
    if isinstance(by, TreeEvaluator):
        own = by.limit if by.limit != USUAL or limit == UNLIMITED else limit
        return SearchPlayer(
            name=by.name,
            evaluator=Resistance(),
            connections=connections,
            limit=own,
            threads=by.threads,
            judge=by.judge,
        )
    return EvaluatorPlayer(by.name, by.with_seed(seed), connections)
