"""Games as JSON: ours, puzzles that hold SGF, and those of playhex.org."""

import json

import pytest

from hextui.engine.board import Board, Color
from hextui.records.codecs.sgf import read_sgf
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from tests.records.trees import colored_names, names, text_as


def test_a_json_game() -> None:
    text = (
        '{"id": 7, "size": 11, "championship": false, "bot": true, "winner": "blue", '
        '"end": "resign", "moves": "h9 swap-pieces h4"}'
    )
    record = read_record(text)
    assert record.info("GN") == "7"
    assert record.info("RE") == "W+R"
    assert record.info("GC") == "championship: false, bot: true"
    assert names(record) == "h9 swap-pieces h4"
    again = read_record(text_as("json", record))
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
        assert [record.info(code) for code in ("EV", "DT", "GC")] == ["Cup", "2024-05-01", ""]
        record = read_record(text_as("json", record))


def test_json_that_names_no_player_is_kept_as_text() -> None:
    about = '"red": "Ann", "black": "Al", "blue": null, "date": "", "players": 2, "white": [1]'
    record = read_record(f'{{"size": 5, {about}, "moves": ""}}')
    assert (record.info("PB"), record.info("PW")) == ("Ann", "")
    assert record.info("GC") == 'black: "Al", players: 2, white: [1]'


PUZZLES = """[
 {"name": "one", "size": "3", "sgf": "(;GM[11]SZ[3];AB[b2]AW[a1]PL[W])", "expect": {"who": "red"}},
 {"name": "two", "sgf": "(;GM[11]SZ[4]GN[own];AW[a1])"},
 {"id": 3, "size": 5, "moves": "a1"}
]
"""


def test_a_list_of_json_objects_holds_games_as_sgf_or_moves() -> None:
    one, two, three = (read_record(PUZZLES, number) for number in (1, 2, 3))
    assert [record.info("GN") for record in (one, two, three)] == ["one", "own", "3"]
    assert one.root.properties["GC"] == ('expect: {"who": "red"}',)
    position = one.position(one.root.children[0])
    assert (position.to_move, sum(map(bool, position.stones))) == (Color.WHITE, 2)
    assert read_record(PUZZLES, 3).plies == 1
    assert list(read_collection("[]")) == list(read_collection(" [ \n] ")) == []


ID = "ed6c004f-0307-4677-afc4-d9a93dd0106e"
EXPORTED = {
    "id": ID,
    "url": f"https://playhex.org/games/{ID}",
    "boardsize": 5,
    "movesCount": 4,
    "moves": "a3 swap-pieces c3 b4",
    "timeControl": {
        "family": "fischer",
        "options": {"initialTime": 1_296_000_000, "timeIncrement": 2500},
    },
    "playerRed": "Ann]",
    "playerBlue": "Bob",
    "playerRedType": "player",
    "playerRedRating": 1717.14,
    "winner": "blue",
    "outcome": "time",
    "allowSwap": True,
    "rated": True,
    "startedAt": "2025-12-27T19:12:10.070Z",
}


def test_a_game_of_the_export() -> None:
    record = read_record(json.dumps(EXPORTED))
    assert record.board == Board(5, 5)
    assert colored_names(record) == "B:a3 W:swap-pieces B:c3 W:b4"
    assert (record.player(Color.BLACK), record.player(Color.WHITE)) == ("Ann]", "Bob")
    assert (record.result.winner, record.result.how) == (Color.WHITE, "T")
    assert (record.info("GN"), record.info("DT"), record.info("RU")) == (ID, "2025-12-27", "swap")
    assert record.info("PC") == EXPORTED["url"]
    assert record.info("BR") == "1717.14"
    assert (record.info("TM"), record.info("OT")) == ("1296000", "2.5 fischer")
    assert '"fischer"' in record.info("GC")
    assert "rated: true" in record.info("GC")


