"""Tables 1 and 2: which games are played, by which readings, and what the report makes of them."""

import csv
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.position import Position
from hextui.studies.intervals import proportion
from hextui.studies.match import play_game
from hextui.studies.match_table import COLUMNS, encounters
from hextui.studies.readings import BY_NAME, READINGS
from hextui.studies.results import Table
from hextui.studies.table_report import first_table, readings_table, second_table


def test_which_games_are_played() -> None:
    tasks = encounters([BY_NAME["default"]], Board(7, 7), 100, 0)
    played = [task.payload for task in tasks]
    assert len(played) == 609
    pairs = [(p.table, p.first, p.second) for p in played]
    for k in range(3):
        assert pairs.count((1, f"E_{k}", "E")) == pairs.count((1, "E", f"E_{k}")) == 100
        for other in range(3):
            assert pairs.count((2, f"E_{k}", f"E_{other}")) == 1
    assert len({p.seed for p in played}) == 609
    assert [task.number for task in tasks] == list(range(609))
    # games of a reading do not depend on which others are tried
    both = encounters([BY_NAME["raw"], BY_NAME["default"]], Board(7, 7), 100, 0)
    assert [task.payload for task in both[609:]] == played


def test_what_does_not_draw_lots_plays_once() -> None:
    count = {r.name: len(encounters([r], Board(5, 5), 10, 0)) for r in READINGS}
    assert count.pop("random") == 150
    assert count.pop("no-r") == 15
    assert set(count.values()) == {69}


@pytest.mark.parametrize("reading", READINGS, ids=lambda r: r.name)
def test_every_reading_names_evaluators_and_plays(reading) -> None:
    for name in (reading.e, *(reading.e_k(k) for k in range(3))):
        assert evaluator(name).name.removesuffix(",seed=0") == name
    games = [
        play_game(reading.e_k(1), reading.e, Board(4, 4), seed, connections=reading.connections)
        for seed in (0, 0, 1)
    ]
    assert games[0] == games[1]


def test_connections_of_a_reading_are_used() -> None:
    """With lists this short other moves are found best."""
    blind = ConnectionSettings(full_limit=1, semi_limit=2)
    games = [
        play_game("k-paths:0", "k-paths:0", Board(6, 6), connections=c)
        for c in (ConnectionSettings(), blind)
    ]
    assert games[0].moves != games[1].moves


def test_nodes_between_the_edges() -> None:
    """A stone in the centre of 3x3 is joined to both edges: 1 link, 0 nodes, and E is inf."""
    board = Board(3, 3)
    bench = Workbench(board)
    bench.look_at(Position.empty(board))
    centre = board.cell("b2")
    for links, nodes in (
        ("k-paths:0", "k-paths:0,nodes"),
        ("shortest-path", "shortest-path:nodes"),
    ):
        *_, by_links = evaluator(links).rank(bench)
        *_, by_nodes = evaluator(nodes).rank(bench)
        assert by_links.by_cell[centre].value < float("inf")
        assert by_nodes.by_cell[centre].value == float("inf")
    # White to move, and a stone that joins White's edges
    bench.look_at(Position.empty(board).play(board.cell("a1")))
    *_, by_nodes = evaluator("k-paths:0,nodes").rank(bench)
    assert by_nodes.by_cell[centre].value == 0


def test_one_node_less_than_links() -> None:
    board = Board(5, 5)
    bench = Workbench(board)
    bench.look_at(Position.empty(board).play(0))
    *_, by_nodes = evaluator("shortest-path:nodes").rank(bench)
    for cell in bench.position.empties:
        after = bench.after_moves[0][cell]
        white, black = after.white.distance, after.black.distance
        assert white is not None
        assert black is not None
        expected = float("inf") if black == 1 else (white - 1) / (black - 1)
        assert by_nodes.by_cell[cell].value == pytest.approx(expected)


COUNTS = {
    ("first", 0): 19,
    ("first", 1): 18,
    ("first", 2): 10,
    ("second", 0): 10,
    ("second", 1): 20,
    ("second", 2): 0,
}


def table() -> Table:
    """Rows with known numbers of wins in 20 games each."""
    rows = []
    for (side, k), wins in COUNTS.items():
        pair = (f"E_{k}", "E") if side == "first" else ("E", f"E_{k}")
        other = "second" if side == "first" else "first"
        rows += [
            ("default", "1", *pair, str(i), "0", side if i < wins else other, "9", "")
            for i in range(20)
        ]
    for a in range(3):
        for b in range(3):
            rows.append(
                (
                    "default",
                    "2",
                    f"E_{a}",
                    f"E_{b}",
                    "1",
                    "0",
                    "first" if a > b else "second",
                    "9",
                    "",
                )
            )
    return Table(COLUMNS, tuple(rows))


def test_tables_from_rows() -> None:
    cells = {(c.side, c.k): c for c in first_table(table(), "7x7")}
    paper = {
        ("first", 0): 95,
        ("first", 1): 94,
        ("first", 2): 97,
        ("second", 0): 50,
        ("second", 1): 55,
        ("second", 2): 56,
    }
    for key, wins in COUNTS.items():
        assert cells[key].games == 20
        assert cells[key].ours == proportion(wins, 20)
        assert cells[key].paper == proportion(paper[key], 100)
        assert cells[key].gap.value == pytest.approx(wins / 20 - paper[key] / 100)
    assert [cells[key].agrees for key in COUNTS] == [True, True, False, True, False, False]
    assert second_table(table(), "default") == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    row = next(line for line in readings_table(table(), "7x7").splitlines() if "| default" in line)
    assert [cell.strip() for cell in row.split("|")][4:8] == [
        "0.95 0.90 0.50",
        "0.50 1.00 0.00",
        "3",
        "3 of 9",
    ]


def test_no_numbers_of_the_paper_for_other_boards() -> None:
    assert all(c.paper is None and c.agrees is None for c in first_table(table(), "9x9"))


def test_the_command_and_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "match-table", "--games", "6", "--size", "4", "--reading", "raw"]
    words += ["--reading", "default", "--out", str(tmp_path), "--workers", "2"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    with open(tmp_path / "rows.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * (36 + 9)
    for row in rows:
        board, position = Board(4, 4), Position.empty(Board(4, 4))
        for move in row["moves"].split():
            position = position.play(board.cell(move))
        assert position.winner is (Color.BLACK if row["winner"] == "first" else Color.WHITE)
        assert int(row["plies"]) == len(row["moves"].split())
    for reading in ("raw", "default"):
        wins = [
            r["winner"] == "first"
            for r in rows
            if r["reading"] == reading and (r["first"], r["second"]) == ("E_1", "E")
        ]
        assert (
            f"{sum(wins) / 6:.2f}"
            in printed.partition(f"Reading {reading}")[2].partition("E_1 first")[2].splitlines()[0]
        )
        assert (tmp_path / f"table-1-{reading}.svg").exists()
    assert "paper" not in printed.lower()


def test_an_unknown_reading_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "match-table", "--reading", "nonsense"]) == 2
    assert "there are all, default" in capsys.readouterr().err
