from collections.abc import Iterator

import pytest

from hextui.engine.board import Color
from hextui.wording import call_players, player_name, result_words
from hextui.words.names import Names, counted


@pytest.fixture
def black_and_white() -> Iterator[None]:
    call_players(Names.BLACK_WHITE)
    yield
    call_players(Names.RED_BLUE)


def test_only_one_is_singular_and_thousands_are_grouped():
    counts = [counted(count, "game") for count in (0, 1, 2, 12345)]
    assert counts == ["0 games", "1 game", "2 games", "12,345 games"]


@pytest.mark.parametrize("color", Color)
def test_a_colour_and_its_name_in_json_are_called_alike(color: Color) -> None:
    assert player_name(color) == player_name(str(color)) == ("Red", "Blue")[color - 1]


def test_who_prefers_it_reads_black_and_white(black_and_white: None) -> None:
    assert [player_name(color) for color in Color] == ["Black", "White"]
    assert result_words(Color.WHITE, "Resign") == "White won, Black resigned"


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
    assert result_words(winner, how) == words
