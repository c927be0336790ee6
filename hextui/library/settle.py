"""Let the solver prove late positions, which turns "possibly" into certain.

Each game is processed from its end on, until a position is too hard for the limit. What was tried
with a limit is not tried again with it, so the work can be stopped and resumed at any time.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.engine import Answerer, EngineDiedError, OpenLane
from hextui.engines.questions import WhoWins
from hextui.engines.snapshot import Progress
from hextui.library.library import Library
from hextui.library.schema import reported
from hextui.records.formats import read_record
from hextui.records.record import Record

NODES = 1000  # nodes that the solver may take for a position


@dataclass(frozen=True)
class Settled:
    """Games processed, of how many, and positions settled; how far the solver is compiled."""

    games: int = 0
    of: int = 0
    positions: int = 0
    stopped: bool = False
    compiling: str = ""


def unsettled(library: Library, record: Record) -> Iterator[tuple[int, Position]]:
    """Yield plies of a game and their positions that the solver may settle, the last first."""
    for ply in range(record.plies, -1, -1):
        position = record.position(ply=ply)
        if _is_unsettled(library, position):
            yield ply, position


def _is_unsettled(library: Library, position: Position) -> bool:
    """Return whether the solver may settle a position whose value is not certain."""
    if position.winner or position.swap_legal or not any(position.stones):
        return False  # the solver knows no swaps
    value = library.value(position)
    return value is not None and not value.certain


def _winner(
    solver: Answerer,
    question: WhoWins,
    hear_compiling: Callable[[Progress], None],
    stopped: Callable[[], bool],
) -> Color | None:
    """Ask the solver who wins; return None if it does not find out."""
    winner = None
    with suppress(EngineDiedError):  # of the question: it stays unanswered
        for answer in solver.answers(question, stopped):
            if isinstance(answer, Progress):
                hear_compiling(answer)
            elif answer.winner is not None:
                winner = answer.winner
    return winner


def settle_games(
    library: Library,
    nodes: int = NODES,
    report: Callable[[Settled], None] = lambda done: None,
    stopped: Callable[[], bool] = lambda: False,
    open_lane: OpenLane | None = None,
) -> Settled:
    """Settle late positions of all games that were not tried with so many nodes before.

    ``report`` is called at the start and after each position; ``stopped`` ends the solver too.
    ``open_lane`` opens the engine that is asked, by default the one in this process. Raises
    LibraryError if the library cannot be written.
    """
    if open_lane is None:
        from hextui.engines.answerer import OwnAnswerer

        open_lane = OwnAnswerer
    ids = library.untried(nodes)
    done = Settled(of=len(ids))

    def hear_compiling(progress: Progress) -> None:
        report(replace(done, compiling=progress.amount))

    solver = open_lane()
    try:
        for number in ids:
            report(done)
            text = library.text(number)
            if text is None:  # removed meanwhile
                continue
            with reported(library.path):
                record = read_record(text)
            wins: dict[int, bool] = {}
            for ply, position in unsettled(library, record):
                question = WhoWins(position, Limit(nodes=nodes))
                winner = _winner(solver, question, hear_compiling, stopped)
                if winner is None:
                    break
                wins[ply] = winner is position.to_move
                report(replace(done, positions=done.positions + len(wins)))
            if stopped():
                return replace(done, stopped=True)
            settled = library.settle(number, wins, nodes)
            done = Settled(done.games + 1, done.of, done.positions + settled)
    finally:
        solver.close()
    return done
