"""Ranks and Q of moves: by hand, against a plain-Python twin, and whose moves are taken."""

import json
from dataclasses import replace
from typing import Any

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.studies.games import Filters, GameTask, choices, collect, winner_of
from hextui.studies.rank_quality import MEASURES, PAPER_EVALUATORS, RankQuality
from hextui.studies.readings import BY_NAME
from tests.samples import seeds
from tests.studies.games import contributions, places, random_game, write_games

PAPER = RankQuality()


def rows_of(game: dict, work: RankQuality = PAPER) -> list[dict]:
    record = read_record(json.dumps(game))
    rows = work(GameTask(1, record.board.cells, write_sgf(record)))
    return [dict(zip(work.columns, row, strict=True)) for row in rows]


def test_by_hand():
    """The empty 2x2: b1 and a2 lie on 3 of 6 short paths, a1 and b2 on 2 (k = 1).

    Links of Black: adjacencies, top-a2 over a1 and b1, b1-bottom over a2 and b2, a1-b2 over b1
    and a2. S_0: b1, a2. S_1 without what uses no more than one of these: a1-b2, a1-b1, a2-b2,
    a2-b1. White's network is the mirror image.
    """
    first, last = rows_of({"size": 2, "winner": "red", "moves": "b1 a2 b2"})
    assert (first["ply"], first["move"], first["candidates"], first["color"]) == (
        1,
        "b1",
        4,
        "black",
    )
    for view in ("own", "opponent"):
        for k in (0, 1):
            found = [first[f"contribution-{view}:{k} {measure}"] for measure in MEASURES]
            assert found == [1, 2, 1, 1]
    # two cells are left, and all paths pass b2
    assert (last["ply"], last["move"], last["candidates"]) == (3, "b2", 2)
    for name in PAPER_EVALUATORS:
        assert [last[f"{name} {measure}"] for measure in MEASURES] == [1, 1, 1, 1]


def test_by_hand_a_worse_move():
    row = rows_of({"size": 2, "winner": "red", "moves": "a1 b2 b1 a2"})[0]
    found = [row[f"contribution-own:1 {measure}"] for measure in MEASURES]
    assert found == [3, 4, 3, 1]


@pytest.mark.parametrize("reading", ["default", "carriers", "disjoint", "parallel"])
@pytest.mark.parametrize("seed", seeds(4, 12))
def test_against_enumeration(seed, reading):
    board = [Board(3, 3), Board(4, 4), Board(3, 5), Board(4, 3)][seed % 4]
    game = random_game(seed, board)
    record = read_record(json.dumps(game))
    rows = rows_of(game, RankQuality(losers=True, readings=(BY_NAME[reading],)))
    options = {} if reading == "default" else {reading: True}
    expected = list(choices(record))
    assert [row["ply"] for row in rows] == [choice.ply for choice in expected]
    for row, choice in zip(rows, expected, strict=True):
        mover = choice.position.to_move
        assert row["player"] == ("winner" if mover is record.result.winner else "loser")
        for view, color in (("own", mover), ("opponent", mover.opponent)):
            for k, shares in enumerate(contributions(choice.position, color, **options)):
                values = {cell: shares[cell] for cell in choice.position.empties}
                found = [row[f"contribution-{view}:{k} {measure}"] for measure in MEASURES]
                rank, middle, _, _ = places(values, choice.cell)
                own = values[choice.cell]
                before = sum(v > own or (v == own and c < choice.cell) for c, v in values.items())
                assert found == [rank, 2 * middle - rank, before + 1, 1]


def test_a_row_for_each_reading():
    game = random_game(3, Board(4, 4))
    both = RankQuality(readings=(BY_NAME["or-2"], BY_NAME["default"]))
    rows = rows_of(game, both)
    assert [row["reading"] for row in rows] == sorted((r["reading"] for r in rows), reverse=True)
    assert [row for row in rows if row["reading"] == "default"] == rows_of(game)


def test_connections_of_a_reading_are_used():
    """Without OR of three, and with lists this short, other cells lie on short paths."""
    blind = replace(BY_NAME["or-2"], connections=ConnectionSettings(full_limit=1, semi_limit=2))
    games = [random_game(seed, Board(6, 6)) for seed in range(3)]
    ranks = [
        [row["contribution-own:1 rank"] for game in games for row in rows_of(game, work)]
        for work in (PAPER, RankQuality(readings=(blind,)))
    ]
    assert ranks[0] != ranks[1]


def test_any_evaluator_of_the_registry():
    work = RankQuality(("resistance", "k-paths:0"))
    rows = rows_of({"size": 3, "winner": "red", "moves": "b2 a1 b1 a2 b3"}, work)
    assert len(rows) == 3
    assert rows[0]["resistance rank"] == 1
    assert rows[0]["k-paths:0 rank"] == 1


def test_moves_after_a_chain_do_not_count():
    rows = rows_of({"size": 2, "winner": "red", "moves": "b1 a1 b2 a2"}, RankQuality(losers=True))
    assert [row["ply"] for row in rows] == [1, 2, 3]


def test_swap_sides_changes_whose_moves_they_are():
    """White takes over Black's stone, wins as Black: the first move was the loser's."""
    text = "(;GM[11]SZ[3]RE[B+];B[b2];W[swap-sides];W[a1];B[b1];W[a2];B[b3])"
    record = read_record(text)
    found = [(c.ply, str(c.position.to_move), c.won) for c in choices(record)]
    assert found[0] == (1, "black", False)
    assert all(won is (color == "black") for _, color, won in found[1:])
    assert len(found) == 5


def test_swap_pieces_keeps_colours():
    record = read_record(
        json.dumps({"size": 3, "winner": "blue", "moves": "a2 swap-pieces b2 c2 a3"})
    )
    found = [(c.ply, c.won) for c in choices(record)]
    assert found == [(1, False), (3, False), (4, True), (5, False)]


def test_filters(tmp_path):
    base = {"size": 3, "winner": "red", "end": "resign", "moves": "b2 a1"}
    games = [
        base,
        {**base, "size": 4},
        {**base, "bot": True, "championship": True},
        {**base, "bot": False, "championship": True},
        {**base, "end": "other", "moves": "b2 a1 b1 a2 b3"},
        {"size": 3, "moves": "b2 a1"},
        {"size": 300, "moves": "b2"},
    ]
    path = write_games(tmp_path / "games.jsonl", games)

    def numbers(**wanted: Any) -> list[int]:
        return [game.number for game in collect([path], Filters(**wanted)).games]

    assert numbers() == [1, 2, 3, 4, 5]
    assert numbers(size=Board(3, 3)) == [1, 3, 4, 5]
    assert numbers(championship=True) == [3, 4]
    assert numbers(championship=True, human=True) == [4]
    assert numbers(human=True) == [1, 2, 4, 5]
    assert numbers(chain=True) == [5]
    collection = collect([path], Filters())
    assert collection.read == 7
    assert dict(collection.reasons) == {"winner unknown": 1, "cannot be read": 1}
    twice = collect([path, path], Filters(chain=True))
    assert [game.number for game in twice.games] == [5, 12]


def test_events_of_records(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[11]SZ[3]EV[Spring Cup]RE[W+];B[b2];W[a1])(;GM[11]SZ[3]RE[W+];B[b2])")
    assert [g.number for g in collect([path], Filters(event="spring")).games] == [1]


def test_a_chain_names_the_winner_of_a_record_without_result():
    record = read_record(json.dumps({"size": 2, "moves": "b1 a1 b2"}))
    assert winner_of(record) is Color.BLACK
    assert winner_of(read_record(json.dumps({"size": 2, "moves": "b1"}))) is None
