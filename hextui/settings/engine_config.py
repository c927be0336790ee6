"""The configuration of an attached engine, and its name among the evaluators."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

_NAME = re.compile(r"\s*engine\((.*)\)\s*")


class Dialect(StrEnum):
    """The protocol that an engine speaks: HTP, GTP as KataHex speaks it, or its first version."""

    HTP = "htp"
    KATA = "kata"
    KATA_HZY = "kata-hzy"


@dataclass(frozen=True)
class AttachedConfig:
    """An engine as the user configures it.

    ``command`` is the program and its arguments; no shell reads them. It runs in ``folder``, with
    ``environment`` added to the user's. ``start`` are commands that it gets first. A position gets
    at most ``seconds`` and ``visits`` (None: no limit), and no more once its results have been
    settled for ``settled`` seconds; a board has ``smallest`` to ``largest`` rows and columns.
    """

    name: str
    command: tuple[str, ...]
    dialect: Dialect = Dialect.HTP
    folder: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    start: tuple[str, ...] = ()
    seconds: float = 10.0
    visits: int | None = None
    smallest: int = 1
    largest: int = 19
    settled: float | None = None


def evaluator_of(engine: str) -> str:
    """Return the name that an engine has among evaluators and players, ``engine(NAME)``."""
    return f"engine({engine})"


def engine_in(name: str) -> str | None:
    """Return the engine's name in ``engine(NAME)``; None for another kind of name.

    >>> engine_in("engine(katahex)"), engine_in("resistance")
    ('katahex', None)
    """
    match = _NAME.fullmatch(name)
    return match[1].strip() if match else None
