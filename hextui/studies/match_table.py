"""The study ``match-table``: E_k against E, and against each other.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.2, tables 1 and 2.
Table 1: E_0, E_1 and E_2 play E, so many games as first player and as many as second; E against
itself is the baseline. Table 2: they play each other, every ordered pair. All play one ply deep
(section 6.1), without the swap rule. As table 2 is nine games that hardly differ, all four also
play each other after every first move. The rows tell when the win of each game was first proved,
to test section 6.3, by which k matters only after that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.matches.match import MatchGame, ScheduledGame, derived_seed
from hextui.matches.results import Description, Row
from hextui.matches.runs import Experiment, Task
from hextui.studies.readings import LEVELS, PLAYERS, Reading
from hextui.studies.table_report import EVERY_OPENING, FIRST_TABLE, SECOND_TABLE, report

COLUMNS = (
    "reading",
    "table",
    "first",
    "second",
    "game",
    "opening",
    "seed",
    "winner",
    "plies",
    "proved after",
    "proved for",
    "moves",
)


@dataclass(frozen=True)
class Encounter:
    """A game to be played; ``first`` and ``second`` are what the paper calls the players."""

    reading: str
    table: str
    first: str
    second: str
    scheduled: ScheduledGame


def experiment(readings: Sequence[Reading], board: Board, games: int, seed: int) -> Experiment:
    """Return the study of tables 1 and 2; ``games``: how many of each pairing that draws lots."""
    tasks = [Task(*each) for each in enumerate(encounters(readings, board, games, seed))]
    settings = {
        "size": str(board),
        "games": games,
        "readings": [asdict(reading) for reading in readings],
        "seed": seed,
    }
    description = Description("match-table", settings, COLUMNS, len(tasks), {})
    return Experiment(description, tasks, play_encounter, report, {board.cells})


def encounters(readings: Sequence[Reading], board: Board, games: int, seed: int) -> list[Encounter]:
    """Return all games, reading by reading: table 1, table 2, and those of every opening."""
    found: list[Encounter] = []
    for reading in readings:
        names = {"E": reading.e, **{f"E_{k}": reading.e_k(k) for k in LEVELS}}
        for table, first, second, game, opening in _schedule(reading, board, games):
            moves = () if opening is None else (board.name(opening),)
            its_seed = derived_seed(seed, reading.name, first, second, *(moves or (game,)))
            scheduled = ScheduledGame(
                board,
                names[first],
                names[second],
                its_seed,
                moves,
                number=game,
                connections=reading.connections,
            )
            found.append(Encounter(reading.name, table, first, second, scheduled))
    return found


def _schedule(
    reading: Reading, board: Board, games: int
) -> Iterator[tuple[str, str, str, int, int | None]]:
    """Yield table, players, number and opening of the games; without lots drawn, one a pairing."""
    pairs = [(FIRST_TABLE, "E", "E")]
    for k in LEVELS:
        pairs += [(FIRST_TABLE, f"E_{k}", "E"), (FIRST_TABLE, "E", f"E_{k}")]
    pairs += [(SECOND_TABLE, f"E_{a}", f"E_{b}") for a, b in product(LEVELS, repeat=2)]
    for table, first, second in pairs:
        draws = reading.e_draws if table == FIRST_TABLE else reading.draws
        for game in range(1, (games if draws else 1) + 1):
            yield table, first, second, game, None
    for opening in range(board.cells):
        for first, second in product(PLAYERS, repeat=2):
            yield EVERY_OPENING, first, second, 1, opening


def play_encounter(encounter: Encounter) -> list[Row]:
    """Play a game; return its row."""
    scheduled = encounter.scheduled
    game = scheduled.play()
    moves, color = first_proof(game, scheduled.connections)
    return [
        (
            encounter.reading,
            encounter.table,
            encounter.first,
            encounter.second,
            scheduled.number,
            " ".join(scheduled.opening),
            scheduled.seed,
            _side(game.winner),
            len(game.moves),
            moves,
            _side(color),
            game.text,
        )
    ]


def _side(color: Color) -> str:
    return "first" if color is Color.BLACK else "second"


def first_proof(game: MatchGame, connections: ConnectionSettings) -> tuple[int, Color]:
    """Return after how many moves a connection first joined a colour's sides, and the colour.

    A full connection, or for the side to move a semi one, proves the win; the chain that ends the
    game is the latest possible proof.
    """
    position = Position.empty(game.board)
    for number, move in enumerate(game.moves):
        bench, mover = bench_at(position, connections), position.to_move
        own = bench.oriented(mover).search
        if own.edges_full or own.edges_semi:
            return number, mover
        if bench.oriented(mover.opponent).search.edges_full:
            return number, mover.opponent
        position = position.apply(move)
    return len(game.moves), game.winner
