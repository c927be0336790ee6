"""Detection, collections, character sets, POSITION arguments."""

import io
import json
import os
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import Board
from hextui.records import record
from hextui.records.codecs import codec, json_games, sgf_syntax
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.formats import parse_position_argument, read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.summary import LeftOut
from hextui.records.writing import written
from tests.records.trees import names, records, text_as
from tests.samples import some

SGF = "(;GM[11]SZ[5]PB[Ann];B[a1];W[b2])"
LITTLE = "(;FF[4]EV[hex]PB[%s]PW[b]SZ[13]SO[http://www.littlegolem.com];W[mf];B[swap])"


def records_in(source: str | bytes, board: Board | None = None) -> list[Record]:
    """Return the games that can be read."""
    return [game for game in read_collection(source, board) if isinstance(game, Record)]


@pytest.mark.parametrize(
    ("text", "form", "moves"),
    [
        (SGF, "sgf", "a1 b2"),
        ("\ufeff \n" + SGF, "sgf", "a1 b2"),
        ("From: me (at home)\nSubject: a game\n\n" + SGF, "sgf", "a1 b2"),
        (LITTLE % ":-)]", "hsgf", "m6 swap-pieces"),
        ("https://hexworld.org/board/#5c1,a1b2\n", "hexworld", "a1 b2"),
        ("#5,a1b2 b", "hexworld", "a1 b2"),
        ("5,a1(c1)b2", "hexworld", "a1 b2"),
        ('{"size": 5, "moves": "a1 b2"}', "json", "a1 b2"),
        ('{\n "size": 5,\n "moves": "a1 b2"\n}\n', "json", "a1 b2"),
        ("a1 b2", "plain", "a1 b2"),
        ("5x5\n1. a1 b2", "plain", "a1 b2"),
        ("11", "plain", ""),
    ],
)
def test_detection(text: str, form: str, moves: str) -> None:
    record = read_record(text)
    assert names(record) == moves
    assert record.origin.format == form
    assert record.origin.alone
    assert names(read_record(text.encode())) == moves


@pytest.mark.parametrize(
    ("text", "games"),
    [
        (
            "a1 b2 c3\nd4 e5 f6\n\na1 a2 a3\n",
            ["11x11 a1 b2 c3", "11x11 d4 e5 f6", "11x11 a1 a2 a3"],
        ),
        ("a1 b2\r\nc3 d4\re5\n", ["11x11 a1 b2 c3 d4 e5"]),
        ("1. a1 b2\n2. c3 d4\n1. e5\n11. f6\n", ["11x11 a1 b2 c3 d4", "11x11 e5 f6"]),
        ("5\n1. a1 b2\n2. c3\n7x7\n1) g7\n", ["5x5 a1 b2 c3", "7x7 g7"]),
        ("5 1. a1\n2. b2\n5 1. c3", ["5x5 a1 b2", "5x5 c3"]),
        ("5\na1 b2 c3\n7x6\na1 b2 g6\na1 b2 a3", ["5x5 a1 b2 c3", "7x6 a1 b2 g6", "7x6 a1 b2 a3"]),
        # a size that no list takes is a game without moves
        ("5x5\n5x5 a1\n", ["5x5 ", "5x5 a1"]),
        ("5x5 a1\n6x6\n", ["5x5 a1", "6x6 "]),
        ("5\n6\n7\na1 b2 c3\na1 b2 c4\n", ["5x5 ", "6x6 ", "7x7 a1 b2 c3", "7x7 a1 b2 c4"]),
        ("5\n\n6", ["5x5 ", "6x6 "]),
    ],
)
def test_collections_of_plain_lists(text: str, games: list[str]) -> None:
    assert [f"{game.board} {names(game)}" for game in records_in(text)] == games


