"""Games that cannot be read: one line says what is wrong, and where."""

import pytest

from hextui.records.codecs import codec_named
from hextui.records.formats import read_record
from hextui.records.record_text import RecordError

BROKEN: dict[str, list[tuple[str, int, int | None, str]]] = {
    "plain": [
        ("a1 b2\na1", 2, 1, "a1 is taken"),
        ("a1 zz", 1, 4, "'zz' is not a move"),
        ("a1 t1", 1, 4, "no cell 't1' on a 19x19 board"),
        ("5x5 f1", 1, 5, "no cell 'f1' on a 5x5 board"),
        ("54 a1", 1, 1, "boards have 1 to 53 rows and columns, not 54"),
        ("a1 red b2", 1, 4, "'red' is not a move"),
    ],
    "json": [
        ("{", 1, 2, "not JSON"),
        ("[" * 100_000, 1, 1, "not JSON"),
        ("[1]", 1, 1, "a game is a JSON object"),
        ('{"moves": ""}', 1, 1, "the game has no 'size'"),
        ('{"size": 11}', 1, 1, "the game has no 'moves'"),
        ('{"size": true, "moves": ""}', 1, 1, "size True"),
        ('{"size": {"rows": 3}, "moves": ""}', 1, 1, "boards have 1 to 53"),
        ('{"size": 5, "moves": 3}', 1, 1, "'moves' is neither a text nor a list"),
        ('{"size": 5, "moves": "a1 a1"}', 1, 1, "move 2: a1 is taken"),
        ('{"size": 5, "moves": [["a1"]]}', 1, 1, "move 1: no cell"),
        ('{"size": 5, "moves": "", "winner": "green"}', 1, 1, "not a colour"),
        ('{"boardsize": "x", "moves": "a1"}', 1, 1, "size x"),
        ('{"boardsize": 54, "moves": "a1"}', 1, 1, "size 54"),
        ('{"boardsize": 5, "moves": null}', 1, 1, "the game has no 'moves'"),
        ('{"boardsize": 5, "moves": "a1 a1"}', 1, 1, "move 2"),
    ],
    "hexworld": [
        ("#54,a1", 1, 2, "boards have 1 to 53 rows and columns, not 54"),
        ("#0", 1, 2, "boards have 1 to 53 rows and columns, not 0"),
        ("#11c1;a1", 1, 6, "';a1' instead of options"),
        ("#11f6", 1, 4, "'f6' instead of options"),
        ("#11c1a10b9,c3", 1, 6, "'a10b9,c3' instead of options"),
        ("#5:rb", 1, 3, "':rb' instead of options"),
        ("#11 f6", 1, 4, "' f6' instead of options"),
        ("#11q,f6", 1, 4, "'q,f6' instead of options"),
        ("#11rn,f6", 1, 4, "'rn,f6' instead of options"),
        ("#11x,f6", 1, 4, "'x,f6' instead of options"),
        ("#11 b", 1, 4, "' b' instead of options"),
        ("https://hexworld.org/board/#f6", 1, 29, "'f6' instead of options"),
        ("#5c\u0663,a1", 1, 3, "'c\u0663,a1' instead of options"),
        ("#5,a1b2#", 1, 8, "'#' is not a move"),
        ("https://hexworld.org/board/#5,a1#7,b2", 1, 33, "'#7,b2' is not a move"),
        ("#5,a1 red", 1, 6, "' red' is not a move"),
        ("#5,a1b1a1", 1, 8, "a1 is taken"),
        ("#5x3,a1a1", 1, 8, "swap-pieces needs a square board"),
        ("#5,a1z9", 1, 6, "no cell 'z9' on a 5x5 board"),
        ("#5,a1b2:s", 1, 8, "a swap is legal as the second move only"),
        ("#5,:pa1:s", 1, 8, "a swap is legal as the second move only"),
        ("#5,a1:x", 1, 6, "':x' is not a move"),
        ("#5,a1,b2,c3", 1, 9, "a third comma"),
        ("#5,(a1)", 1, 4, "a variation before the first move"),
        ("#5,a1)", 1, 6, "')' without '('"),
        ("#5,a1(b2", 1, 9, "a variation is not closed"),
        ("#5x4,a1:s", 1, 8, "swap-pieces needs a square board"),
        ("https://littlegolem.net/game", 1, 1, "links are not fetched"),
    ],
    "hsgf": [
        ("(;FF[4]SZ[13];W[nn])", 1, 15, "W[nn]: no cell 'n14'"),
        ("(;FF[4]SZ[13];W[aa];B[aa])", 1, 21, "B[aa]: a1 is taken"),
        ("(;FF[4]SZ[13];W[a1])", 1, 15, "W[a1]: a point has two letters"),
        ("(;FF[4]SZ[13];W[aa", 1, 16, "never closed"),
        ("(;SZ[5]AB[aa];W[bb])", 1, 8, "AB: files of Little Golem hold no setup"),
    ],
    "sgf": [
        ("(;GM[11]B[a3];W[a3])", 1, 15, "W[a3]: a3 is taken"),
        ("(;GM[1]SZ[19];B[aa])", 1, 3, "GM[1] is not Hex, which is GM[11]"),
        ("", 1, 1, "there is no game here"),
        ("(;GM[11]\n;B[a1]\n", 1, 1, "this '(' is never closed"),
        ("(;GM[11]\r\n C[abc", 2, 3, "the value of C is never closed"),
        ("(;C[" + "a" * 1_000_000, 1, 4, "the value of C is never closed"),
        ("(;GM[11]\n\n;B[z9])", 3, 2, "no cell 'z9' on a 11x11 board"),
        ("(;B[a1](;W[b1]);W[c1])", 1, 16, "a node after the variations"),
        ("(;B[a1]))", 1, 9, "')' after the end of the game"),
        ("(;SZ[54])", 1, 3, "boards have 1 to 53"),
        ("(;SZ[999999999999999999])", 1, 3, "boards have 1 to 53"),
        ("(;SZ[\u0663])", 1, 3, "SZ[\u0663] is neither a number nor columns:rows"),
        ("(;SZ[0])", 1, 3, "boards have 1 to 53"),
        ("(;SZ[big])", 1, 3, "SZ[big] is neither a number nor columns:rows"),
        ("(;AB[a1]\nAW[a1])", 2, 1, "a1 is in AB and in AW"),
        ("(;PL[x])", 1, 3, "PL[x]: not a colour"),
        ("(;AB[a1:b1:c1])", 1, 3, "a rectangle has two corners"),
        ("(;B[a1][a2])", 1, 3, "B has 2 values"),
        ("(;B)", 1, 3, "B has no value in brackets"),
        ("(B[a1])", 1, 2, "'B' instead of ';'"),
        ("()", 1, 2, "')' instead of ';'"),
        ("(;GM[11]SZ[3:2];B[a1];W[swap-pieces])", 1, 23, "swap-pieces needs a square board"),
    ],
}
CASES = [(form, number) for form, rows in BROKEN.items() for number in range(len(rows))]


