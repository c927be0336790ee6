"""Matches: fair schedules, legal games that the seed fixes, shares by hand, the command."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.commands.match import read_openings
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import IllegalMoveError, Move, MoveKind, Position
from hextui.engine.search.lines import DEFAULT_SEARCH, LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engine.solver.dfpn import Solver
from hextui.engines.registry import player
from hextui.matches.match import (
    COLUMNS,
    MatchGame,
    Terms,
    every_cell,
    experiment,
    play,
    record_of,
    report,
    scores,
)
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.formats import read_collection
from hextui.records.record_text import RecordError
from hextui.runs.experiment import run
from hextui.runs.results import RunFolder, Table
from hextui.runs.workers import WINDOW
from hextui.text import Names
from tests.matches.games import play_game
from tests.oracles.winners import Exhaustive

BOARD = Board(4, 4)


def ranking(name: str, position: Position) -> list[int]:
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, found = evaluator(name).rank(bench)
    return [move.cell for move in found.moves]


def best_line(name: str, position: Position, settings: LineSettings) -> Move:
    """The first move of the best line of a minimax."""
    bench = Workbench(BOARD)
    bench.look_at(position)
    *_, found = find_lines(bench, evaluator(name), settings)
    return Move.play(found.lines[0].moves.numbers[0])


def test_a_stopped_player_plays_its_best_move_so_far() -> None:
    position = Position.empty(Board(7, 7)).play(0)
    first = ranking("resistance", position)[0]
    at_once = player("minimax(resistance)").choose(position.without_swap, lambda: True)
    assert at_once == Move.play(first)  # the first ranking is finished before a stop is seen
    for name in ("k-paths:1", "minimax(k-paths:1)"):
        assert player(name).choose(position, lambda: True).kind is not MoveKind.RESIGN
    game = play_game("minimax(resistance)", "resistance", BOARD, terms=Terms(seconds=1e-6))
    assert (game.black, game.winner in Color) == ("minimax(resistance)", True)


def test_a_game_is_what_the_evaluators_rank_first() -> None:
    game = play_game("k-paths:1", "resistance", BOARD, opening=[Move.play(3)])
    for position, move in list(zip(game.positions(), game.moves, strict=False))[1:]:
        name = "k-paths:1" if position.to_move is Color.BLACK else "resistance"
        assert move.cell == ranking(name, position)[0]
    assert game.positions()[-1].winner is game.winner
    assert (game.black, game.white, game.opening) == ("k-paths:1", "resistance", 1)


def test_the_seed_fixes_a_game_and_differs_by_player() -> None:
    board, names = Board(5, 5), ("shortest-path", "k-paths:0")
    played = {seed: play_game(*names, board, seed).moves for seed in range(8)}
    assert play_game(*names, board, 3).moves == played[3]
    assert len(set(played.values())) > 1
    # with one seed for both, White would answer like Black's mirror image in every game
    chosen = {player("shortest-path", n).choose(Position.empty(board).without_swap) for n in (1, 2)}
    assert len(chosen) == 2


def test_openings_and_names_are_checked() -> None:
    with pytest.raises(IllegalMoveError):
        play_game("k-paths:0", "k-paths:0", BOARD, opening=[Move.play(3), Move.play(3)])
    for name in ("nobody", "minimax()", "minimax(nobody)", "minimax(blocking/x)", "minimax"):
        with pytest.raises(ValueError, match=r"no evaluator|widths"):
            play_game("k-paths:0", name, BOARD)


def test_the_better_half_is_swapped_and_opened_in_the_middle() -> None:
    empty = Position.empty(BOARD)
    bench = Workbench(BOARD)
    bench.look_at(empty)
    *_, found = evaluator("resistance").rank(bench)
    for cell in range(BOARD.cells):
        own = found.by_cell[cell].value
        better = sum(move.value > own for move in found.moves)
        equal = sum(move.value == own for move in found.moves)
        position = empty.play(cell)
        swapped = player("resistance").choose(position).kind is MoveKind.SWAP_PIECES
        assert swapped is (better + (equal + 1) / 2 <= 8)
        assert player("resistance").choose(position.without_swap).kind is MoveKind.PLAY
    opened = player("k-paths:1").choose(empty)
    assert opened.cell == ranking("k-paths:1", empty)[8]


def test_a_swapped_game_keeps_its_colours_and_may_be_resigned() -> None:
    names, opening = ("resistance", "resistance"), [Move.parse("b3", BOARD)]
    game = play_game(*names, BOARD, opening=opening, swap=True)
    assert [m.kind is MoveKind.SWAP_PIECES for m in game.moves].index(True) == 1
    record = record_of(game)
    assert record.position(record.main_line()[-1]).winner is game.winner
    # who may swap does not resign
    game = play_game(*names, BOARD, 1, opening, swap=True, terms=Terms(resign_nodes=500))
    assert game.moves[1].kind is MoveKind.SWAP_PIECES
    assert game.moves[-1].kind is MoveKind.RESIGN


def test_a_proved_loss_is_resigned() -> None:
    names = ("resistance", "shortest-path", BOARD, 1, [Move.parse("a1", BOARD)])
    free, game = play_game(*names), play_game(*names, terms=Terms(resign_nodes=500))
    assert game.moves[-1].kind is MoveKind.RESIGN
    assert game.moves[:-1] == free.moves[: len(game.moves) - 1]
    end = game.positions()[-1]
    assert game.winner is end.to_move.opponent is Exhaustive(BOARD).winner(end)


def test_minimax_plays_the_first_move_of_its_best_line() -> None:
    searcher = player("minimax(blocking/4,2,0)", seed=3)
    position = Position.empty(BOARD).play(3)
    settings = LineSettings((4, 2, 0), count=1)
    assert searcher.choose(position.without_swap) == best_line(
        "blocking:seed=3", position, settings
    )
    for name in ("minimax(blocking/4,2,0)", "minimax(resistance)", "minimax(blocking/literal)"):
        assert player(name).name == name
    game = play_game("minimax(blocking/4,2,0)", "minimax(k-paths:0/2,0)", BOARD)
    assert game.white == "minimax(k-paths:0/2,0)"


def test_a_literal_search_plays_without_proofs() -> None:
    position, settings = Position.empty(BOARD), LineSettings((4, 2, 0), 1, literal=True)
    literal = player("minimax(blocking/4,2,0/literal)")
    assert literal.choose(position.without_swap) == best_line("blocking", position, settings)
    proved = player("minimax(blocking/4,2,0)").choose(position.without_swap).cell
    solver = Solver(BOARD)
    *_, solution = solver.solve(position.play(proved))
    solver.close()
    assert solution.winner is position.to_move


def test_the_same_move_is_chosen_again_in_a_lost_position() -> None:
    position = Position.empty(BOARD).play(BOARD.cells // 2)
    chosen = player(DEFAULT_SEARCH)
    move = chosen.choose(position.without_swap)
    assert chosen.choose(position.without_swap) == move
    assert player(DEFAULT_SEARCH).choose(position.without_swap) == move


@pytest.mark.parametrize("games", [1, 6, 7, 64])
def test_schedules_are_fair(games: int) -> None:
    match = experiment("k-paths:0", "resistance", BOARD, games, every_cell(BOARD))
    assert list(match.tasks) == list(range(1, games + 1))
    tasks = list(match.tasks.values())
    colors = Counter(task.first for task in tasks)
    assert 0 <= colors["black"] - colors["white"] <= 1
    for task in tasks:
        names = {"black": task.black, "white": task.white}
        assert names[task.first] == "k-paths:0"
    for odd, even in zip(tasks[::2], tasks[1::2], strict=False):
        assert odd.opening == even.opening
        assert odd.seed == even.seed
    assert len({task.seed for task in tasks}) == (games + 1) // 2
    used = Counter(task.opening for task in tasks[: 2 * (games // 2)])
    assert max(used.values(), default=0) - min(used.values(), default=0) <= 2


def test_rows_do_not_depend_on_who_plays(tmp_path: Path) -> None:
    match = experiment("shortest-path", "two-distance", Board(3, 3), 8)
    expected = [play(task)[0] for task in match.tasks.values()]
    folder = RunFolder(tmp_path)
    folder.begin(match.document(), match.about)
    with folder.shared() as claims, ThreadPoolExecutor(3) as executor:
        run(match, executor, folder, claims, WINDOW, lambda _: None)
    assert list(folder.rows().rows) == [tuple(map(str, row)) for row in expected]


SETTINGS = {"first": "x", "second": "y", "board": "3x3", "openings": [""], "swap": False, "seed": 1}


def table(*games: tuple[str, str, str]) -> Table:
    """Rows of games: the first player's colour, the winner, the moves."""
    return Table(
        COLUMNS,
        tuple(
            (str(number), "x", "y", first, "1", "", winner, "3", moves)
            for number, (first, winner, moves) in enumerate(games, start=1)
        ),
    )


