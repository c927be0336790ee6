"""What studies, matches and reports refuse: one line that says what and where, and nothing else."""

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from tests.studies.games import random_game, write_games

PLAYERS = "k-paths:0 k-paths:1"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("study rank-quality missing.jsonl", "missing.jsonl"),
        ("study rank-quality GAMES --evaluator nobody", "nobody"),
        ("study rank-quality GAMES --size 9", "2 (another size)"),
        ("study rank-quality GAMES --workers 0", "workers"),
        ("study rank-quality GAMES --ties none", "ties"),
        ("study rank-quality GAMES --reading nodes", "choose from all, default, raw"),
        ("study rank-quality GAMES --cluster nonsense", "nonsense"),
        ("study claims missing.toml", "missing.toml: there is no such file"),
        ("study match-table --reading nonsense", "choose from all, default"),
        ("study losing-moves nobody resistance --size 3", "nobody"),
        ("study losing-moves resistance resistance --size 3", "two different"),
        ("match nobody k-paths:0 --size 3", "no evaluator 'nobody'"),
        (f"match {PLAYERS} --size 3x4 --swap", "--swap needs a square board"),
        (f"match {PLAYERS} --size 3 --openings missing", "missing: "),
        ("report missing.sgf", "missing.sgf"),
        ("report #3,a1 --evaluator nobody", "no evaluator 'nobody'"),
        ("report #3,a1 --save x.txt", "only SGF can hold results"),
        *(
            (f"report #3,a1 --solve={x}", "expected seconds, from 0 to")
            for x in ("-1", "nan", "x", "inf")
        ),
    ],
)
def test_bad_usage_is_one_line(tmp_path, capsys, words: str, says: str) -> None:
    games = write_games(tmp_path / "games.jsonl", [random_game(n, Board(4, 4)) for n in range(2)])
    given = [str(games) if word == "GAMES" else word for word in words.split()]
    try:
        code = main([*given, *([] if "report" in given else ["--out", str(tmp_path / "out")])])
    except SystemExit as stop:
        code = int(str(stop.code))
    out, err = capsys.readouterr()
    assert code in (1, 2)
    assert out == ""
    assert says in err.splitlines()[-1]
    assert err.count("\n") == 1 or err.startswith("usage: ")
    assert "Traceback" not in err
