"""The configured attached engines; each is made when it is first needed."""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hextui.engines.attached.engine_config import AttachedConfig, engine_in, evaluator_of

if TYPE_CHECKING:
    from hextui.engines.attached.attached_engine import AttachedEngine
    from hextui.engines.supervisor import Lane


class AttachedEngines:
    """Engines by name; any thread may use it."""

    def __init__(self, configs: Mapping[str, AttachedConfig]) -> None:
        self._configs = dict(configs)
        self._lock = threading.Lock()
        self._made: dict[str, AttachedEngine] = {}
        self._closing: list[threading.Thread] = []

    @property
    def configs(self) -> tuple[AttachedConfig, ...]:
        """The engines as they are configured, in the order of the settings file."""
        return tuple(self._configs.values())

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names that the engines have as evaluators: ``engine(NAME)``."""
        return tuple(map(evaluator_of, self._configs))

    def of_evaluator(self, name: str) -> "AttachedEngine | None":
        """Return the engine of an evaluator's name; None for an evaluator of our own.

        Raises ValueError if no engine of that name is configured.
        """
        engine = engine_in(name)
        return None if engine is None else self.engine(engine)

    def lane(self, name: str) -> "Lane | None":
        """Return a lane of an evaluator's engine; None for an evaluator of our own.

        Raises ValueError if no engine of that name is configured.
        """
        engine = self.of_evaluator(name)
        return None if engine is None else engine.lane()

    def engine(self, name: str) -> "AttachedEngine":
        """Return an engine; raises ValueError if none of that name is configured."""
        from hextui.engines.attached.attached_engine import AttachedEngine

        with self._lock:
            if name not in self._configs:
                raise ValueError(f"no engine {name!r} is configured")
            if name not in self._made:
                self._made[name] = AttachedEngine(self._configs[name])
            return self._made[name]

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
        for engine in ended:
            self._close(engine)

    def close(self) -> None:
        """End all programs, side by side; waits until they have ended, a few seconds at most."""
        with self._lock:
            ended = list(self._made.values())
            self._made.clear()
        for engine in ended:
            self._close(engine)
        for thread in self._closing:
            thread.join()

    def _close(self, engine: "AttachedEngine") -> None:
        """End a program without waiting for it."""
        thread = threading.Thread(target=engine.close, name="engine-end", daemon=True)
        self._closing.append(thread)
        thread.start()
