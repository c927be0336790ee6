"""An engine's output taken apart, by hand, cut anywhere, and as real programs have written it."""

import re
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.engines.text_protocols import (
    EngineNames,
    EngineReply,
    Graphics,
    Noise,
    ReplyReader,
    Report,
    ReportReader,
    Said,
    read_bounds,
    read_graphics,
    read_scores,
    read_values,
)
from hextui.settings.engine_config import Dialect
from tests.transcripts import TRANSCRIPTS, commands, of, with_transcripts


def taken(*lines: str) -> list[Said]:
    reader = ReplyReader()
    return [said for line in lines for said in reader.take(line)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["= x\n", "\n"], [EngineReply("", True, "x")]),
        (["=x", ""], [EngineReply("", True, "x")]),
        (["=12 ", "\r\n"], [EngineReply("12", True, "")]),
        (["=3 a", " ", "b", ""], [EngineReply("3", True, "a\n \nb")]),
        (["?4 no", ""], [EngineReply("4", False, "no")]),
        (["?4 no", "=5 yes", ""], [EngineReply("4", False, "no"), EngineReply("5", True, "yes")]),
        (["=4 a", "=5 b", ""], [EngineReply("4", True, "a"), EngineReply("5", True, "b")]),
        (["=4", "info move a1", "x", ""],
         [Report("4", "info move a1"), EngineReply("4", True, "\nx")]),
        (["info move a1"], [Report("", "info move a1")]),
        (["gogui-gfx:", "uct", "VAR B a1", "", "= a1", ""],
         [Graphics(("uct", "VAR B a1")), EngineReply("", True, "a1")]),
        (["gogui-gfx:", "uct", "=2 a1", ""], [Graphics(("uct",)), EngineReply("2", True, "a1")]),
        (["", "hello", ""], [Noise("hello")]),
        (["= a", "=b c", ""], [EngineReply("", True, "a\n=b c")]),
        (["= never ended"], []),
    ],
)  # fmt: skip
def test_what_lines_say(lines: list[str], said: list[Said]) -> None:
    assert taken(*lines) == said


BOARD = Board(5, 5)
NAMES = EngineNames(Dialect.HTP, BOARD)
REPORT = (
    "info move d3 visits 142 utility 0.18 winrate 0.591639 scoreMean 0.4 prior 0.0371313 lcb 1.4 "
    "order 1 pv d3 e2 pass e1 pvVisits 142 8 6 info move pass visits 9 winrate 1 order 2 pv pass "
    "info move b3 visits 142 winrate 0.6 isSymmetryOf d3 order 0 pv b3 "
    "info move z9 visits 1 order 3 info move a1 visits x order 4 info move a2 winrate nan order 5 "
    "ownership -0.482637 0.5 1e-05"
)


def test_a_report_is_read() -> None:
    first, second, third = ReportReader(NAMES).take(REPORT)
    assert (first.move, first.is_copy, first.visits) == ("b3", True, 142)
    assert (second.move, second.is_copy) == ("d3", False)
    assert (second.winrate, second.prior) == (0.591639, 0.0371313)
    assert second.line == ("d3", "e2")
    assert (third.move, third.winrate) == ("a2", None)
    assert ReportReader(NAMES).take("info") == ()
    line = "info move b2 visits 3 winrate 5916 prior 371 lcb 1 order 0 pv b2"  # ten-thousandths
    (move,) = ReportReader(NAMES).take(line)
    assert (move.winrate, move.prior) == (0.5916, 0.0371)


def test_benzenes_values_are_thousandths_without_zeros() -> None:
    text = " c2 .591@66 c4 .625@6k e1 0 a1 .45@7 a2 .1000@1m b1 W@12 b2 L@3 z9 .5@1 c1 x"
    found = read_values(text, NAMES)
    assert [(m.move, m.winrate, m.visits, m.proved) for m in found] == [
        ("b1", 1.0, 12, True),
        ("a2", 1.0, 1_000_000, None),
        ("c4", 0.625, 6000, None),
        ("c2", 0.591, 66, None),
        ("a1", 0.045, 7, None),
        ("b2", 0.0, 3, False),
    ]


