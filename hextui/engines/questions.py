"""What an engine can be asked about a position, and what it answers.

All of it is frozen and needs no library of the engine, so that the screen can ask and be told.
A question is answered by a stream: each answer knows more than the one before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from hextui.engine.board import Board, Color
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.explanation import Explanation, Illustration
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.best_move import Call, GameState
from hextui.engine.search.hex_game import HexGame
from hextui.engine.search.judged_opening import JudgedOpening
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.solver.mustplay_order import DEFAULT
from hextui.engine.solver.mustplay_steps import Step
from hextui.engine.solver.strategy import Strategy
from hextui.engines.limits import SolverBudget
from hextui.engines.snapshot import Examined, Progress, Snapshot, Verdict

A = TypeVar("A", covariant=True)
_NO_POSITION = Position.empty(Board(1, 1))


@dataclass(frozen=True)
class Question(Generic[A]):
    """A question about a position; its answers are of the type ``A``."""

    position: Position


@dataclass(frozen=True)
class Analyse(Question[Snapshot]):
    """What is known of the position, stage after stage, as the workstation shows it live.

    ``evaluators`` rank, in this order; ``lines_by`` judges lines, '' for none. Without a
    ``budget`` nothing is solved. ``again``: what was analysed to the end goes on from there.
    ``scope``: which moves lines and the tree search think of, of which one must be playable.
    ``played``: the move made here in the game, one of the first whose verdict is looked for.
    """

    evaluators: tuple[str, ...]
    lines_by: str = ""
    lines: LineSettings = field(default_factory=LineSettings)
    budget: SolverBudget | None = None
    again: bool = False
    played: int | None = None
    scope: MoveScope = ALL_MOVES


@dataclass(frozen=True)
class Examine(Question[Examined]):
    """The analysis of the position by an attached engine, up to the limit; its nodes are visits.

    ``scope``: the moves that it may consider; only KataHex takes one. ``choose``: it is to play,
    so an engine that shows an analysis of its own chooses a move instead. ``again``: the engine
    searches although it has answered the question before.
    """

    limit: Limit = field(default_factory=Limit)
    scope: MoveScope = ALL_MOVES
    choose: bool = False
    again: bool = False


@dataclass(frozen=True)
class Judged:
    """Who wins as far as connections or a tree search prove it, and the final rankings so far.

    ``proved``: whether a move wins, by its cell, for those of which a tree search has proved it.
    ``balance``: who is ahead, whoever is to move: the natural logarithm of White's electrical
    resistance divided by Black's, above 0 if Black is; None where the game is over. ``winrate``:
    the side to move's, 0 to 1, as another engine sees it; None if it tells none.
    """

    verdict: Verdict | None
    rankings: Mapping[str, Ranking] = field(default_factory=dict)
    balance: float | None = None
    winrate: float | None = None
    proved: Mapping[int, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Judge(Question[Judged | Progress]):
    """What evaluators say of the position, one of a game; nobody ranks where a chain has ended it.

    A tree search that names no limit looks at `GAME_LOOKS` positions, none has to where connections
    prove who wins, and it ranks the moves alone that it thinks of.
    """

    evaluators: tuple[str, ...]


@dataclass(frozen=True)
class Explain(Question[Explanation | Progress]):
    """Why an evaluator gives a move, a cell, its value."""

    evaluator: str
    move: int


@dataclass(frozen=True)
class ShowLinks(Question[tuple[Illustration, ...] | Progress]):
    """The links of an empty cell in the networks of both colours, painted one by one."""

    move: int


@dataclass(frozen=True)
class Proved:
    """Who wins; None if the limit was too narrow.

    ``wins``: moves of the side to move that are proved to win. ``complete``: they are all, every
    other move being proved to lose. ``seconds`` of a processor were spent.
    """

    winner: Color | None
    wins: tuple[int, ...] = ()
    complete: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class WhoWins(Question[Proved | Progress]):
    """Who wins when nobody swaps. ``table_bytes``: the solver's memory, None for its default.

    ``all_moves``: and with which moves, all of them.
    """

    limit: Limit
    table_bytes: int | None = None
    all_moves: bool = False


@dataclass(frozen=True)
class NotProved:
    """Nobody's win could be proved in the seconds that were given."""

    seconds: float


@dataclass(frozen=True)
class ShowProof(Question[Strategy | NotProved | Progress]):
    """The strategy of whoever wins when nobody swaps, from a proof of it.

    ``seconds`` are those of the clock that it may take. ``table_bytes``: the solver's memory,
    None for its default.
    """

    seconds: float
    table_bytes: int | None = None


@dataclass(frozen=True)
class Traced:
    """How many positions the readable solver has looked at; its ``steps`` once it is done."""

    calls: int
    steps: tuple[Step, ...] | None = None


@dataclass(frozen=True)
class Trace(Question[Traced]):
    """The run of the readable solver; ``remember``: a position is not solved twice.

    ``order`` says in which order cells are tried (see `cell_order`).
    """

    remember: bool
    order: str = DEFAULT


@dataclass(frozen=True)
class LookedAhead:
    """How many positions `best_move` has looked at so far, and what it found.

    ``call`` is the call on the state once it is done, which took ``call_positions``; ``scores``
    are those of all moves, which come last.
    """

    positions: int
    call: Call | None = None
    call_positions: int = 0
    scores: Mapping[int, int] | None = None


@dataclass(frozen=True)
class LookAhead(Question[LookedAhead]):
    """One call of `best_move` on a state, and the scores of all its moves.

    The position is that of a state of Hex; of another game it is an empty cell.
    """

    state: GameState

    @staticmethod
    def at(state: GameState) -> "LookAhead":
        """Return the question about a state."""
        position = state.position if isinstance(state, HexGame) else _NO_POSITION
        return LookAhead(position, state)


@dataclass(frozen=True)
class OpeningsJudged:
    """First moves that are judged so far, of each two that a turn exchanges one; of ``total``."""

    openings: tuple[JudgedOpening, ...]
    total: int


@dataclass(frozen=True)
class JudgeOpenings(Question[OpeningsJudged | Progress]):
    """The chance that each first move wins, on the empty board of the position.

    ``limit`` is on the search of each that is not proved; those ``judged`` before are taken over.
    """

    limit: Limit
    judged: tuple[JudgedOpening, ...] = ()

    @staticmethod
    def of(board: Board, limit: Limit, judged: tuple[JudgedOpening, ...] = ()) -> "JudgeOpenings":
        """Return the question about a board."""
        return JudgeOpenings(Position.empty(board), limit, judged)


@dataclass(frozen=True)
class ListConnections(Question[tuple[Connection, ...]]):
    """Connections of a colour in force, adjacencies left out, the most telling first.

    Of one ``kind`` or of both (None): ``count`` of them from the place ``first`` on.
    """

    color: Color
    kind: ConnectionKind | None
    first: int
    count: int


@dataclass(frozen=True)
class Premises(Question[tuple[Connection, ...]]):
    """What the connection ``of`` of a colour was made from; () if there is no such connection."""

    color: Color
    of: int
