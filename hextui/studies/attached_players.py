"""Attached engines as players: ``engine(NAME)``, an engine of the settings file.

Each process starts an engine once, with the first move that it is asked for, and keeps it. It ends
with the process, which closes its input.
"""

import atexit
import threading

from hextui.engine.evaluators import evaluator
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.attached.attached_engine import AttachedEngine, AttachedLane
from hextui.engines.attached.engine_names import engine_in, evaluator_of
from hextui.engines.attached.examining import Examine, Examined
from hextui.engines.engine import EngineError, Stop
from hextui.locations import config_file
from hextui.settings.engine_tables import configured_engines
from hextui.studies.results import StudyError

_lock = threading.Lock()
_opened: dict[str, AttachedEngine] = {}
EVEN = 0.5
"""Who has a smaller chance than this after the first move takes it over, where that is allowed."""


def opened(name: str) -> AttachedEngine:
    """Return this process's engine of a name of the settings file.

    Raises ValueError, in one line, if there is none or the file is wrong.
    """
    with _lock:
        if name not in _opened:
            engines = configured_engines(config_file())
            if name not in engines:
                known = f"there are {', '.join(engines)}" if engines else "there are none"
                raise ValueError(f"no engine {name!r} in {config_file()}: {known}")
            _opened[name] = AttachedEngine(engines[name])
        return _opened[name]


def other_lane(name: str) -> AttachedLane | None:
    """Return whom to ask for the evaluator ``engine(NAME)``; None for one of ours.

    Raises ValueError as `opened` does.
    """
    attached = engine_in(name)
    return None if attached is None else opened(attached).lane()


def evaluator_name(name: str) -> str:
    """Return an evaluator's own name, ours or an engine's; raises ValueError if there is none."""
    attached = engine_in(name)
    return evaluator(name).name if attached is None else evaluator_of(opened(attached).config.name)


def described(name: str) -> str:
    """Return all that an evaluator's results depend on: its name, and an engine's settings."""
    attached = engine_in(name)
    return name if attached is None else f"{name} {opened(attached).config}"


@atexit.register
def close_all() -> None:
    """End the engines that were opened."""
    with _lock:
        for engine in _opened.values():
            engine.close()
        _opened.clear()


class AttachedPlayer:
    """Plays what an engine would; it resigns where the engine does.

    Under the swap rule it takes over a first move after which the engine gives the side to move
    less than an even chance. It opens with the engine's best move: openings are better given.
    """

    def __init__(self, engine: AttachedEngine, limit: Limit) -> None:
        self._limit = limit
        self.name = evaluator_of(engine.config.name)
        self._lane = engine.lane()

    def choose(self, position: Position, swap: bool, stop: Stop = lambda: False) -> Move:
        """Return the move; raises StudyError if the engine fails, ValueError on a full board.

        An engine that has been given seconds keeps to them by itself, and is not to be told to
        stop: then it may not name a move any more.
        """
        if not position.empties:
            raise ValueError("no cell is empty")
        until: Stop = stop if self._limit.seconds is None else lambda: False
        found: Examined | None = None
        try:
            for found in self._lane.answers(Examine(position, self._limit, choose=True), until):  # noqa: B007
                pass
        except EngineError as error:
            raise StudyError(str(error)) from None
        if found is not None and found.winner is position.to_move.opponent:
            return Move(MoveKind.RESIGN)
        if found is None or not found.moves:
            raise StudyError(f"{self.name} named no move: give it more seconds")
        if swap and position.swap_legal and found.winrate is not None and found.winrate < EVEN:
            return Move(MoveKind.SWAP_PIECES)
        return Move.play(found.moves[0].cell)
