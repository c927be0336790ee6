"""Finds positions of games that the solver decides in a minute, but not in a second.

    python -m tests.make_hard_positions GAMES... --count 50

GAMES are files as for ``python -m hextui.learn``; only games that are held out there are looked at.
Of each, from its end on backwards, the first position that takes so long and that the side to move
wins. Written are stones, who is to move, and the moves that the solver proved to win. Seconds are
those of the processor.
"""

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Solution
from hextui.learn.game_lines import TrainingGame, read_games
from hextui.learn.held_out import HeldOut, split

FILE = Path(__file__).parent / "benchmarks" / "hard_positions.json"
EASY, HARD = 2.0, 60.0
"""More than a second, so that a busy machine does not count."""
SETTINGS = SolverSettings(table_bytes=256 << 20)


def solved(position: Position, seconds: float) -> tuple[Solution, float]:
    """Solve a position for so long at most; return what is known, and the seconds it took."""
    solver = Solver(position.board, SETTINGS)
    start = time.process_time()
    *_, found = solver.solve(position, stop=lambda: time.process_time() > start + seconds)
    solver.close()
    return found, time.process_time() - start


def hard(game: TrainingGame) -> dict[str, Any] | None:
    """Return the hard position of a game, None if it has none."""
    positions = [position for position, _ in game.plies() if position.winner is None]
    for position in reversed(positions):
        found, seconds = solved(position, HARD)
        if found.winner is None:
            return None
        if seconds > EASY and found.winner is position.to_move:
            rows = str(position).replace(" ", "").split("\n")
            return {
                "position": "/".join(rows),
                "to_move": str(position.to_move),
                "winning": [position.board.name(cell) for cell in sorted(found.winning_moves)],
                "seconds": round(seconds, 1),
            }
    return None


def main() -> None:
    """Write the file, after each position that is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=50)
    options = parser.parse_args()
    _, games = split(read_games(options.games), HeldOut())
    random.Random(0).shuffle(games)
    found: list[dict[str, Any]] = []
    for game in games:
        if len(found) == options.count:
            break
        if (one := hard(game)) is not None:
            found.append(one)
            lines = ",\n".join(map(json.dumps, found))
            FILE.write_text(f"[\n{lines}\n]\n")
            print(len(found), one["seconds"], flush=True)


if __name__ == "__main__":
    main()
