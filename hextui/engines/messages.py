"""What goes between the workstation and our own engine's process, and its form on the pipe.

A frame is its length, four bytes, and the pickled messages: both ends are the same program of the
same version, and nobody else has the pipe. Only known classes are read back; none of them needs
numba. Positions and rankings, of which most frames consist, have a short form.
"""

import io
import pickle
import struct
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import IO, Any

from hextui.engine import explanation
from hextui.engine.board import Board, Color
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.connection import Rule as ConnectionRule
from hextui.engine.inferior_cells import InferiorCells, InferiorRule
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.ranking import RankedMove, Ranking
from hextui.engine.search import best_move
from hextui.engine.search.hex_game import HexGame
from hextui.engine.search.judged_opening import JudgedOpening
from hextui.engine.search.known_games import GAMES
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.search.lines import Line, Lines
from hextui.engine.search.move_scope import MoveScope
from hextui.engine.solver import proof, solution, strategy
from hextui.engine.solver.mustplay_steps import Step, StepKind
from hextui.engines import questions, snapshot
from hextui.engines.attached import examined
from hextui.engines.budget import SolverBudget

_LENGTH = struct.Struct("!I")


@dataclass(frozen=True)
class Ask:
    """A question with its number, for a lane."""

    number: int
    lane: int
    question: questions.Question[Any]


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
    """The engine's first word."""


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
    """Write a frame. Raises OSError if nobody reads any more."""
    data = encoded(messages)
    file.write(_LENGTH.pack(len(data)) + data)
    file.flush()


def read(file: IO[bytes]) -> Sequence[Message] | None:
    """Wait for a frame and return it; None at the end.

    Raises ValueError for what is no frame.
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
    except Exception as error:  # whatever broken bytes make of it
        raise ValueError(f"not a frame of this version: {error}") from None
    return found


# Short forms


def _position(rows: int, columns: int, stones: bytes, to_move: int, swap_legal: bool) -> Position:
    return Position(_board(rows, columns), stones, Color(to_move), swap_legal)


@lru_cache(8)
def _board(rows: int, columns: int) -> Board:
    """Return a board; all positions share it, and what it has worked out about itself."""
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

_KNOWN = {
    (thing.__module__, thing.__name__): thing
    for thing in (
        *(Ask, Stop, Leave, Ready, Answered, Finished),
        *(questions.Analyse, questions.Judge, questions.Judged, questions.WhoWins),
        *(questions.Proved, questions.Trace, questions.Traced, questions.ListConnections),
        *(questions.Premises, snapshot.Snapshot, snapshot.Progress, snapshot.Verdict),
        *(snapshot.VerdictKind, snapshot.ConnectionCounts, solution.Solution, solution.MoveVerdict),
        *(solution.Reason, Color, Connection, ConnectionKind, ConnectionRule, InferiorCells),
        *(InferiorRule, Limit, Line, Lines, LineSettings, MoveScope, SolverBudget, Step, StepKind),
        *(
            questions.Explain,
            questions.ShowLinks,
            explanation.Explanation,
            explanation.Source,
            explanation.Term,
        ),
        *(explanation.Painting, explanation.CellSet, explanation.Role, explanation.Wire, Fraction),
        *(best_move.Call, best_move.BestMove, best_move.AskedMove, HexGame, *GAMES.values()),
        *(questions.ShowProof, questions.NotProved, strategy.Strategy, strategy.Chain),
        *(strategy.Strand, proof.Play, proof.Replies, proof.Reply, proof.Kill, proof.Fill),
        *(proof.Dead, proof.Captured),
        *(examined.Examined, examined.ExaminedMove),
        *(questions.JudgeOpenings, questions.OpeningsJudged, JudgedOpening),
        *(questions.LookAhead, questions.LookedAhead, _position, _board, _ranking, dict, frozenset),
    )
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return a class of `_KNOWN`, and nothing else."""
        found = _KNOWN.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong here")
        return found
