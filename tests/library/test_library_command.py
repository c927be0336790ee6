"""``hextui library``: documents as specified, exit codes, one line for bad input."""

import json
from pathlib import Path
from typing import Any

import pytest

from hextui.commands import main
from hextui.commands.output import ProgressLine
from hextui.engine.board import Board
from tests.library.generated import write_games


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    games = tmp_path / "games"
    games.mkdir()
    (games / "one.sgf").write_text(
        "(;GM[11]SZ[3]PB[Ann]PW[Bob]EV[Cup]DT[2019-05-01]RE[B+R];B[b2];W[a1];B[c3])"
        "(;GM[11]SZ[3]PB[Bob]PW[Cy]DT[2021]RE[W+R];B[b2];W[c1];B[a1];W[c3])"
        "(;GM[11]SZ[3];B[z2];W[b2])"
    )
    (games / "same.jsonl").write_text(
        '{"size": 3, "winner": "red", "end": "resign", "moves": "b2 a1 c3"}\n'
    )
    (games / "notes.md").write_text("not a record")
    return games


def document(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(run(capsys, *words, "--json")[1])


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(("library", *words))
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    return code, *capsys.readouterr()


def test_import_explore_games_remove(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "import", str(folder), "--json")
    done = json.loads(out)
    assert (code, done["added"], done["duplicates"]) == (1, 2, 1)
    assert [(b["number"], "no cell 'z2'" in b["error"]) for b in done["broken"]] == [(3, True)]
    assert len(err.splitlines()) == 1

    code, out, err = run(capsys, "explore", "#3,b2", "--json")
    assert (code, err) == (0, "")
    nothing = {"games": 0, "black_wins": 0, "white_wins": 0}
    assert json.loads(out) == {
        "games": 2,
        "ended": nothing,
        "moves": [
            {"move": "c1", "games": 1, "black_wins": 0, "white_wins": 1, "verdict": "winning",
             "certain": False, "supported": False, "agreeing": 1, "moves_to_end": 3,
             "last_year": 2021, "refutation": None, "swapped": None, "ended": nothing},
            {"move": "a1", "games": 1, "black_wins": 1, "white_wins": 0, "verdict": "losing",
             "certain": False, "supported": False, "agreeing": 1, "moves_to_end": 2,
             "last_year": 2019, "refutation": "c3", "swapped": None, "ended": nothing},
        ],
        "best": "c1",
        "line": ["c1", "a1", "c3"],
        "line_games": 1,
        "rare": 0,
    }  # fmt: skip
    # the same position turned by 180 degrees
    turned = document(capsys, "explore", "#3,b2c3")
    assert turned["best"] == "a1"

    rows = document(capsys, "games", "--player", "ann")["games"]
    assert [(r["id"], r["winner"], r["how"], r["plies"]) for r in rows] == [(1, "black", "R", 3)]
    through = document(capsys, "games", "--through", "#3,b2c1")["games"]
    assert [(r["id"], r["ply"]) for r in through] == [(2, 2)]

    code, out, err = run(capsys, "remove", "1", "7")
    assert (code, out) == (2, "1 game removed\n")
    assert "no game 7" in err
    assert document(capsys, "stats")["games"] == 1


def test_a_source_is_removed_or_imported_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "same.jsonl").unlink()
    run(capsys, "import", str(folder))
    (folder / "one.sgf").write_text("(;GM[11]SZ[3]PB[Ann]RE[B+R];B[b2];W[a1];B[c3])")
    code, out, _ = run(capsys, "import", "--again", str(folder / "one.sgf"))
    assert (code, out) == (0, "1 added, 0 there already, 0 skipped\n")
    assert document(capsys, "stats")["games"] == 1
    assert run(capsys, "remove", "--source", str(folder))[:2] == (0, "1 game removed\n")
    assert document(capsys, "stats")["positions"] == 0
    assert run(capsys, "remove")[0] == 2


def test_people_get_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "import", str(folder))
    out = run(capsys, "explore", "#3,b2")[1]
    assert "possibly" not in out
    assert "c1    0%" in out
    assert "0-79%" in out
    assert "best line (1 game)  c1 a1 c3" in out
    assert "0 moves" not in out
    (only,) = document(capsys, "explore", "#3,", "--least", "2")["moves"]
    assert (only["games"], only["swapped"]) == (2, 0)
    assert "1 move with fewer games left out" in run(capsys, "explore", "#3,", "--least", "9")[1]
    assert "Ann" in run(capsys, "games", "--size", "3")[1]
    assert run(capsys, "games", "--size", "4")[1].count("\n") == 1
    assert "positions" in run(capsys, "stats")[1]
    assert run(capsys, "explore", "#5,a1")[0] == 0