def test_wolves_scores_and_live_graphics() -> None:
    scores = read_scores(" c5 -1252 a1 2615 b2 x d4 7", NAMES)
    assert [(m.move, m.score) for m in scores] == [("a1", 2615), ("d4", 7), ("c5", -1252)]
    shown = read_graphics(
        ("uct", "VAR B d3 W c5", "INFLUENCE d3 .562 a1 .5", "LABEL a1 2k d3 146", "TEXT N=1"), NAMES
    )
    assert [(m.visits, m.winrate, m.line) for m in shown] == [
        (146, 0.562, ("d3", "c5")),
        (2000, 0.5, ("a1",)),
    ]
    assert read_graphics(("dfpn", "LABEL a1 3@@4"), NAMES) == ()
    assert read_graphics(("kata", "info move a1 visits 2 order 0"), NAMES)[0].visits == 2
    assert read_graphics((), NAMES) == ()
    bounds = read_bounds(" b1 L d1 W c4 36@27 z9 W", NAMES)
    assert bounds == {BOARD.cell("b1"): False, BOARD.cell("d1"): True}


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("board", [Board(5, 4), Board(11, 11), Board(19, 19)])
def test_cells_have_names_of_their_own(dialect: Dialect, board: Board) -> None:
    names = EngineNames(dialect, board)
    sent = [names.name(cell) for cell in range(board.cells)]
    assert len(set(sent)) == board.cells
    assert all(re.fullmatch(r"[a-s][0-9]{1,2}|\([0-9]+,[0-9]+\)", word) for word in sent)
    for word in ("pass", "resign", "swap-pieces", "a0", "A99", "", "I4"):
        assert EngineNames(Dialect.KATA_HZY, board).cell(word) is None
    assert names.cell("pass") is None


def test_cells_of_the_larger_board() -> None:
    board = Board(11, 11)
    names = EngineNames(Dialect.KATA_HZY, board)
    for cell in range(board.cells):
        row, column = cell // 11 + 1, cell % 11 + 1
        x, y = 2 * column + row - 2, 2 * row - 1
        assert names.name(cell) == f"({x},{y})"
        letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
        name = letters[x] if x < 25 else f"A{letters[x - 25]}"
        assert names.cell(f"{name}{23 - y}") == cell
        assert names.cell(f"{name.lower()}{22 - y}") is None
    assert EngineNames(Dialect.KATA, board).cell("I9") == board.cell("i9")


@with_transcripts
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcripts_of_real_programs_are_taken_apart_whole(path: Path) -> None:
    output = "".join(text for _, text in of(path, "OUT", "ENG") if text != "<EOF>")
    said = taken(*output.splitlines(keepends=True))
    assert [each for each in said if isinstance(each, Noise)] == []
    replies = [each for each in said if isinstance(each, EngineReply)]
    board = Board(19, 19)
    names = EngineNames(Dialect.HTP, board)
    asked = commands(path)
    unended = isinstance(said[-1], Report)  # by the end of the transcript
    if not isinstance(said[-1], Graphics):
        assert len(replies) + unended == len(asked)
    for command, reply in zip(asked, replies, strict=False):
        number = re.match(r"\d*", command).group()
        assert reply.id in (number, "")
        if "mohex-values" in command and reply.ok:
            values = read_values(reply.text, names)
            assert all(0 <= (move.winrate or 0) <= 1 for move in values)
    for each in said:
        if isinstance(each, Report):
            moves = ReportReader(names).take(each.line)
            passes = each.line.count("info move pass")
            assert len(moves) == each.line.count("info move") - passes


def test_reports_of_one_move_a_line_are_merged() -> None:
    reader = ReportReader(NAMES)
    ranked = [
        [move.move for move in reader.take(f"info move {name} order {order}")]
        for name, order in (("a1", 0), ("b1", 1), ("c1", 2), ("b1", 0), ("a1", 1), ("d1", 0))
    ]
    assert ranked == [["a1"], ["a1", "b1"], ["a1", "b1", "c1"]] + [["b1", "a1", "c1"]] * 2 + [
        ["d1", "b1", "a1"]
    ]


def test_without_an_order_the_most_visited_move_comes_first() -> None:
    reader = ReportReader(NAMES)
    for name, visits in (("a1", 5), ("b1", 9), ("a1", 12), ("b1", 10)):
        moves = reader.take(f"info move {name} visits {visits}")
    assert [(move.move, move.visits) for move in moves] == [("a1", 12), ("b1", 10)]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "NaN"])
def test_what_is_no_number_is_not_reported(number: str) -> None:
    line = f"info move a1 visits 5 winrate {number} prior {number} order 0"
    (move,) = ReportReader(NAMES).take(line)
    assert (move.visits, move.winrate, move.prior) == (5, None, None)
    (move,) = read_scores(f"a1 {number} b1 -3", NAMES)
    assert move.score == -3
