"""The study ``rank-quality``: how high evaluators rank the moves of a collection's players.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4. For every move of the
winner, its place by k-contribution in the own and in the opponent's network with virtual links,
k = 0, 1, 2; on demand, any other evaluator, and the loser's moves.

The paper does not say what place a move takes that ties with others. So the rows keep the best and
the worst of the places that they share, and the move's own place in the listing, where equal moves
are in row order.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from pathlib import Path

from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.ranking import qualities
from hextui.matches.results import Row
from hextui.matches.runs import Experiment
from hextui.records.codecs.sgf import read_sgf
from hextui.studies.games import Collection, Filters, GameTask, MoveChoice, choices
from hextui.studies.quality_report import PHASES, report
from hextui.studies.readings import BY_NAME, Reading

PAPER_EVALUATORS = tuple(
    f"contribution-{view}:{k}" for view in ("own", "opponent") for k in range(3)
)
MOVE_COLUMNS = (
    *("reading", "game", "size", "plies"),
    *("ply", "phase", "player", "color", "move", "candidates"),
)
MEASURES = ("rank", "worst rank", "place", "exact")


@dataclass(frozen=True)
class RankQuality:
    """The work on one game, as a worker gets it; ``losers``: the loser's moves too."""

    evaluators: tuple[str, ...] = PAPER_EVALUATORS
    losers: bool = False
    readings: tuple[Reading, ...] = (BY_NAME["default"],)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the rows: the move, then four measures an evaluator."""
        measures = (f"{name} {measure}" for name in self.evaluators for measure in MEASURES)
        return (*MOVE_COLUMNS, *measures)

    def __call__(self, game: GameTask) -> list[Row]:
        """Return one row a reading and move."""
        found = list(choices(read_sgf(game.text)))
        plies = max((choice.ply for choice in found), default=0)
        # readings with the same connections share the search of a position
        rows = [
            (place, self._row(reading, game.number, plies, choice))
            for choice in found
            if choice.won or self.losers
            for place, reading in enumerate(self.readings)
        ]
        return [row for _, row in sorted(rows, key=itemgetter(0))]

    def _row(self, reading: Reading, number: int, plies: int, choice: MoveChoice) -> Row:
        board, bench = choice.position.board, bench_at(choice.position, reading.connections)
        player, color = "winner" if choice.won else "loser", str(choice.position.to_move)
        at: Row = (reading.name, number, str(board), plies, choice.ply, phase(choice.ply, plies))
        move: Row = (player, color, board.name(choice.cell), len(choice.position.empties))
        row = [*at, *move]
        for name in self.evaluators:
            *_, ranking = evaluator(reading.ranking(name)).rank(bench)
            found = qualities(ranking)[choice.cell]
            place = ranking.moves.index(ranking.by_cell[choice.cell]) + 1
            row += [found.rank, found.worst_rank, place, int(ranking.exact)]
        return tuple(row)


def phase(ply: int, plies: int) -> str:
    """Return the third of its game that a ply (from 1) lies in.

    >>> [phase(ply, 5) for ply in range(1, 6)]
    ['opening', 'opening', 'middle', 'end', 'end']
    """
    return PHASES[3 * (2 * ply - 1) // (2 * plies)]


def experiment(
    work: RankQuality,
    collection: Collection,
    files: Sequence[tuple[Path, str]],
    filters: Filters,
    ties: Sequence[str],
    seed: int,
) -> Experiment:
    """Return the study of a collection; ``files``: those that it was read from, with digests."""
    settings = {
        "collection": [{"name": path.name, "sha256": digest} for path, digest in files],
        "filters": asdict(filters),
        "evaluators": list(work.evaluators),
        "players": "both" if work.losers else "winner",
        "readings": [asdict(reading) for reading in work.readings],
        "seed": seed,
    }
    about = {
        "read": collection.read,
        "left_out": [list(pair) for pair in collection.reasons],
        "ties": list(ties),
    }
    tasks = {game.number: game for game in collection.games}
    cells = {game.cells for game in collection.games}
    return Experiment("rank-quality", settings, work.columns, tasks, work, report, cells, about)
