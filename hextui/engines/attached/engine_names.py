"""What an attached engine is called where evaluators and players are named: ``engine(NAME)``."""

import re

_NAME = re.compile(r"\s*engine\((.*)\)\s*")


def evaluator_of(engine: str) -> str:
    """Return the name that an engine has among evaluators and players.

    >>> evaluator_of("katahex")
    'engine(katahex)'
    """
    return f"engine({engine})"


def engine_in(name: str) -> str | None:
    """Return the engine's name in ``engine(NAME)``; None for another kind of name.

    >>> engine_in("engine(katahex)"), engine_in("resistance")
    ('katahex', None)
    """
    found = _NAME.fullmatch(name)
    return found[1].strip() if found else None
