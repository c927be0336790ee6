"""Matches: fair schedules, legal games that the seed fixes, shares by hand, the command."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.commands.match import read_openings
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.position import IllegalMoveError, Move, MoveKind, Position
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engine.solver.dfpn import Solver
from hextui.matches import match_report
from hextui.matches.match import COLUMNS, Match, MatchGame, Terms, every_cell, play, play_game
from hextui.matches.players import DEFAULT_PLAYER, player
from hextui.matches.results import Folder, Table
from hextui.matches.runs import run
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.errors import RecordError
from hextui.records.formats import read_collection
from hextui.words.names import Names
from tests.oracles.winners import Exhaustive

BOARD = Board(4, 4)


def ranking(name: str, position: Position) -> list[int]:
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, found = evaluator(name).rank(bench)
    return [move.cell for move in found.moves]


def test_a_player_that_is_stopped_plays_the_best_it_knows() -> None:
    position = Position.empty(Board(7, 7)).play(0)
    first = ranking("resistance", position)[0]
    at_once = player("minimax(resistance)").choose(position, False, lambda: True)
    assert at_once == Move.play(first)  # it is ranked to the end before anybody can stop it
    for name in ("k-paths:1", "minimax(k-paths:1)"):
        assert player(name).choose(position, True, lambda: True).kind is not MoveKind.RESIGN


def test_a_game_is_what_the_evaluators_rank_first() -> None:
    game = play_game("k-paths:1", "resistance", BOARD, opening=[Move.play(3)])
    position = Position.empty(BOARD).play(3)
    for move in game.moves[1:]:
        assert position.winner is None
        name = "k-paths:1" if position.to_move is Color.BLACK else "resistance"
        assert move.cell == ranking(name, position)[0]
        position = position.apply(move)
    assert position.winner is game.winner
    assert (game.black, game.white, game.opening) == ("k-paths:1", "resistance", 1)


def test_the_seed_fixes_a_game_and_another_seed_changes_it() -> None:
    played = {
        seed: play_game("shortest-path", "k-paths:0", Board(5, 5), seed).moves for seed in range(8)
    }
    again = play_game("shortest-path", "k-paths:0", Board(5, 5), 3).moves
    assert again == played[3]
    assert len(set(played.values())) > 1


def test_two_players_by_lot_draw_differently() -> None:
    """With one seed for both, White would answer like Black's mirror image in every game."""
    first = player("shortest-path", 1)
    second = player("shortest-path", 2)
    position = Position.empty(Board(5, 5))
    assert len({first.choose(position, False), second.choose(position, False)}) == 2


def test_openings_must_fit() -> None:
    with pytest.raises(IllegalMoveError):
        play_game("k-paths:0", "k-paths:0", BOARD, opening=[Move.play(3), Move.play(3)])
    with pytest.raises(ValueError, match="no evaluator 'nobody'"):
        play_game("k-paths:0", "nobody", BOARD)


@pytest.mark.parametrize("cell", range(BOARD.cells))
def test_the_better_half_is_swapped(cell: int) -> None:
    bench = Workbench(BOARD)
    bench.look_at(Position.empty(BOARD))
    *_, found = evaluator("resistance").rank(bench)
    own = found.by_cell[cell].value
    better = sum(move.value > own for move in found.moves)
    equal = sum(move.value == own for move in found.moves)
    middle_place = better + (equal + 1) / 2
    position = Position.empty(BOARD).play(cell)
    swapped = player("resistance").choose(position, swap=True).kind is MoveKind.SWAP_PIECES
    assert swapped is (middle_place <= 8)
    assert player("resistance").choose(position, swap=False).kind is MoveKind.PLAY


def test_a_swapped_game_goes_on_with_colours_kept() -> None:
    game = play_game(
        "resistance", "resistance", BOARD, opening=[Move.parse("b3", BOARD)], swap=True
    )
    assert game.moves[1].kind is MoveKind.SWAP_PIECES
    record = match_report.record_of(game)
    end = record.position(record.main_line()[-1])
    assert end.winner is game.winner
    assert sum(move.kind is MoveKind.SWAP_PIECES for move in game.moves) == 1


def test_a_name_of_a_player_is_escaped() -> None:
    moves = (Move.parse("a1", BOARD),)
    record = match_report.record_of(MatchGame(BOARD, "a]b", "c\\", 1, 1, moves, Color.BLACK))
    assert read_sgf(write_sgf(record)).equals(record)


def test_under_the_swap_rule_players_open_in_the_middle() -> None:
    opened = player("k-paths:1").choose(Position.empty(BOARD), swap=True)
    assert opened.cell == ranking("k-paths:1", Position.empty(BOARD))[8]


