"""Engines of the settings file as players and evaluators, by name."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.engine import EngineError
from hextui.engines.registry import player, user_engines
from hextui.matches.match import record_of
from hextui.runs.results import RunError
from hextui.settings import engine_tables
from tests.matches.games import play_game

SCRIPT = Path(__file__).parent.parent / "engines" / "attached" / "scripted.py"
BOARD = Board(4, 4)


@pytest.fixture
def configure(tmp_path, monkeypatch) -> Iterator[Callable[..., None]]:
    file = tmp_path / "config.toml"
    monkeypatch.setattr(engine_tables, "config_file", lambda: file)

    def write(trick: str, dialect: str = "kata", seconds: float = 0.1) -> None:
        command = json.dumps([sys.executable, "-I", "-S", str(SCRIPT), trick])
        lines = ["[engines.e]", f"command = {command}", f'dialect = "{dialect}"']
        file.write_text("\n".join([*lines, f"seconds = {seconds}", "visits = 1000"]))

    yield write
    user_engines().close()


def test_an_engine_plays_its_best_move(configure) -> None:
    configure("plain")
    game = play_game("engine(e)", "resistance", BOARD)
    position = Position.empty(BOARD)
    for move in game.moves:
        if position.to_move is Color.BLACK:
            assert move == Move.play(position.empties[0])
        position = position.apply(move)
    assert (game.black, game.winner) == ("engine(e)", position.winner)


def test_an_engine_that_resigns_has_lost(configure) -> None:
    configure("resigns", "htp")
    game = play_game("resistance", "engine(e)", BOARD)
    assert [move.kind for move in game.moves] == [MoveKind.PLAY, MoveKind.RESIGN]
    assert game.winner is Color.BLACK
    assert record_of(game).result.winner is Color.BLACK


def test_an_engine_swaps_where_it_would_lose_otherwise(configure) -> None:
    configure("plain")  # it gives itself three chances of four
    position = Position.empty(BOARD).play(5)
    assert player("engine(e)").choose(position) == Move.play(0)
    assert player("engine(e)").choose(position.without_swap) == Move.play(0)


def test_an_engine_that_would_resign_swaps_instead_if_it_may(configure) -> None:
    configure("resigns", "htp")
    position = Position.empty(BOARD).play(5)
    assert player("engine(e)").choose(position) == Move(MoveKind.SWAP_PIECES)
    assert player("engine(e)").choose(position.without_swap) == Move(MoveKind.RESIGN)


def test_an_error_is_one_line(configure) -> None:
    with pytest.raises(ValueError, match=r"no engine 'e' in .*: none is configured"):
        player("engine(e)")
    configure("no start")
    with pytest.raises(ValueError, match=r"no engine 'x' in .*: choose from e"):
        player("engine( x )")
    said = "usage: scripted --model FILE; it was started 3 times"
    with pytest.raises(EngineError, match=said):
        player("engine(e)").choose(Position.empty(BOARD).without_swap)
    with pytest.raises(RunError, match=said):
        play_game("engine(e)", "resistance", BOARD)


def test_an_engine_ranks_the_moves_that_it_visited(configure, capsys) -> None:
    configure("plain")
    assert main(["rank", "#4,b2", "--evaluator", "engine(e)", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["evaluators"]["engine(e)"] == [
        {"move": "a1", "value": 0.75, "rank": 1},
        {"move": "b1", "value": 0.25, "rank": 2},
    ]
    assert document["notes"]["engine(e)"] == "e searched 2 of 15 moves"
    assert main(["rank", "#4,b2", "--evaluator", "engine(e)", "--explain", "a1"]) == 2
    assert "engine(e) does not explain its values" in capsys.readouterr().err
    assert main(["rank", "#4,b2", "--evaluator", "engine(x)"]) == 2
    assert "no engine 'x'" in capsys.readouterr().err


def test_an_engine_reports_its_lines(configure, capsys) -> None:
    configure("plain")
    words = ["lines", "#4,b2", "--evaluator", "engine(e)", "--count", "1"]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["lines"] == [
        {"moves": ["a1", "b1"], "winrate": 0.75, "score": None, "visits": 1001, "prior": 0.5}
    ]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert text.startswith("Blue to move, engine(e), 1,008 visits")
    assert text.splitlines()[-1].split() == ["0.75", "-", "1001", "a1", "b1"]


GAME = "(;GM[11]SZ[4]PB[Ann]PW[Bob];B[c3];W[b2];B[b3];W[d4])"


def test_a_report_names_the_engine_of_an_estimate(configure, capsys) -> None:
    configure("plain")
    arguments = ["report", GAME, "--evaluator", "engine(e)", "--solve", "0"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (first, *_) = document["lost_chances"]["engine(e)"]
    assert (first["move"], first["best"]) == ("b2", "a1")
    assert (first["before"], first["after"]) == (0.75, 0.25)
    shares = [ply["evaluators"]["engine(e)"]["winrate"] for ply in document["plies"][:3]]
    assert shares == [0.5, 0.75, 0.75], "the first stone can be swapped"
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "Win probability lost, by engine(e)" in text
    assert "75%" in text


def test_a_report_without_an_engine_that_fails_is_printed_all_the_same(configure, capsys) -> None:
    configure("no start")
    evaluators = ["--evaluator", "engine(e)", "--evaluator", "resistance"]
    assert main(["report", GAME, *evaluators, "--solve", "0", "--json"]) == 1
    printed = capsys.readouterr()
    assert "e ended (exit code 1)" in printed.err
    document = json.loads(printed.out)
    assert document["evaluators"]["resistance"]["black"]["moves"] == 2
    assert document["lost_chances"] == {}
