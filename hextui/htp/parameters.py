"""What clients may set: groups of parameters, listed and changed by ``param_...`` commands."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, TypeVar

from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.htp.htp_requests import HtpError, seconds
from hextui.htp.served_game import SwapBoard


@dataclass(frozen=True)
class GameParameters:
    """Rules. ``allow_swap``: the swap rule; ``swap_board``: what a swap does to the board.

    ``game_time``: seconds of each side for a game, 0 for no limit.
    """

    allow_swap: bool = False
    swap_board: SwapBoard = SwapBoard.KEEP
    game_time: float = 0.0

    @property
    def swap(self) -> SwapBoard | None:
        """What a swap does, None if it is not allowed."""
        return self.swap_board if self.allow_swap else None


@dataclass(frozen=True)
class DfpnParameters:
    """The solver: live graphics while it works, and seconds a question, 0 for no limit."""

    use_guifx: bool = False
    timelimit: float = 0.0


@dataclass(frozen=True)
class OwnParameters:
    """Who plays, by name, and seconds a move at most, 0 for no limit."""

    player: str = DEFAULT_SEARCH
    max_time: float = 0.0


Group = TypeVar("Group", GameParameters, DfpnParameters, OwnParameters)


def _flag(word: str) -> bool:
    if word not in ("0", "1"):
        raise HtpError(f"0 or 1, not {word[:40]!r}")
    return word == "1"


def _swap_board(word: str) -> SwapBoard:
    try:
        return SwapBoard(word)
    except ValueError:
        raise HtpError(f"{' or '.join(SwapBoard)}, not {word[:40]!r}") from None


def _player(name: str) -> str:
    from hextui.matches.players import player

    return player(name).name


_READERS: dict[str, Callable[[str], Any]] = {
    "allow_swap": _flag,
    "swap_board": _swap_board,
    "game_time": seconds,
    "use_guifx": _flag,
    "timelimit": seconds,
    "player": _player,
    "max_time": seconds,
}


def listed(group: GameParameters | DfpnParameters | OwnParameters) -> str:
    """Return a group as clients read it, a line a parameter."""
    lines = [_line(field.name, getattr(group, field.name)) for field in fields(group)]
    return "\n".join(["", *lines])


def _line(name: str, value: Any) -> str:
    match value:
        case bool():
            return f"[bool] {name} {value:d}"
        case StrEnum():
            return f"[list/{'/'.join(type(value))}] {name} {value}"
        case float():
            return f"[string] {name} {value:g}"
        case _:
            return f"[string] {name} {value}"


def changed(group: Group, name: str, text: str) -> Group:
    """Return a group with another value of a parameter; raises ValueError."""
    names = [field.name for field in fields(group)]
    if name not in names:
        raise HtpError(f"no parameter {name[:40]!r}; there are {', '.join(names)}")
    return replace(group, **{name: _READERS[name](text)})
