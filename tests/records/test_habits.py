"""Habits of other programs and of people: what their games say is read, and nothing else is."""

import json

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.ui.app.situation import about_game
from tests.records.trees import colored_names


def games_of(text: str | bytes, strict: bool = True) -> list[Record]:
    """Return the games of a text, all of which can be read."""
    games = list(read_collection(text, strict=strict))
    assert all(isinstance(game, Record) for game in games), games
    return [game for game in games if isinstance(game, Record)]


def turns(text: str | bytes) -> list[str]:
    """Return the board and the turns of each game of a text."""
    return [f"{game.board} {colored_names(game)}" for game in games_of(text)]


SABAKI = "(;GM[11]AP[Sabaki:0.60.1]SZ[7]%s)"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (SABAKI % ";B[a3];W[c1]AE[a3];B[d4]", "B:a3 W:swap-pieces B:d4"),
        (SABAKI % ";B[a3];AE[a3]W[c1]", "B:a3 W:swap-pieces"),
        (SABAKI % "C[x];B[g1]C[a];W[a7]AE[g1]C[b](;B[g1])(;B[d4])", "B:g1 W:swap-pieces B:g1"),
        (SABAKI % ";B[b2];W[b2];B[d4];W[e3]", "B:b2 W:swap-pieces B:d4 W:e3"),
        ("(;GM[11]SZ[7];B[a3];W[c1]AE[a3];B[d4])", "B:a3 W:swap-pieces B:d4"),
        # no swaps
        (SABAKI % ";B[a3];W[c1];B[d4]", "B:a3 W:c1 B:d4"),
        (SABAKI % ";B[a3];W[c2]AE[a3];B[d4]", "B:a3 W:c2 B:d4"),
        (SABAKI % ";B[a3];W[c1]AE[a3]AB[e5];B[d4]", "B:a3 W:c1 B:d4"),
        (SABAKI % ";B[a3];W[d4];B[c1]AE[a3]", "B:a3 W:d4 B:c1"),
        (SABAKI.replace("[7]", "[7:6]") % ";B[a3];W[c1]AE[a3];B[d4]", "B:a3 W:c1 B:d4"),
    ],
)
def test_a_swap_as_sabaki_writes_it(text: str, meant: str) -> None:
    (game,) = games_of(text)
    assert colored_names(game) == meant


def test_a_cell_played_twice_is_an_error_elsewhere() -> None:
    for text in ("(;GM[11]SZ[7];B[b2];W[b2])", SABAKI % ";B[a3];W[a3]"):
        with pytest.raises(RecordError, match="is taken"):
            read_record(text, strict=True)


@pytest.mark.parametrize(
    ("head", "board"),
    [
        ("GM[11]SZ[5,5]", "5x5"), ("GM[11]SZ[6x5]", "6x5"), ("GM[11]SZ[6 X 5]", "6x5"),
        ("GM[11]SZ[5 5]", "5x5"), ("GM[11]SZ[5*5]", "5x5"),
        ("GM[11]SZ[5\xd75]", "5x5"), ("GM[Hex]SZ[5]", "5x5"), ("GM[HEX]SZ[5]", "5x5"),
        ("GM[11 (Hex)]SZ[5]", "5x5"), ("GM[]SZ[5]", "5x5"), ("GM[11];SZ[5]", "5x5"),
        ("FF[4];C[x];GM[11]SZ[5]", "5x5"), ("GM[11]SZ[]", "11x11"), ("GM[11]", "11x11"),
    ],
)  # fmt: skip
def test_sizes_and_games(head: str, board: str) -> None:
    assert turns(f"(;{head};B[d4];W[c3])") == [f"{board} B:d4 W:c3"]


def test_a_size_after_a_move_is_none_of_the_board() -> None:
    assert turns("(;GM[11];B[d4];SZ[5]W[c3])") == ["11x11 B:d4 W:c3"]
    assert turns("(;GM[11](;B[d4])(;SZ[5];B[c3]))") == ["11x11 B:d4"]
    with pytest.raises(RecordError, match="is not Hex"):
        read_record("(;FF[4];GM[1]SZ[19];B[aa])")


@pytest.mark.parametrize(
    ("moves", "side"),
    [
        ("B[m13]", 13),
        ("B[mm]", 13),
        ("AB[a1:n2]", 14),
        ("B[a1](;W[s1])(;W[b1])", 19),
        ("B[k11]", 11),
    ],
)
def test_a_board_without_a_size_holds_every_move(moves: str, side: int) -> None:
    (game,) = games_of(f"(;GM[11];{moves})")
    assert game.board == Board(side, side)
    assert game.origin
    assert game.origin.whole
    assert [f"{side}x{side} fits every move" in note for note in game.origin.notes] == [True] * (
        side > 11
    )
    assert read_record(f"(;GM[11];{moves})", board=Board(19, 19)).board == Board(19, 19)


