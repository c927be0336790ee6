"""Readings of a paper: choices where its text leaves a point open.

The paper is Honjo et al. 2010 (https://hdl.handle.net/2115/51049). A reading determines the names
of the players (options of the registry) and how their connections are searched. ``default`` is
that of docs/methods.md#readings-of-the-2010-paper; every other one changes one point. Readings
combine: ``carriers,or-2`` changes both points.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from hextui.engine.connections import ConnectionSettings


@dataclass(frozen=True)
class Reading:
    """One reading: the open ``point``, the ``choice`` there, options of E_k, E and contribution."""

    name: str
    point: str
    choice: str
    k_options: str = ""
    e_options: str = ""
    contribution_options: str = ""
    connections: ConnectionSettings = field(default_factory=ConnectionSettings)

    def e_k(self, k: int) -> str:
        """Return the name of E_k."""
        return f"k-paths:{k}" + (f",{self.k_options}" if self.k_options else "")

    @property
    def e(self) -> str:
        """The name of E."""
        return "shortest-path" + (f":{self.e_options}" if self.e_options else "")

    def with_options(self, name: str) -> str:
        """Return the name of an evaluator with the options of the reading."""
        shares = self.contribution_options and name.startswith("contribution-")
        return f"{name},{self.contribution_options}" if shares else name

    @property
    def affects_all_evaluators(self) -> bool:
        """Whether it is the default, or searches connections in another way."""
        options = self.k_options or self.e_options or self.contribution_options
        return self.connections != ConnectionSettings() or not options

    @property
    def affects_rankings(self) -> bool:
        """Whether rankings by contributions can differ from those of other readings."""
        return self.affects_all_evaluators or bool(self.contribution_options)

    @property
    def affects_games(self) -> bool:
        """Whether games of E_k and E can differ from those of other readings."""
        return self.affects_all_evaluators or bool(self.k_options or self.e_options)

    @property
    def e_k_draws_lots(self) -> bool:
        """Whether E_k too draws among equal moves, so that its games differ."""
        return "ties=random" in self.k_options

    @property
    def e_draws_lots(self) -> bool:
        """Whether E draws among equal moves."""
        return self.e_options != "ties=first"


_H = "limits of H-search"
_SHORT = ConnectionSettings(full_limit=3, semi_limit=4)
_LONG = ConnectionSettings(full_limit=60, semi_limit=200)
READINGS = (
    Reading(
        "default",
        "none",
        "greedy OR, 10 fulls and 20 semis a pair, 4 and 8 between two empty cells",
    ),
    Reading(
        name="raw",
        point="rule of 4.1.3",
        choice="none: all paths count",
        k_options="raw",
        contribution_options="raw",
    ),
    Reading(
        "carriers",
        "sigma(u)",
        "paths whose set S_n holds the cell, carriers included",
        contribution_options="carriers",
    ),
    Reading("disjoint", "paths", "none that uses a cell twice", contribution_options="disjoint"),
    Reading("parallel", "links of a pair", "all full connections", contribution_options="parallel"),
    Reading("last", "ties of E_k", "the last cell in row order", k_options="ties=last"),
    Reading("random", "ties of E_k", "drawn by lot", k_options="ties=random"),
    Reading("no-r", "r of E", "none: the first cell in row order", e_options="ties=first"),
    Reading(
        name="nodes",
        point="d",
        choice="nodes between the edges; joined edges win outright",
        k_options="nodes",
        e_options="nodes",
    ),
    Reading("or-2", _H, "OR of 2, all pairs", connections=ConnectionSettings(or_size=2)),
    Reading("or-3", _H, "OR of up to 3", connections=ConnectionSettings(or_size=3)),
    Reading("or-4", _H, "OR of up to 4", connections=ConnectionSettings(or_size=4)),
    Reading("short-lists", _H, "3 fulls and 4 semis a pair", connections=_SHORT),
    Reading("long-lists", _H, "60 fulls and 200 semis a pair", connections=_LONG),
    Reading("edges", _H, "AND over edges", connections=ConnectionSettings(and_over_edges=True)),
)
BY_NAME = {reading.name: reading for reading in READINGS}
_SETTINGS = asdict(ConnectionSettings())


def reading_named(name: str) -> Reading:
    """Return a reading by its name, or by several with commas between; raises ValueError."""
    parts = name.split(",")
    for part in parts:
        if part not in BY_NAME:
            raise ValueError(f"no reading {part!r}; choose from {', '.join(BY_NAME)}")
    return _combined([reading for reading in READINGS if reading.name in parts])


def _combined(readings: Sequence[Reading]) -> Reading:
    """Return one reading that changes the points of all; raises ValueError if two disagree."""
    for first, second in combinations(readings, 2):
        _check_pair(first, second)
    if len(readings) == 1:
        return readings[0]
    combined = [reading for reading in readings if reading.name != "default"]
    settings = _SETTINGS.copy()
    for reading in combined:
        settings |= _changed(reading)
    return Reading(
        name=_joined(combined, "name"),
        point=_joined(combined, "point", "; "),
        choice=_joined(combined, "choice", "; "),
        k_options=_joined(combined, "k_options"),
        e_options=_joined(combined, "e_options"),
        contribution_options=_joined(combined, "contribution_options"),
        connections=ConnectionSettings(**settings),
    )


def _check_pair(first: Reading, second: Reading) -> None:
    """Raise ValueError if two readings change one point, or one limit of H-search."""
    same_limits = _changed(first).keys() & _changed(second).keys()
    if same_limits or first.point == second.point != _H:
        raise ValueError(f"readings {first.name} and {second.name} disagree on {first.point}")


def _joined(readings: Sequence[Reading], field: str, between: str = ",") -> str:
    """Return a field of all readings that have it."""
    return between.join(filter(None, (getattr(reading, field) for reading in readings)))


def _changed(reading: Reading) -> dict[str, Any]:
    """Return the settings of connections that a reading changes."""
    settings = asdict(reading.connections)
    return {name: value for name, value in settings.items() if value != _SETTINGS[name]}


def chosen_readings(names: Sequence[str], among: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the readings with these names, ``all`` for ``among``; raises ValueError for others.

    A name may combine several of ``among``.
    """
    chosen = list(among) if "all" in names else []
    for name in names:
        if name != "all":
            _check_parts(name, among)
            chosen.append(reading_named(name))
    return tuple({reading.name: reading for reading in chosen}.values())


def _check_parts(name: str, among: Sequence[Reading]) -> None:
    """Raise ValueError for a name with a reading that is not among these."""
    there = [reading.name for reading in among]
    for part in name.split(","):
        if part not in there:
            raise ValueError(f"no reading {part!r}; choose from all, {', '.join(there)}")
