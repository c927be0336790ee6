"""What the players and results are called, and the words that counts and lists change."""

import pytest

from hextui.engine.board import Color
from hextui.text import Names, counted, either

RED_BLUE = Names.RED_BLUE


def test_only_one_is_singular_and_thousands_are_grouped() -> None:
    counts = [counted(count, "game") for count in (0, 1, 2, 12345)]
    assert counts == ["0 games", "1 game", "2 games", "12,345 games"]


@pytest.mark.parametrize("names", Names)
@pytest.mark.parametrize("color", Color)
def test_a_colour_and_its_name_in_json_are_called_alike(color: Color, names: Names) -> None:
    assert names.player(color) == names.player(str(color)) == names.both[color - 1]


@pytest.mark.parametrize(
    ("winner", "how", "words"),
    [
        (1, "", "Red won"),
        (2, "chain", "Blue won"),
        (2, "R", "Blue won, Red resigned"),
        (1, "time", "Red won, Blue ran out of time"),
        (1, "Forfeit", "Red won, Blue forfeited"),
        (1, "2.5", "Red won (2.5)"),
        (None, "Void", "Void"),
        (None, "?", ""),
    ],
)
def test_results_are_sentences(winner: int | None, how: str, words: str) -> None:
    assert RED_BLUE.result(winner, how) == words
    other = words.replace("Red", "Black").replace("Blue", "White")
    assert Names.BLACK_WHITE.result(winner, how) == other


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "0"), (2, "0 or 1"), (3, "0, 1 or 2"), (7, "0, 1, 2, 3, 4, 5 or 1 other")],
)
def test_alternatives(count: int, text: str) -> None:
    assert either([str(number) for number in range(count)]) == text
