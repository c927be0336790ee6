"""``python -m hextui.learn.make_games``: openings of the network's own play, to learn from.

Each opening begins as a game of people did for some plies, drawn by lot of those not held out. Then
the network plays both sides by lot, reading two plies ahead; what reading says of each position is
kept. An opening depends on the seed and its number; a run that was stopped goes on after the last.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import numpy as np

from hextui.engine.board import Board
from hextui.engine.neural.judge import NeuralJudge, read_weights, shipped_weights
from hextui.learn.game_lines import TrainingGame, read_games
from hextui.learn.held_out import HeldOut, add_held_out, split
from hextui.learn.json_lines import next_number
from hextui.learn.reading import Foresight, read_ahead

LAST_PLY = 14
"""Openings end with so many plies."""
BORROWED = 6
"""At most so many plies are those of a game."""
SMALLEST = 9
"""Rows of a board on which nobody can have won two plies after LAST_PLY."""
LEAST_SHARE = 0.001
"""Moves less likely are not written down."""


def main() -> int:
    """Write the openings and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(prog="python -m hextui.learn.make_games", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="a position a line")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument("--count", type=int, default=1000, help="openings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, metavar="WEIGHTS", help="that play; if not ours")
    add_held_out(
        parser, "begin with no game whose number EVERY divides and whose winner has RATING"
    )
    options = parser.parse_args()
    try:
        weights = options.weights.read_bytes() if options.weights else shipped_weights()
        judge = NeuralJudge(read_weights(weights))
        games, _ = split(read_games(options.games), HeldOut(*options.held_out))
        games = [game for game in games if game.board.rows >= SMALLEST and len(game.moves) > 1]
        if not games:
            raise ValueError(f"no game of two moves on {SMALLEST} rows or more to begin with")
        begun = next_number(options.file)
        with options.file.open("a", encoding="utf-8") as lines:
            for number in range(begun, options.count):
                play(judge, games, number, options.seed, lines)
    except (ValueError, KeyError, OSError) as error:
        print(f"hextui.learn.make_games: {error}", file=sys.stderr)
        return 1
    return 0


def play(
    judge: NeuralJudge, games: Sequence[TrainingGame], number: int, seed: int, lines: TextIO
) -> None:
    """Play an opening and write a line for each of its positions that was read."""
    chance = np.random.default_rng((seed, number))
    game = games[int(chance.integers(len(games)))]
    plies = list(game.plies())
    begun = min(int(chance.integers(1, BORROWED + 1)), len(plies) - 1)
    position = plies[begun][0]
    words = [move.name(game.board) for _, move in plies[:begun]]
    written = []
    for _ in range(begun, LAST_PLY + 1):
        reading = read_ahead(judge, position)
        cell = int(chance.choice(reading.cells, p=reading.shares))
        told = {"id": number, "size": game.board.rows, "moves": " ".join(words)}
        written.append(told | {"shares": _shares(reading, game.board)})
        position = position.play(cell)
        words.append(game.board.name(cell))
    # all at once: a run that is stopped has whole openings
    lines.write("".join(json.dumps(line) + "\n" for line in written))
    lines.flush()


def _shares(reading: Foresight, board: Board) -> dict[str, float]:
    """Return the shares worth writing down, by the names of the cells."""
    shares = zip(reading.cells.tolist(), reading.shares.tolist(), strict=True)
    return {board.name(cell): round(share, 4) for cell, share in shares if share >= LEAST_SHARE}


if __name__ == "__main__":
    sys.exit(main())
