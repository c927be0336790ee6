"""``python -m research.training.make_games``: openings of the network's self-play, to learn from.

Each opening begins with some plies of a game that is not held out, drawn at random. Then the
network plays both sides, drawing its moves with the probabilities that it finds by reading two
plies ahead; these are written down for each position. An opening depends on the seed and its
number alone; a run that was stopped continues after the last one.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board
from hextui.engine.neural.judge import NeuralJudge, read_weights, shipped_weights
from hextui.engine.position import Position
from research.training.data import (
    HeldOut,
    TrainingGame,
    add_held_out,
    next_number,
    read_games,
    run_program,
    split,
)

LAST_PLY = 14
"""Openings end with so many plies."""
BORROWED = 6
"""At most so many plies are those of a game."""
SMALLEST = 9
"""Rows of a board on which nobody can have won two plies after LAST_PLY."""
LEAST_SHARE = 0.001
"""Moves less likely are not written down."""
MOVES = 24
"""So many of the likeliest moves are read."""
REPLIES = 3
"""So many of the likeliest replies to each."""
SUREST = 0.99
"""Win probabilities are clipped to this and 1 less this."""
Floats = NDArray[np.float64]


class MoveShares(NamedTuple):
    """Moves of a position and the probabilities that reading ahead gives them.

    ``cells`` int64[n]: the moves that were read; ``shares`` float64[n]: their probabilities, which
    add up to 1.
    """

    cells: NDArray[np.int64]
    shares: Floats


def main() -> int:
    """Write the openings and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.make_games", description=__doc__
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a position a line")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument("--count", type=int, default=1000, help="openings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, metavar="WEIGHTS", help="that play; if not ours")
    add_held_out(
        parser, "begin with no game whose number EVERY divides and whose winner has RATING"
    )
    return run_program(parser, _make)


def _make(options: argparse.Namespace) -> None:
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


def _shares(reading: MoveShares, board: Board) -> dict[str, float]:
    """Return the shares worth writing down, by the names of the cells."""
    shares = zip(reading.cells.tolist(), reading.shares.tolist(), strict=True)
    return {board.name(cell): round(share, 4) for cell, share in shares if share >= LEAST_SHARE}


def read_ahead(judge: NeuralJudge, position: Position) -> MoveShares:
    """Read a position whose every move leaves a reply; nobody may win by either."""
    policy = judge.judge([position]).policy.astype(float)
    cells = _likeliest(policy, min(MOVES, len(position.empties)))[0]
    after = [position.play(cell) for cell in cells.tolist()]
    first = judge.judge(after, one_side=True)
    replies = _likeliest(first.policy, min(REPLIES, len(position.empties) - 1))
    answers = _answers(judge, after, replies)
    likely = np.take_along_axis(first.policy.astype(float), replies, 1)
    # who replies prefers by the same rule what is bad for the mover
    second = (by_odds(likely, 1 - answers) * answers).sum(axis=1)
    chances = (1 - first.win + second) / 2
    return MoveShares(cells, by_odds(policy[:1, cells], chances[None])[0])


def by_odds(likely: Floats, chances: Floats) -> Floats:
    """Return how likely moves are, row by row, each multiplied by its odds; rows add up to 1.

    >>> by_odds(np.array([[0.5, 0.5]]), np.array([[0.75, 0.5]]))
    array([[0.75, 0.25]])
    """
    inside = np.clip(chances, 1 - SUREST, SUREST)
    weights = likely * inside / (1 - inside)
    return weights / weights.sum(axis=1, keepdims=True)


def _likeliest(policy: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Return the most probable cells of each row, int64[n, count], in order.

    Of equal ones the first cell stands first.
    """
    return np.argsort(-policy, axis=1, kind="stable")[:, :count].astype(np.int64)


def _answers(judge: NeuralJudge, after: Sequence[Position], replies: NDArray[np.int64]) -> Floats:
    """Return the mover's win probability after each reply, float64 of their shape."""
    there = [
        position.play(cell)
        for position, cells in zip(after, replies.tolist(), strict=True)
        for cell in cells
    ]
    return judge.judge(there, one_side=True).win.astype(float).reshape(replies.shape)


if __name__ == "__main__":
    sys.exit(main())
