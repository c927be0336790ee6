"""Games to learn from: reading, symmetries, what is held out, and the positions they give."""

import json
from pathlib import Path

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from research.training.data import HeldOut, TrainingGame, read_games, split, split_in_three
from research.training.samples import samples_of


def written(path: Path, *games: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(game) + "\n" for game in games))
    return path


def game(moves: str, number: int = 1, winner: str = "red", rating: int = 0) -> dict[str, object]:
    return {"id": number, "size": 5, "winner": winner, "winner_rating": rating, "moves": moves}


def read(path: Path, *games: dict[str, object]) -> list[TrainingGame]:
    return read_games([written(path / "games.jsonl", *games)])


def test_a_game_is_read(tmp_path: Path) -> None:
    (found,) = read(tmp_path, game("a2 swap-pieces c3", 7, "blue", 1950))
    assert (found.number, found.winner, found.winner_rating) == (7, Color.WHITE, 1950)
    *_, (position, _) = found.plies()
    assert position == Position.parse(".W.../...../...../...../.....", "black")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 2: "),
        ("[]", "line 2: "),
        ('{"id": 1, "size": 5, "winner": "red"}', "line 2: no 'moves'"),
        ('{"id": 1, "size": 2, "winner": "red", "moves": ""}', "line 2: a board to learn from"),
        ('{"id": 1, "size": 5, "winner": "green", "moves": ""}', "line 2: not a colour"),
        ('{"id": 1, "size": 5, "winner": "red", "moves": "a1 a1"}', "line 2: a1 is taken"),
        ('{"id": 1, "size": 5, "winner": "red", "moves": "z9"}', "line 2: no cell"),
        ('{"id": 1, "size": 5, "winner": "red", "moves": "a1 b2 swap-pieces"}', "line 2: no move"),
    ],
)
def test_an_invalid_game_is_reported_with_its_line(tmp_path: Path, line: str, words: str) -> None:
    path = written(tmp_path / "games.jsonl", game("a1 b2"))
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ValueError, match=words) as caught:
        read_games([path])
    assert str(path) in str(caught.value)


IMAGES = ("a2 c3 d1", "e4 c3 b5")
SWAPPED = "a2 swap-pieces c3 a4"  # the stone goes to b1, and a4 is the image of d1
LONGER = "a2 c3 d1 e1"


def test_games_equal_in_any_symmetry_are_held_out_together(tmp_path: Path) -> None:
    games = read(
        tmp_path, game(IMAGES[0], 1), game(SWAPPED, 3), game(IMAGES[1], 10), game(LONGER, 11)
    )
    learned, kept = split(games, HeldOut())
    assert [found.number for found in learned] == [11]
    assert [found.number for found in kept] == [10]


def test_games_to_calibrate_by_are_others_than_those_held_out(tmp_path: Path) -> None:
    lines = [game(f"a1 {cell}", n) for n, cell in enumerate(("b2", "b3", "c4", "d4"))]
    learned, asked, kept = split_in_three(read(tmp_path, *lines), HeldOut(every=4))
    assert [found.number for found in asked] == [2]
    assert [found.number for found in learned] == [1, 3]
    assert [found.number for found in kept] == [0]


def test_positions_are_seen_by_their_movers(tmp_path: Path) -> None:
    (found,) = samples_of(read(tmp_path, game("a2 c3 d1", winner="blue", rating=1750)))
    assert found.board == Board(5, 5)
    assert found.rating.tolist() == [1750, 1750]
    assert found.won.tolist() == [1, 0]
    blue, red = found.stones
    assert np.argwhere(blue).tolist() == [[0, 1]]  # Red's a2, mirrored, is the opponent's
    assert blue[0, 1] == 2
    assert (red[1, 0], red[2, 2]) == (1, 2)
    assert [part.flatten().nonzero()[0].tolist() for part in found.good] == [[12], [3]]
