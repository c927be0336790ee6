"""The study ``rank-quality``: how high evaluators rank the moves of a collection's players.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4. For every move
of the winner: its place by k-contribution in the own and in the opponent's network with virtual
links, k = 0, 1, 2; any other evaluator of the registry, and the loser's moves, on demand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.benches import bench_of
from hextui.engine.quality import quality
from hextui.studies.games import GameTask, MoveChoice, choices
from hextui.studies.results import Row
from hextui.studies.runs import Task

PAPER_EVALUATORS = tuple(
    f"contribution-{view}:{k}" for view in ("own", "opponent") for k in range(3)
)
PHASES = ("opening", "middle", "end")
MOVE_COLUMNS = ("game", "size", "plies", "ply", "phase", "player", "color", "move", "candidates")
MEASURES = ("rank", "mid rank", "Q", "mid Q", "exact")


@dataclass(frozen=True)
class RankQuality:
    """The work on one game, as a worker gets it.

    ``evaluators``: names of the registry. ``losers``: the loser's moves too.
    """

    evaluators: tuple[str, ...] = PAPER_EVALUATORS
    losers: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the rows: the move, then five measures an evaluator."""
        measures = (f"{name} {measure}" for name in self.evaluators for measure in MEASURES)
        return (*MOVE_COLUMNS, *measures)

    def __call__(self, game: GameTask) -> list[Row]:
        """Return one row a move."""
        record = game.record()
        found = list(choices(record))
        plies = max((choice.ply for choice in found), default=0)
        return [
            self._row(game.number, plies, choice) for choice in found if choice.won or self.losers
        ]

    def _row(self, number: int, plies: int, choice: MoveChoice) -> Row:
        board = choice.position.board
        bench = bench_of(board)
        bench.look_at(choice.position)
        row: list[int | float | str] = [
            number,
            str(board),
            plies,
            choice.ply,
            phase(choice.ply, plies),
            "winner" if choice.won else "loser",
            str(choice.position.to_move),
            board.name(choice.cell),
            len(choice.position.empties),
        ]
        for name in self.evaluators:
            *_, ranking = evaluator(name).rank(bench)
            found = quality(ranking, choice.cell)
            row += [found.rank, found.mid_rank, found.q, found.mid_q, int(ranking.exact)]
        return tuple(row)


def phase(ply: int, plies: int) -> str:
    """Return the third of its game that a ply (from 1) lies in.

    >>> [phase(ply, 5) for ply in range(1, 6)]
    ['opening', 'opening', 'middle', 'end', 'end']
    """
    return PHASES[3 * (2 * ply - 1) // (2 * plies)]


def tasks(games: Sequence[GameTask]) -> list[Task]:
    """Return one task a game."""
    return [Task(game.number, game) for game in games]
