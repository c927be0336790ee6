"""Plain lists of moves, and games as JSON objects."""

import pytest

from hextui.engine.board import Board, Color
from hextui.records.codecs.plain import PlainList
from hextui.records.formats import read_record
from hextui.records.writing import write_record
from tests.records.trees import names

read_plain = PlainList().read_text


@pytest.mark.parametrize(
    ("text", "size", "moves", "winner"),
    [
        ("a3 c9 e8", 11, "a3 c9 e8", None),
        ("1. a5 2. swap 3. d4", 11, "a5 swap-pieces d4", None),
        ("1.a5 swap-pieces\n2.d4 pass", 11, "a5 swap-pieces d4 pass", None),
        ("11x11\na3, c9; E8 red", 11, "a3 c9 e8", Color.BLACK),
        ("size: 5  a1 b2 blue wins\n", 5, "a1 b2", Color.WHITE),
        ("Boardsize 7 1) a1 2) b2 W+R", 7, "a1 b2", Color.WHITE),
        ("9\na1b2c3", 9, "a1 b2 c3", None),
        ("l1 a2", 13, "l1 a2", None),
        ("a14", 14, "a14", None),
        ("a1 s19 resigns", 19, "a1 s19 resign", None),
        ("", 11, "", None),
        ("11", 11, "", None),
        ("5 a1 forfeit b+", 5, "a1 forfeit", Color.BLACK),
    ],
)
def test_lists(text: str, size: int, moves: str, winner: Color | None) -> None:
    record = read_plain(text)
    assert record.board == Board(size, size)
    assert names(record) == moves
    assert record.result.winner is winner
    assert read_plain(write_record(record, "plain")).turns() == record.turns()


def test_a_board_that_is_not_square() -> None:
    assert read_plain("5x3 e3").board == Board(rows=3, columns=5)
    assert write_record(read_plain("5x3 e3"), "plain") == "5x3 e3"
    assert read_plain("c3", board=Board(3, 3)).board == Board(3, 3)


def test_a_json_game() -> None:
    text = (
        '{"id": 7, "size": 11, "championship": false, "bot": true, "winner": "blue", '
        '"end": "resign", "moves": "h9 swap-pieces h4"}'
    )
    record = read_record(text)
    assert record.title == "7"
    assert record.info("RE") == "W+R"
    assert record.info("GC") == "championship: false, bot: true"
    assert names(record) == "h9 swap-pieces h4"
    again = read_record(write_record(record, "json"))
    assert again.turns() == record.turns()
    assert again.info("RE") == "W+R"
    other = read_record('{"size": {"rows": 2, "columns": 3}, "moves": ["c1"], "winner": "red"}')
    assert other.board == Board(2, 3)
    assert other.info("RE") == "B+"


@pytest.mark.parametrize(
    "about",
    [
        '"red": "Ann", "blue": "Bob", "event": "Cup", "date": "2024-05-01"',
        '"black": "Ann", "white": "Bob", "tournament": "Cup", "Date": "2024-05-01"',
        '"player1": "Ann", "player_2": "Bob", "Event": "Cup", "played-on": "2024-05-01"',
        '"PlayerRed": {"name": "Ann"}, "PW": "Bob", "EV": "Cup", "DT": "2024-05-01"',
        '"players": ["Ann", "Bob"], "event": "Cup", "date": "2024-05-01"',
        '"players": {"red": "Ann", "blue": "Bob"}, "event": "Cup", "date": "2024-05-01"',
    ],
)
def test_players_event_and_date_of_json(about: str) -> None:
    record = read_record(f'{{"size": 5, {about}, "moves": "a1"}}')
    for _ in range(2):
        assert (record.info("PB"), record.info("PW")) == ("Ann", "Bob")
        assert (record.event, record.date, record.info("GC")) == ("Cup", "2024-05-01", "")
        record = read_record(write_record(record, "json"))


def test_json_that_names_no_player_is_kept_as_text() -> None:
    about = '"red": "Ann", "black": "Al", "blue": null, "date": "", "players": 2, "white": [1]'
    record = read_record(f'{{"size": 5, {about}, "moves": ""}}')
    assert (record.info("PB"), record.info("PW")) == ("Ann", "")
    assert record.info("GC") == 'black: "Al", players: 2, white: [1]'
