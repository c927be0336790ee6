"""The user's engines as they run, and what is chosen by name: evaluators, engines, players.

Where an evaluator's name is expected, ``engine(NAME)`` stands for an engine of the settings file.
"""

import atexit
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from hextui.engine.evaluators import Evaluator, evaluator
from hextui.engine.evaluators.onnx_policy import OnnxPolicy
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.limit import Limit
from hextui.settings.engine_config import AttachedConfig, engine_in, evaluator_of
from hextui.settings.engine_tables import configuration

if TYPE_CHECKING:
    from hextui.engine.connections import ConnectionSettings
    from hextui.engines.attached_engine import AttachedEngine, AttachedPlayer
    from hextui.engines.engine import Lane
    from hextui.engines.own_players import EvaluatorPlayer


class AttachedEngines:
    """Engines by name; any thread may use it."""

    def __init__(self, configs: Mapping[str, AttachedConfig]) -> None:
        self._configs = dict(configs)
        self._lock = threading.Lock()
        self._made: dict[str, AttachedEngine] = {}
        self._ended: list[AttachedEngine] = []

    @property
    def configs(self) -> tuple[AttachedConfig, ...]:
        """The engines as they are configured, in the order of the settings file."""
        return tuple(self._configs.values())

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names that the engines have as evaluators: ``engine(NAME)``."""
        return tuple(map(evaluator_of, self._configs))

    def lane(self, evaluator: str) -> "Lane | None":
        """Return a lane of ``engine(NAME)``, None for our own; raises ValueError as `engine`."""
        name = engine_in(evaluator)
        return None if name is None else self.engine(name).lane()

    def engine(self, name: str) -> "AttachedEngine":
        """Return an engine; raises ValueError, in one line, if it is not configured."""
        from hextui.engines.attached_engine import AttachedEngine

        with self._lock:
            if name not in self._made:
                self._made[name] = AttachedEngine(self._config(name))
            return self._made[name]

    def _config(self, name: str) -> AttachedConfig:
        if name not in self._configs:
            raise ValueError(f"no engine {name!r} is configured")
        return self._configs[name]

    def made(self, name: str) -> "AttachedEngine | None":
        """Return an engine if it was made before."""
        with self._lock:
            return self._made.get(name)

    def configure(self, configs: Mapping[str, AttachedConfig]) -> None:
        """Change the settings: engines whose own have changed end, the others go on."""
        with self._lock:
            self._configs = dict(configs)
            gone = [name for name, made in self._made.items() if configs.get(name) != made.config]
            ended = [self._made.pop(name) for name in gone]
            self._ended += ended
        for engine in ended:
            engine.end()

    def close(self) -> None:
        """End all programs, side by side; waits until they have ended, a few seconds at most."""
        with self._lock:
            self._ended += self._made.values()
            self._made.clear()
        for engine in self._ended:
            engine.end()
        for engine in self._ended:
            engine.close()


class _UserEngines(AttachedEngines):
    """Engines of the settings file, which is read when one is first used."""

    def _config(self, name: str) -> AttachedConfig:
        return configuration(name)


@cache
def user_engines() -> AttachedEngines:
    """Return the engines of the settings file; those that were used end with this process."""
    engines = _UserEngines({})
    atexit.register(engines.close)
    return engines


def evaluator_called(name: str) -> Evaluator:
    """Return an evaluator by its name, or an engine as one; raises ValueError."""
    engine = engine_in(name)
    if engine is None:
        return evaluator(name)
    from hextui.engines.attached_engine import AttachedEvaluator

    return AttachedEvaluator(user_engines().engine(engine))


def player(
    name: str,
    seed: int = 0,
    connections: "ConnectionSettings | None" = None,
    limit: Limit | None = None,
) -> "EvaluatorPlayer | AttachedPlayer":
    """Return the player with this name, ours or an engine, which may play differently each time.

    The seed determines what it draws by lot. ``limit``: per move of an attached engine, and of
    ``search`` without one in its name. Raises ValueError, with one line, for an unknown name.
    """
    from hextui.engines.attached_engine import AttachedPlayer
    from hextui.engines.own_players import UNLIMITED, own_player

    if (attached := engine_in(name)) is None:
        return own_player(name, seed, connections, limit or UNLIMITED)
    engine = user_engines().engine(attached)
    return AttachedPlayer(engine.lane(), evaluator_of(engine.config.name), limit or UNLIMITED)


def described(name: str) -> str:
    """Return all that an evaluator's results depend on: its name, an engine's settings, a network.

    A network's file that cannot be used is left out: it has no results.
    """
    engine = engine_in(name)
    if engine is not None:
        return f"{name} {configuration(engine)}"
    with suppress(ValueError):
        match evaluator(name):
            case OnnxPolicy(file=file) | TreeEvaluator(network=file) if file:
                from hextui.engine.neural.onnx_judge import onnx_judge

                return f"{name} {onnx_judge(file).digest}"
    return name
