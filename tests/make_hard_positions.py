"""Finds positions of games that the solver decides in a minute, but not in a second.

    python -m tests.make_hard_positions GAMES... --tried TRIED --seconds 10

GAMES are files as for ``python -m research.training``; only games that are held out there are used,
those of the smallest board first. From the end of each the search goes back to the first position
that is not decided in a second; from there on back those that the side to move wins are hard, up to
the first that takes more than the time given (60 seconds if none is). TRIED has a line for each
game that was looked at: who starts the program again goes on from there, and with more time it
tries those again that had less. Written are stones, who is to move, and the moves that the solver
proved to win. Seconds are those of the processor; each question is put to a solver that knows
nothing.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Solution
from research.training.data import HeldOut, TrainingGame, read_games, split

FILE = Path(__file__).parent / "benchmarks" / "hard_positions.json"
EASY, HARD = 1.0, 60.0
MARGIN = 1.5
"""What is hard takes so much longer than EASY: a busy machine alone makes nothing hard."""
MOST = 2
"""Hard positions of one game at most."""
SETTINGS = SolverSettings(table_bytes=256 << 20)


@dataclass(frozen=True)
class HardPosition:
    """Rows of stones from the top, parted by slashes; who is to move; moves that win; seconds."""

    position: str
    to_move: str
    winning: list[str]
    seconds: float


def solved(position: Position, seconds: float) -> tuple[Solution, float]:
    """Solve a position for so long at most; return what is known, and the seconds it took."""
    solver = Solver(position.board, SETTINGS)
    start = time.process_time()
    *_, found = solver.solve(position, stop=lambda: time.process_time() > start + seconds)
    solver.close()
    return found, time.process_time() - start


def first_easy(positions: Sequence[Position]) -> int:
    """Return the place of the first position that is decided in a second, and so all after it."""

    def easy(place: int) -> bool:
        return solved(positions[place], EASY)[0].winner is not None

    step, least = 1, len(positions)
    while least > 0 and easy(max(least - step, 0)):  # ever longer steps back, then halves
        least, step = max(least - step, 0), 2 * step
    most_undecided = max(least - step, -1)
    while least - most_undecided > 1:
        middle = (least + most_undecided) // 2
        least, most_undecided = (middle, most_undecided) if easy(middle) else (least, middle)
    return least


def hard(game: TrainingGame, seconds: float) -> Iterator[HardPosition]:
    """Yield the hard positions of a game that take no longer, from its end on backwards."""
    positions = [position for position, _ in game.plies() if position.winner is None]
    for position in reversed(positions[: first_easy(positions)]):
        found, spent = solved(position, seconds)
        if found.winner is None:
            return
        if spent > EASY * MARGIN and found.winner is position.to_move:
            rows = str(position).replace(" ", "").split("\n")
            winning = [position.board.name(cell) for cell in sorted(found.winning_moves)]
            yield HardPosition("/".join(rows), str(position.to_move), winning, round(spent, 1))


def tried_before(tried: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the last line of each game, by the rows of its board and its number."""
    lines = tried.read_text().splitlines() if tried.exists() else []
    return {tuple(one["game"]): one for one in map(json.loads, lines)}


def write(done: dict[tuple[int, int], dict[str, Any]], count: int) -> int:
    """Write what was found, so many at most; return how many there are."""
    found = [json.dumps(one) for line in done.values() for one in line["found"]][:count]
    FILE.write_text("[\n" + ",\n".join(found) + "\n]\n")
    return len(found)


def main() -> None:
    """Try the games that are left, and write the file after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--tried", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=HARD)
    parser.add_argument("--count", type=int, default=50)
    options = parser.parse_args()
    done = tried_before(options.tried)
    _, games = split(read_games(options.games), HeldOut())
    for game in sorted(games, key=lambda game: (game.board.rows, game.number)):
        name = (game.board.rows, game.number)
        if name in done and done[name]["seconds"] >= options.seconds:
            continue
        if write(done, options.count) == options.count:
            return
        found = [asdict(one) for one in islice(hard(game, options.seconds), MOST)]
        done[name] = {"game": name, "seconds": options.seconds, "found": found}
        with options.tried.open("a") as log:
            log.write(json.dumps(done[name]) + "\n")
    write(done, options.count)


if __name__ == "__main__":
    main()
