"""Plain lists of moves, and games as JSON objects."""

import pytest

from hextui.engine.board import Board, Color
from hextui.records.codecs.plain import PlainList
from hextui.records.errors import RecordError
from hextui.records.record import Record
from hextui.records.writing import write_record
from tests.records.trees import read_as

read_plain = PlainList().read_text


def names(record: Record) -> str:
    return " ".join(turn.name(record.board) for turn in record.turns())


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


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ("a1 b2\na1", 2, 1, "a1 is taken"),
        ("a1 zz", 1, 4, "'zz' is not a move"),
        ("a1 t1", 1, 4, "no cell 't1' on a 19x19 board"),
        ("5x5 f1", 1, 5, "no cell 'f1' on a 5x5 board"),
        ("20 a1", 1, 1, "boards have 1 to 19 rows and columns, not 20"),
        ("a1 red b2", 1, 4, "'red' is not a move"),
    ],
)
def test_broken_lists(text: str, line: int, column: int, what: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_plain(text)
    assert what in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_json_game() -> None:
    text = (
        '{"id": 7, "size": 11, "championship": false, "bot": true, "winner": "blue", '
        '"end": "resign", "moves": "h9 swap-pieces h4"}'
    )
    record = read_as("json", text)
    assert record.title == "7"
    assert record.info("RE") == "W+R"
    assert record.info("GC") == "championship: false, bot: true"
    assert names(record) == "h9 swap-pieces h4"
    again = read_as("json", write_record(record, "json"))
    assert again.turns() == record.turns()
    assert again.info("RE") == "W+R"
    other = read_as("json", '{"size": {"rows": 2, "columns": 3}, "moves": ["c1"], "winner": "red"}')
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
    record = read_as("json", f'{{"size": 5, {about}, "moves": "a1"}}')
    for _ in range(2):
        assert (record.info("PB"), record.info("PW")) == ("Ann", "Bob")
        assert (record.event, record.date, record.info("GC")) == ("Cup", "2024-05-01", "")
        record = read_as("json", write_record(record, "json"))


def test_json_that_names_no_player_is_kept_as_text() -> None:
    about = '"red": "Ann", "black": "Al", "blue": null, "date": "", "players": 2, "white": [1]'
    record = read_as("json", f'{{"size": 5, {about}, "moves": ""}}')
    assert (record.info("PB"), record.info("PW")) == ("Ann", "")
    assert record.info("GC") == 'black: "Al", players: 2, white: [1]'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "line 1, column 2: not JSON"),
        pytest.param("[" * 100_000, "not JSON", id="deep"),
        ("[1]", "a game is a JSON object"),
        ('{"moves": ""}', "the game has no 'size'"),
        ('{"size": 11}', "the game has no 'moves'"),
        ('{"size": true, "moves": ""}', "size True"),
        ('{"size": {"rows": 3}, "moves": ""}', "boards have 1 to 19"),
        ('{"size": 5, "moves": 3}', "'moves' is neither a text nor a list"),
        ('{"size": 5, "moves": "a1 a1"}', "move 2: a1 is taken"),
        ('{"size": 5, "moves": [["a1"]]}', "move 1: no cell"),
        ('{"size": 5, "moves": "", "winner": "green"}', "not a colour"),
    ],
)
def test_broken_json_games(text: str, what: str) -> None:
    with pytest.raises(RecordError, match=what.replace("[", r"\[")):
        read_as("json", text)
