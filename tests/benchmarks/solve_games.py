"""How early in real games the solver proves the winner, over resigned games of HEXTUI_TEST_DATA.

    python -m tests.benchmarks.solve_games --games 200 --seconds 1

Walks back from the last ply while the winner is proved within the seconds (of the processor, so
that other work beside does not count), and counts how many plies that is; also whether the player
who resigned was indeed lost. Prints the distribution.
"""

import argparse
import json
import os
import statistics
import time
from collections import Counter
from functools import partial
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.engine.solver.dfpn import Solver, SolverSettings


def positions_of(game: dict[str, object], board: Board) -> list[Position]:
    positions = [Position.empty(board)]
    for word in str(game["moves"]).split():
        positions.append(positions[-1].apply(Move.parse(word, board)))
    return positions


def over(until: float) -> bool:
    return time.process_time() > until


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    board = Board(options.size, options.size)
    solver = Solver(board, SolverSettings(table_bytes=1 << 28))
    lines = (Path(os.environ["HEXTUI_TEST_DATA"]) / f"human_{board}.jsonl").read_text().splitlines()
    games = [game for game in map(json.loads, lines) if game["end"] == "resign"][: options.games]
    plies: list[int] = []
    resigned_lost = resigned_won = 0
    for game in games:
        winner = Color.parse(game["winner"])
        proved = 0
        for position in reversed(positions_of(game, board)):
            until = time.process_time() + options.seconds
            stop = partial(over, until)
            *_, solution = solver.solve(position, stop=stop)
            if solution.winner is None:
                break
            proved += 1
            if proved == 1:
                resigned_lost += solution.winner is winner
                resigned_won += solution.winner is not winner
        plies.append(proved)
        print(f"game {game['id']}: {proved} plies", flush=True)
    counts = Counter(min(count // 5 * 5, 40) for count in plies)
    print(f"{len(plies)} games, {options.seconds:g} s a position")
    print("plies before the end that the winner is proved without a gap:")
    for low in sorted(counts):
        print(f"  {low:2} to {low + 4}: {counts[low]}" if low < 40 else f"  40 up: {counts[low]}")
    print(f"median {statistics.median(plies)}, mean {statistics.mean(plies):.1f}")
    print(f"at the end: {resigned_lost} proved as resigned, {resigned_won} resigned a won game")


if __name__ == "__main__":
    main()