@pytest.mark.parametrize(
    "text",
    [
        "1 d4 c3\n2 b2 a1\n3 e5", "1 d4\n2 c3\n3 b2\n4 a1\n5 e5\n", "1 d4 c3 2 b2 a1 3 e5",
        "1\td4\tc3\n2\tb2\ta1\n3\te5\n", "1: d4 c3\n2: b2 a1\n3: e5", 
        "(1) d4 c3\n(2) b2 a1\n(3) e5",
        "| 1 | d4 | c3 |\n| 2 | b2 | a1 |\n| 3 | e5 | |\n", "1) d4 c3\n2) b2 a1\n3) e5\n",
        "1. d4! c3\n2. b2?? a1!?\n3. e5#", "1. d4 {good} c3 {so so}\n2. b2 a1 {hm}\n3. e5",
        "01 d4 c3\n02 b2 a1\n03 e5", "1 d4 - c3\n2 b2 - a1\n3 e5", "1. d4-c3 2. b2-a1 3. e5",
        "d4! c3? b2 a1 e5", "1.d4 1...c3 2.b2 2...a1 3.e5", "> 1. d4 c3\n> 2. b2 a1\n> 3. e5\n",
    ],
)  # fmt: skip
def test_rows_of_moves_are_no_boards(text: str) -> None:
    found = ["11x11 B:d4 W:c3 B:b2 W:a1 B:e5"]
    assert turns(text) == found
    if not text.startswith(">"):
        assert turns(f"11\n{text}") == found


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("5 d4 c3", ["5x5 B:d4 W:c3"]),
        ("11 d4 c3\n13 m13 a1 b2\n", ["11x11 B:d4 W:c3", "13x13 B:m13 W:a1 B:b2"]),
        ("1 d4 c3\n2 b2\n\n1 a1 b1\n", ["11x11 B:d4 W:c3 B:b2", "11x11 B:a1 W:b1"]),
        ("1x1 a1", ["1x1 B:a1"]),
        ("size 1 a1", ["1x1 B:a1"]),
        ("5x5 1 d4 c3 2 b2", ["5x5 B:d4 W:c3 B:b2"]),
        ("B[a3] W[d4] 1\nB[b4] W[d4] -1\n", ["11x11 B:a3 W:d4", "11x11 B:b4 W:d4"]),
    ],
)
def test_sizes_before_lists_stay_sizes(text: str, meant: list[str]) -> None:
    assert turns(text) == meant


def test_signs_and_comments_in_lists_are_kept() -> None:
    (game,) = games_of("1. d4! {good [1]} c3?? 2. b2 {a} {b}")
    first, second, third = game.main_line()[1:]
    assert (first.comment, first.properties["TE"]) == ("good [1]", ("1",))
    assert second.properties["BM"] == ("2",)
    assert third.comment == "a\nb"
    (game,) = games_of("1. d4 (12 s) c3 (0:05)\n2. b2 (good one)")
    assert colored_names(game) == "B:d4 W:c3 B:b2"
    assert [node.comment for node in game.main_line()[1:]] == ["12 s", "0:05", "good one"]
    (game,) = games_of("1. d4 c3 (1. d4 b4) 2. b2", strict=False)
    assert (colored_names(game), game.node_at(2).comment) == ("B:d4 W:c3 B:b2", "1. d4 b4")
    assert game.origin
    assert "a variation in a list is kept as a comment" in game.origin.notes[1]


LINK = "https://hexworld.org/board/#5,a3d4"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"- {LINK}\n* {LINK}\n1. {LINK}\n2) <{LINK}>\n", 4),
        (f"* [one]({LINK})\n* [two]({LINK})\n", 2),
        ("- #5,a3d4\n- #5,a3d4 b\n", 2),
        (f"Hi Bob,\n\nlook at {LINK}, and at\n({LINK}).\nBye\n", 2),
        (f"Subject: a game\n\n> Our game: {LINK}.\n", 1),
        (f"| Ann - Bo | {LINK} |\n|---|---|\n| Bo - Cy | [x]({LINK}) |\n", 2),
        (f"1: {LINK} and <a href='{LINK}'>this</a>", 2),
        ("see hexworld.org/board/#5,a3d4 or www.trmph.com/hex/board#5,a3d4", 2),
    ],
)
def test_links_in_texts(text: str, count: int) -> None:
    assert turns(text) == ["5x5 B:a3 W:d4"] * count


@pytest.mark.parametrize(
    "quoted",
    [
        "> (;GM[11]SZ[5]\n> ;B[d4]C[a\n> b];W[c3]\n> ;B[b2])\n",
        ">(;GM[11]SZ[5];B[d4]C[a\n>b];W[c3];B[b2])",
        "Ann wrote:\n\n> > (;GM[11]SZ[5];B[d4]C[a\n> > b]\n> > ;W[c3];B[b2])\n> hm\n\nyes\n",
    ],
)
def test_a_game_that_a_mail_quotes(quoted: str) -> None:
    (game,) = games_of(quoted)
    assert colored_names(game) == "B:d4 W:c3 B:b2"
    assert game.node_at(1).comment == "a\nb"


