"""Messages between the workstation and our engine's process, and their form on the pipe.

A frame is its length, four bytes, and the pickled messages: both ends are the same program of the
same version, and nobody else has the pipe. Only values of the engine are read back (see
`_FrameUnpickler`), so a new kind of question needs no registration. Nothing here needs numba.
"""

import enum
import io
import pickle
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.small_games import GROUP
from hextui.engine.solver.proof import And, Or, Touch
from hextui.engines.engine import Event
from hextui.entry_points import entries_of

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
class GiveUp:
    """A question is given up."""

    number: int


@dataclass(frozen=True)
class CloseLane:
    """A lane is closed."""

    lane: int


@dataclass(frozen=True)
class QuestionEvent:
    """An event of a question. The engine's first frame, which says that it is ready, has none."""

    number: int
    event: Event


Message = Ask | GiveUp | CloseLane | QuestionEvent


def write(file: IO[bytes], messages: Sequence[Message]) -> None:
    """Write a frame. Raises OSError if the other end is closed."""
    data = encoded(messages)
    file.write(_LENGTH.pack(len(data)) + data)
    file.flush()


def read(file: IO[bytes]) -> Sequence[Any] | None:
    """Return the messages of a frame, None at the end; raises ValueError if broken."""
    head = file.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = file.read(length)
    return decoded(data) if len(data) == length else None


def encoded(values: Sequence[Any]) -> bytes:
    """Return values as they go through the pipe."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, 5)
    pickler.dispatch_table = _SHORT
    pickler.dump(tuple(values))
    return file.getvalue()


def decoded(data: bytes) -> Sequence[Any]:
    """Return the values of a frame; raises ValueError for anything else."""
    try:
        values: Sequence[Any] = _FrameUnpickler(io.BytesIO(data)).load()
    except Exception as error:  # broken bytes may raise any
        raise ValueError(f"not a frame of this version: {error}") from None
    return values


class _FrameUnpickler(pickle.Unpickler):
    """Reads values of the packages `_PACKAGES` and those of `_OTHERS`.

    A value is a frozen dataclass, a named tuple or a member of an enum: to make one runs no code
    but that of its class.
    """

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS:
            return _OTHERS[module, name]
        if module.startswith(_PACKAGES) and "." not in name:
            kind = super().find_class(module, name)
            if isinstance(kind, type) and kind.__module__ == module and _is_of_values(kind):
                return kind
        for game in entries_of(GROUP).values():  # installed games: their states
            if game.value == f"{module}:{name}":
                return game.load()
        raise pickle.UnpicklingError(f"{module}.{name} does not belong here")


_PACKAGES = ("hextui.engine.", "hextui.engines.")


def _is_of_values(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return (
        (parameters is not None and parameters.frozen)
        or issubclass(kind, enum.Enum)
        or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
    )


@lru_cache(8)
def _board(rows: int, columns: int) -> Board:
    """Return a board that all positions share, with what it has worked out about itself."""
    return Board(rows, columns)


_SHORT: dict[type, Callable[[Any], Any]] = {
    Board: lambda board: (_board, (board.rows, board.columns)),
    # without what they have worked out about themselves
    Position: lambda of: (Position, (of.board, of.stones, of.to_move, of.swap_rule)),
    Ranking: lambda of: (Ranking, (of.evaluator, of.moves, of.exact, of.final, of.note, of.swap)),
    # a proof has thousands of steps
    Touch: lambda of: (Touch, (of.first, of.second)),
    And: lambda of: (And, (of.first, of.second, of.captured)),
    Or: lambda of: (Or, (of.steps, of.captured)),
}
_OTHERS = {
    (thing.__module__, thing.__name__): thing for thing in (_board, dict, frozenset, Fraction)
}