@pytest.mark.parametrize(
    ("text", "boards"),
    [
        ("a1 b2 c3\na1 b2 M13\na1 b2 c3\n", [13, 13, 13]),
        ("a1 b2 c3\n" * 2000 + "a14 b2 c3\n", [14] * 2001),
        ("a1 b2 c3\n13 a1 b2 m1\na1 b2 k11\n", [11, 13, 11]),
        ("a1 b2 c3\n15\na1 b2 o1\n", [11, 15]),
        ("1. a1 2. o1\n1. a1 2. c3\n", [15, 15]),
        ("a1 b2 c3\nzz99 b2 round7\na1 b2 c3\n", [11, 11]),  # which no board has
    ],
)
def test_the_board_size_is_guessed_once_a_file(text: str, boards: list[int]) -> None:
    found = records_in(text)
    assert [game.board.columns for game in found] == boards
    sized = [game.origin is not None and not game.origin.notes for game in found]
    assert sized == [side in (13, 15) and len(set(boards)) > 1 for side in boards]
    given = records_in(text, Board(19, 17))
    assert not any(game.origin.notes for game in given if game.origin)
    assert given[0].board == Board(19, 17)


def test_a_collection_with_broken_games() -> None:
    lines = [
        SGF,
        "(;GM[11]SZ[5];B[a1];W[a1])",
        "(;GM[11]SZ[5];B[c1]",
        "(;FF[4]GM[11]SZ[5];B[d1]C[never closed)",
        "(;FF[4]GM[11]SZ[5];B[d1])",
        "(;GM[1]SZ[19];B[aa])",
        SGF + SGF,
    ]
    games = list(read_collection("\n".join(lines), strict=True))
    found = [names(g) if isinstance(g, Record) else g.line for g in games]
    assert found == ["a1 b2", 2, 3, 4, "d1", 6, "a1 b2", "a1 b2"]
    assert "a1 is taken" in str(games[1])
    origins = [game.origin for game in games if isinstance(game, Record)]
    assert [origin.number for origin in origins if origin] == [1, 5, 7, 8]
    games = list(read_collection("\n".join(lines)))
    found = [names(g) if isinstance(g, Record) else g.line for g in games]
    assert found == ["a1 b2", "a1", "c1", "d1", "d1", 6, "a1 b2", "a1 b2"]


def test_places_in_the_second_game_of_a_line() -> None:
    games = list(read_collection(SGF + " (;GM[11]SZ[5];B[z1])"))
    assert isinstance(games[1], RecordError)
    assert (games[1].line, games[1].column) == (1, len(SGF) + 16)


def test_choosing_a_game() -> None:
    text = SGF + "\n" + SGF.replace("b2", "c3")
    first, second = read_record(text), read_record(text, 2)
    assert (names(first), names(second)) == ("a1 b2", "a1 c3")
    assert not first.origin.alone
    with pytest.raises(RecordError, match="there is no game 3: the last is 2"):
        read_record(text, 3)


UNCLOSED = "(;GM[11]SZ[5];B[a1]\n"
MANY = {
    "several in one that is never closed": f"{UNCLOSED}{SGF}\n{UNCLOSED}{UNCLOSED}{SGF}(;SZ[x])",
    "lines": "a1 b2\n" * 3 + "z9\n" + "a1 b2 c3\n" * 2,
    "objects": '[{"size": 5, "moves": "a1"}, {"size": 5}, {"size": 5, "moves": "b1"}, ]',
}


@pytest.mark.parametrize("text", MANY.values(), ids=MANY)
def test_a_game_has_the_number_that_it_has_among_all(text: str) -> None:
    games = list(read_collection(text))
    assert len(games) >= 3
    for number, game in enumerate(games, start=1):
        if isinstance(game, RecordError):
            with pytest.raises(RecordError, match=re.escape(str(game))):
                read_record(text, number)
        else:
            record = read_record(text, number)
            assert record.difference(game) == ""
            assert record.origin.number == game.origin.number == number


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_nothing_to_read(text: str) -> None:
    with pytest.raises(RecordError, match="there is no game here"):
        read_record(text)
    assert list(read_collection(text)) == []


