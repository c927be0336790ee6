"""Conversion between formats, of one game and of collections."""

from pathlib import Path

import pytest

from hextui.records.convert import convert
from hextui.records.errors import RecordError
from hextui.records.formats import Format, read_collection


def test_a_link_to_each_format() -> None:
    assert convert("#5,a1b2", "hexworld").text == "https://hexworld.org/board/#5,a1b2\n"
    assert convert("#5,a1b2", "PLAIN").text == "5x5 a1 b2\n"
    assert convert("#5,a1b2", "json").text == '{"size": 5, "moves": "a1 b2"}\n'
    assert convert("#5,a1(c3)b2", "hexata").text == "5,a1(c3)b2\n"
    assert ";B[a1];W[b2])" in convert("#5,a1b2", "sgf").text


def test_a_collection_to_a_file(tmp_path: Path) -> None:
    source = tmp_path / "games.sgf"
    source.write_text(
        "(;GM[11]SZ[5]PB[Ann];B[a1])\n(;GM[11]SZ[5];B[zz])\n(;GM[11]SZ[5]AB[a1])\n"
        "(;GM[11]SZ[5];B[b1]C[hm])"
    )
    target = tmp_path / "games.txt"
    done = convert(str(source), str(target))
    assert target.read_text() == done.text == "5x5 a1\n5x5 b1\n"
    assert (done.games, done.path) == (2, target)
    assert done.lost == ("names of players", "comments")
    assert [game.number for game in done.broken] == [2, 3]
    assert str(done.broken[0].error).startswith(f"{source}: line 2, column")
    assert len(list(read_collection(target))) == 2


@pytest.mark.parametrize("form", [f for f in Format if f is not Format.LITTLE_GOLEM])
def test_a_converted_collection_holds_all_games(form: Format, tmp_path: Path) -> None:
    source = tmp_path / "games.jsonl"
    games = [f'{{"size": 5, "moves": "a1 b2 {cell}"}}\n' for cell in ("c1", "c2", "c3")]
    source.write_text("".join(games))
    middle = tmp_path / "middle"
    middle.write_text(convert(str(source), form).text)
    assert convert(str(middle), "json").text == "".join(games)


@pytest.mark.parametrize(
    ("source", "target", "what"),
    [
        ("#5,a1", "gif", "gif: neither a format nor a file of one"),
        ("#5,a1", "game.png", "neither a format nor a file of one"),
        ("#5,a1", "hsgf", "not written as hsgf"),
        ("#5,a1", "none/there.sgf", "cannot be saved: No such file"),
        ("none.sgf", "sgf", "no such file"),
        ("#5,a1a1", "sgf", "line 1, column 6: a1 is taken"),
    ],
)
def test_what_cannot_be_converted(source: str, target: str, what: str) -> None:
    with pytest.raises(RecordError, match=what):
        convert(source, target)
