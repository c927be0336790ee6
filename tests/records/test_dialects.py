"""What other programs write, and the faults of their files: each is read with the right stones."""

import gzip
import importlib
import io
import itertools
import sys
import zipfile
from pathlib import Path

import pytest

import hextui
from hextui.commands import main
from hextui.engine.board import Color
from hextui.library.answers import files_of
from hextui.library.game import game_of
from hextui.records import decoding
from hextui.records.codecs import codec, is_game
from hextui.records.formats import parse_position_argument, read_collection, read_record
from hextui.records.markup import marks_of
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.writing import convert, export, save, written

ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
GAME = "(;FF[4]GM[11]SZ[7];B[d4];W[c5])"
BOTH = "7x7 d4 / c5"


def stones(record: Record) -> str:
    """Return the board, Red's stones and Blue's at the end of the main line, in row order."""
    position = record.position()
    cells = enumerate(position.stones)
    names = [(record.board.name(cell), stone) for cell, stone in cells]
    red, blue = (" ".join(n for n, stone in names if stone == color) for color in Color)
    return f"{record.board} {red} / {blue}"


FLAWED = [  # the text, the stones that can be read, the place and the word for what is wrong
    # a parenthesis or a semicolon too many or too few
    (f"{GAME})", BOTH, "1, column 32: ')' outside"),
    (f"{GAME}\n;", BOTH, "2, column 1: ';' outside"),
    (f"){GAME}", BOTH, "1, column 1: ')' outside"),
    (GAME.replace(")", "))\n)"), BOTH, "1, column 32: ')' outside"),
    (GAME.replace("))", ");B[e3])"), BOTH, ""),
    (GAME.replace(";B", ";;B"), BOTH, ""),
    (GAME[:-1], BOTH, "1, column 1: this '(' is never closed"),
    (f"{GAME[:-1]}C[so", BOTH, "1, column 32: the value of C is never closed"),
    ("(;GM[11]SZ[7];B[d4](;W[c5]);W[b6])", BOTH, "1, column 28: a node after the variations"),
    # no semicolon behind a parenthesis
    ("(\nGM[11]SZ[7]\n;B[d4];W[c5])", BOTH, "2, column 1: 'G' instead of ';'"),
    ("(FF[4]GM[11]SZ[7];B[d4];W[c5])", BOTH, "1, column 2: 'F' instead of ';'"),
    ("(;GM[11]SZ[7];B[d4](W[c5])(;W[b6]))", BOTH, "1, column 21: 'W' instead of ';'"),
    ("(;GM[11]SZ[7];B[d4]((;W[c5])))", BOTH, "1, column 21: '(' instead of ';'"),
    # a bracket that is not escaped, and text outside of values
    (f"{GAME[:-1]}C[see [c5] here])", BOTH, "1, column 33: ']' without '\\' in the value of C"),
    (f"{GAME[:-1]}C[a [c5]; (b [d4]) :)];B[a1])", "7x7 d4 a1 / c5", "']' without"),
    ("(;GM[11]SZ[7]GC[arr[3]] is odd]PB[a];B[d4];W[c5])", BOTH, "']' without"),
    (f"{GAME[:-1]} hm )", BOTH, "1, column 32: hm has no value"),
    # moves and stones that cannot be
    (GAME.replace(")", "(;B[e3];W[b6])(;B[d4]))"), "7x7 d4 e3 / c5 b6", "B[d4]: d4 is taken"),
    (GAME.replace(")", "(;B[d4];W[a1])(;B[e3];W[b6]))"), BOTH, "B[d4]: d4 is taken"),
    (f"{GAME[:-1]};B[z9];W[a1])", BOTH, "1, column 32: B[z9]: no cell"),
    (f"{GAME[:-1]};B[d4];W[d4];B[d4])", BOTH, "1, column 32: B[d4]: d4 is taken"),
    ("(;GM[11]SZ[7];B[d4][e4];W[c5])", BOTH, "B[d4]: B has 2 values"),
    ("(;GM[11]SZ[7];B;W[b1]B[d4];W[c5])", "7x7 d4 / b1 c5", "B has no value"),
    ("(;GM[11]SZ[7]AB[d4][z9]AW[c5][d4])", BOTH, "AB[z9]: no cell 'z9' on a 7x7 board (and 1 more"),
    ("(;GM[11]SZ[7]PL[x]AB[d4]AW[c5:c5:c5][c5])", BOTH, "PL[x]: not a colour"),
    # the same in lists of moves
    ("7x7 d4 c5 d4 b6", BOTH, "1, column 11: d4 is taken"),
    ("7x7\n1. d4 2. c5\n3. z9 4. b6", BOTH, "3, column 4: no cell 'z9'"),
    ("7x7 d4 c5 and so on", BOTH, "1, column 11: 'and' is not a move"),
    ("7x7 B[d4] W[c5] B[c5] 1", BOTH, "1, column 17: c5 is taken"),
    # in links, where a variation may be cut and the main line goes on
    ("#7,d4c5d4b6", BOTH, "1, column 8: d4 is taken"),
    ("https://hexworld.org/board/#7c1,d4c5:sb6", BOTH, "1, column 37: :s: a swap is legal"),
    ("http://www.trmph.com/hex/board#7,d4c5h1", BOTH, "1, column 38: no cell 'h1'"),
    ("#7,d4c5#7,b6", BOTH, "1, column 8: '#7,b6' is not a move"),
    ("#7,d4c5e3(d4b6(a1))", "7x7 d4 e3 / c5", "1, column 11: d4 is taken"),
    ("#7,d4(c5e3", "7x7 d4 / ", "1, column 11: a variation is not closed"),
    ("#7,(b6)d4c5", BOTH, "1, column 4: a variation before the first move"),
    ("#7,d4)c5", BOTH, "1, column 6: ')' without '('"),
    ("#7d4c5", BOTH, "1, column 3: 'd4c5' instead of options (r1 to r12, m, n, c1) or ','"),
    ("https://hexworld.org/board/#7c1d4c5", BOTH, "1, column 32: 'd4c5' instead of"),
    ("#7,d4,c5,", BOTH, "1, column 9: a third comma"),
    # in JSON
    ('{"size": 7, "moves": "d4 c5 d4 b6"}', BOTH, "1, column 1: move 3: d4 is taken"),
    ('[{"size": 7, "moves": ["d4", "c5", ["b6"]]}]', BOTH, "1, column 2: move 3: no cell"),
    ('{"size": 7, "moves": "d4 c5", "winner": "green"}', BOTH, "column 1: not a colour: 'green'"),
    ('{"sgf": "(;GM[11]SZ[7];B[d4];W[c5];B[d4])"}', BOTH, "line 1, column 27: B[d4]: d4 is taken"),
    # a list of JSON objects that is cut off, or goes on
    ('[{"size": 7, "moves": "d4 c5"},]', BOTH, "1, column 33: no game after ','"),
    ('[{"size": 7, "moves": "d4 c5"}\n', BOTH, "2, column 1: a JSON list needs ',' or ']' here"),
    ('[{"size": 7, "moves": "d4 c5"}] x', BOTH, "1, column 33: text after the JSON list"),
    ('[{"size": 7, "moves": "d4 c5"}\n{"size": 7, "moves": "a1"}]', BOTH,
     "2, column 1: a JSON list needs ',' or ']' here"),
    ('{"size": 7, "moves": "d4 c5"},\n', BOTH, "1, column 30: text after the game"),
    # in games of Six and logs
    ("BoardSize: 7x7\nFirst: V\nMoves:\n 1. D4 (1 ms) C5 (2 ms)\n 2. C5 (1 ms)", BOTH,
     "5, column 5: c5 is taken"),
    ("boardsize 7 7\nplay b d4\nplay w d4\nplay w c5\n", BOTH, "3, column 1: d4 is taken"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meant", "flaw"), FLAWED)
def test_a_flawed_game_is_read_as_far_as_possible(text: str, meant: str, flaw: str) -> None:
    record = read_record(text)
    assert sorted(stones(record).split()) == sorted(meant.split())
    assert record.origin
    assert record.origin.whole is not bool(record.origin.notes)
    if flaw:
        (note,) = record.origin.notes
        assert note.startswith("read as far as possible: line ")
        assert flaw in note
        with pytest.raises(RecordError) as caught:
            read_record(text, strict=True)
        assert str(caught.value) in note


def test_games_after_a_flaw_in_a_json_list() -> None:
    for between in (" ", ",", ",\n"):
        for end in ("]", ",", "", "] x"):
            text = f'[{{"size": 7, "moves": "d4 c5"}}{between}{{"size": 7, "moves": "a1"}}{end}'
            games = [game for game in read_collection(text) if isinstance(game, Record)]
            assert [stones(game) for game in games] == [BOTH, "7x7 a1 / "]
    lines = '{"size": 7, "moves": "d4 c5"},\n' * 2
    assert [stones(g) for g in read_collection(lines) if isinstance(g, Record)] == [BOTH] * 2


def test_what_follows_a_flaw_keeps_its_place() -> None:
    text = "(;GM[11]SZ[7];B[d4]C[a [b] c](;B[d4]C[hm];W[a1])(;W[c5])(;B[d4]))"
    record = read_record(text + GAME)
    first, second = record.root.children[0].children
    assert record.root.children[0].comment == "a [b] c"
    assert (first.turn, first.comment, first.children) == (None, "hm", [])
    assert second.turn
    assert [stones(g) for g in read_collection(text + GAME) if isinstance(g, Record)][1] == BOTH


@pytest.mark.parametrize(("value", "color"), [("1", Color.BLACK), ("2", Color.WHITE)])
def test_the_side_to_move_as_a_number(value: str, color: Color) -> None:
    record = read_record(f"(;GM[11]SZ[7]AB[d4]PL[{value}])", strict=True)
    assert record.position().to_move is color


def test_a_flaw_is_reported_and_strict_refuses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    source = tmp_path / "games.sgf"
    source.write_text(f"{GAME}\n{GAME.replace('c5', 'b1')})\n")
    assert main(["convert", str(source), "plain"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "7x7 d4 c5\n7x7 d4 b1\n"
    assert "line 2, column 32: ')' outside of a game" in shown.err
    assert main(["convert", "--strict", str(source), "plain"]) == 1
    shown = capsys.readouterr()
    assert shown.out == "7x7 d4 c5\n"
    assert "game 2 skipped:" in shown.err
    assert main(["library", "import", "--strict", str(source)]) == 1
    assert "1 added, 0 there already, 1 skipped" in capsys.readouterr().out
    assert main(["library", "import", str(source)]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 1


SIX = (
    "BoardSize: 7x7\nFirst: V\nSwap: 1\nMoves:\n"
    "  1. A3 (12 ms) Swap (3 ms)\n  2. D4 (4 ms) C5 (3 ms)\n"
)
BOARD = "  a b c d e\n 1 . . B . . 1\n  2 . . . . . 2\n   3 . W . . . 3\n    a b c d e\n"
GTP = "boardsize 7 7\nplay black d4\nplay white c5\n"
TWO_PROGRAMS = (
    "Creating program: wolve\nB< boardsize 7 7\nB> =\nB> \nW< boardsize 7 7\nW> =\nW> \n"
    "B< genmove b\nB> = %s\nB> \nW< play b %s\nW> =\nW> \n"
    "W< genmove w\nW> = %s\nW> \nB< play w %s\nB> =\nB> \n"
)
STATE = (
    '{"game": "hex", "variants": [%s], "winner": [2], "stack": [{"_results": []},'
    ' {"_results": [{"type": "place", "where": "d4"}]},'
    ' {"_results": [{"type": "place", "where": "c5"}, {"type": "eog"}]}]}'
)
PLAYHEX = '[{"id": "x", "boardsize": 7, "moves": "d4 c5", "winner": "blue", "outcome": "resign"}]'

FORMATS = [  # the format, the text, the stones of its games, and who won
    ("six", SIX, ["7x7 d4 / c1 c5"], ""),
    ("six", SIX.replace("V", "H").replace("A3 (12 ms) Swap", "C5 D4").replace("D4 (4 ms) C5", ""),
     [BOTH], ""),
    ("six", SIX * 2, ["7x7 d4 / c1 c5"] * 2, ""),
    ("six", "InitialBoard:\n" + BOARD.replace("B", "V").replace("W", "H").upper()
     + "\nFirst: V\nSwap: 0\nMoves:\n  1. A1 (1 ms)\n", ["5x3 a1 c1 / b3"], ""),
    ("plain", "B[a3] W[d4] B[c5] 1\nB[b4] W[d4] -1\n", ["11x11 a3 c5 / d4", "11x11 b4 / d4"], "WW"),
    ("plain", "B[a12] W[d4]\n", ["13x13 a12 / d4"], ""),
    ("plain", "7x7 B[d4] W[c5] B[e3] W[e4] 1", ["7x7 e3 d4 / e4 c5"], "B"),
    ("gtp", GTP, [BOTH], ""),
    ("gtp", "HexGui> 1 boardsize 7\n=1\n\n2 genmove b\n=2 d4\n\n3 play w c5\n=3\n", [BOTH], ""),
    ("gtp", GTP + "play b e3\nundo\n" + "clear_board\nplay b a1\n", [BOTH, "7x7 a1 / "], ""),
    ("gtp", "boardsize 7 5\nplay-game d4 c5\nplay r e3\n".replace("play r", "play red"),
     ["7x5 e3 d4 / c5"], ""),
    # a match of two programs: both hear each move
    ("gtp", TWO_PROGRAMS % ("d4", "d4", "C5", "c5"), [BOTH], ""),
    ("gtp", TWO_PROGRAMS % ("d4", "d4", "c5", "c5") * 2, [BOTH] * 2, ""),
    ("gtp", (TWO_PROGRAMS % ("d4", "d4", "c5", "c5")).replace("< ", "<< ").replace("> ", ">> "),
     [BOTH], ""),
    # the log of one of them, with a board that it shows
    ("gtp", ">boardsize 7 7\n<= \n<\n>play b d4\n<= \n<\n>genmove w\n<= c5\n<\n", [BOTH], ""),
    ("gtp", f"boardsize 7\n= \n\nshowboard\n=\n{BOARD}\nplay b d4\n= \n\nplay w c5\n", [BOTH], ""),
    # Benzene says swap-pieces where stones stay and the same colour moves next
    ("gtp", "boardsize 7\nplay b d4\ngenmove w\n= swap-pieces\n\ngenmove w\n= c5\n", [BOTH], ""),
    ("gtp", "boardsize 7\nplay b a3\nplay w swap-pieces\nplay b d4\n", ["7x7 d4 / c1"], ""),
    ("gtp", "boardsize 7\nplay b a3\nplay w swap\nplay b d4\n", ["7x7 d4 / c1"], ""),
    # what an engine refused was not played, nor taken back
    ("gtp", "boardsize 7\n=\n\nplay b d4\n=\n\nplay w d4\n? no\n\nplay w c5\n=\n", [BOTH], ""),
    ("gtp", "boardsize 7\nplay-game d4 c5\n", [BOTH], ""),
    ("gtp", "boardsize 99\n? no\n\n" + GTP + "clear_board\n? no\n\nundo\n? no\n", [BOTH], ""),
    ("gtp", "boardsize 7\n=\n\nplay b d4\n=\n\nboardsize 9\n? no\n\nplay w c5\n=\n", [BOTH], ""),
    ("gtp", GTP + "play b e3\n=\n\nundo\n=\n\nplay b d4\n? no\n", [BOTH], ""),
    ("gtp", GTP + "=\n\nundo\n? cannot\n\ngenmove b\n? no time\n\nplay-game a1 a2\n?4 no\n",
     [BOTH], ""),
    ("json", STATE % '"size-7"', [BOTH], "W"),
    ("json", STATE % "", ["13x13 d4 / c5"], "W"),
    ("json", f"[{STATE}, {STATE}]" % ('"size-7"', '"size-9"'), [BOTH, "9x9 d4 / c5"], "WW"),
    ("hexwiki", '<hexboard size="4x5"\n contents="R a1 1:b1 B (a2 b2) E *:c1 S red:all area(a1)"/>',
     ["5x4 a1 b1 / a2 b2"], ""),
    ("hexwiki", "Ladder:\n<HexBoard contents='B c3' size=\"3\" /> and <hexboard size='3x4'/>",
     ["3x3  / c3", "4x3  / "], ""),
    ("hexwiki", "<hex> R4 C5 Q1 Va1 R5b1 Hc4 Sd2 +d3 </hex>", ["5x4 a1 b1 / c4"], ""),
    ("hexwiki", "<hex>R2 C3 1:VH_ 2:__S Mc1 Mc2</hex>", ["3x2 a1 c1 / b1 c2"], ""),
    ("text", BOARD, ["5x3 c1 / b3"], ""),
    ("text", f"Who wins?\n\n{BOARD}B Red, W Blue\n\n{BOARD.replace('.', '+')}",
     ["5x3 c1 / b3"] * 2, ""),
    ("text", "  A B\n 1\\R . \\1\n  2\\. . \\2\n", ["2x2 a1 / "], ""),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "meant", "won"), FORMATS)
def test_formats_that_are_only_read(form: str, text: str, meant: list[str], won: str) -> None:
    games = [game for game in read_collection(text, strict=True) if isinstance(game, Record)]
    assert [stones(game) for game in games] == meant
    assert {game.origin.format for game in games if game.origin} == {form}
    assert "".join(game.result.winner.name[0] for game in games if game.result.winner) == won


def test_the_marks_of_a_diagram_are_read_as_they_were_written() -> None:
    record = read_record("(;GM[11]SZ[5]AB[a1]AW[b2]CR[c3]TR[d4]SQ[a1]LB[e5:A]PL[B])")
    text = export(record, record.root, "hexwiki")
    assert isinstance(text, str)
    again = read_record(text)
    assert marks_of(again.root, again.board) == marks_of(record.root, record.board)
    assert stones(again) == stones(record)
    for form in ("text", "hexwiki"):
        text = str(export(record, record.root, form))
        assert read_record(text).position().stones == record.position().stones


def zipped(**files: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return data.getvalue()


def zstandard(text: str) -> bytes:
    return importlib.import_module(ZSTD).compress(text.encode())


def packed() -> list[tuple[bytes, list[str]]]:
    found = [
        (gzip.compress(text.encode()), meant)
        for text, meant in ((PLAYHEX, [BOTH]), (GAME * 2, [BOTH] * 2), (SIX, ["7x7 d4 / c1 c5"]))
    ]
    found += [(zstandard(text), [BOTH]) for text in (GAME, GTP, PLAYHEX)]
    found.append((zipped(a_sgf=GAME, b_json=PLAYHEX, c_md="# no game"), [BOTH, BOTH]))
    found.append((zipped(a_six=SIX, b_txt="7x7 d4 c5"), ["7x7 d4 / c1 c5", BOTH]))
    return [*found, (zipped(c_md="# no game"), [])]


# named by numbers: packed bytes hold the time, and processes that share the tests need one name
@pytest.mark.parametrize(("data", "meant"), packed(), ids=itertools.count())
def test_packed_files(data: bytes, meant: list[str], tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes(data)
    for source in (data, path):
        games = [game for game in read_collection(source) if isinstance(game, Record)]
        assert [stones(game) for game in games] == meant
        assert [game.origin.number for game in games if game.origin] == [*range(1, 1 + len(meant))]
    if len(meant) == 1:
        with pytest.raises(RecordError, match="is packed"):
            save(read_record(path), path)


def test_packed_files_that_are_damaged_or_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.zip"
    path.write_bytes(zipped(a_sgf=GAME, b_sgf="(;GM[11]B[zz])"))
    errors = [str(game) for game in read_collection(path) if isinstance(game, RecordError)]
    assert errors == [f"{path}: b.sgf: line 1, column 9: B[zz]: no cell 'z26' on a 11x11 board"]
    for data in (gzip.compress(GAME.encode()), zstandard(GAME), zipped(a_sgf=GAME)):
        for broken in (data[: len(data) // 3], data[:6]):
            with pytest.raises(RecordError, match=r"cannot be|is no game|never closed|no value"):
                read_record(broken)
    for module in (codec, decoding):
        monkeypatch.setattr(module, "MAX_FILE", codec.MIB)
    bomb = " " * (2 * codec.MIB)
    for data in (gzip.compress(bomb.encode()), zstandard(bomb), zipped(a_sgf=bomb)):
        with pytest.raises(RecordError, match="more than 1 MiB"):
            read_record(data)


def test_a_folder_of_packed_files(tmp_path: Path) -> None:
    for name in ("a.sgf.gz", "b.JSON.zst", "c.zip", "d.six", "e.tar.gz", "f.gz"):
        (tmp_path / name).touch()
    found = [path.name for path in files_of([tmp_path]) if isinstance(path, Path)]
    assert found == ["a.sgf.gz", "b.JSON.zst", "c.zip", "d.six"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("(;GM[11]SZ[53];B[ba53];W[aa1])", "53x53 ba53 / aa1"),
        ("#20x3,t3s1", "20x3 t3 / s1"),
        ("30x30 aa30 z1", "30x30 aa30 / z1"),
        ('{"size": {"rows": 21, "columns": 5}, "moves": "e21"}', "5x21 e21 / "),
    ],
)
def test_large_boards_are_read_and_written_but_not_analysed(
    text: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record = read_record(text)
    assert stones(record) == meant
    assert record.origin
    assert record.origin.notes == ("boards of more than 19 rows or columns are not analysed",)
    for form in ("sgf", "hexworld", "plain", "json"):
        assert stones(read_record(written(record, form).text)) == meant
    diagram = read_record(str(export(record, record.root.end(), "text")))
    assert diagram.position().stones == record.position().stones
    for command in ("rank", "solve", "report"):
        assert main([command, written(record, "hexworld").text]) == 2
        assert "not analysed" in capsys.readouterr().err
    with pytest.raises(ValueError, match="not analysed"):
        hextui.rank(record.position())
    with pytest.raises(RecordError, match="not analysed"):
        game_of(record)


KATAHEX = (
    "(;FF[4]GM[1]SZ[7]HA[0]KM[0]RE[B+R];B[dd]C[0.61 0.39];W[ce];B[tt];W[])",
    "(;FF[4]GM[1]SZ[7]PB[k1]PW[k2]HA[0]KM[0]RU[koSIMPLE];B[dd](;W[ce])(;W[dc];B[ee]))",
    "(;GM[1]SZ[7]AB[dd]AW[ce]PL[B];B[tt]C[0.5])",
    '[{"name": "one", "sgf": "(;GM[1]SZ[7:7];B[dd];W[ce])"}]',
)
LINKS = "https://hexworld.org/board/#7c1,d4c5"

WRITERS = [  # the text, and the stones of its games
    # points as in Go
    ("(;AP[HexGui:0.10.GIT]FF[4]GM[11]SZ[7];B[dd];W[ce])", [BOTH]),
    ("(;GM[11]SZ[7]AB[dd]AW[ce:ce];W[tt])", [BOTH]),
    ("(;GM[11]SZ[7];B[d4];W[ce])", [BOTH]),
    # search trees that Benzene saved
    ("(;FF[4]GM[11]SZ[3]\n;AB\nAW[b2]\nAE[a1][c2]\nPL[B]\n(;B[c1])\n)", ["3x3 c1 / b2"]),
    ("(;GM[11]SZ[3];AB[c1]AW\nAE[a1]PL[W](;W[b2])(;W[a1]))", ["3x3 c1 / b2"]),
    ("(;GM[11]SZ[3]AB AW AE[b2]PL[B];B[c1])", ["3x3 c1 / "]),
    # links of trmph.com, whose swap is a second move on the first cell
    ("#13,a3a3d4", ["13x13 d4 / c1"]),
    ("http://www.trmph.com/hex/board#7,a3a3d4c5", ["7x7 d4 / c1 c5"]),
    ("# self-play, batch 7\n#7,d4c5 b\n\n  # 3\n#7,b4c6 r\n", [BOTH, "7x7 b4 / c6"]),
    ("// two\n#batch, 7\n#7,d4c5 1", [BOTH]),
    ("# lists\n7x7 d4 c5\n# and\n7x7 a1 b2", [BOTH, "7x7 a1 / b2"]),
    # links as they stand in texts
    *((link, [BOTH]) for link in (
        f"<{LINKS}>", f"[a game]({LINKS})", f"{LINKS}.", f"<{LINKS}>.", LINKS.upper(),
        LINKS.replace(",", "%2C"), LINKS.replace("#", "%23"), f"[x]( {LINKS} )", "#7C1,D4C5",
    )),
    # lists of moves
    ("1. a3 2. swap 3. d4 4. c5", ["11x11 d4 / c1 c5"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meant"), WRITERS)
def test_known_writers(text: str, meant: list[str]) -> None:
    games = list(read_collection(text, strict=True))
    assert [stones(game) for game in games if isinstance(game, Record)] == meant
    assert len(games) == len(meant)


@pytest.mark.parametrize("game", KATAHEX)
def test_other_games_are_read_on_request(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    source = tmp_path / "game.sgf"
    source.write_text(game)
    assert main(["convert", str(source), "sgf"]) == 2
    assert "GM[1] is not Hex, which is GM[11]: --as-hex" in capsys.readouterr().err
    assert main(["convert", "--as-hex", str(source), "sgf"]) == 0
    assert "GM[11]" in (text := capsys.readouterr().out)
    assert stones(read_record(text, strict=True)) == BOTH
    assert main(["library", "import", "--as-hex", str(source)]) == 0


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("1. a3 2. swap 3. d4 4. c5", True),
        ("7x7 1) a3 2) d4", True),
        ("1. a3 swap\n2. d4 c5", True),
        ("1.a3 2.d4 resign", True),
        (f"<{LINKS}>", True),
        ("11  G8", False),
        ("1. first of all, a3", False),
        ("1.", False),
        ("a3 d4", False),
    ],
)
def test_what_can_be_pasted(text: str, opens: bool) -> None:
    assert is_game(text) is opens
    if opens:
        assert parse_position_argument(text).plies > 1


@pytest.mark.parametrize("text", ["Hi Bob,\n 11  G8\n", "My move is:\n11 G8", "\nRe: Hex\n1. a3"])
def test_a_mail_holds_no_lists(text: str) -> None:
    with pytest.raises(RecordError, match="is not a move"):
        list(read_collection(text))


def test_what_could_not_be_read_is_not_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "game.sgf"
    source.write_text(f"{GAME[:-1]};B[c5])")
    record = read_record(source)
    with pytest.raises(RecordError, match="holds more than could be read"):
        save(record, source)
    with pytest.raises(RecordError, match="holds more than could be read: convert"):
        convert(str(source), str(source))
    assert save(record, tmp_path / "other.sgf").lost == ()
    assert "B[c5]" in source.read_text()
