"""Tables 1 and 2 of Honjo et al. 2010: which games are played, by which readings, and the report.

The paper: https://hdl.handle.net/2115/51049
"""

from dataclasses import asdict
from itertools import product

import pytest

from hextui.engine.board import Board
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.runs.intervals import difference
from hextui.runs.proportions import proportion
from hextui.runs.reports import RunReport
from hextui.runs.results import Table
from hextui.studies.match_table import COLUMNS, MatchBounds, encounters, report
from hextui.studies.readings import BY_NAME, READINGS
from hextui.text import Names
from tests.matches.games import play_game


def test_which_games_are_played() -> None:
    played = encounters([BY_NAME["default"]], Board(7, 7), 0, MatchBounds())
    assert len(played) == 700 + 9 + 16 * 49
    pairs = [(p.table, p.first, p.second) for p in played]
    assert pairs.count(("1", "E", "E")) == 100
    for k in range(3):
        assert pairs.count(("1", f"E_{k}", "E")) == pairs.count(("1", "E", f"E_{k}")) == 100
        for other in range(3):
            assert pairs.count(("2", f"E_{k}", f"E_{other}")) == 1
    opened = [
        (p.first, p.second, *p.scheduled.opening) for p in played if p.table == "every opening"
    ]
    names = ("E", "E_0", "E_1", "E_2")
    cells = map(Board(7, 7).name, range(49))
    assert sorted(opened) == sorted(product(names, names, cells))
    assert not any(p.scheduled.opening for p in played if p.table != "every opening")
    assert len({p.scheduled.seed for p in played}) == len(played)
    # a larger k adds games and changes none
    more = encounters([BY_NAME["default"]], Board(7, 7), 0, MatchBounds(most_k=4))
    assert len(more) == 1100 + 25 + 36 * 49
    assert all(game in more for game in played[::50])
    # fewer openings leave games out and change none
    few = encounters([BY_NAME["default"]], Board(7, 7), 0, MatchBounds(openings=5))
    drawn = {e.scheduled.opening for e in few if e.table == "every opening"}
    assert len(drawn) == 5
    assert [e for e in played if e.table != "every opening" or e.scheduled.opening in drawn] == few
    # games of a reading do not depend on which others are tried
    both = encounters([BY_NAME["raw"], BY_NAME["default"]], Board(7, 7), 0, MatchBounds())
    assert both[len(played) :] == played


@pytest.mark.parametrize(
    ("bounds", "games"),
    [
        (MatchBounds(games=4), (28, 900, 400)),
        (MatchBounds(pair_games=4), (700, 36, 400)),
        (MatchBounds(openings=4), (700, 900, 64)),
        (MatchBounds(openings=0), (700, 900, 0)),
        (MatchBounds(most_k=0), (300, 100, 100)),
    ],
)
def test_each_bound_bounds_its_own_games(bounds: MatchBounds, games: tuple[int, int, int]) -> None:
    """By lots, and on 5x5: E against E, E_k each way; nine pairs; 16 games after each opening."""
    played = encounters([BY_NAME["random"]], Board(5, 5), 0, bounds)
    tables = [encounter.table for encounter in played]
    assert tuple(map(tables.count, ("1", "2", "every opening"))) == games


def test_what_does_not_draw_lots_plays_once() -> None:
    bounds = MatchBounds(games=10, pair_games=4)
    count = {r.name: len(encounters([r], Board(5, 5), 0, bounds)) for r in READINGS}
    every_opening = 16 * 25
    assert count.pop("random") == 70 + 36 + every_opening
    assert count.pop("no-r") == 16 + every_opening
    assert set(count.values()) == {79 + every_opening}


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
    ("first", "E"): 12,
    ("first", "E_0"): 19,
    ("first", "E_1"): 18,
    ("first", "E_2"): 10,
    ("second", "E"): 8,
    ("second", "E_0"): 10,
    ("second", "E_1"): 20,
    ("second", "E_2"): 0,
}
PAPER = dict(zip([key for key in COUNTS if key[1] != "E"], [95, 94, 97, 50, 55, 56], strict=True))


def row(table: str, first: str, second: str, winner: str, **other: str) -> tuple[str, ...]:
    known = {"reading": "default", "table": table, "first": first, "second": second}
    known |= {"game": "1", "seed": "0", "winner": winner, "proved after": "1", **other}
    return tuple(known.get(column, "") for column in COLUMNS)


def table(**other: str) -> Table:
    """Rows with known numbers of wins in 20 games each; the games of E with itself are one set.

    Of three openings E_2 wins all against E, E_0 none of its own first; E_2 beats E_0 twice.
    """
    rows = []
    for (side, player), wins in COUNTS.items():
        pair = (player, "E") if side == "first" else ("E", player)
        loser = "second" if side == "first" else "first"
        if (side, player) != ("second", "E"):
            rows += [row("1", *pair, side if i < wins else loser, **other) for i in range(20)]
    for a, b in product(range(3), repeat=2):
        rows.append(row("2", f"E_{a}", f"E_{b}", "first" if a > b else "second", **other))
    opened = {("E_2", "E"): "first", ("E", "E_2"): "second", ("E_0", "E"): "second"}
    for number, opening in enumerate(("a1", "b1", "c1")):
        for first, second in product(("E", "E_0", "E_1", "E_2"), repeat=2):
            winner = opened.get((first, second), "first")
            if {first, second} == {"E_0", "E_2"}:
                # every game but one for E_2
                winner = "first" if first == "E_2" or number == 0 else "second"
            rows.append(row("every opening", first, second, winner, opening=opening, **other))
    return Table(COLUMNS, tuple(rows))