@pytest.mark.parametrize("text", ["a1 b2", SGF, '{"size": 5, "moves": "a1 b2"}', "#5,a1b2"])
def test_blank_lines_before_a_game(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "HEAD", 50)
    assert names(read_record("\n" * 500 + text)) == "a1 b2"
    with pytest.raises(RecordError) as caught:
        read_record("\n" * 500 + text.replace("b2", "b2zz"), strict=True)
    assert caught.value.line in (501, None)


def test_text_between_games() -> None:
    assert len(list(read_collection(f"{SGF}\nfrom me; to (you); ) {SGF}"))) == 2


@pytest.mark.parametrize("tail", [";W[c3])", ")"])
def test_pieces_of_a_game_outside_of_it(tail: str) -> None:
    with pytest.raises(RecordError, match="outside of a game") as caught:
        read_record(SGF + "\n " + tail, strict=True)
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_a_dump_of_little_golem() -> None:
    people = ["a", ":-])", "some;]", "x)(", "[", "\\"]
    dump = "\n".join(LITTLE % name for name in people)
    games = records_in(dump)
    assert [game.info("PB") for game in games] == people
    assert all(names(game) == "m6 swap-pieces" for game in games)


@given(st.lists(records(length=5), min_size=1, max_size=4))
def test_a_collection_is_read_as_it_was_written(games: list[Record]) -> None:
    data = "junk (c) 2005\n" + "\n".join(write_sgf(game) for game in games)
    again = list(read_collection(data))
    assert len(again) == len(games)
    for a, b in zip(games, again, strict=True):
        assert isinstance(b, Record)
        assert a.equals(b)


# Names whose last bytes, or second bytes, are backslashes and brackets in these sets.
KANJI, HANZI, TAIWAN = "坂口表ソ\u8a3c", "李明乗", "\u529f\u8a31\u84cb"


@pytest.mark.parametrize(
    ("charset", "encoding", "name", "guess"),
    [
        ("", "utf-8", "Zoë 林", ""),
        ("", "utf-8-sig", "Zoë 林", ""),
        ("", "utf-16", "Zoë 林", ""),
        ("", "utf-16-le", "Zoë 林", ""),
        ("", "utf-16-be", "Zoë 林", ""),
        ("", "utf-32", "Zoë 林", ""),
        ("CA[utf-8]", "utf-32-be", "Zoë 林", ""),
        ("", "latin-1", "Zoë", "Windows-1252"),
        ("", "cp1252", "Zoë\u2019s", "Windows-1252"),
        ("", "cp932", KANJI, "Shift_JIS"),
        ("", "gb18030", HANZI, "GBK"),
        ("", "cp950", TAIWAN, "Big5"),
        ("", "cp949", "김철수", "EUC-KR"),
        ("", "cp1251", "Иванов", "Windows-1251"),
        ("", "iso2022_jp", "\u56e3\u6c88", "ISO-2022-JP"),
        ("CA[UTF-8]", "utf-8", "Zoë", ""),
        ("CA[UTF-8]", "utf-8", "\x1b$B!!\x1b(B", ""),
        ("CA[UTF-8]", "latin-1", "Zoë", "Windows-1252"),
        ("CA[UTF-8]", "cp932", KANJI, "Shift_JIS"),
        ("CA[ISO-8859-1]", "latin-1", "Zoë", ""),
        ("CA[ISO-8859-1]", "utf-8", "Zoë", ""),
        ("CA[latin1]", "cp1252", "€ Zoë", ""),
        ("CA[windows-1252]", "cp1252", "€ Zoë", ""),
        ("CA[Shift_JIS]", "shift_jis", "\u8868\u30bd", ""),
        ("CA[Windows-31J]", "cp932", f"{KANJI}①", ""),
        ('CA["x-sjis"]', "cp932", KANJI, ""),
        ("CA [ MS932 ]", "cp932", KANJI, ""),
        ("CA[gb18030]", "gb18030", "林", ""),
        ("CA[GB2312]", "gb18030", HANZI, ""),
        ("CA[x-gbk]", "gb18030", HANZI, ""),
        ("CA[Big5]", "cp950", TAIWAN, ""),
        ("CA[big5-hkscs]", "big5hkscs", f"{TAIWAN}\u55ba", ""),
        ("CA[ks_c_5601-1987]", "cp949", "똠방각하", ""),
        ("CA[euc-jp]", "euc_jp", KANJI, ""),
        ("CA[ISO-2022-JP]", "iso2022_jp", "\u56e3\u6c88", ""),
        ("CA[KOI8-R]", "koi8-r", "Иван", ""),
        ("CA[no such set]", "utf-8", "Zoë", ""),
        ("CA[cp037]", "utf-8", "Zoë", ""),  # in which ASCII is not ASCII
        ("CA[UTF-16]", "utf-8", "Zoë", ""),
        ("CA[utf-7]", "utf-8", "Zoë", ""),
        ("CA[]", "utf-8", "Zoë\0", ""),
    ],
)
def test_character_sets(charset: str, encoding: str, name: str, guess: str) -> None:
    text = f"(;{charset}GM[11]PB[{name}]PW[b](;B[a1];W[b1])(;B[c1]))\n"
    data = (text + text.replace("a1", "d1")).encode(encoding)
    games = records_in(data)
    assert [game.info("PB") for game in games] == [name, name]
    assert [names(game) for game in games] == ["a1 b1", "d1 b1"]
    assert [game.info("PW") for game in games] == ["b", "b"]
    for game in games:
        assert [note.rpartition("read as ")[2] for note in game.origin.notes] == (
            [f"{guess}, a guess"] if guess else []
        )
        assert "CA[UTF-8]" in write_sgf(game)


