"""Messages between the workstation and our engine's process, and their form on the pipe.

A frame is its length, four bytes, and the pickled messages: both ends are the same program of the
same version, and nobody else has the pipe. Only values of the engine are read back (see `_Reader`),
so a new kind of question needs no registration. Positions and rankings, of which most frames
consist, have a short form. Nothing here needs numba.
"""

import enum
import io
import pickle
import struct
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.ranking import RankedMove, Ranking

if TYPE_CHECKING:
    from hextui.engines.questions import Question

_LENGTH = struct.Struct("!I")


@dataclass(frozen=True)
class Ask:
    """A question with its number, for a lane."""

    number: int
    lane: int
    question: "Question[Any]"


@dataclass(frozen=True)
class Stop:
    """Give up a question."""

    number: int


@dataclass(frozen=True)
class Leave:
    """Close a lane."""

    lane: int


@dataclass(frozen=True)
class Ready:
    """The engine's first message."""


@dataclass(frozen=True)
class Answered:
    """An answer to a question."""

    number: int
    value: Any


@dataclass(frozen=True)
class Finished:
    """A question's last message; ``problem`` is the line that says why it failed, if it did."""

    number: int
    problem: str = ""


Message = Ask | Stop | Leave | Ready | Answered | Finished


def write(file: IO[bytes], messages: Sequence[Message]) -> None:
    """Write a frame. Raises OSError if the other end is closed."""
    data = encoded(messages)
    file.write(_LENGTH.pack(len(data)) + data)
    file.flush()


def read(file: IO[bytes]) -> Sequence[Message] | None:
    """Wait for a frame and return it; None at the end of the pipe.

    Raises ValueError for anything else.
    """
    head = file.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = file.read(length)
    return decoded(data) if len(data) == length else None


def encoded(messages: Sequence[Message]) -> bytes:
    """Return messages as they go through the pipe."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, 5)
    pickler.dispatch_table = _SHORT
    pickler.dump(tuple(messages))
    return file.getvalue()


def decoded(data: bytes) -> Sequence[Message]:
    """Return the messages of a frame; raises ValueError for anything else."""
    try:
        found: Sequence[Message] = _Reader(io.BytesIO(data)).load()
    except Exception as error:  # broken bytes may raise any
        raise ValueError(f"not a frame of this version: {error}") from None
    return found


class _Reader(pickle.Unpickler):
    """Reads values of the packages `_PACKAGES` and those of `_OTHERS`.

    A value is a frozen dataclass, a named tuple or a member of an enum: to make one runs no code
    but that of its class.
    """

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of values."""
        if (module, name) in _OTHERS:
            return _OTHERS[module, name]
        if module.startswith(_PACKAGES) and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module and _is_of_values(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} does not belong here")


_PACKAGES = ("hextui.engine.", "hextui.engines.")


def _is_of_values(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return (
        (parameters is not None and parameters.frozen)
        or issubclass(kind, enum.Enum)
        or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
    )


# Short forms


def _position(rows: int, columns: int, stones: bytes, to_move: int, swap_legal: bool) -> Position:
    return Position(_board(rows, columns), stones, Color(to_move), swap_legal)


@lru_cache(8)
def _board(rows: int, columns: int) -> Board:
    """Return a board that all positions share, with what it has worked out about itself."""
    return Board(rows, columns)


def _ranking(name: str, cells: bytes, values: bytes, ranks: bytes, *rest: Any) -> Ranking:
    columns = array("H", cells), array("d", values), array("H", ranks)
    return Ranking(name, tuple(map(RankedMove, *columns)), *rest)


def _short_position(position: Position) -> tuple[Any, ...]:
    board = position.board
    form = (board.rows, board.columns, position.stones, int(position.to_move))
    return _position, (*form, position.swap_legal)


def _short_ranking(ranking: Ranking) -> tuple[Any, ...]:
    cells, values, ranks = zip(*ranking.moves, strict=True) if ranking.moves else ((), (), ())
    columns = (array("H", cells), array("d", values), array("H", ranks))
    rest = (ranking.exact, ranking.final, ranking.note)
    return _ranking, (ranking.evaluator, *(column.tobytes() for column in columns), *rest)


_SHORT: dict[type, Callable[[Any], Any]] = {
    Board: lambda board: (_board, (board.rows, board.columns)),
    Position: _short_position,
    Ranking: _short_ranking,
    MappingProxyType: lambda mapping: (dict, (dict(mapping),)),
}
_OTHERS = {
    (thing.__module__, thing.__name__): thing
    for thing in (_position, _board, _ranking, dict, frozenset, Fraction)
}