GAME = {"size": 5, "moves": "d4 c3"}


@pytest.mark.parametrize(
    ("document", "count"),
    [
        ({"games": [GAME, GAME]}, 2),
        ({"version": 1, "meta": {"a": [1]}, "records": [GAME]}, 1),
        ({"data": {"games": [GAME, GAME]}}, 2),
        ([{"game": GAME}, {"game": GAME, "players": [{"name": "Ann"}]}], 2),
        ({"a": GAME, "b": GAME}, 2),
        ([[GAME], [GAME, GAME]], 3),
        ({"players": [{"name": "Ann"}], **GAME}, 1),
        *(({**GAME, "size": size}, 1) for size in ("5", "5x5", [5, 5], 5.0)),
        ({**GAME, "size": {"width": 5, "height": "5"}}, 1),
        *(({name: 5, "moves": "d4 c3"}, 1) for name in ("boardSize", "board_size", "dimension")),
        ({"rows": 5, "cols": 5, "moves": "d4 c3"}, 1),
        *(({"board": board, "moves": "d4 c3"}, 1) for board in (5, "5x5", {"size": 5})),
        ({"settings": {"swap": True, "boardSize": "5"}, "moves": ["d4", "c3"]}, 1),
        *(({"size": 5, "moves": moves}, 1) for moves in ("d4, c3", "1. d4 2. c3", "1 d4 c3")),
        ({"size": 5, "moveList": ["D4", "C3"]}, 1),
        ({"size": 5, "moves": [{"player": "red", "cell": "d4"}, {"by": "blue", "cell": "c3"}]}, 1),
        ({"size": 5, "history": [{"move": "d4", "by": 0}, {"move": "c3", "by": 1}]}, 1),
    ],
)  # fmt: skip
def test_json_of_other_programs(document: object, count: int) -> None:
    for indent in (None, 1):
        assert turns(json.dumps(document, indent=indent)) == ["5x5 B:d4 W:c3"] * count


def test_moves_in_json_have_their_colors() -> None:
    moves = [{"color": "white", "at": "d4"}, {"color": "black", "at": "c3"}]
    assert turns(json.dumps({"size": 5, "moves": moves})) == ["5x5 W:d4 B:c3"]
    assert turns('{"size": 5, "moves": ["a3", "swap", "d4"]}') == ["5x5 B:a3 W:swap-pieces B:d4"]
    with pytest.raises(RecordError, match="move 1: not the name of a cell"):
        read_record('{"size": 5, "moves": [{"x": 1, "y": 2}]}')


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"size": 5, "size": 7, "moves": "d4"}', "size"),
        ('{"size": 7, "moves": "a1", "moves": "d4"}', "moves"),
        ('[{"size": 7, "moves": "d4", "red": "Ann", "red": "Bo"}]', "red"),
        ('{"games": [{"size": 7, "moves": "d4", "x": {"a": 1, "a": 2}}]}', "a"),
    ],
)
def test_a_key_that_is_there_twice_is_said(text: str, name: str) -> None:
    (game,) = games_of(text, strict=False)
    assert f"{game.board} {colored_names(game)}" == "7x7 B:d4"
    assert game.origin
    assert f"'{name}' is given twice: the last value counts" in game.origin.notes[0]
    with pytest.raises(RecordError, match="is given twice"):
        read_record(text, strict=True)


def test_a_guessed_character_set_is_marked_and_can_be_set(
    tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    path = tmp_path / "game.sgf"
    path.write_bytes("(;GM[11]SZ[5]PB[王小明]PW[李四];B[d4])".encode("gbk"))
    guessed = read_record(path)
    assert guessed.origin
    assert guessed.origin.guessed_charset
    assert about_game(guessed, Names.RED_BLUE)[1].endswith(f"({guessed.origin.guessed_charset}?)")
    known = read_record(path, charset="gb18030")
    assert about_game(known, Names.RED_BLUE)[1] == "王小明 - 李四"
    assert known.origin
    assert not known.origin.notes
    for command in (["info", str(path)], ["convert", str(path), "sgf"]):
        assert main([*command, "--encoding", "gb2312"]) == 0
        shown = capsys.readouterr()
        assert "王小明" in shown.out
        assert not shown.err
    assert main(["library", "import", str(path), "--encoding", "GBK"]) == 0
    assert main(["library", "games"]) == 0
    assert "王小明" in capsys.readouterr().out
    assert main(["info", str(path), "--encoding", "rot13"]) == 2
    assert "a character set such as gbk" in capsys.readouterr().err
    assert main(["info", str(path), "--encoding", "utf8"]) == 0
    assert "not all of it is utf-8" in capsys.readouterr().err
