"""Boards of more than 19 rows or columns, of however few cells, are not analysed."""

from collections.abc import Callable
from pathlib import Path

import pytest

import hextui
from hextui.commands import main
from hextui.commands.command_list import COMMANDS
from hextui.engine.limit import NOT_ANALYSED
from hextui.engine.position import Position
from hextui.records.record import Record
from hextui.studies.games import Filters

SIZES = ("20x3", "3x20", "53x53")
CALLS: dict[str, Callable[[Record, Position], object]] = {
    "best_move": lambda _, position: hextui.best_move(position),
    "connections": lambda _, position: hextui.connections(position, "red"),
    "explain": lambda _, position: hextui.explain(position, "b2"),
    "inferior": lambda _, position: hextui.inferior(position),
    "lines": lambda _, position: hextui.lines(position),
    "must_play": lambda _, position: hextui.must_play(position),
    "network": lambda _, position: hextui.network(position, "red"),
    "open_engine": lambda _, position: hextui.open_engine(["nothing"]).ask(position),
    "rank": lambda _, position: hextui.rank(position),
    "report": lambda record, _: hextui.report(record),
    "solve": lambda _, position: hextui.solve(position),
    "Solver": lambda _, position: hextui.Solver(position.board),
    "warm": lambda _, position: hextui.warm(position.board),
}
OTHER_CALLS = {
    "Board", "Cells", "Color", "Position", "Proof", "ProofError", "Puzzle", "Record", "Solution",
    "RecordError", "check", "draw", "evaluators", "open_library", "position", "puzzles", "read",
    "write",
}  # fmt: skip
COMMAND_LINES = (
    "rank FILE", "best-move FILE", "connections FILE --color red", "lines FILE",
    "network FILE --color red", "solve FILE", "solve FILE --method mustplay", "report FILE",
    "report FILE --all", "library explore FILE", "library games --through FILE",
    "library import FILE", "puzzles make FILE -o FOLDER", "read FILE",
)  # fmt: skip
OF_A_SIZE = ("openings SIZE", "match resistance resistance --size SIZE", "play --size SIZE")
OTHER_COMMANDS = {
    "check", "completion", "convert", "engine", "export", "fetch", "forget", "htp", "info",
    "ladder", "serve", "study", "today", "tutorial", "warm",
}  # fmt: skip


def large(size: str) -> hextui.Record:
    columns, rows = size.split("x")
    return hextui.read(f"(;GM[11]SZ[{columns}:{rows}];B[a1];W[b1])")


def test_every_name_and_command_is_listed() -> None:
    assert set(hextui.__all__) == set(CALLS) | OTHER_CALLS
    tried = {line.split()[0] for line in (*COMMAND_LINES, *OF_A_SIZE)}
    assert set(COMMANDS) == tried | OTHER_COMMANDS


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("call", CALLS)
def test_no_call_analyses_a_large_board(call: str, size: str) -> None:
    record = large(size)
    with pytest.raises(ValueError, match=NOT_ANALYSED):
        CALLS[call](record, record.position())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("line", COMMAND_LINES)
def test_no_command_analyses_a_large_board(
    line: str, size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "large.sgf"
    large(size).save(file)
    assert (
        main(line.replace("FILE", str(file)).replace("FOLDER", str(tmp_path / "run")).split()) != 0
    )
    shown = capsys.readouterr().err
    assert shown.count(NOT_ANALYSED) == 1
    assert "Traceback" not in shown


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("line", OF_A_SIZE)
def test_no_command_takes_a_large_size(
    line: str, size: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.replace("SIZE", size).split()) == 2
    assert "1 to 19 rows and columns" in capsys.readouterr().err


@pytest.mark.parametrize("size", SIZES)
def test_studies_leave_large_boards_out(size: str) -> None:
    assert Filters().reason_against(large(size)) == "too large"
