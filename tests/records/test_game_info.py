"""What is known about a game: shown in words, read back from words, one edit."""

import json
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.formats import read_record
from hextui.records.game_info import BY_NAME, info_of, read_result, set_info
from hextui.records.record_text import RecordError
from hextui.text import Names

RED_BLUE = Names.RED_BLUE
GAME = r"(;GM[11]SZ[5]PB[A\]nn]PW[Bob]RE[W+3]EV[cup]XX[kept];B[a1])"


def test_what_is_known_is_told_without_codes() -> None:
    known = info_of(read_sgf(GAME), RED_BLUE)
    assert {name: text for name, text in known.items() if text} == {
        "red": "A]nn",
        "blue": "Bob",
        "result": "Blue won (3)",
        "event": "cup",
    }
    assert known.keys() == BY_NAME.keys()


@pytest.mark.parametrize("value", ["B+", "B+R", "W+T", "W+F", "W+3", "B+Resign", "Void", "?", "0"])
def test_what_is_not_changed_keeps_its_text(value: str) -> None:
    record = read_sgf(GAME.replace("W+3", value))
    before = write_sgf(record)
    assert not set_info(record, info_of(record, RED_BLUE), RED_BLUE)
    assert write_sgf(record) == before
    assert not record.modified


def test_changes_are_one_edit() -> None:
    record = read_sgf(GAME)
    before = write_sgf(record)
    assert set_info(
        record, {"red": " C]arl\n", "event": "", "result": "red won", "date": "2026"}, RED_BLUE
    )
    known = info_of(record, RED_BLUE)
    assert (known["red"], known["event"], known["date"]) == ("C]arl", "", "2026")
    assert (known["result"], record.info("RE")) == ("Red won", "B+")
    assert record.info("XX") == "kept"
    assert read_sgf(write_sgf(record)).equals(record)
    record.undo()
    assert write_sgf(record) == before


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Red", "B+"),
        ("blue won", "W+"),
        ("Red won, Blue resigned", "B+R"),
        ("Red won, resigned", "B+R"),
        ("Blue resigned", "B+R"),
        ("Red ran out of time", "W+T"),
        ("Blue won, Red forfeited", "W+F"),
        ("Blue won (3)", "W+3"),
        ("white won", "W+"),
    ],
)
def test_results_in_words(text: str, value: str) -> None:
    assert read_result(text, RED_BLUE) == value


def test_results_in_the_users_words() -> None:
    names = Names.BLACK_WHITE
    assert read_result("White won, Black resigned", names) == "W+R"
    assert info_of(read_sgf(GAME), names)["result"] == "White won (3)"
    assert names.fill(BY_NAME["red-rating"].label) == "Black's rating"


@pytest.mark.parametrize("text", ["W+R", "nobody", "Red won, Red resigned", "Ann won", "green"])
def test_what_is_no_result_changes_nothing(text: str) -> None:
    record = read_sgf(GAME)
    with pytest.raises(RecordError, match="like 'Red won'"):
        set_info(record, {"result": text, "red": "Carl"}, RED_BLUE)
    assert not record.modified


def test_seconds_are_a_number() -> None:
    with pytest.raises(RecordError, match="number of seconds"):
        set_info(read_sgf(GAME), {"time": "an hour"}, RED_BLUE)


def test_the_command_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", GAME]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Board", "5x5"]
    assert ["Result", "Blue", "won", "(3)"] in [line.split() for line in lines]
    assert main(["info", GAME, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["moves"], document["red"], document["date"]) == (1, "A]nn", "")


def test_the_command_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "game.sgf"
    words = ["--set", "red=Carl", "--set", "result=Red won, Blue resigned", "--save", str(target)]
    assert main(["info", GAME, *words]) == 0
    assert (read_record(target).info("PB"), read_record(target).info("RE")) == ("Carl", "B+R")
    capsys.readouterr()
    for bad, line in [
        (["--set", "red=x"], "needs --save"),
        (["--set", "reed=x", "--save", str(target)], "did you mean red?"),
        (["--set", "result=x", "--save", str(target)], "write a result like"),
    ]:
        assert main(["info", GAME, *bad]) == 2
        error = capsys.readouterr().err
        assert line in error
        assert error.count("\n") == 1
    assert read_record(target).info("PB") == "Carl"