@pytest.mark.parametrize(("form", "number"), CASES)
def test_a_broken_game_is_refused_with_its_place(form: str, number: int) -> None:
    text, line, column, what = BROKEN[form][number]
    with pytest.raises(RecordError) as caught:
        codec_named(form).read_text(text)
    assert what in caught.value.what
    assert (caught.value.line, caught.value.column) == (line, column)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "number", "what"),
    [
        ('[{"size": 3, "moves": ""} {}]', 1, "line 1, column 27: a JSON list needs ',' or ']'"),
        ('[{"size": 3, "moves": ""}', 1, "column 26: a JSON list needs ',' or ']' here"),
        ('[{"size": 3, "moves": ""}] x', 1, "text after the JSON list"),
        ('[{"size": 3, "moves": "a1"},]', 2, "there is no game 2"),
        ("[] x", 1, "line 1, column 3: text after the JSON list"),
        ("[\n\n{]", 1, "line 3, column 2: not JSON"),
        ('[{"sgf": "(;GM[11]SZ[3];B[z9])"}]', 1, "z9"),
        ("[" * 100_000, 1, "not JSON"),
    ],
)
def test_a_broken_json_list_is_reported_with_its_place(text: str, number: int, what: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_record(text, number)
    assert what in str(caught.value)


def test_an_error_never_carries_control_characters() -> None:
    with pytest.raises(RecordError) as caught:
        codec_named("sgf").read_text("(;SZ[\x1b[2J\u202e" + "9" * 1000 + "\n])")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