def test_shares_by_hand() -> None:
    rows = table(
        ("black", "black", "a1"),
        ("white", "black", "a2"),
        ("black", "black", "a3"),
        ("white", "white", "a1"),
    )
    found = scores(rows)
    counts = [(score.wins, score.games) for score in found.values()]
    assert counts == [(3, 4), (2, 2), (1, 2), (3, 4)]
    assert list(found) == ["overall", "as_black", "as_white", "black"]
    # Wilson's interval for 3 of 4, worked out by hand: centre 0.6275, half width 0.3269
    assert found["overall"].share.low == pytest.approx(0.3006, abs=5e-4)
    assert found["overall"].share.high == pytest.approx(0.9544, abs=5e-4)
    names = {"first": "<b>*x*", "second": "a|b"}
    text = report(rows, {"settings": SETTINGS | names}, Names.RED_BLUE).markdown(False)
    assert "Only 3 of the games differ" in text
    assert text.startswith("# \\<b\\>\\*x\\* against a\\|b\n")
    assert "| \\<b\\>\\*x\\* as Red " in text


def test_a_share_of_no_games_is_null() -> None:
    document = report(
        table(("black", "white", "a1")), {"settings": SETTINGS}, Names.RED_BLUE
    ).document
    assert document["distinct"] == 1
    assert document["as_white"] == {"games": 0, "wins": 0, "value": None, "low": None, "high": None}
    json.dumps(document, allow_nan=False)


