"""Players of matches and of games on the screen: ours (engines/own_players.py), and engines.

``engine(NAME)`` is an engine of the settings file, which may play differently each time.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from hextui.engine.limit import Limit, StoppedError
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.engine import Answerer, EngineError, OpenLane, Stop
from hextui.engines.engine_config import engine_in, evaluator_of
from hextui.engines.questions import ChooseMove, Question, SearchMoves
from hextui.engines.snapshot import Progress, SearchReport

if TYPE_CHECKING:
    from hextui.engine.connections import ConnectionSettings
    from hextui.engines.own_players import EvaluatorPlayer
    from hextui.settings.engine_tables import AttachedEngines

A = TypeVar("A")
UNLIMITED = Limit()


class LanePlayer:
    """Plays what our player of this name and seed plays, by asking a lane of our engine.

    ``tell`` gets the progress of compilation.
    """

    def __init__(self, lane: Answerer, name: str, seed: int = 0) -> None:
        self.lane, self.name, self._seed = lane, name, seed
        self.tell: Callable[[Progress], object] = lambda progress: None

    def choose(self, position: Position, swap: bool, stop: Stop = lambda: False) -> Move:
        """Return a move for an unfinished position; ``swap``: under the swap rule.

        Blocks until the engine has answered. Raises StoppedError after a stop, and ValueError, in
        one line, where the engine fails.
        """
        move: Move = self._ask(ChooseMove(position, self.name, self._seed, swap), stop)
        return move

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
            raise EngineError("the engine has not answered")
        return found


class AttachedPlayer(LanePlayer):
    """Plays an attached engine's best move, and resigns where the engine does.

    Under the swap rule it takes over a first move after which the engine's win probability for the
    side to move is below 0.5. It opens with the engine's best move, so give it openings.
    """

    def __init__(self, lane: Answerer, name: str, limit: Limit = UNLIMITED) -> None:
        super().__init__(lane, name)
        self._limit = limit

    def choose(self, position: Position, swap: bool, stop: Stop = lambda: False) -> Move:
        """Return the move; raises as for our players, and ValueError on a full board.

        An engine with a limit in seconds is not stopped: it might not name a move any more.
        """
        if not position.empties:
            raise ValueError("no cell is empty")
        until = stop if self._limit.seconds is None else lambda: False
        found: SearchReport = self._ask(SearchMoves(position, self._limit, choose=True), until)
        loses = found.winner is position.to_move.opponent
        prefers_swap = loses or (found.winrate is not None and found.winrate < 0.5)
        if swap and position.swap_legal and prefers_swap:
            return Move(MoveKind.SWAP_PIECES)
        if loses:
            return Move(MoveKind.RESIGN)
        if not found.moves:
            raise EngineError(f"{self.name} named no move: give it more seconds")
        return Move.play(found.moves[0].cell)


def lane_player(
    name: str, seed: int, open_lane: OpenLane, engines: "AttachedEngines | None"
) -> LanePlayer:
    """Return the player of a name that asks a lane; raises ValueError for an unknown engine.

    The name of one of our players is not checked. The seed determines what it draws by lot.
    """
    if engine_in(name) is None:
        return LanePlayer(open_lane(), name, seed)
    lane = engines.lane(name) if engines else None
    if lane is None:
        raise ValueError(f"{name} is not configured")
    return AttachedPlayer(lane, name)


def player(
    name: str,
    seed: int = 0,
    connections: "ConnectionSettings | None" = None,
    limit: Limit = UNLIMITED,
) -> "EvaluatorPlayer | AttachedPlayer":
    """Return the player with this name, which plays in this process unless it is attached.

    The seed determines what it draws by lot. ``limit``: per move of an attached engine, and of
    ``search`` without one in its name. Raises ValueError, with one line, for an unknown name.
    """
    from hextui.engines.own_players import own_player
    from hextui.settings.engine_tables import user_engines

    if (attached := engine_in(name)) is not None:
        engine = user_engines().engine(attached)
        return AttachedPlayer(engine.lane(), evaluator_of(engine.config.name), limit)
    return own_player(name, seed, connections, limit)
