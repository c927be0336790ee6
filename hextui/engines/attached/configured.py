"""What is known of an engine before it is started: how to start it, and what it may take."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType


class Dialect(StrEnum):
    """What an engine speaks.

    ``htp``: the Hex Text Protocol, as MoHex, Wolve and our own ``hextui htp`` do. ``kata``: GTP as
    KataHex speaks it, with names of cells as ours. ``kata-hzy``: that of its first version, whose
    cells stand on a larger board.
    """

    HTP = "htp"
    KATA = "kata"
    KATA_HZY = "kata-hzy"


@dataclass(frozen=True)
class AttachedConfig:
    """An engine as the user configures it.

    ``command`` is the program and its arguments; no shell reads them. ``folder`` is where it runs,
    ``environment`` what is added to ours. ``start`` are commands that it gets first. A position
    gets at most ``seconds`` and ``visits`` (None: no limit), a board has ``smallest`` to
    ``largest`` rows and columns.
    """

    name: str
    command: tuple[str, ...]
    dialect: Dialect = Dialect.HTP
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    start: tuple[str, ...] = ()
    seconds: float = 10.0
    visits: int | None = None
    smallest: int = 1
    largest: int = 19
