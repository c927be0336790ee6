"""Settling the games of a library on workers, with the same result for any number of them.

Games are taken in rounds. Which positions of a game are asked about is read from the library
before its round, and a worker begins each game with an empty table, so that it does not matter who
is first. Each game is stored as soon as it is done. Several programs on this machine claim the
games that they work on.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.questions import Proved, WhoWins
from hextui.library.library import Library
from hextui.library.schema import reported
from hextui.library.settle import Settled, unsettled
from hextui.records.formats import read_record
from hextui.runs.claims import Claims
from hextui.runs.workers import completed

ROUND = 64  # games


@dataclass(frozen=True)
class LatePositions:
    """Positions of a game by their plies, the last first, and the nodes for each."""

    positions: tuple[tuple[int, Position], ...]
    nodes: int


def prove_late(task: LatePositions) -> dict[int, bool]:
    """Return whether the side to move wins, by ply, up to the first that is too hard.

    Called in a worker.
    """
    from hextui.engines.answerer import OwnAnswerer
    from hextui.engines.engine_workspace import temporary_solutions

    wins: dict[int, bool] = {}
    with temporary_solutions() as solutions:
        solver = OwnAnswerer(solutions=solutions)
        for ply, position in task.positions:
            *_, answer = solver.answers(WhoWins(position, Limit(nodes=task.nodes)))
            if not isinstance(answer, Proved) or answer.winner is None:
                break
            wins[ply] = answer.winner is position.to_move
        solver.close()
    return wins


def settle_on_workers(
    library: Library,
    nodes: int,
    executor: Executor,
    claims: Claims,
    report: Callable[[Settled], None],
) -> Settled:
    """Settle late positions of all games that were not tried with so many nodes before.

    ``report`` is called after each game. Raises LibraryError if the library cannot be written, and
    what the executor raises; what was settled before is stored.
    """
    done = Settled(of=len(library.untried(nodes)))
    while untried := library.untried(nodes):
        claimed = _claimed(untried, claims)
        if not claimed:
            claims.wait(_key(untried[0]))
            continue
        still_untried = set(library.untried(nodes))
        tasks = {}
        for number in claimed:
            text = library.text(number)
            if text is not None and number in still_untried:
                with reported(library.path):
                    positions = tuple(unsettled(library, read_record(text)))
                tasks[number] = LatePositions(positions, nodes)
        for number, wins in completed(executor, prove_late, tasks.items(), ROUND):
            settled = library.settle(number, wins.value, nodes)
            done = replace(done, games=done.games + 1, positions=done.positions + settled)
            report(done)
        for number in claimed:
            claims.release(_key(number))
    return done


def _claimed(numbers: list[int], claims: Claims) -> list[int]:
    """Claim the games of a round, fewer where other programs have claimed the rest."""
    claimed: list[int] = []
    for number in numbers:
        if len(claimed) == ROUND:
            break
        if claims.claim(_key(number)):
            claimed.append(number)
    return claimed


def _key(number: int) -> bytes:
    return f"settle {number}".encode()
