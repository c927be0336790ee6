"""``hextui lines``: the document and its text."""

import math

import pytest

from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.minimax import find_lines

WORDS = ("lines", "#8,c3", "--evaluator", "k-paths:0", "--widths", "4,3,0", "--count", "3")


def test_document(document) -> None:
    found = document(*WORDS)
    board = Board(8, 8)
    position = Position.empty(board).play(board.cell("c3"))
    bench = Workbench(board)
    bench.look_at(position)
    *_, expected = find_lines(bench, evaluator("k-paths:0"), LineSettings((4, 3, 0), 3))
    assert [line["moves"] for line in found["lines"]] == [
        [board.name(cell) for cell in line.moves.numbers] for line in expected.lines
    ]
    assert (found["depth"], found["widths"], found["to_move"]) == (3, [4, 3, 0], "white")
    assert found["nodes"] == expected.nodes
    assert found["full_nodes"] == 17


def test_the_tree_search_is_the_default_and_minimax_where_widths_are_named(run) -> None:
    assert run("lines", "#4,c2")[1].startswith("Blue to move, search; Red wins, proved")
    narrowed = run("lines", "#4,c2", "--widths", "2,0")[1]
    assert narrowed.startswith("Blue to move, resistance, widths 2,0; Red wins, proved")


def test_literal(run, document) -> None:
    words = ("lines", "#3,", "--evaluator", "blocking", "--widths", "2,0", "--literal")
    found = document(*words)
    assert found["literal"] is True
    assert found["winner"] is None
    assert document(*words[:-1])["winner"] == "black"
    assert run(*words)[1].startswith("Red to move, blocking, widths 2,0, literal")


def test_a_proved_win_is_the_text_inf(document) -> None:
    found = document("lines", "#3,a1c3", "--widths", "7,0", "--count", "7")
    assert found["winner"] == "black"
    by_move = {line["moves"][0]: line for line in found["lines"]}
    assert by_move["b2"] == {"moves": ["b2"], "value": "inf", "winner": "black"}
    assert {line["value"] for line in found["lines"]} <= {"inf", "-inf"}


def test_scores_near_1_are_shown_as_log_odds_beside(run, document) -> None:
    words = ("lines", "#11,", "--evaluator", "blocking", "--widths", "2,0", "--literal")
    lines = document(*words)["lines"]
    rows = run(*words)[1].splitlines()
    assert rows[1] == "value, and log10 odds"
    for line, row in zip(lines, rows[3:5], strict=True):
        value, odds = map(float, row.split()[:2])
        assert value == pytest.approx(line["value"], abs=1e-5)
        assert odds == pytest.approx(math.log10(line["value"] / (1 - line["value"])), abs=0.01)
        assert abs(odds) > 3


def test_text(run) -> None:
    code, out, err = run(*WORDS)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Blue to move, k-paths:0, widths 4,3,0"
    assert out.splitlines()[-1].endswith("of 17 nodes searched")


def test_a_finished_game(run, document) -> None:
    assert "the game is over" in run("lines", "#2,a1b1a2")[1]
    assert document("lines", "#2,a1b1a2")["lines"] == []


def test_lines_of_the_tree_search(run, document) -> None:
    words = ("lines", "#9,b4", "--evaluator", "search:visits=60", "--count", "3")
    found = document(*words)
    assert (found["evaluator"], found["winner"]) == ("search:visits=60", None)
    assert len(found["lines"]) == 3
    for line in found["lines"]:
        assert 0 < line["value"] < 1
        assert not line["proved"]
    rows = run(*words)[1].splitlines()
    assert rows[0] == "Blue to move, search:visits=60"
    assert rows[3].split()[0] == f"{found['lines'][0]['value']:.0%}"


def test_the_tree_search_says_what_is_proved(run, document) -> None:
    won = ("lines", "#3,a1c3", "--evaluator", "search", "--count", "1")
    assert document(*won)["lines"][0]["proved"]
    assert run(*won)[1].splitlines()[0].endswith("Red wins, proved")
    lost = document("lines", "#3,b2", "--evaluator", "search")
    (swap,) = lost["lines"]
    assert (lost["winner"], lost["if_nobody_swaps"]) == ("black", True)
    assert (swap["moves"], swap["value"], swap["proved"]) == (["swap-pieces"], 1.0, True)
    assert "Red wins, proved, if nobody swaps" in run("lines", "#3,b2")[1]
    lost = document("lines", "(;GM[11]SZ[3]RU[no swap];B[b2])", "--evaluator", "search")
    assert (lost["winner"], lost["lines"]) == ("black", [])


@pytest.mark.parametrize("evaluator", ["search:visits=40", "resistance"])
def test_either_search_keeps_to_what_is_chosen(run, document, evaluator: str) -> None:
    words = ("lines", "#5,a2", "--evaluator", evaluator)
    found = document(*words, "--region", "b2:d4", "--avoid", "c3")
    region = {f"{letter}{row}" for letter in "bcd" for row in (2, 3, 4)}
    assert found["lines"]
    assert all(set(line["moves"]) <= region for line in found["lines"])
    assert "c3" not in {line["moves"][0] for line in found["lines"]}
    only = document(*words, "--allow", "e5")
    assert [line["moves"][0] for line in only["lines"]] == ["e5"]
    code, out, err = run(*words, "--region", "a2")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "no move is left to search" in err
