"""Generated games in any number, the same for the same seed: openings repeat as in real ones.

Games of players have the data that servers write; a few players play most of the games.
"""

import datetime
import json
import random
from pathlib import Path

from hextui.engine.board import Board


def write_games(path: Path, number: int, board: Board, seed: int, players: int = 0) -> None:
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
            if players:
                game |= _server_data(players, chance)
            file.write(json.dumps(game) + "\n")


def _server_data(players: int, chance: random.Random) -> dict[str, str | int]:
    """Return what a server notes of a game between some of so many players."""
    red, blue = (int(players ** chance.random()) for _ in range(2))
    date = datetime.date(2005, 1, 1) + datetime.timedelta(chance.randrange(7000))
    return {
        "playerRed": _player_name(red),
        "playerBlue": _player_name(blue),
        "playerRedRating": 1000 + red * 7919 % 1200,
        "playerBlueRating": 1000 + blue * 7919 % 1200,
        "event": f"hex.ch.{date.year}.{chance.randrange(20)}",
        "startedAt": f"{date}T{chance.randrange(24):02}:00:00Z",
    }


def _player_name(number: int) -> str:
    syllables = ["an", "bo", "ka", "li", "mo", "ne", "ri", "su", "to", "vi"]
    name = "".join(syllables[int(digit)] for digit in str(number * 7919))
    return f"{name.title()}{number % 100}"


def _image(board: Board, name: str) -> str:
    return board.transposed.name(board.mirror(board.cell(name)))
