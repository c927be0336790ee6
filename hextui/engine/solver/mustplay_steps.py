"""The run of the readable solver as a story: one step after the other, each with its board."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import MustPlayRun, Try


class StepKind(enum.StrEnum):
    """What happens in a step."""

    TRY = "try"
    """The side to move chooses ``move`` from the region."""
    JOIN = "join"
    """The move has joined its player's sides."""
    KNOWN = "known"
    """The position was solved in an earlier step."""
    WIN = "win"
    """The move wins: the opponent has no winning move. The winset is the mover's, with it."""
    REFUTED = "refuted"
    """The move loses: ``reply`` wins. The winset is the opponent's."""
    LOST = "lost"
    """No move is left: the winsets joined are the opponent's."""


@dataclass(frozen=True)
class Step:
    """One step. ``position`` is the board it is about; ``region`` and ``winset`` are empty cells.

    ``depth`` counts the moves made before; ``owner`` owns the winset. ``threats`` are, where every
    move has lost, the moves tried, each with the winset that beat it: joined they are ``winset``.
    """

    kind: StepKind
    depth: int
    position: Position
    region: frozenset[int] = frozenset()
    move: int | None = None
    reply: int | None = None
    winset: frozenset[int] = frozenset()
    owner: Color | None = None
    threats: tuple[tuple[int, frozenset[int]], ...] = ()

    @property
    def left(self) -> frozenset[int]:
        """The region after a refuted move: what the region and the winset have in common."""
        return self.region & self.winset


def steps(run: MustPlayRun, position: Position) -> Iterator[Step]:
    """Yield the steps of a run on a position; a run that came before is told in one."""
    yield from _steps(run, position, set())


def _steps(run: MustPlayRun, position: Position, seen: set[int]) -> Iterator[Step]:
    if id(run) in seen:
        yield Step(
            StepKind.KNOWN, run.depth, position, frozenset(), run.move, None, run.winset, run.winner
        )
        return
    seen.add(id(run))
    for one in run.tries:
        yield from _try(run, one, position, seen)
    if run.move is None:
        yield Step(
            StepKind.LOST,
            run.depth,
            position,
            winset=run.winset,
            owner=run.to_move.opponent,
            threats=tuple((one.move, one.winset) for one in run.tries),
        )


def _try(run: MustPlayRun, one: Try, position: Position, seen: set[int]) -> Iterator[Step]:
    yield Step(StepKind.TRY, run.depth, position, one.region, one.move)
    after = position.play(one.move)
    if one.after is None:
        yield Step(StepKind.JOIN, run.depth + 1, after, move=one.move, owner=run.to_move)
    else:
        yield from _steps(one.after, after, seen)
    kind = StepKind.WIN if one.wins else StepKind.REFUTED
    owner = run.to_move if one.wins else run.to_move.opponent
    yield Step(kind, run.depth, position, one.region, one.move, one.reply, one.winset, owner)