def test_terms_are_reported_and_free_games_keep_their_folder() -> None:
    free = experiment("resistance", "blocking", BOARD, 2)
    assert "terms" not in free.settings
    bound = experiment("resistance", "blocking", BOARD, 2, terms=Terms(0.5, 100, 1000))
    settings = bound.settings
    assert settings["terms"] == {"seconds": 0.5, "visits": 100, "resign_nodes": 1000}
    text = report(table(), {"settings": settings}, Names.RED_BLUE).markdown(False)
    terms = "0.5 s a move, 100 visits a move of another engine, losses proved with 1,000 nodes"
    assert f", {terms} resigned." in text


def test_a_name_of_a_player_is_escaped() -> None:
    moves = (Move.parse("a1", BOARD),)
    record = record_of(MatchGame(BOARD, "a]b", "c\\", 1, moves, Color.BLACK))
    assert read_sgf(write_sgf(record)).equals(record)


def test_openings_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("a2\n\n1. b3 2. swap\nc2 d4 a1\n")
    assert read_openings(str(path), BOARD) == (("a2",), ("b3", "swap-pieces"), ("c2", "d4", "a1"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a2\nz9\n", r"line 2, column 1: .*z9"),
        ("a2 a2\n", "line 1, column 4: .*taken"),
        ("11 a2\n", "line 1: the opening is on 11x11"),
        ("a2 resign\n", "line 1: nobody may resign"),
        ("a1 b1 a2 b2 a3 b3 a4\n", "line 1: the game is over"),
        ("\n", "no opening"),
        ("a2\n\udcff\n", "line 2, column 1: .* is not a move"),
    ],
)
def test_a_bad_opening_is_one_line(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text, errors="surrogateescape")
    with pytest.raises(RecordError, match=line):
        read_openings(str(path), BOARD)


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
        assert game.position(game.main_line()[-1]).winner is game.result.winner
        assert game.player(Color(1 + number % 2)) == "k-paths:0"
    # a run that is done is only reported
    assert main(arguments) == 0
    assert "| k-paths:0 as Red  |" in capsys.readouterr().out
