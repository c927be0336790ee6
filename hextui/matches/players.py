"""Who plays in a match: named players that choose a move.

A player's name is an evaluator's: it plays the first move of that ranking, one ply ahead as in
Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.1. Or it is a search over an
evaluator: ``minimax(k-paths:0)``, with widths ``minimax(k-paths:0/8,6,4,2,0)``, and with
``/literal`` at the end without anything proved. ``search`` is the tree search, ``search:nodes=800``
and ``search:seconds=1`` tell how long. ``engine(NAME)`` is an engine of the settings file,
which may play otherwise each time. ``player`` is where players are made.
"""

import re
from collections.abc import Callable
from typing import Protocol

from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Evaluator, evaluator
from hextui.engine.evaluators.resistance import Resistance
from hextui.engine.evaluators.tree_evaluator import USUAL, TreeEvaluator
from hextui.engine.evaluators.workbench import DEFAULT, bench_of
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.ranking import Ranking, quality
from hextui.engine.search.front import best_lines, searched_moves
from hextui.engine.search.lines import (
    DEFAULT_SEARCH,
    DEFAULT_WIDTHS,
    LITERAL,
    Lines,
    LineSettings,
    parse_widths,
    split_literal,
)
from hextui.engine.search.tree_search import SearchedMove, TreeSearch
from hextui.engines.attached.attached_engine import AttachedEngine
from hextui.engines.attached.engine_config import engine_in, evaluator_of
from hextui.engines.engine import EngineError
from hextui.engines.questions import Examine
from hextui.engines.snapshot import Examined
from hextui.matches.open_engines import opened
from hextui.matches.results import RunError

DEFAULT_PLAYER = DEFAULT_SEARCH
"""The strongest of those measured: docs/studies.md#which-evaluator."""


UNLIMITED = Limit()
Stop = Callable[[], bool]


def never() -> bool:
    """Return False: nobody stops the player."""
    return False


class Player(Protocol):
    """Chooses moves. The same player in the same position chooses the same move."""

    @property
    def name(self) -> str:
        """The name that ``player`` takes."""
        ...

    def choose(self, position: Position, swap: bool, stop: Stop = never) -> Move:
        """Return a move for the side to move; ``swap`` says that the swap rule is in use.

        Soon after ``stop()`` is true it is the best one found so far.
        """
        ...


def player(
    name: str,
    seed: int = 0,
    connections: ConnectionSettings = DEFAULT,
    limit: Limit = UNLIMITED,
) -> Player:
    """Return the player with this name; what it draws by lot, it draws by the seed.

    ``connections``: how virtual connections are searched for it. ``limit``: what another engine
    gets for a move, beside the limits of its settings, and ``search``, where its name has none.
    Raises ValueError, with a line that says what is wrong, for a name that is none.
    """
    if (attached := engine_in(name)) is not None:
        return AttachedPlayer(opened(attached), limit)
    search = _MINIMAX.fullmatch(name.strip())
    inside, literal = split_literal(search[1]) if search else (name, False)
    chosen, *widths = inside.split("/", 1) if search else (name,)
    found = evaluator(chosen)
    seeded = found.with_seed(seed)
    if search is None:
        if isinstance(found, TreeEvaluator):
            usual = found.limit == USUAL and limit != UNLIMITED
            chosen_limit = limit if usual else found.limit
            return SearchPlayer(found.name, chosen_limit, found.threads, connections)
        return EvaluatorPlayer(found.name, seeded, connections)
    settings = LineSettings(parse_widths(*widths) if widths else DEFAULT_WIDTHS, 1, literal)
    return MinimaxPlayer(found.name, seeded, settings, connections)


_MINIMAX = re.compile(r"minimax\((.*)\)")


