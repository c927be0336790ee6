"""Files of very many games are read as they come, and dropped as they are read."""

import tracemalloc
from collections.abc import Callable
from itertools import islice

import pytest

from hextui.records.codecs.codec import MIB, FileText
from hextui.records.formats import read_collection, split_games
from hextui.records.record import Record

COMMENT = "x" * 900
GAMES = {
    "sgf": ("", f"(;GM[11]SZ[5]C[{COMMENT} (a) [b\\]];B[a1])\n"),
    "sgf with text between": ("Games:\n", f"Game:\n(;GM[11]SZ[5];B[a1])\n{COMMENT}\n"),
    "JSON lines": ("", f'{{"size": 5, "moves": "a1", "x": "{COMMENT}"}}\n'),
    "a JSON list": ("[\n", f'{{"size": 5, "moves": "a1", "x": "{COMMENT} é"}},\n'),
    "a JSON list in an object": (
        '{"version": 1, "games": [',
        f'{{"size": 5, "moves": "a1", "x": "{COMMENT}"}}, ',
    ),
    "links": ("", "https://hexworld.org/board/#5,a1\n"),
    "links in a text": (f"{COMMENT}\n", f"- see https://hexworld.org/board/#5,a1.\n{COMMENT}\n"),
}


def endless(begin: str, unit: str) -> Callable[[int], bytes]:
    """Return what reads a file without an end."""
    piece = (unit * (1 + MIB // len(unit))).encode()
    waiting = [begin.encode()] if begin else []

    def read(size: int) -> bytes:
        data = waiting.pop() if waiting else piece
        if len(data) > size:
            waiting.append(data[size:])
        return data[:size]

    return read


@pytest.mark.parametrize("form", GAMES)
def test_games_are_read_as_they_come(form: str) -> None:
    begin, unit = GAMES[form]
    tracemalloc.start()
    try:
        games = split_games(FileText(endless(begin, unit)))
        for game in islice(games, 8000):
            last = game
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    record = last.codec.read(last)
    assert [turn.name(record.board) for turn in record.turns()] == ["a1"]
    assert last.flaws.first is None
    assert held < 8 * MIB
    lines = (begin + unit).count("\n")
    assert last.start.line > 7900 or lines == 0


@pytest.mark.parametrize("form", GAMES)
def test_where_pieces_of_a_file_end_makes_no_difference(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, unit = GAMES[form]
    data = (begin + unit * 40).encode()
    if form.startswith("a JSON"):
        data = data.rstrip(b", \n") + (b"]}" if begin.startswith("{") else b"]")
    monkeypatch.setattr("hextui.records.codecs.sgf_syntax._AHEAD", 40)
    monkeypatch.setattr("hextui.records.codecs.json_games._AHEAD", 10)
    for size in (97, 1000, 1 << 20):
        monkeypatch.setattr("hextui.records.codecs.codec.MIB", size)
        games = [game for game in read_collection(data) if isinstance(game, Record)]
        assert len(games) == 40
        assert all(not game.origin.notes for game in games if game.origin)
        places = [game.start for game in split_games(FileText(reader(data)))]
        assert len(places) == 40
        if size == 97:
            found = places
        assert places == found


def reader(data: bytes) -> Callable[[int], bytes]:
    waiting = [data]

    def read(size: int) -> bytes:
        piece, waiting[0] = waiting[0][:size], waiting[0][size:]
        return piece

    return read
