"""Losing moves: against exhaustive play, games won from the start, the report and the command."""

import csv
import json
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.matches.match import MatchGame
from hextui.records.codecs.hexworld import HexWorld
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.studies.losing_moves import Loss, find_loss, first_stones, schedule
from tests.matches.games import play_game
from tests.oracles.play import winning_moves

BOARD = Board(3, 3)
ENOUGH = 100_000


def first_losing_move(game: MatchGame, loser: Color) -> int:
    """The first ply after the opening at which the loser left a won position, 0 for none."""
    position = Position.empty(game.board)
    for ply, move in enumerate(game.moves, start=1):
        mine = position.to_move is loser and ply > game.opening
        if mine and (wins := winning_moves(position)) and move.cell not in wins:
            return ply
        position = position.apply(move)
    return 0


@pytest.mark.parametrize("black", ["two-distance", "contribution-own:1", "blocking"])
def test_it_is_the_move_that_exhaustive_play_finds(black: str) -> None:
    seen = 0
    for cell in range(BOARD.cells):
        game = play_game(black, "shortest-path", BOARD, cell, [Move.play(cell)])
        loser = game.winner.opponent
        loss = find_loss(game, loser, ENOUGH)
        assert loss.known_from == 1
        assert loss.ply == first_losing_move(game, loser)
        if loss.ply:
            seen += 1
            position = Position.empty(BOARD)
            for move in game.moves[: loss.ply - 1]:
                position = position.apply(move)
            assert loss.better in winning_moves(position)
            assert loss.move == game.moves[loss.ply - 1].cell
    assert seen or black != "contribution-own:1"


def test_of_two_losing_moves_the_first_is_reported() -> None:
    """Black leaves a win twice, White gives it back once."""
    names = "a1 a2 c3 a3 c2 b2"
    moves = tuple(Move.parse(name, BOARD) for name in names.split())
    game = MatchGame(BOARD, "x", "y", 0, moves, Color.WHITE)
    loss = find_loss(game, Color.BLACK, ENOUGH)
    assert (loss.ply, loss.known_from) == (first_losing_move(game, Color.BLACK), 1)


def test_where_the_solver_gives_up_nothing_is_claimed() -> None:
    game = play_game("two-distance", "blocking", Board(6, 6), 1, [Move.play(0)])
    loss = find_loss(game, game.winner.opponent, 1)
    assert loss.known_from > 2
    known = find_loss(game, game.winner.opponent, 20_000)
    assert known.known_from < loss.known_from


def test_moves_of_the_opening_are_no_mistakes() -> None:
    """a1 loses on 3x3, but nobody chose it."""
    game = play_game("resistance", "resistance", BOARD, 0, [Move.play(0)])
    assert game.winner is Color.WHITE
    assert find_loss(game, Color.BLACK, ENOUGH) == Loss(1)


def test_every_first_stone_is_played_with_both_colours() -> None:
    assert first_stones(BOARD, None, 0) == first_stones(BOARD, 99, 1) == list(range(9))
    drawn = [first_stones(Board(9, 9), 4, seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) == 4
    games = schedule(("a", "b"), BOARD, range(9), 0)
    assert len({(game.black, game.opening) for game in games}) == len(games) == 18


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "losing-moves", "contribution-own:1", "resistance", "--size", "3"]
    assert main([*words, "--workers", "1", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    with open(tmp_path / "rows.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 18
    thrown = [row for row in rows if int(row["ply"])]
    assert thrown
    assert all(row["winner"] != row["player"] for row in thrown)
    assert all(0 < int(row["better_rank"]) <= int(row["candidates"]) for row in thrown)
    assert f"{len(thrown)} were won before a losing move" in printed
    records = [r for r in read_collection(tmp_path / "losing-moves.sgf") if isinstance(r, Record)]
    assert len(records) == len(thrown)
    for row, record in zip(thrown, records, strict=True):
        position = record.position(record.main_line()[-1])
        assert str(position.to_move) == row["player"]
        wins = {record.board.name(cell) for cell in winning_moves(position)}
        assert row["better"] in wins
        assert row["move"] not in wins
    assert main([*words, "--out", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"]["thrown"] == len(thrown)
    link = HexWorld().read_text(found["mistakes"][0]["link"])
    position = records[0].position(records[0].main_line()[-1])
    assert link.position(link.main_line()[-1]).stones == position.stones