@pytest.mark.parametrize("games", [1, 6, 7, 64])
def test_schedules_are_fair(games: int) -> None:
    match = Match("k-paths:0", "resistance", BOARD, games, every_cell(BOARD))
    tasks = match.schedule()
    assert [task.number for task in tasks] == list(range(1, games + 1))
    colors = Counter(task.payload.first for task in tasks)
    assert 0 <= colors["black"] - colors["white"] <= 1
    for task in tasks:
        names = {"black": task.payload.black, "white": task.payload.white}
        assert names[task.payload.first] == "k-paths:0"
    for odd, even in zip(tasks[::2], tasks[1::2], strict=False):
        assert odd.payload.opening == even.payload.opening
        assert odd.payload.seed == even.payload.seed
    seeds = {task.payload.seed for task in tasks}
    assert len(seeds) == (games + 1) // 2
    used = Counter(task.payload.opening for task in tasks[: 2 * (games // 2)])
    assert max(used.values(), default=0) - min(used.values(), default=0) <= 2


def test_rows_do_not_depend_on_who_plays(tmp_path: Path) -> None:
    match = Match("shortest-path", "two-distance", Board(3, 3), 8)
    expected = [play(task.payload)[0] for task in match.schedule()]
    folder = Folder(tmp_path)
    folder.begin(match.description())
    with ThreadPoolExecutor(3) as executor:
        run(match.description(), match.schedule(), play, executor, folder, lambda _: None)
    found = [tuple(row) for row in folder.rows().rows]
    assert found == [tuple(map(str, row)) for row in expected]


def row(number: int, first: str, winner: str, moves: str) -> tuple[str, ...]:
    return (str(number), "x", "y", first, "1", "", winner, "3", moves)


def test_shares_by_hand() -> None:
    table = Table(
        COLUMNS,
        (
            row(1, "black", "black", "a1"),
            row(2, "white", "black", "a2"),
            row(3, "black", "black", "a3"),
            row(4, "white", "white", "a1"),
        ),
    )
    settings = {"first": "x", "second": "y", "board": "3x3", "openings": [""], "swap": False}
    found = match_report.result(table, settings)
    assert (found.overall.wins, found.overall.games) == (3, 4)
    assert (found.as_black.wins, found.as_black.games) == (2, 2)
    assert (found.as_white.wins, found.as_white.games) == (1, 2)
    assert (found.black.wins, found.black.games) == (3, 4)
    assert found.distinct == 3
    # Wilson's interval for 3 of 4, worked out by hand: centre 0.6275, half width 0.3269
    assert found.overall.share.low == pytest.approx(0.3006, abs=5e-4)
    assert found.overall.share.high == pytest.approx(0.9544, abs=5e-4)
    text = match_report.report(found, {**settings, "seed": 1}, Names.RED_BLUE)
    assert "Only 3 of the games differ" in text
    named = match_report.report(
        replace(found, first="<b>*x*", second="a|b"), {**settings, "seed": 1}, Names.RED_BLUE
    )
    assert named.startswith("# \\<b\\>\\*x\\* against a\\|b\n")
    assert "| \\<b\\>\\*x\\* as Red " in named


def test_a_share_of_no_games_is_null() -> None:
    table = Table(COLUMNS, (row(1, "black", "white", "a1"),))
    settings = {"first": "x", "second": "y", "board": "3x3", "openings": [""], "swap": False}
    document = match_report.document(match_report.result(table, settings))
    assert document["as_white"] == {"games": 0, "wins": 0, "value": None, "low": None, "high": None}
    json.dumps(document, allow_nan=False)


def test_openings_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("a2\n\n1. b3 2. swap\nc2 d4 a1\n")
    assert read_openings(path, BOARD) == (("a2",), ("b3", "swap-pieces"), ("c2", "d4", "a1"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a2\nz9\n", r"line 2, column 1: .*z9"),
        ("a2 a2\n", "line 1, column 4: .*taken"),
        ("11 a2\n", "line 1: the board is 11x11"),
        ("a2 resign\n", "line 1: nobody may resign"),
        ("a1 b1 a2 b2 a3 b3 a4\n", "line 1: the game is over"),
        ("\n", "no opening"),
    ],
)
def test_a_bad_opening_is_one_line(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(RecordError, match=line):
        read_openings(path, BOARD)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match"
    arguments = ["match", "k-paths:0", "shortest-path", "--size", "3", "--openings", "all"]
    arguments += ["--out", str(out), "--workers", "1"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["overall"]["games"] == 18
    assert document["as_black"]["games"] == document["as_white"]["games"] == 9
    games = list(read_collection(out / "games.sgf"))
    assert len(games) == 18
    for number, game in enumerate(games):
        end = game.position(game.main_line()[-1])
        assert end.winner is game.result.winner
        assert game.player(Color(1 + number % 2)) == "k-paths:0"
    # asked again it only tells
    assert main(arguments) == 0
    assert "| k-paths:0 as Red  |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nobody", "k-paths:0", "--size", "3"], "no evaluator 'nobody'"),
        (["k-paths:0", "k-paths:1", "--size", "3x4", "--swap"], "--swap needs a square board"),
        (["k-paths:0", "k-paths:1", "--size", "3", "--openings", "missing"], "missing: "),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", *arguments]) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1


def test_a_search_plays_the_first_move_of_its_best_line() -> None:
    settings = LineSettings((4, 2, 0), count=1)
    searcher = player("minimax(blocking/4,2,0)", seed=3)
    assert searcher.name == "minimax(blocking/4,2,0)"
    position = Position.empty(BOARD).play(3)
    bench = Workbench(BOARD)
    bench.look_at(position)
    *_, found = find_lines(bench, evaluator("blocking:seed=3"), settings)
    assert searcher.choose(position, swap=False).cell == found.lines[0].moves[0]
    game = play_game("minimax(blocking/4,2,0)", "minimax(k-paths:0/2,0)", BOARD)
    assert game.white == "minimax(k-paths:0/2,0)"
    assert player("minimax(resistance)").name == "minimax(resistance)"


def test_a_literal_search_plays_without_proofs() -> None:
    literal = player("minimax(blocking/4,2,0/literal)")
    assert literal.name == "minimax(blocking/4,2,0/literal)"
    assert player("minimax(blocking/literal)").name == "minimax(blocking/literal)"
    position = Position.empty(BOARD)
    bench = Workbench(BOARD)
    bench.look_at(position)
    *_, found = find_lines(bench, evaluator("blocking"), LineSettings((4, 2, 0), 1, literal=True))
    assert literal.choose(position, swap=False).cell == found.lines[0].moves[0]
    proved = player("minimax(blocking/4,2,0)").choose(position, swap=False).cell
    assert proved is not None
    solver = Solver(BOARD)
    *_, solution = solver.solve(position.play(proved))
    solver.close()
    assert solution.winner is position.to_move


def test_a_player_may_be_asked_in_a_lost_position_and_chooses_the_same_move_again() -> None:
    position = Position.empty(BOARD).play(BOARD.cells // 2)
    chosen = player(DEFAULT_PLAYER)
    move = chosen.choose(position, swap=False)
    assert chosen.choose(position, swap=False) == move
    assert player(DEFAULT_PLAYER).choose(position, swap=False) == move


@pytest.mark.parametrize("name", ["minimax()", "minimax(nobody)", "minimax(blocking/x)", "minimax"])
def test_a_search_that_is_none_is_one_line(name: str) -> None:
    with pytest.raises(ValueError, match=r"no evaluator|widths"):
        player(name)


def test_a_player_that_is_proved_to_have_lost_resigns() -> None:
    opening = [Move.parse("a1", BOARD)]
    names = ("resistance", "shortest-path", BOARD, 1, opening)
    free, game = play_game(*names), play_game(*names, terms=Terms(resign_nodes=500))
    assert game.moves[-1].kind is MoveKind.RESIGN
    assert game.moves[:-1] == free.moves[: len(game.moves) - 1]
    end = Position.empty(BOARD)
    for move in game.moves[:-1]:
        end = end.apply(move)
    assert game.winner is end.to_move.opponent is Exhaustive(BOARD).winner(end)


def test_who_may_swap_does_not_resign() -> None:
    board, terms = Board(4, 4), Terms(resign_nodes=500)
    game = play_game(
        "resistance", "resistance", board, 1, [Move.parse("b3", board)], True, terms=terms
    )
    assert game.moves[1].kind is MoveKind.SWAP_PIECES
    assert game.moves[-1].kind is MoveKind.RESIGN


def test_a_search_plays_the_best_move_that_it_has_when_its_time_is_over() -> None:
    game = play_game("minimax(resistance)", "resistance", Board(4, 4), terms=Terms(seconds=1e-6))
    assert game.winner is not None
    assert game.black == "minimax(resistance)"


def test_terms_are_told_and_free_games_keep_their_folder() -> None:
    free = Match("resistance", "blocking", BOARD, 2)
    assert "terms" not in free.description().settings
    bound = Match("resistance", "blocking", BOARD, 2, terms=Terms(0.5, 100, 1000))
    settings = bound.description().settings
    assert settings["terms"] == {"seconds": 0.5, "visits": 100, "resign_nodes": 1000}
    table = Table(COLUMNS, ())
    text = match_report.report(match_report.result(table, settings), settings, Names.RED_BLUE)
    assert (
        ", 0.5 s a move, 100 visits a move of another engine, losses proved with 1,000 nodes "
        "resigned." in text
    )