def test_explore_and_games_take_the_same_filters(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "import", str(folder))
    filters: dict[tuple[str, ...], int] = {
        ("--player", "bob", "--color", "blue"): 1,
        ("--search", "player=bob color=red"): 2,
        ("--search", "player=bob", "--opponent", "cy"): 2,
        ("--swap", "yes"): 0,
        ("--date", "2019..2020"): 1,
        ("--search", "cup"): 1,
    }
    for words, chosen in filters.items():
        games = document(capsys, "games", *words)["games"]
        assert [game["id"] for game in games] == [chosen] * bool(chosen)
        assert document(capsys, "explore", "#3,b2", *words)["games"] == len(games)
    assert run(capsys, "games", "--contradicting")[1].count("\n") == 1
    for words in (("--color", "red"), ("--rating", "1800"), ("--search", "who=ann")):
        for command in (["games"], ["explore", "#3,b2"]):
            code, out, err = run(capsys, *command, *words)
            assert (code, out, err.count("\n")) == (2, "", 1)
    assert run(capsys, "games", "--search", "least=3")[0] == 2


def test_a_first_move_and_the_same_stone_that_was_swapped(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their games are counted apart, and each says that there are the others."""
    games = tmp_path / "swapped.sgf"
    games.write_text(
        "(;GM[11]SZ[3]RE[B+];B[a2];W[b2];B[c1])(;GM[11]SZ[3]RE[B+];B[b1];W[swap-pieces];B[b2])"
    )
    run(capsys, "import", str(games))
    first = document(capsys, "explore", "#3,b1")
    assert (first["games"], first["swap_legal"], first["other_swap_legal"]) == (1, True, 1)
    set_up = document(capsys, "explore", "(;GM[11]SZ[3]AB[b1]PL[W])")
    assert (set_up["games"], set_up["swap_legal"], set_up["other_swap_legal"]) == (1, False, 1)
    text = run(capsys, "explore", "#3,b1")[1]
    assert text.startswith("1 game where the opponent may swap; 1 where it may no longer\n")


def test_contradicting_results_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "import", str(folder))
    (folder / "other.jsonl").write_text(
        '{"size": 3, "winner": "blue", "end": "resign", "moves": "b2 a1 c3"}\n'
    )
    out = run(capsys, "import", str(folder / "other.jsonl"))[1]
    assert out == "1 added (1 with another result), 0 there already, 0 skipped\n"
    ended = {"games": 2, "black_wins": 1, "white_wins": 1}
    (move,) = document(capsys, "explore", "#3,b2a1")["moves"]
    assert (move["ended"], move["verdict"]) == (ended, "winning")
    out = run(capsys, "explore", "#3,b2a1")[1]
    assert "2 games end with c3: Red won 1, Blue won 1 (contradicting)" in out
    out = run(capsys, "explore", "#3,b2a1c3")[1]
    assert "2 games end here: Red won 1, Blue won 1 (contradicting)" in out
    rows = document(capsys, "games", "--contradicting")["games"]
    assert [row["winner"] for row in rows] == ["black", "white"]
    assert document(capsys, "stats")["contradictions"] == 1


INTERRUPTED = [  # options, games, when, what is said, and what the next import says
    (
        (), 1110, "1,100 read, 1,000 added",
        "1,000 games added; the same command adds the rest",
        "110 added, 1,000 there already, 0 skipped\n",
    ),
    (
        ("--again",), 110, "100 read, 0 added",
        "0 games added; the same command without --again adds the rest",
        "110 added, 0 there already, 0 skipped\n",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", INTERRUPTED)
def test_an_interrupted_import_says_what_it_added(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[tuple[str, ...], int, str, str, str],
) -> None:
    words, games, reached, said, then = case
    file = tmp_path / "games.jsonl"
    write_games(file, games, Board(7, 7), seed=1)

    def interrupt(_: ProgressLine, text: str) -> None:
        if text.startswith(reached):
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ProgressLine, "show", interrupt)
        interrupted = run(capsys, "import", str(file), *words)
    assert interrupted == (130, "", f"hextui: interrupted: {said}\n")
    assert run(capsys, "import", str(file))[1] == then


@pytest.mark.parametrize(
    "words",
    [("import", "nowhere.sgf"), ("explore", "nonsense"), ("games", "--through", "nonsense"),
     ("remove", "3"), ("games", "--size", "x")],
)  # fmt: skip
def test_bad_input_gets_a_line(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *words)
    assert code == 2
    assert "Traceback" not in err


def test_clocks_and_ratings_survive_import_and_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = "SZ[5]PB[Ann]BR[1500]TM[300]OT[5x30 byo-yomi];B[a1]BL[295.5];W[b2]WL[12]OW[3]"
    first, *copies = [tmp_path / name for name in ("a.sgf", "b.sgf", "c.jsonl", "d.sgf")]
    first.write_text(f"(;GM[11]{game})")
    assert run(capsys, "import", str(first))[0] == 0
    for copy in copies[:2]:
        assert run(capsys, "export", "-o", str(copy))[0] == 0
    assert f"{game})" in copies[0].read_text().replace("\n", "")
    assert main(("convert", str(copies[1]), str(copies[2]))) == 0
    assert f"{game})".replace("OW[3]", "") in copies[2].read_text().replace("\n", "")
