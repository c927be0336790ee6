"""Make the built-in collection of puzzles from games of our own players.

    python -m tests.make_puzzles POOL [--games N] [--sizes 6 7 8] [--write]

Plays N games on each board, finds their puzzles, and appends them to files in the folder POOL, so
that a run can be interrupted and continued. With ``--write`` it adds to
``hextui/samples/puzzles.sgf`` from the pool, up to PER_LEVEL puzzles of each level, sizes and
themes in turn. What is in the file stays: people have solved it.

Weak players meet many puzzles on boards to 8x8, and hardly any on larger ones, where their games
are decided early. There the players err little, and up to three moves may win.
"""

import argparse
import csv
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
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
from hextui.train.grades import difficulty_of
from hextui.train.puzzle import BUILT_IN_FILE, MOST_LEVEL, Puzzle, puzzle_record, read_puzzles

SIZES = range(5, 14)
PER_LEVEL = 150
LARGE_FROM = 9
"""The rows of a board that counts as large."""
PLAYERS = (Level(4.0, 1.0, plausible=0.01), Level(2.5, 1.0), Level(1.0, 1.0), Level(0.3, 1.0))
LARGE_PLAYERS = (Level(0.3, 1.0), Level(0.6, 1.0))
SETTINGS = FinderSettings(winner_nodes=1500, judge_nodes=40_000, game_nodes=80_000)
LARGE_SETTINGS = FinderSettings(most_wins=3, winner_nodes=300, judge_nodes=3000, game_nodes=12_000)


def own_game(board: Board, seed: int) -> Record:
    """Return a game of two of the players for a board, drawn by the seed, up to a chain."""
    lots = random.Random(f"{board} {seed}")
    players = LARGE_PLAYERS if board.rows >= LARGE_FROM else PLAYERS
    levels = [lots.choice(players) for _ in range(2)]
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
    large = board.rows >= LARGE_FROM
    settings = LARGE_SETTINGS if large else SETTINGS
    for seed in range(first, games):
        name = f"{'network' if large else 'own'} game {seed} on {board}"
        task = PuzzleTask(seed, name, own_game(board, seed), None, settings)
        found = puzzles_of_game(task)
        with open(rows, "a", newline="") as file:
            csv.writer(file).writerows(found)
        done.write_text(str(seed + 1))


def chosen(folder: Path, kept: list[Puzzle]) -> Iterator[Puzzle]:
    """Yield what fills the levels up, level by level, without puzzles that ask for the same."""
    levels: dict[int, dict[tuple[str, str], list[Puzzle]]] = defaultdict(dict)
    there = Counter(puzzle.level for puzzle in kept)
    known = {puzzle.key for puzzle in kept}
    for file in sorted(folder.glob("*.csv")):
        with open(file, newline="") as opened:
            for values in csv.reader(opened):
                row = dict(zip(COLUMNS, values, strict=True))
                puzzle = graded(puzzle_of_row(row))
                if not known.isdisjoint((puzzle.key, row["shape"])):
                    continue
                known |= {puzzle.key, row["shape"]}
                kind = row["theme"], row["size"]
                levels[puzzle.level or 0].setdefault(kind, []).append(puzzle)
    for level in range(1, MOST_LEVEL + 1):
        kinds = [puzzles for _, puzzles in sorted(levels[level].items())]
        yield from taken_in_turn(kinds, PER_LEVEL - there[level])


def graded(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle at the level that it has today."""
    likely = shipped_judge().move_probabilities(puzzle.position)
    return replace(puzzle, level=difficulty_of(puzzle.position, puzzle.wins, likely).level)


def taken_in_turn(kinds: list[list[Puzzle]], most: int) -> list[Puzzle]:
    """Take so many puzzles at most from lists, one of each in turn."""
    taken: list[Puzzle] = []
    while len(taken) < most and any(kinds):
        for puzzles in filter(None, kinds):
            if len(taken) < most:
                taken.append(puzzles.pop(0))
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
        kept = [graded(puzzle) for puzzle in read_puzzles(BUILT_IN_FILE)]
        puzzles = sorted([*kept, *chosen(options.pool, kept)], key=lambda puzzle: puzzle.level or 0)
        records = [puzzle_record(puzzle, Names.RED_BLUE) for puzzle in puzzles]
        BUILT_IN_FILE.write_text("".join(map(write_sgf, records)))
        print(f"{len(records)} puzzles in {BUILT_IN_FILE}")


if __name__ == "__main__":
    main()
