"""Players of matches, by name: ours (engines/own_players.py), and attached engines.

``engine(NAME)`` is an engine of the settings file, which may play differently each time.
"""

from hextui.engine.connections import ConnectionSettings
from hextui.engine.limit import Limit
from hextui.engine.position import Move, Position
from hextui.engines.engine import EngineError, Lane, Stop
from hextui.engines.engine_config import engine_in, evaluator_of
from hextui.engines.own_players import UNLIMITED, EvaluatorPlayer, own_player
from hextui.engines.questions import ChooseMove
from hextui.settings.engine_tables import user_engines


class AttachedPlayer:
    """Plays an attached engine's best move, and resigns where the engine does.

    Under the swap rule it takes over a first move after which the engine's win probability for the
    side to move is below 0.5. It opens with the engine's best move, so give it openings.
    """

    def __init__(self, lane: Lane, name: str, limit: Limit) -> None:
        self.name = name
        self._lane, self._limit = lane, limit

    def choose(self, position: Position, swap: bool, stop: Stop = lambda: False) -> Move:
        """Return the move; raises EngineError if there is none, ValueError on a full board.

        An engine with a limit in seconds is not stopped: it might not name a move any more.
        """
        if not position.empties:
            raise ValueError("no cell is empty")
        until = stop if self._limit.seconds is None else lambda: False
        for move in self._lane.answers(ChooseMove(position, "", 0, swap, self._limit), until):
            if isinstance(move, Move):
                return move
        raise EngineError(f"{self.name} named no move")


def player(
    name: str,
    seed: int = 0,
    connections: ConnectionSettings | None = None,
    limit: Limit = UNLIMITED,
) -> EvaluatorPlayer | AttachedPlayer:
    """Return the player with this name, which plays in this process unless it is attached.

    The seed determines what it draws by lot. ``limit``: per move of an attached engine, and of
    ``search`` without one in its name. Raises ValueError, with one line, for an unknown name.
    """
    if (attached := engine_in(name)) is not None:
        engine = user_engines().engine(attached)
        return AttachedPlayer(engine.lane(), evaluator_of(engine.config.name), limit)
    return own_player(name, seed, connections, limit)