class EvaluatorPlayer:
    """Plays the first move of an evaluator's ranking.

    Under the swap rule it judges a first move by its own ranking of the empty board: it opens
    with the move in the middle, and takes over a move from the better half.
    """

    def __init__(
        self, name: str, evaluator: Evaluator, connections: ConnectionSettings = DEFAULT
    ) -> None:
        self.name = name
        self._evaluator = evaluator
        self._connections = connections

    def choose(self, position: Position, swap: bool, stop: Stop = never) -> Move:
        """Return the move; raises ValueError if there is no empty cell."""
        if swap and position.swap_legal and self._takes(position, stop):
            return Move(MoveKind.SWAP_PIECES)
        if swap and not any(position.stones):
            moves = self._ranking(position, stop).moves
            return Move.play(moves[len(moves) // 2].cell)
        return Move.play(self.best(position, stop))

    def best(self, position: Position, stop: Stop = never) -> int:
        """Return the cell that it takes for the best; raises ValueError if none is empty."""
        moves = self._ranking(position, stop).moves
        if not moves:
            raise ValueError("no cell is empty")
        return moves[0].cell

    def _takes(self, position: Position, stop: Stop) -> bool:
        """Whether the only stone stands in the better half of the empty board's ranking."""
        cell = next(cell for cell, stone in enumerate(position.stones) if stone)
        empty = Position.empty(position.board, position.to_move.opponent)
        ranking = self._ranking(empty, stop)
        if cell not in ranking.by_cell:  # it was stopped before it came to this move
            return False
        found = quality(ranking, cell)
        return found.mid_rank <= found.candidates / 2

    def _ranking(self, position: Position, stop: Stop) -> Ranking:
        """Return the final ranking, or once it is to stop the first one of any moves."""
        bench = bench_of(position.board, self._connections)
        bench.look_at(position)
        ranking = Ranking(self._evaluator.name, ())
        for ranking in self._evaluator.rank(bench):
            if ranking.moves and stop():
                break
        return ranking


class MinimaxPlayer(EvaluatorPlayer):
    """Plays the first move of the best line of a selective minimax over an evaluator.

    A solver looks at the position before, for a fixed number of nodes; a move that is proved to
    win is played at once. A literal search does without.
    """

    def __init__(
        self,
        name: str,
        evaluator: Evaluator,
        settings: LineSettings,
        connections: ConnectionSettings = DEFAULT,
    ) -> None:
        usual = settings.widths == DEFAULT_WIDTHS
        widths = "" if usual else "/" + ",".join(map(str, settings.widths))
        literal = LITERAL if settings.literal else ""
        super().__init__(f"minimax({name}{widths}{literal})", evaluator, connections)
        self._settings = settings

    def best(self, position: Position, stop: Stop = never) -> int:
        """Return the first move of the best line; raises ValueError if there is no empty cell."""
        if not position.empties:
            raise ValueError("no cell is empty")
        best = -1
        asked = (position, self._evaluator, self._settings, self._connections, stop)
        for found in best_lines(*asked):
            best = found.lines[0].moves[0]
            if _won(found):
                break
        return best if best >= 0 else super().best(position, stop)


class SearchPlayer(EvaluatorPlayer):
    """Plays the move that a tree search has looked at most, or one that is proved to win.

    A solver looks at the position before, as before minimax; what it has proved of what follows
    the tree takes over. The player swaps where the side to move is worth less than the other one.
    Where all is lost at once, and to open under the swap rule, it does as `resistance` does.
    """

    def __init__(
        self,
        name: str,
        limit: Limit,
        threads: int = 1,
        connections: ConnectionSettings = DEFAULT,
    ) -> None:
        super().__init__(name, Resistance(), connections)
        self.limit = limit
        self.threads = threads
        self._search: TreeSearch | None = None

    def best(self, position: Position, stop: Stop = never) -> int:
        """Return the first move of the search; raises ValueError if there is no empty cell."""
        if not position.empties:
            raise ValueError("no cell is empty")
        moves = self._searched(position, stop)
        return moves[0].cell if moves else super().best(position, stop)

    def _takes(self, position: Position, stop: Stop) -> bool:
        """Whether the side to move is worth less than the other one."""
        moves = self._searched(position, stop)
        return not moves or moves[0].value < 0.5

    def _searched(self, position: Position, stop: Stop) -> list[SearchedMove]:
        """Return the moves of a search, to its limit or until it is to stop, the best first."""
        if self._search is None or self._search.board != position.board:
            self._search = TreeSearch(position.board, threads=self.threads)
        return searched_moves(self._search, position, self.limit, stop)


def _won(found: Lines) -> bool:
    """Tell whether the best line is a proved win."""
    return bool(found.lines) and found.lines[0].winner is found.position.to_move


class AttachedPlayer:
    """Plays what an engine would; it resigns where the engine does.

    Under the swap rule it takes over a first move after which the engine gives the side to move
    less than an even chance. It opens with the engine's best move: openings are better given.
    """

    def __init__(self, engine: AttachedEngine, limit: Limit) -> None:
        self._limit = limit
        self.name = evaluator_of(engine.config.name)
        self._lane = engine.lane()

    def choose(self, position: Position, swap: bool, stop: Stop = never) -> Move:
        """Return the move; raises RunError if the engine fails, ValueError on a full board.

        An engine that has been given seconds keeps to them by itself, and is not to be told to
        stop: then it may not name a move any more.
        """
        if not position.empties:
            raise ValueError("no cell is empty")
        until = stop if self._limit.seconds is None else never
        found: Examined | None = None
        try:
            for found in self._lane.answers(Examine(position, self._limit, choose=True), until):  # noqa: B007
                pass
        except EngineError as error:
            raise RunError(str(error)) from None
        if found is not None and found.winner is position.to_move.opponent:
            return Move(MoveKind.RESIGN)
        if found is None or not found.moves:
            raise RunError(f"{self.name} named no move: give it more seconds")
        if swap and position.swap_legal and found.winrate is not None and found.winrate < 0.5:
            return Move(MoveKind.SWAP_PIECES)
        return Move.play(found.moves[0].cell)
