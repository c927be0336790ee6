"""Opponents: the players of matches (matches/players.py), who ask an engine for their moves.

The workstation shows the board in one process and searches in another, so an opponent sends
questions to a lane. A level, `search`, an evaluator and an attached engine choose the moves that
the player of the same name and seed chooses.
"""

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.limit import Limit, StoppedError
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.ranking import Ranking, qualities
from hextui.engine.search.lines import LITERAL, LineSettings, minimax_named
from hextui.engines.engine import Answerer, OpenLane, Stop
from hextui.engines.engine_config import engine_in
from hextui.engines.questions import (
    Analyse,
    AskNetwork,
    Judge,
    Question,
    SearchMoves,
    SearchTreeMoves,
    WhoWins,
)
from hextui.engines.snapshot import Progress, SearchReport
from hextui.matches.levels import LEVELS, Level, balanced_openings, level_named, plausible_move

if TYPE_CHECKING:
    from hextui.settings.engine_tables import AttachedEngines

A = TypeVar("A")
SOLVER_NODES = 250
"""Nodes of the solver before a minimax: about 0.2 s on 11x11."""


@dataclass(eq=False)
class Opponent:
    """Plays the first move of an evaluator's ranking.

    `choose` blocks until the engine has answered. It raises StoppedError after a stop, and
    ValueError, in one line, where the engine fails. ``tell`` gets the progress of compilation.
    """

    lane: Answerer
    evaluator: str
    lots: random.Random = field(default_factory=random.Random)
    tell: Callable[[Progress], object] = field(default=lambda progress: None, kw_only=True)

    def choose(self, position: Position, swap: bool, stop: Stop) -> Move:
        """Return a move for an unfinished position; ``swap``: under the swap rule."""
        if swap and position.swap_legal and self._wants_swap(position, stop):
            return Move(MoveKind.SWAP_PIECES)
        if swap and not any(position.stones):
            return Move.play(self._opening(position, stop))
        return self._best(position, stop)

    def _opening(self, position: Position, stop: Stop) -> int:
        moves = self._ranking(position, stop).moves
        return moves[len(moves) // 2].cell

    def _wants_swap(self, position: Position, stop: Stop) -> bool:
        cell = next(cell for cell, stone in enumerate(position.stones) if stone)
        empty = Position.empty(position.board, position.to_move.opponent)
        found = qualities(self._ranking(empty, stop))[cell]
        return found.mid_rank <= found.candidates / 2

    def _best(self, position: Position, stop: Stop) -> Move:
        return Move.play(self._ranking(position, stop).moves[0].cell)

    def _ranking(self, position: Position, stop: Stop) -> Ranking:
        found: Ranking = self._ask(Judge(position, (self.evaluator,)), stop).rankings[
            self.evaluator
        ]
        return found

    def _ask(self, question: Question[A], stop: Stop) -> Any:
        """Return the last answer to a question."""
        found: A | None = None
        for answer in self.lane.answers(question, stop):
            if isinstance(answer, Progress):
                self.tell(answer)
            else:
                found = answer
        if stop():
            raise StoppedError
        if found is None:
            raise ValueError("the engine has not answered")
        return found


@dataclass(eq=False)
class SearchOpponent(Opponent):
    """Plays the best move of a tree search, by the evaluator where every move loses."""

    limit: Limit = field(default_factory=Limit)

    def _wants_swap(self, position: Position, stop: Stop) -> bool:
        found = self._searched(position, stop)
        return found.winrate is None or found.winrate < 0.5

    def _best(self, position: Position, stop: Stop) -> Move:
        found = self._searched(position, stop)
        if found.moves:
            return Move.play(found.moves[0].cell)
        return super()._best(position, stop)

    def _searched(self, position: Position, stop: Stop) -> SearchReport:
        report: SearchReport = self._ask(SearchTreeMoves(position, self.limit), stop)
        return report


@dataclass(eq=False)
class LevelOpponent(SearchOpponent):
    """Plays like a person of its level (matches/levels.py)."""

    level: Level = LEVELS[0]

    def _opening(self, position: Position, stop: Stop) -> int:
        output = self._ask(AskNetwork(position, each_move=True), stop)
        return self.lots.choice(balanced_openings(output.after))

    def _wants_swap(self, position: Position, stop: Stop) -> bool:
        wins: bool = self._ask(AskNetwork(position), stop).win < 0.5
        return wins

    def _best(self, position: Position, stop: Stop) -> Move:
        if self.level.plays_at_first_sight(position, self.lots):
            output = self._ask(AskNetwork(position), stop)
            return Move.play(plausible_move(output.policy, self.level, self.lots))
        return super()._best(position, stop)


@dataclass(eq=False)
class MinimaxOpponent(Opponent):
    """Plays a move that is proved to win, or the first move of the best line of a minimax."""

    settings: LineSettings = field(default_factory=LineSettings)

    def _best(self, position: Position, stop: Stop) -> Move:
        name = self.evaluator
        if self.settings.literal:
            name += LITERAL
        else:
            proved = self._ask(WhoWins(position, Limit(nodes=SOLVER_NODES)), stop)
            if proved.wins:
                return Move.play(proved.wins[0])
        for found in self.lane.answers(Analyse(position, (), name, self.settings), stop):
            if found.error:
                raise ValueError(found.error)
            if found.lines is not None and found.lines.final and found.lines.lines:
                return Move.play(found.lines.lines[0].moves[0])
        if stop():
            raise StoppedError
        return super()._best(position, stop)


@dataclass(eq=False)
class AttachedOpponent(SearchOpponent):
    """Plays an attached engine's best move, and resigns where the engine does."""

    def _opening(self, position: Position, stop: Stop) -> int:
        return self._best(position, stop).cell

    def _best(self, position: Position, stop: Stop) -> Move:
        found = self._searched(position, stop)
        if found.winner is position.to_move.opponent:
            return Move(MoveKind.RESIGN)
        if not found.moves:
            raise ValueError(f"{self.evaluator} named no move: give it more seconds")
        return Move.play(found.moves[0].cell)

    def _searched(self, position: Position, stop: Stop) -> SearchReport:
        report: SearchReport = self._ask(SearchMoves(position, self.limit, choose=True), stop)
        return report

    def _wants_swap(self, position: Position, stop: Stop) -> bool:
        winrate = self._searched(position, stop).winrate
        return winrate is not None and winrate < 0.5


def opponent(
    name: str, seed: int, open_lane: OpenLane, engines: "AttachedEngines | None" = None
) -> Opponent:
    """Return the opponent with a player's name; the seed determines what it draws by lot.

    Raises ValueError, with one line, for an unknown name.
    """
    lots = random.Random(seed)
    if engine_in(name) is not None:
        attached = engines.lane(name) if engines else None
        if attached is None:
            raise ValueError(f"{name} is not configured")
        return AttachedOpponent(attached, name, lots)
    if (number := level_named(name)) is not None:
        level = LEVELS[number - 1]
        return LevelOpponent(open_lane(), "network", lots, Limit(nodes=level.visits), level)
    if (minimax := minimax_named(name)) is not None:
        chosen, settings = minimax
        return MinimaxOpponent(open_lane(), evaluator(chosen).name, lots, settings)
    found = evaluator(name)
    if isinstance(found, TreeEvaluator):
        return SearchOpponent(open_lane(), "resistance", lots, found.limit)
    return Opponent(open_lane(), found.with_seed(seed).name, lots)


def player_name(text: str, engines: Collection[str] = ()) -> str:
    """Return the name of a player as typed: ``3`` or ``level 3`` is ``level:3``.

    ``engines``: the names of attached engines as players. Raises ValueError for no player's name.
    """
    name = text.strip()
    number = name.removeprefix("level").lstrip(" :")
    if level_named(f"level:{number}") is not None:
        return f"level:{number}"
    if engine_in(name) is not None:
        if name not in engines:
            raise ValueError(f"there is no engine {engine_in(name)!r} in the settings")
        return name
    minimax = minimax_named(name)
    if not name or (number.isdecimal() and minimax is None):
        raise ValueError("an opponent is a level, 1 to 9, or the name of a player")
    evaluator(minimax[0] if minimax else name)
    return name
