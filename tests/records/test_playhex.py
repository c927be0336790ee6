"""Games of playhex.org: its export, one game asked for alone, and what is written for it."""

import json

import pytest

from hextui.engine.board import Board, Color
from hextui.records.codecs.playhex import NO_SWAP
from hextui.records.codecs.sgf import read_sgf
from hextui.records.formats import BrokenGame, read_collection, read_record
from hextui.records.record import Record
from hextui.records.writing import losses, write_record, written
from tests.records.trees import colored_names

ID = "ed6c004f-0307-4677-afc4-d9a93dd0106e"
EXPORTED = {
    "id": ID,
    "url": f"https://playhex.org/games/{ID}",
    "boardsize": 5,
    "movesCount": 4,
    "moves": "a3 swap-pieces c3 b4",
    "timeControl": {"family": "fischer", "options": {"initialTime": 300000}},
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
    assert (record.title, record.date, record.info("RU")) == (ID, "2025-12-27", "swap")
    assert record.info("PC") == EXPORTED["url"]
    assert record.info("BR") == "1717.14"
    assert '"fischer"' in record.info("GC")
    assert "rated: true" in record.info("GC")


def test_a_list_of_games_as_it_is_exported() -> None:
    text = json.dumps([EXPORTED, {**EXPORTED, "moves": "a3 z9"}, EXPORTED])
    first, broken, last = read_collection(text)
    assert isinstance(first, Record)
    assert isinstance(broken, BrokenGame)
    assert "move 2" in str(broken.error)
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


def test_what_is_written_is_read_back() -> None:
    record = read_record(json.dumps(EXPORTED))
    text = written(record, "playhex")
    again = json.loads(text)
    left_out = {"timeControl", "playerRedType", "rated"}
    assert again == {k: v for k, v in EXPORTED.items() if k not in left_out} | {
        "startedAt": "2025-12-27"
    }
    assert losses(record, "playhex") == ("other properties",)


def test_a_resignation_is_an_outcome_and_a_chain_a_path() -> None:
    resigned = read_sgf("(;GM[11]SZ[3]PB[A]RE[W+R]RU[no swap];B[a1];W[b2];B[resign])")
    game = json.loads(written(resigned, "playhex"))
    assert (game["moves"], game["winner"], game["outcome"]) == ("a1 b2", "blue", "resign")
    assert game["allowSwap"] is False
    assert read_record(json.dumps(game)).info("RU") == NO_SWAP
    assert losses(resigned, "playhex") == ()
    chain = read_sgf("(;GM[11]SZ[2]RE[B+];B[a1];W[b1];B[a2])")
    assert json.loads(written(chain, "playhex"))["outcome"] == "path"


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


def test_what_is_written_is_written_again_alike() -> None:
    text = "(;GM[11]SZ[3]GN[a name]DT[spring of 2026]RE[B+R];B[a1];W[forfeit])"
    first = written(read_sgf(text), "playhex")
    assert json.loads(first)["moves"] == "a1"
    assert write_record(read_record(first), "playhex") == first


def test_a_rating_that_is_no_number_is_left_out() -> None:
    game = json.loads(write_record(read_sgf("(;GM[11]SZ[3]BR[nan]WR[1500])"), "playhex"))
    assert "playerRedRating" not in game
    assert game["playerBlueRating"] == 1500
