"""Make the built-in collection of puzzles from games of our own weak players.

    python -m tests.make_puzzles POOL [--games N] [--sizes 6 7 8] [--write]

Plays N games on each board, finds their puzzles, and appends them to files in the folder POOL, so
that a run can be interrupted and continued. With ``--write`` it chooses from the pool and writes
``hextui/samples/puzzles.sgf``: up to PER_LEVEL puzzles of each level, sizes and themes in turn.
"""

import argparse
import csv
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Move, Position
from hextui.engines.levels import Level, plausible_move
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record import Record
from hextui.text import Names
from hextui.train.collection import COLUMNS, PuzzleTask, puzzle_of_row, puzzles_of_game
from hextui.train.finder import FinderSettings
from hextui.train.grades import Difficulty
from hextui.train.puzzle import BUILT_IN_FILE, MOST_LEVEL, puzzle_record

SIZES = range(5, 14)
LARGE = {f"{size}x{size}" for size in range(9, 14)}
"""The boards of half of the puzzles of a level, as far as there are so many."""
PER_LEVEL = 90
PLAYERS = (Level(4.0, 1.0, plausible=0.01), Level(2.5, 1.0), Level(1.0, 1.0), Level(0.3, 1.0))
SETTINGS = FinderSettings(winner_nodes=1500, judge_nodes=40_000, game_nodes=80_000)


def own_game(board: Board, seed: int) -> Record:
    """Return a game of two of PLAYERS, drawn by the seed, up to a chain."""
    lots = random.Random(f"{board} {seed}")
    levels = [PLAYERS[lots.randrange(4)] for _ in range(2)]
    position, moves = Position.empty(board), []
    while position.winner is None:
        policy, level = shipped_judge().move_probabilities(position), levels[len(moves) % 2]
        moves.append(Move.play(plausible_move(policy, level, lots)))
        position = position.apply(moves[-1])
    return Record.of_moves(board, moves)


def fill_pool(folder: Path, board: Board, games: int) -> None:
    """Find the puzzles of games that were not looked at yet."""
    rows, done = folder / f"{board}.csv", folder / f"{board}.done"
    first = int(done.read_text()) if done.exists() else 0
    for seed in range(first, games):
        task = PuzzleTask(
            seed, f"own game {seed} on {board}", own_game(board, seed), None, SETTINGS
        )
        found = puzzles_of_game(task)
        with open(rows, "a", newline="") as file:
            csv.writer(file).writerows(found)
        done.write_text(str(seed + 1))


def chosen(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of the collection, level by level, without those that ask for the same."""
    groups: dict[int, dict[tuple[str, str], list[dict[str, str]]]] = defaultdict(dict)
    shapes = set()
    for file in sorted(folder.glob("*.csv")):
        with open(file, newline="") as opened:
            for row in (dict(zip(COLUMNS, values, strict=True)) for values in csv.reader(opened)):
                if row["shape"] not in shapes:
                    shapes.add(row["shape"])
                    figures = {field.name: int(row[field.name]) for field in fields(Difficulty)}
                    row["level"] = str(Difficulty(**figures).level)
                    kind = row["theme"], row["size"]
                    groups[int(row["level"])].setdefault(kind, []).append(row)
    for level in range(1, MOST_LEVEL + 1):
        kinds = groups[level]
        large = [rows for (_, size), rows in sorted(kinds.items()) if size in LARGE]
        others = [rows for (_, size), rows in sorted(kinds.items()) if size not in LARGE]
        half = taken_in_turn(large, PER_LEVEL // 2)
        half += taken_in_turn(others, PER_LEVEL - len(half))
        yield from half + taken_in_turn(large, PER_LEVEL - len(half))


def taken_in_turn(kinds: list[list[dict[str, str]]], most: int) -> list[dict[str, str]]:
    """Take so many rows at most from lists, one of each in turn."""
    taken: list[dict[str, str]] = []
    while len(taken) < most and any(kinds):
        for rows in filter(None, kinds):
            if len(taken) < most:
                taken.append(rows.pop(0))
    return taken


def main() -> None:
    """Fill the pool, and write the collection if asked."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pool", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    options.pool.mkdir(parents=True, exist_ok=True)
    for size in options.sizes:
        fill_pool(options.pool, Board(size, size), options.games)
    if options.write:
        records = [
            puzzle_record(puzzle_of_row(row), Names.RED_BLUE) for row in chosen(options.pool)
        ]
        BUILT_IN_FILE.write_text("".join(map(write_sgf, records)))
        print(f"{len(records)} puzzles in {BUILT_IN_FILE}")


if __name__ == "__main__":
    main()