def test_values_that_all_seem_to_go_on() -> None:
    game = f"(;GM[11]{';C[ソ]' * 1000};B[a1])\n"
    assert [names(game) for game in records_in((game * 2).encode("cp932"))] == ["a1", "a1"]


def test_a_file_of_games_in_several_character_sets() -> None:
    games = [
        ("", "utf-8", "Zoë"),
        ("", "latin-1", "Zoë"),
        ("CA[Shift_JIS]", "cp932", KANJI),
        ("CA[Big5]", "cp950", TAIWAN),
        ("", "utf-8", KANJI),
    ]
    data = b"\n".join(f"(;{ca}GM[11]PB[{name}];B[a1])".encode(form) for ca, form, name in games)
    assert [game.info("PB") for game in records_in(data)] == [name for _, _, name in games]


@pytest.mark.parametrize(
    "text", ['{"size": 5, "id": "%s", "moves": "a1"}', '[\n{"size": 5, "id": "%s", "moves": "a1"}]']
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_character_sets_of_json(text: str, encoding: str) -> None:
    assert read_record((text % "坂口表").encode(encoding)).info("GN") == "坂口表"
    # What a game declares is about its own file, not about the JSON text that holds it.
    inside = '{"sgf": "(;CA[Shift_JIS]GM[11]PB[坂口表])"}'
    assert read_record(inside.encode()).info("PB") == "坂口表"


@given(st.binary(max_size=30), st.sampled_from(["", "CA[Shift_JIS]", "CA[GBK]", "CA[UTF-8]"]))
def test_no_bytes_become_replacement_characters(name: bytes, charset: str) -> None:
    data = b"(;" + charset.encode() + b"GM[11]PB[" + name + b"];B[a1])"
    if "\ufffd".encode() not in data:
        assert not any("\ufffd" in write_sgf(game) for game in records_in(data))


def test_broken_utf_16_is_refused() -> None:
    with pytest.raises(RecordError, match="starts as UTF-16 but is not"):
        read_record(SGF.encode("utf-16") + b"\0")


def test_too_long_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf_syntax, "MAX_GAME", 1000)
    for module in (codec, json_games):
        monkeypatch.setattr(module, "MAX_LIST", 1000)
    monkeypatch.setattr(codec, "HEAD", 100)
    for text in ["(;" + "C[a]" * 2000 + ")", '{"moves": "' + " " * 2000, "a1 " * 2000]:
        with pytest.raises(RecordError, match="a game of more than"):
            read_record(text)
    assert len(list(read_collection(SGF * 100))) == 100
    with pytest.raises(RecordError, match="a game of more than") as caught:
        read_record(f"{SGF}\n (;\nC[" + "a" * 2000, 2)
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_too_long_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_FILE", 2 * codec.MIB)
    assert read_record(SGF + " " * (2 * codec.MIB - len(SGF))).plies == 2
    with pytest.raises(RecordError, match="more than 2 MiB: split the file"):
        read_record(SGF + " " * (2 * codec.MIB - len(SGF) + 1))


