"""Reads a file of claims about evaluators: TOML with a table ``[[claim]]`` for each.

``games`` at the top are the files or folders of games for claims that name none; they stand
relative to the file of claims. The ranges are like those of the claims of Honjo et al. 2010
(https://hdl.handle.net/2115/51049).
"""

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, get_type_hints

from hextui.engine.evaluators import evaluator
from hextui.settings.settings_files import (
    ConfigError,
    SettingError,
    read_toml,
    read_value,
    shown,
    table,
)
from hextui.studies.paper import SAME, Claim

CHANCE = 0.5
"""Mean Q of moves that are ranked at random."""


class Measure(enum.Enum):
    """What is measured of the moves by an evaluator."""

    Q = "Q"  # mean Q
    LOW = "low"  # the share of moves with Q below 0.5
    FIRST = "first"  # the share of moves with rank 1


class Sign(enum.Enum):
    """Where the measure is expected: above, below, or near what it is compared with."""

    ABOVE = "+"
    BELOW = "-"
    NEAR = "0"


class Player(enum.Enum):
    """Whose moves are measured."""

    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True)
class OwnClaim:
    """A claim about an evaluator's measure: less that of a second one, or compared with chance."""

    text: str
    measure: Measure
    evaluators: tuple[str, ...]
    expect: Sign
    games: tuple[str, ...] = ()
    player: Player = Player.WINNER

    @property
    def claim(self) -> Claim:
        """The claim with its range, as one of the paper."""
        middle = 0.0 if len(self.evaluators) == 2 else CHANCE
        low, high = {
            Sign.ABOVE: (middle, inf),
            Sign.BELOW: (-inf, middle),
            Sign.NEAR: (middle - SAME, middle + SAME),
        }[self.expect]
        names = " less ".join(self.evaluators)
        return Claim(
            section="",
            text=self.text,
            measure=f"{self.measure.value} of {names}",
            low=low,
            high=high,
        )


def read_claims(path: Path) -> list[OwnClaim]:
    """Return the claims of a file, each with its games; raises ConfigError."""
    document = read_toml(path)
    if document is None:
        raise ConfigError(path, "there is no such file")
    try:
        return list(_claims(document))
    except SettingError as error:
        raise ConfigError(path, str(error)) from None


def _claims(document: Mapping[str, Any]) -> Iterator[OwnClaim]:
    for key in document.keys() - {"games", "claim"}:
        raise SettingError(key, "there is no such key; choose from games, claim")
    games = read_value(tuple[str, ...], "games", document["games"]) if "games" in document else ()
    written = document.get("claim")
    if not isinstance(written, list) or not written:
        raise SettingError("claim", "give a table [[claim]] for each claim")
    for number, value in enumerate(written, start=1):
        yield _claim(f"claim {number}", value, games)


def _claim(key: str, value: Any, games: tuple[str, ...]) -> OwnClaim:
    wanted = get_type_hints(OwnClaim)
    written = {"games": list(games), **table({key: value}, key)}
    for name in written.keys() - wanted.keys():
        others = ", ".join(wanted)
        raise SettingError(f"{key}.{name}", f"there is no such key; choose from {others}")
    for name in wanted.keys() - {"player"}:
        if not written.get(name):
            raise SettingError(f"{key}.{name}", "is missing")
    fields = {}
    for name, each in written.items():
        fields[name] = read_value(wanted[name], f"{key}.{name}", each)
    fields["evaluators"] = _names(f"{key}.evaluators", fields["evaluators"])
    claim = OwnClaim(**fields)
    if len(claim.evaluators) == 1 and claim.measure is not Measure.Q:
        raise SettingError(f"{key}.evaluators", f"{claim.measure.value} compares two: name both")
    return claim


def _names(key: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of one evaluator, or of two different ones, as they are listed."""
    try:
        listed = tuple(dict.fromkeys(evaluator(name).name for name in names))
    except ValueError as error:
        raise SettingError(key, str(error)) from None
    if len(listed) != len(names) or len(listed) > 2:
        raise SettingError(key, f"must be one evaluator, or two different ones, not {shown(names)}")
    return listed