def reported(rows: Table, size: str) -> RunReport:
    settings = {"size": size, "seed": 0}
    document = {"settings": settings, "cpu_seconds": 1.0, "versions": {"hextui": "1"}}
    return report(rows, document, Names.RED_BLUE)


def test_tables_from_rows() -> None:
    found = reported(table(), "7x7").document
    cells = {(c["side"], c["player"]): c for c in found["table_1"]}
    for key, wins in COUNTS.items():
        base = COUNTS[key[0], "E"]
        assert cells[key]["games"] == 20
        assert cells[key]["ours"] == asdict(proportion(wins, 20))
        assert cells[key]["gain"]["value"] == pytest.approx((wins - base) / 20)
    for key, wins in PAPER.items():
        assert cells[key]["paper"] == asdict(proportion(wins, 100))
        assert cells[key]["gap"]["value"] == pytest.approx(COUNTS[key] / 20 - wins / 100)
    agree = [None, True, True, False, None, True, False, False]
    assert [cells[key]["agrees"] for key in COUNTS] == agree
    assert found["table_2"] == {"default": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}
    # the first player wins three of nine; equal moves in all games
    shares = found["shares_of_table_2"]["default"]
    assert shares["first_wins"] == asdict(proportion(3, 9))
    assert shares["part_before_proof"] == asdict(proportion(0, 9))
    assert found["openings"]["default"][0] == [3, 3, 3, 0]
    # other boards have no numbers of the paper
    others = reported(table(), "9x9").document["table_1"]
    assert all(c["paper"] is None and c["agrees"] is None for c in others)


def test_tables_of_a_larger_k() -> None:
    """E_3 plays like E_2 here; the paper has no number for it, and the trend ends at E_2."""
    at = {name: COLUMNS.index(name) for name in ("first", "second")}
    old = table().rows
    new = [
        tuple("E_3" if i in at.values() and text == "E_2" else text for i, text in enumerate(row))
        for row in old
    ]
    mixed = [row("2", *pair, "first") for pair in (("E_2", "E_3"), ("E_3", "E_2"))]
    opened = [
        row("every opening", *pair, "first", opening="a1")
        for pair in (("E_2", "E_3"), ("E_3", "E_2"))
    ]
    rows = Table(COLUMNS, (*old, *(each for each in new if "E_3" in each), *mixed, *opened))
    settings = {"size": "7x7", "seed": 0, "most_k": 3}
    document = {"settings": settings, "cpu_seconds": 1.0, "versions": {"hextui": "1"}}
    made = report(rows, document, Names.RED_BLUE)
    cells = {(c["side"], c["player"]): c for c in made.document["table_1"]}
    assert cells["first", "E_3"]["ours"] == cells["first", "E_2"]["ours"]
    assert (cells["first", "E_3"]["paper"], cells["first", "E_3"]["agrees"]) == (None, None)
    assert len(made.document["table_2"]["default"]) == 4
    assert "share of wins of E_2 less that of E_0" in made.markdown(False)
    # the paper's claims about table 2 are about k = 0 to 2
    shares = reported(table(), "7x7").document["shares_of_table_2"]
    assert made.document["shares_of_table_2"] == shares
    assert made.document["trends"] == reported(table(), "7x7").document["trends"]


def test_games_that_are_not_played() -> None:
    """The report of a run that was interrupted, or has no openings, leaves them out."""
    at = COLUMNS.index("table")
    first = Table(COLUMNS, tuple(row for row in table().rows if row[at] == "1"))
    found = reported(first, "7x7").document
    assert found["table_1"] == reported(table(), "7x7").document["table_1"]
    assert found["table_2"] == {"default": [[None] * 3] * 3}
    assert found["shares_of_table_2"]["default"] == {"first_wins": None, "part_before_proof": None}
    assert len(found["trends"]["default"]) == 2
    one = reported(Table(COLUMNS, first.rows[:1]), "7x7").document
    assert [cell["games"] for cell in one["table_1"]][:2] == [1, 0]


def test_the_trend_in_k_by_hand() -> None:
    found = reported(table(), "7x7").document["trends"]["default"]
    as_first, as_second, every, each_other = found
    assert as_first["ours"] == asdict(difference(proportion(10, 20), proportion(19, 20)))
    assert as_second["ours"] == asdict(difference(proportion(0, 20), proportion(10, 20)))
    papers = as_first["paper"]["value"], as_second["paper"]["value"]
    assert papers == pytest.approx((0.02, 0.06))
    # against E: 2 of 2 for E_2, 0 of 2 for E_0 (as second E_0 loses to E, who goes first)
    assert every["ours"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    # 5 of 6 for E_2, 1 of 6 for E_0
    assert each_other["ours"]["value"] == pytest.approx(4 / 6)
    assert each_other["ours"]["low"] == pytest.approx(0)


def test_the_papers_trend_is_not_significant() -> None:
    """E_2 less E_0 as second player: 56 and 50 of 100; z = 0.85."""
    gap = difference(proportion(56, 100), proportion(50, 100))
    assert gap.low == pytest.approx(-0.0771, abs=5e-4)
    assert gap.high == pytest.approx(0.1944, abs=5e-4)