LONG_NONSENSE = {
    "nodes": ("(;" + ";" * 60_000, "more than 500,000 nodes"),
    "trees": ("(;" + "(;" * 45_000, "this '\\(' is never closed"),
    "parentheses": ("(;" + "(" * 600_000, "'\\(' instead of ';'"),
    "values": ("(;C" + "[]" * 2_100_000 + ")", "more than 2,000,000 values"),
    "line ends": ("(;C[" + "\n" * 1_000_000, "the value of C is never closed"),
    "backslashes": ("(;C[" + "\\" * 1_000_000, "the value of C is never closed"),
    "games": ("(;GM[11]C[x\n" * 20_000, "the value of C is never closed"),
    "a word": ("x" * 1_000_000, "'xxxxxxxxxxxxxxxxx...' is not a move"),
    "a number": ("1" * 1_000_000, "boards have"),
    "spaces": ("\n" + " " * 1_000_000 + "x", "'x' is not a move"),
    "a link": ("#11," + "a" * 1_000_000, "'aaaaaaaaaaaaaaaaa...' is not a move"),
    "variations": ("#11,a1" + "(b1" * 20_000, "is not closed"),
    "names": ("(;FF[4]SO[littlegolem]PB[" + "]x" * 400_000, "the value of PB is never closed"),
    "passes in a node": ("(;" + "B[]" * 50_000 + ")", "more than 500,000 nodes"),
    "setups": ("(;SZ[19]" + ";AE[a1:s19]" * 6_000 + ")", "more than 2,000,000 values"),
    "equal names": ("(;" + "A[]" * 100_000, "is never closed"),
    "passes of a link": ("#5," + ":p" * 50_000, "more than 500,000 nodes"),
    "rows": ("a b\n" + "".join(f"{n} . .\n" for n in range(1, 100_000)), "boards have"),
    "columns": ("a " * 400_000 + "\n1 .", "'a' is not a move"),
    "marks": ("a b\n1" + " ." * 400_000 + "\n", "row 1 has 400000 cells, not 2"),
    "labels": ('<hexboard size="3x3" contents="R' + " a(" * 300_000 + '"/>', "no cell"),
    "diagrams": ("<hexboard " * 100_000, "never closed"),
    "rounds": ("BoardSize: 5x5\nFirst: V\nMoves: " + "1. (" * 200_000, "is not a move"),
    "commands": ("boardsize 5\nplay b a1\n" + "play b a1 " * 200_000 + "\nplay b a1", "is taken"),
    "prompts": ("play b a1\n" + ">" * 500_000 + "\nplay b a1", "a1 is taken"),
    "passes": ('{"size": 5, "moves": "' + "pass " * 100_000, "not JSON"),
}


# these take more than half a second each
_LONGEST = ("values", "passes in a node", "setups", "rows", "nodes", "labels", "passes of a link")
_KINDS = sorted(LONG_NONSENSE, key=_LONGEST.__contains__)


