"""How many plies of real games get a verdict while they are looked at: a second a position.

    python -m tests.benchmarks.solve_live verdicts.jsonl
    python -m tests.benchmarks.solve_live verdicts.jsonl --against verdicts-before.jsonl

Games of HEXTUI_TEST_DATA with an id that 5 divides, a place drawn among the first 8 plies, and
from there every 8th ply counted through all games; the solver has the memory of the live one and
keeps its table from ply to ply. It stops once the winner is known: only then would it go on to
judge moves. One line of JSON a ply; run again it goes on where it was. Seconds are those of the
processor, so that other work beside does not count. The interval draws whole games.
"""

import argparse
import json
import os
import random
import time
from functools import partial
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engines.limits import SolverBudget
from hextui.matches.intervals import difference_of_means, mean_over_games
from tests.benchmarks.solve_games import over, positions_of

Row = dict[str, object]


def sample(size: int, seed: int, step: int) -> list[tuple[str, int, Position]]:
    """Return game, ply and position of every ``step``th ply, from a place drawn by the seed."""
    board = Board(size, size)
    lines = (Path(os.environ["HEXTUI_TEST_DATA"]) / f"human_{board}.jsonl").read_text().splitlines()
    games = [game for game in map(json.loads, lines) if game["id"] % 5 == 0]
    plies = [
        (str(game["id"]), ply, position)
        for game in games
        for ply, position in enumerate(positions_of(game, board)[1:], start=1)
    ]
    return plies[random.Random(seed).randrange(step) :: step]


def solve(out: Path, plies: list[tuple[str, int, Position]], seconds: float) -> None:
    """Solve the plies that the file does not hold yet, and add a line for each."""
    done = {(row["game"], row["ply"]) for row in read(out)} if out.exists() else set()
    board = plies[0][2].board
    solver = Solver(board, SolverSettings(table_bytes=SolverBudget().table_bytes))
    for game, ply, position in plies:
        if (game, ply) in done:
            continue
        before = time.process_time()
        *_, found = solver.solve(position, stop=partial(over, before + seconds))
        row = {
            "game": game,
            "ply": ply,
            "empties": len(position.empties),
            "winner": None if found.winner is None else str(found.winner),
            "seconds": round(time.process_time() - before, 3),
        }
        with out.open("a") as file:
            print(json.dumps(row), file=file, flush=True)
    solver.close()


def read(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def decided(rows: list[Row]) -> tuple[list[float], list[str]]:
    """Return whether each ply got a verdict, and its game."""
    return [float(row["winner"] is not None) for row in rows], [str(row["game"]) for row in rows]


def within(rows: list[Row], others: list[Row]) -> list[Row]:
    """Return the rows whose plies the others have too."""
    plies = {(row["game"], row["ply"]) for row in others}
    return [row for row in rows if (row["game"], row["ply"]) in plies]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, help="what another version wrote")
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--step", type=int, default=8, help="1 takes all plies")
    options = parser.parse_args()
    solve(options.out, sample(options.size, options.seed, options.step), options.seconds)
    rows = read(options.out)
    print(f"{len(rows)} plies with a verdict: {mean_over_games(*decided(rows)):.3f}")
    if options.against:
        others = read(options.against)
        rows, others = within(rows, others), within(others, rows)
        print(f"{len(rows)} plies of both, before: {mean_over_games(*decided(others)):.3f}")
        print(f"more by {difference_of_means(*decided(rows), *decided(others)):.3f}")


if __name__ == "__main__":
    main()
