"""The n-th game of a file is found without reading those before, and is the same as with them."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hextui.records.codecs.codec import Codec, FileText, GameText
from hextui.records.codecs.sgf import write_sgf
from hextui.records.codecs.sgf_plain import plain_game
from hextui.records.formats import Source, read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from tests.stress.altered import TOKENS

FIXTURES = Path(__file__).parent.parent / "fixtures" / "0.1.0" / "records"
PLAIN = "(;FF[4]GM[11]SZ[5]PB[Ann];B[a1];W[b2];B[c3])\n"
SGF_GAMES = (
    PLAIN,
    "(;GM[11]SZ[5]PB[An\\]n]PW[é];B[a1]C[a (b) c];W[b2](;B[c3])(;B[c4](;W[a2])(;W[a3])))",
    "(;SZ[5];B[a1])\n",
    "(;GM[11]SZ[5]C[a B[a1\\] b]\n[c];B[a1])\n",
    "(;GM[11]SZ[5]CA[Shift_JIS]PB[表];B[a1];W[b2];B[c3])\r\n",
    "(;GM[11]SZ[5]C[unescaped ] here];B[a1];W[b2]\n",
    "(;FF[4]EV[x]PB[a]]PW[b]SZ[5]RE[B];W[aa];B[swap];W[bc])\n",
)
JSON_GAMES = (
    '{"size": 5, "moves": "a1 b2"}\n',
    '{"size": {"rows": 5, "columns": 4}, "moves": ["a1"]}\r\n',
    '{"games": [{"size": 5, "moves": "a1"}, {"size": 5, "moves": "b1"}]}\n',
    '[{"size": 5, "moves": "a1"}, {"size": 5, "moves": "b1"}]\n',
    '{"size": 5, "moves": "a1 zz"}\r',
    '{"size": 5, "moves": \n',
    '{"size": 5, "moves": "a1"} {"size": 5, "moves": "b1"}\n',
    "# a remark\n",
    " \n",
)
ENCODINGS = ("utf-8", "cp932", "latin-1", "utf-16")


def described(game: Record | RecordError) -> object:
    """Return what a reading says of a game, but whether there are others."""
    if isinstance(game, RecordError):
        return str(game)
    assert game.origin
    return write_sgf(game), game.origin.number, game.origin.notes, game.origin.format


def check_each_game(source: Source) -> int:
    """Read each game alone, and all of them; both must be the same. Return how many there are."""
    try:
        games = list(read_collection(source))
    except RecordError as error:
        with pytest.raises(RecordError, match=re.escape(str(error))):
            read_record(source)
        return 0
    for number, game in enumerate(games, start=1):
        try:
            alone: Record | RecordError = read_record(source, number)
        except RecordError as error:
            alone = error
        assert described(alone) == described(game), number
    last = f"no game {len(games) + 1}: the last is {len(games)}" if games else "no game"
    with pytest.raises(RecordError, match=last):
        read_record(source, len(games) + 1)
    return len(games)


@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_each_game_of_a_stored_file_is_the_same_alone(path: Path) -> None:
    check_each_game(path)


def collections(games: tuple[str, ...]) -> st.SearchStrategy[bytes]:
    """Return files with games, and with what does not belong between them."""
    pieces = st.lists(st.sampled_from(games) | st.sampled_from((PLAIN, *TOKENS)), max_size=12)
    encodings = st.sampled_from(ENCODINGS)
    return st.builds(lambda texts, name: "".join(texts).encode(name, "replace"), pieces, encodings)


@given(collections(SGF_GAMES))
@example(f"x);stray {PLAIN * 3}".encode())
@example(f"{PLAIN * 2}(;C[a\n(;GM[11]SZ[5];B[a1])])\n{PLAIN}".encode())
@example(f"{PLAIN}(;FF[4]GM[11]SZ[5]CA[x]x];B[a1])\n{PLAIN}".encode())
@example(f"{PLAIN}(;SZ[5];B[a1]) x]\n{PLAIN * 2}".encode())
@example(f"{PLAIN}(;GM[11]SZ[5]CA[gbk]PB[表];B[a1];W[b2])\n{PLAIN * 2}".encode("gbk"))
def test_each_game_of_an_sgf_collection_is_the_same_alone(data: bytes) -> None:
    check_each_game(data)


@given(collections(JSON_GAMES))
@example(b'{"size": 5, "moves": "a1"}\n[{"size": 5, "moves": "b1"}]\n{"size": 5, "moves": "c1"}')
def test_each_game_of_json_lines_is_the_same_alone(data: bytes) -> None:
    check_each_game(data)


@pytest.mark.parametrize("unit", [PLAIN, JSON_GAMES[0]])
def test_games_before_the_wanted_one_are_not_decoded(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    decode = FileText.game

    def note(file: FileText, codec: Codec, text: str, *more: Any) -> GameText:
        decoded.append(text)
        return decode(file, codec, text, *more)

    monkeypatch.setattr(FileText, "game", note)
    assert read_record(unit * 500, 400).plies in (2, 3)
    assert len(decoded) == 1


def test_which_games_are_plain() -> None:
    plain, nested, *others = SGF_GAMES
    assert plain_game(plain, 0)
    assert plain_game(nested.replace("é", "e"), 0)
    for text in others:
        assert not plain_game(text.encode("cp932", "replace").decode("latin-1"), 0)