@pytest.mark.parametrize("kind", some(_KINDS, len(_KINDS) - len(_LONGEST)))
def test_long_nonsense_is_refused_without_delay(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in (record, sgf_syntax):
        monkeypatch.setattr(reader, "MAX_NODES", 50_000)
    text, what = LONG_NONSENSE[kind]
    with suppress(RecordError):  # what can be read may be
        read_record(text)
    with pytest.raises(RecordError, match=what):
        read_record(text, strict=True)


def test_a_file_and_its_name_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(SGF)
    assert read_record(path).origin.path == path
    path.write_text("(;GM[11]\n;B[zz])")
    with pytest.raises(RecordError) as caught:
        read_record(path)
    assert str(caught.value).startswith(f"{path}: line 2, column 2: ")
    broken = next(read_collection(path))
    assert isinstance(broken, RecordError)
    assert str(broken).startswith(f"{path}: line 2")
    for source, what in [(tmp_path / "none.sgf", "No such file"), (tmp_path, "Is a directory")]:
        with pytest.raises(RecordError, match=f"cannot be read: {what}"):
            read_record(source)
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        parse_position_argument(".")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    with pytest.raises(RecordError) as caught:
        read_record(tmp_path / "binary")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("argument", "moves"),
    [
        (SGF, "a1 b2"),
        (" ( ;GM[11]SZ[5];B[a1])", "a1"),
        ("#7,d4c5", "d4 c5"),
        ("7,d4c5", "d4 c5"),
        ("7", ""),
        ("https://hexworld.org/board/#7c1,d4c5,", "d4 c5"),
        ("hexworld.org/board/#7,d4", "d4"),
    ],
)
def test_position_arguments(argument: str, moves: str) -> None:
    assert names(parse_position_argument(argument)) == moves


def test_position_arguments_that_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text(SGF)
    Path("7").write_text(SGF)
    assert names(parse_position_argument("game.sgf")) == "a1 b2"
    assert names(parse_position_argument("7")) == "a1 b2"
    assert names(parse_position_argument("#7")) == ""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SGF.encode())))
    assert names(parse_position_argument("-")) == "a1 b2"


@pytest.mark.parametrize(
    ("argument", "what"),
    [
        ("none.sgf", "none.sgf: no such file, and it is neither"),
        ("a" * 5000, "no such file"),
        ("a\0b", "no such file"),
        ("(;B[zz])", "line 1, column 3: B\\[zz\\]: no cell"),
        ("#7,zz", "line 1, column 4: 'zz' is not a move"),
        ("https://example.org/game", "links are not fetched"),
        ("", "no such file"),
    ],
)
def test_bad_position_arguments(argument: str, what: str) -> None:
    with pytest.raises(RecordError, match=what) as caught:
        parse_position_argument(argument)
    assert len(str(caught.value).splitlines()) == 1


def test_an_argument_that_is_not_valid_text() -> None:
    argument = os.fsdecode(b"(;GM[11]C[Zo\xeb])")
    assert parse_position_argument(argument).root.comment == "Zoë"
    assert read_record("(;GM[11]C[a\ud800])").root.comment == "a?"


@pytest.mark.skipif("HEXTUI_TEST_DATA" not in os.environ, reason="needs HEXTUI_TEST_DATA")
def test_the_games_of_the_data() -> None:
    folder = Path(os.environ["HEXTUI_TEST_DATA"])
    games = [read_sgf(p["sgf"]) for p in json.loads((folder / "puzzles.json").read_text())]
    for name in ("human_11x11", "human_13x13"):
        found = list(read_collection(folder / f"{name}.jsonl"))
        games += [game for game in found if isinstance(game, Record)]
    assert len(games) == 65 + 3000
    again = read_collection("".join(text_as("sgf", game) for game in games))
    in_order = 0
    for game, other in zip(games, again, strict=True):
        assert isinstance(other, Record)
        assert other.equals(game)
        link, end = read_record(text_as("hexworld", game)).position(), game.position()
        assert (link.stones, link.to_move) == (end.stones, end.to_move)
        lost = written(game, "hexworld").lost
        if not {LeftOut.SETUP, LeftOut.TURNS_OUT_OF_ORDER}.intersection(lost):
            in_order += 1
            for form in ("hexworld", "hexata", "plain", "json"):
                assert read_record(text_as(form, game)).turns() == game.turns()
    assert in_order >= 3000
