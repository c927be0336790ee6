"""Questions to an engine about a position, and the answers that are not in `snapshot`.

All are frozen, and need no library of the engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from hextui.engine.board import Color
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.explanation import Explanation, Illustration
from hextui.engine.limit import Limit
from hextui.engine.position import Move, Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.best_move import Call, GameState
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.solver.attack import Attack, TryAnswer
from hextui.engine.solver.mustplay import DEFAULT, RunStep, TryResult
from hextui.engine.solver.proof import Proof
from hextui.engine.verdicts import ClaimedWinner
from hextui.engines.limits import SolverBudget
from hextui.engines.snapshot import Progress, SearchReport, Snapshot, Verdict

A = TypeVar("A", covariant=True)


@dataclass(frozen=True)
class Question(Generic[A]):
    """A question about a position; its answers are of the type ``A``."""

    position: Position


@dataclass(frozen=True)
class Analyse(Question[Snapshot]):
    """The live analysis of the position.

    ``evaluators`` rank, in this order; ``lines_by`` evaluates lines, '' for none. ``minimax_by``
    evaluates those of a minimax beside the lines of a tree search or an attached engine, '' for
    none. Without a ``budget`` nothing is solved. ``again``: continue an analysis that has ended.
    ``scope``: the moves that searches may consider, one of them legal. ``played``: the move to
    decide early.
    """

    evaluators: tuple[str, ...]
    lines_by: str = ""
    lines: LineSettings = field(default_factory=LineSettings)
    budget: SolverBudget | None = None
    again: bool = False
    played: int | None = None
    scope: MoveScope = ALL_MOVES
    minimax_by: str = ""


@dataclass(frozen=True)
class SearchMoves(Question[SearchReport]):
    """The analysis of the position by an engine, up to the limit; its nodes are visits.

    ``scope``: the moves that it may consider; of attached engines only KataHex takes one.
    ``choose``: a move to be played, where the engine could show an analysis instead. ``again``:
    search although cached. Our engine answers once, after a moment of the solver and the tree
    search to the limit, and tells the progress of compilation; it may name no move in a lost
    position.
    """

    limit: Limit = field(default_factory=Limit)
    scope: MoveScope = ALL_MOVES
    choose: bool = False
    again: bool = False


@dataclass(frozen=True)
class ChooseMove(Question[Move | Progress]):
    """The move of our player with a name and a seed, or of an attached engine, which may resign.

    It may be a swap. ``limit``: that of an attached engine.
    """

    player: str
    seed: int
    limit: Limit = field(default_factory=Limit)


@dataclass(frozen=True)
class Judged:
    """The winner, if connections or a tree search prove it, and the final rankings so far.

    ``proved``: whether a move wins, by its cell, by a tree search. ``balance``: the natural
    logarithm of White's electrical resistance divided by Black's, above 0 if Black is ahead; None
    where the game is over. ``winrate``: an attached engine's, of the side to move, 0 to 1;
    ``claim``: the winner that it reports as proved.
    """

    verdict: Verdict | None
    rankings: Mapping[str, Ranking] = field(default_factory=dict)
    balance: float | None = None
    winrate: float | None = None
    proved: Mapping[int, bool] = field(default_factory=dict)
    claim: ClaimedWinner | None = None


@dataclass(frozen=True)
class Judge(Question[Judged | Progress]):
    """The rankings of a position of a game; there are none where a chain has ended it.

    A tree search without a limit of its own makes `limits.GAME_VISITS` visits and ranks only the
    moves that it considers. It is left out where connections prove the winner.
    """

    evaluators: tuple[str, ...]


@dataclass(frozen=True)
class Explain(Question[Explanation | Progress]):
    """Why an evaluator gives a move, a cell, its value."""

    evaluator: str
    move: int


@dataclass(frozen=True)
class ShowLinks(Question[tuple[Illustration, ...] | Progress]):
    """The links of an empty cell in the networks of both colours, and the whole networks."""

    move: int


@dataclass(frozen=True)
class Proved:
    """The winner; None if the limit was too narrow.

    ``wins``: moves of the side to move that are proved to win. ``complete``: every other move is
    proved to lose. ``seconds``: the CPU time spent; ``nodes``: those that were expanded.
    """

    winner: Color | None
    wins: tuple[int, ...] = ()
    complete: bool = False
    seconds: float = 0.0
    nodes: int = 0


@dataclass(frozen=True)
class WhoWins(Question[Proved | Progress]):
    """The winner without a swap; ``all_moves``: every move is decided too.

    The limit's seconds are those of one thread: several take as much less time.
    """

    limit: Limit
    all_moves: bool = False


@dataclass(frozen=True)
class NotProved:
    """No win could be proved in the given seconds."""

    seconds: float


@dataclass(frozen=True)
class ShowProof(Question[Proof | NotProved | Progress]):
    """The proof of who wins without a swap; a long one is shortened (see `Exporter`).

    ``seconds``: of wall time at most.
    """

    seconds: float


@dataclass(frozen=True)
class AnswerTry(Question[TryAnswer | NotProved | Progress]):
    """The winner's answer to an attack in the position, inside the carrier and proved.

    ``seconds``: of wall time at most.
    """

    attack: Attack
    seconds: float


@dataclass(frozen=True)
class Traced:
    """The number of positions the readable solver has visited; its ``steps`` at the end."""

    calls: int
    steps: tuple[RunStep, ...] | None = None


@dataclass(frozen=True)
class Trace(Question[Traced]):
    """The run of the readable solver; ``remember``: no position twice; ``order``: of cells."""

    remember: bool
    order: str = DEFAULT


@dataclass(frozen=True)
class Tried:
    """What the readable solver has tried so far, in two levels; ``trying``: the moves now.

    ``winner`` and its ``winset`` once the position is solved; ``ended``: no more will follow.
    """

    calls: int
    tries: tuple[TryResult, ...] = ()
    trying: tuple[int, ...] = ()
    winner: Color | None = None
    winset: frozenset[int] = frozenset()
    ended: bool = False


@dataclass(frozen=True)
class Tries(Question[Tried]):
    """The tries of the readable solver as they are made, no position twice.

    ``order``: of cells; ``seconds``: of wall time at most.
    """

    order: str
    seconds: float


@dataclass(frozen=True)
class LookedAhead:
    """The number of positions `best_move` has visited so far, and its results.

    ``call`` on the state took ``call_positions``; ``scores``, of all moves, come last.
    """

    positions: int
    call: Call | None = None
    call_positions: int = 0
    scores: Mapping[int, int] | None = None


@dataclass(frozen=True)
class LookAhead(Question[LookedAhead]):
    """One call of `best_move` on a state of the position, and the scores of all its moves."""

    state: GameState


@dataclass(frozen=True)
class OpeningsJudged:
    """The first moves evaluated so far, one of each symmetric pair, of ``total``."""

    openings: tuple[JudgedOpening, ...]
    total: int


@dataclass(frozen=True)
class JudgeOpenings(Question[OpeningsJudged | Progress]):
    """The win probability of each first move, on the empty board of the position.

    ``limit`` holds for each search; there is none for moves that are proved or ``judged`` before.
    """

    limit: Limit
    judged: tuple[JudgedOpening, ...] = ()


@dataclass(frozen=True)
class ListConnections(Question[tuple[Connection, ...]]):
    """``count`` of a colour's connections from index ``first`` on, the most important first.

    They are of one ``kind`` or of both (None), without adjacencies; ``within``: only those that
    need no empty cell but these.
    """

    color: Color
    kind: ConnectionKind | None
    first: int
    count: int
    within: frozenset[int] | None = None


@dataclass(frozen=True)
class Premises(Question[tuple[Connection, ...]]):
    """The premises of the connection ``of`` of a colour; () if there is no such connection."""

    color: Color
    of: int
