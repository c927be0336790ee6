"""The attached engines of this process, by their names in the settings file.

An engine starts with its first question and is kept until the process ends, which closes the
engine's input. Where an evaluator's name is expected, ``engine(NAME)`` stands for one.
"""

import atexit
import threading

from hextui.engine.evaluators import Evaluator, evaluator
from hextui.engines.attached.attached_engine import AttachedEngine, AttachedEvaluator
from hextui.engines.attached.engine_config import AttachedConfig, engine_in, evaluator_of
from hextui.engines.supervisor import Lane
from hextui.locations import config_file
from hextui.settings.engine_tables import configured_engines

_lock = threading.Lock()
_opened: dict[str, AttachedEngine] = {}


def configuration(name: str) -> AttachedConfig:
    """Return the settings of an engine; raises ValueError as `opened` does."""
    engines = configured_engines(config_file())
    if name not in engines:
        known = f"there are {', '.join(engines)}" if engines else "there are none"
        raise ValueError(f"no engine {name!r} in {config_file()}: {known}")
    return engines[name]


def opened(name: str) -> AttachedEngine:
    """Return this process's engine of a name of the settings file.

    Raises ValueError, in one line, if there is none or the file is wrong.
    """
    with _lock:
        if name not in _opened:
            _opened[name] = AttachedEngine(configuration(name))
        return _opened[name]


def evaluator_called(name: str) -> Evaluator:
    """Return an evaluator by its name, or an engine as one; raises ValueError."""
    attached = engine_in(name)
    return evaluator(name) if attached is None else AttachedEvaluator(opened(attached))


def other_lane(name: str) -> Lane | None:
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