def test_a_list_of_games_as_it_is_exported() -> None:
    text = json.dumps([EXPORTED, {**EXPORTED, "moves": "a3 z9"}, EXPORTED])
    first, broken, last = read_collection(text)
    assert isinstance(first, Record)
    assert isinstance(broken, Record)
    assert broken.plies == 1
    assert broken.origin
    assert "move 2" in broken.origin.notes[0]
    assert isinstance(last, Record)
    assert last.equals(first)


def test_a_game_asked_for_alone() -> None:
    answer = {
        "publicId": ID,
        "boardsize": 5,
        "moves": ["a3", "b2", "c3"],
        "winner": 0,
        "outcome": "resign",
        "state": "ended",
        "hostedGameToPlayers": [{"player": {"pseudo": "Ann"}}, {"player": {"pseudo": "Bob"}}],
    }
    record = read_record(json.dumps(answer))
    assert colored_names(record) == "B:a3 W:b2 B:c3"
    assert (record.player(Color.BLACK), record.player(Color.WHITE)) == ("Ann", "Bob")
    assert (record.result.winner, record.result.how) == (Color.BLACK, "R")
    assert record.info("PC") == f"https://playhex.org/games/{ID}"


@pytest.mark.parametrize(
    "change",
    [
        {"hostedGameToPlayers": [None, {"player": 7}]},
        {"winner": [], "outcome": {}},
        {"winner": None},
        {"playerRed": None, "startedAt": 5},
    ],
)
def test_strange_values_beside_the_moves_do_no_harm(change: dict[str, object]) -> None:
    assert len(read_record(json.dumps(EXPORTED | change)).turns()) == 4


def test_how_a_game_was_won_is_written() -> None:
    for how in ("R", "T", "F", ""):
        record = read_sgf(f"(;GM[11]SZ[3]RE[W+{how}];B[a1];W[b2])")
        assert read_record(text_as("json", record)).result == record.result


CLOCKED = """(;GM[11]SZ[5]PB[Ann]PW[Bo]BR[1500]WR[1717.14]TM[300]OT[5x30 byo-yomi]RE[W+T]
;B[a1]BL[295.50];W[swap-pieces]WL[300];B[c3];W[b2]WL[12]OW[3])"""


def test_ratings_and_clocks_are_written_and_read_again() -> None:
    record = read_record(CLOCKED)
    text = text_as("json", record)
    game = json.loads(text)
    assert (game["redRating"], game["blueRating"]) == ("1500", "1717.14")
    assert (game["timeLimit"], game["overtime"]) == ("300", "5x30 byo-yomi")
    assert game["clocks"] == ["295.50", "300", None, "12"]
    again = read_record(text)
    for code in ("BR", "WR", "TM", "OT"):
        assert again.info(code) == record.info(code)
    times = [node.properties for node in again.main_line()]
    assert times[1:] == [{"BL": ("295.50",)}, {"WL": ("300",)}, {}, {"WL": ("12",)}]
    assert "clocks" not in json.loads(text_as("json", read_record("(;GM[11]SZ[5];B[a1])")))


@pytest.mark.parametrize(
    "change",
    [
        {"moves": ["a1", "pass", "c3"], "clocks": [9, None, 7.5, 1]},
        {"moves": "a1 b1 c3", "clocks": ["9", -1, "7.5"]},
    ],
)
def test_clocks_that_are_no_times_are_left_out(change: dict[str, object]) -> None:
    record = read_record(json.dumps({"size": 5, **change}))
    times = [node.properties for node in record.main_line()]
    assert times == [{}, {"BL": ("9",)}, {}, {"BL": ("7.5",)}]


@pytest.mark.parametrize(
    ("options", "overtime"),
    [
        ({"initialTime": 600_000, "periodTime": 30_000, "periodsCount": 5}, "5x30 byo-yomi"),
        ({"initialTime": 600_000, "timeIncrement": 0}, ""),
    ],
)
def test_time_controls_of_playhex(options: dict[str, int], overtime: str) -> None:
    game = {"boardsize": 5, "moves": "a3", "timeControl": {"options": options}}
    record = read_record(json.dumps(game))
    assert (record.info("TM"), record.info("OT")) == ("600", overtime)
