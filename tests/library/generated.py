"""Generated games in any number, the same for the same seed: openings repeat as in real ones."""

import json
import random
from pathlib import Path

from hextui.engine.board import Board


def write_games(path: Path, number: int, board: Board, seed: int) -> None:
    """Write a file of ``number`` games, moves from a few favourites first and then at random."""
    chance = random.Random(seed)
    names = [board.name(cell) for cell in range(board.cells)]
    favourites = names[::-3]
    with open(path, "w") as file:
        for _ in range(number):
            length = chance.randint(board.cells // 5, board.cells // 2)
            moves = dict.fromkeys(chance.choices(favourites, k=5))
            moves |= dict.fromkeys(chance.sample(names, length))
            words = list(moves)
            if chance.random() < 0.3:
                rest = [w for w in words[1:] if w != _image(board, words[0])]
                words = [words[0], "swap-pieces", *rest]
            winner = chance.choice(["red", "blue"])
            game = {"size": board.rows, "winner": winner, "end": "resign", "moves": " ".join(words)}
            file.write(json.dumps(game) + "\n")


def _image(board: Board, name: str) -> str:
    return board.transposed.name(board.mirror(board.cell(name)))
