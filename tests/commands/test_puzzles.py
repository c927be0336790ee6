"""``hextui puzzles``: collections made from files and the library, listed and checked again."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.library.library import Library
from hextui.records.codecs.sgf import write_sgf
from hextui.train.finder import puzzles_in
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import Puzzle, read_puzzles
from tests.oracles.winners import Exhaustive
from tests.train.games import weak_game
from tests.train.test_puzzles import FEW

FOUR = Board(4, 4)
SEEDS = range(4)
Run = Callable[..., tuple[int, str, str]]
AMBIGUOUS = "(;GM[11]SZ[3]GN[ambiguous]AB[a1]AW[c3]PL[B];B[b2]TE[1])"  # a3 wins too
RIGHT = "(;GM[11]SZ[3]GN[right]GE[quiet move]DI[2]AB[a1]AW[c3]PL[B](;B[b2]TE[1])(;B[a3]TE[1]))"
WRONG = "(;GM[11]SZ[3]GN[wrong]AB[a1]AW[c3]PL[B];B[c1]TE[1])"
UNKNOWN = "(;GM[11]SZ[9]GN[unknown]AB[a1]PL[W])"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hextui.locations.library_file", lambda: tmp_path / "library.sqlite")
    monkeypatch.setattr("hextui.locations.training_file", lambda: tmp_path / "training.sqlite")
    monkeypatch.setattr("hextui.commands.experiments.studies_folder", lambda: tmp_path / "runs")
    monkeypatch.setattr("hextui.commands.experiments.data_folder", lambda: tmp_path)


def texts_of_games() -> str:
    """Return games in which Ann and Bob alternate colours."""
    texts = []
    for seed in SEEDS:
        players = "PB[Ann]PW[Bob]" if seed % 2 else "PB[Bob]PW[Ann]"
        texts.append(write_sgf(weak_game(seed, FOUR)).replace("SZ[4]", f"SZ[4]{players}"))
    return "".join(texts)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a file of the games."""
    file = tmp_path / "games.sgf"
    file.write_text(texts_of_games())
    return file


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the collection of all puzzles with up to four winning moves, made by one worker."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "games.sgf").write_text(texts_of_games())
    words = [
        str(folder / "games.sgf"),
        "-o",
        str(folder / "made.sgf"),
        "--out",
        str(folder / "out"),
    ]
    assert main(["puzzles", "make", *words, "--most", "4", "--workers", "1"]) == 0
    return (folder / "made.sgf").read_bytes()


@pytest.fixture
def make(run: Run, tmp_path: Path) -> Callable[..., tuple[dict, bytes]]:
    """Make puzzles in a run of its own; return the document and the collection."""

    def made(*words: str) -> tuple[dict, bytes]:
        number = len(list(tmp_path.glob("made-*")))
        file, out = tmp_path / f"made-{number}.sgf", tmp_path / f"run-{number}"
        code, said, _ = run(
            *("puzzles", "make", *words, "-o", str(file), "--out", str(out), "--json")
        )
        assert code == 0
        return json.loads(said), file.read_bytes()

    return made


def test_any_number_of_workers_makes_the_same_file(
    games: Path, make: Callable[..., tuple[dict, bytes]], many: bytes
) -> None:
    document, text = make(str(games), "--most", "4", "--workers", "2")
    assert text == many
    found = list(read_puzzles(text))
    assert document["puzzles"] == len(found) > 1
    assert (document["games"], document["study"]) == (len(SEEDS), "puzzles")
    solver = Exhaustive(FOUR)
    for puzzle in found:
        assert any(puzzle.position.stones), "an empty board would be lost in the file"
        assert set(puzzle.wins) == solver.winning_moves(puzzle.position)
        assert len(puzzle.wins) <= 4


def test_few_winning_moves_are_a_limit_and_a_player_had_to_find_them(
    games: Path, make: Callable[..., tuple[dict, bytes]], many: bytes
) -> None:
    all_puzzles = len(list(read_puzzles(many)))
    few, _ = make(str(games), "--most", "2", "--workers", "1")
    assert few["puzzles"] < all_puzzles
    document, text = make(str(games), "--most", "4", "--player", "ann", "--workers", "1")
    assert 0 < document["puzzles"] < all_puzzles
    for puzzle in read_puzzles(text):
        number = int(puzzle.name.split(",")[0].split()[1])
        assert puzzle.position.to_move is (Color.BLACK if number % 2 == 0 else Color.WHITE)


def test_games_of_the_library_and_of_folders_make_the_same_puzzles(
    games: Path, make: Callable[..., tuple[dict, bytes]], many: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    games.rename(folder / "games.sgf")
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([folder])
    _, of_folder = make(str(folder), "--most", "4", "--workers", "1")
    assert of_folder == many
    _, of_library = make("--library", "--most", "4", "--workers", "1")
    mine, theirs = map(list, map(read_puzzles, (of_folder, of_library)))
    assert [one.position for one in mine] == [one.position for one in theirs]
    assert {one.name.split(",")[0] for one in theirs} <= {"Ann - Bob", "Bob - Ann"}
    found, _ = make("--search", "bob ann", "--most", "4", "--workers", "1")
    assert found["games"] == len(SEEDS)


def test_a_search_that_finds_no_game_of_the_library_is_reported(
    games: Path, run: Run, tmp_path: Path
) -> None:
    with Library(tmp_path / "library.sqlite") as library:
        library.import_paths([games])
    for search, said in (("size=5", "there is no game to make"), ("x=5", "'x' is not one of")):
        code, _, problem = run("puzzles", "make", "--search", search, "-o", str(tmp_path / "p.sgf"))
        assert code == 2
        assert said in problem


def test_the_empty_board_is_no_puzzle() -> None:
    game = weak_game(1, FOUR)
    assert all(found.ply > 0 for found in puzzles_in(game, FEW))


def test_a_check_says_what_is_wrong_and_fails(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "some.sgf"
    file.write_text(RIGHT + AMBIGUOUS + WRONG)
    code, out, _ = run("puzzles", "check", str(file), "--json")
    assert code == 1
    found = json.loads(out)["puzzles"]
    kinds = [(one["verdict"], one["wrong"], one["unlisted"], one["undecided"]) for one in found]
    assert kinds == [
        ("right", [], [], []),
        ("ambiguous", [], ["a3"], []),
        ("wrong", ["c1"], ["b2", "a3"], []),
    ]
    code, out, _ = run("puzzles", "check", str(file))
    assert code == 1
    assert out.splitlines() == [
        "2. ambiguous: ambiguous; unlisted: a3",
        "3. wrong: wrong; wrong: c1, unlisted: b2 a3",
        "3 puzzles: 1 right, 1 ambiguous, 1 wrong",
    ]
    file.write_text(UNKNOWN)
    code, out, _ = run("puzzles", "check", str(file), "--nodes", "1", "--json")
    (one,) = json.loads(out)["puzzles"]
    assert (code, one["verdict"], len(one["undecided"])) == (1, "undecided", 80)
    file.write_text(RIGHT)
    code, out, _ = run("puzzles", "check", str(file))
    assert (code, out) == (0, "1 puzzle: 1 right\n")


def test_a_list_has_all_of_a_puzzle_and_its_attempts(
    run: Run, document: Callable[..., dict], tmp_path: Path
) -> None:
    file = tmp_path / "some.sgf"
    file.write_text(RIGHT + UNKNOWN)
    first, second = read_puzzles(file)
    with closing(TrainingStore()) as progress:
        progress.add(first, False)
        due = progress.add(first, True).due
    found, other = document("puzzles", "list", str(file))["puzzles"]
    assert found == {
        "number": 1,
        "name": "right",
        "size": {"rows": 3, "columns": 3},
        "position": "B../.../..W",
        "to_move": "black",
        "winning_moves": ["b2", "a3"],
        "lines": [["b2"], ["a3"]],
        "theme": "quiet move",
        "level": 2,
        "attempts": [False, True],
        "due": due.isoformat(),
    }
    assert Position.parse(other["position"], Color.parse(other["to_move"])) == second.position
    unknown = [other[key] for key in ("theme", "level", "attempts", "due", "lines")]
    assert unknown == [None, None, [], None, []]
    code, out, _ = run("puzzles", "list", str(file))
    rows = [" ".join(line.split()) for line in out.splitlines()[1:]]
    assert code == 0
    assert rows == ["1 3x3 2 quiet move Red 1 of 2 right", "2 9x9 - - Blue - unknown"]
    folder = tmp_path / "folder"
    folder.mkdir()
    file.rename(folder / file.name)
    assert len(document("puzzles", "list", str(folder))["puzzles"]) == 2


def test_openings_list_what_a_player_met_and_answered(
    run: Run, document: Callable[..., dict], tmp_path: Path
) -> None:
    first = "(;GM[11]SZ[4]PB[Ann]PW[Bob];B[a4];W[b2];B[c2];W[d3])"
    second = "(;GM[11]SZ[4]PB[Ann]PW[Cy];B[a4];W[b2];B[d1];W[c4])"
    (tmp_path / "met.sgf").write_text(first + second)
    with Library() as library:
        library.import_paths([tmp_path / "met.sgf"])
    (met,) = document("puzzles", "openings", "ann")["positions"]
    assert met["position"] == "..../.W../..../B..."
    assert (met["games"], met["to_move"]) == (2, "black")
    assert (met["played"], met["attempts"], met["due"]) == ({"d1": 1, "c2": 1}, [], None)
    with closing(TrainingStore()) as store:
        store.add(Puzzle(Position.parse("..../.W../..../B...", "black")), right=True)
    code, out, _ = run("puzzles", "openings", "ann")
    assert code == 0
    assert out.splitlines()[1].split()[:9] == ["2", "4x4", "Red", "d1", "1", "c2", "1", "1", "of"]
    assert document("puzzles", "openings", "nobody") == {"positions": []}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("make -o OUT", "give a file or a folder of games, or --library"),
        ("make EMPTY -o OUT", "there is no game to make puzzles from"),
        ("make GAMES --player Cid -o OUT", "there is no game by Cid to make puzzles from"),
        ("make GAMES", "-o"),
        ("make GAMES -o OUT --most 0", "--most"),
        ("make GAMES -o OUT --most 10", "--most"),
        ("make NOTHING -o OUT", "no-such.sgf"),
        ("list NOTHING", "no-such.sgf"),
        ("check NOTHING", "no-such.sgf"),
        ("list LONG", "too long"),
        ("list GAMES", "no record in it sets up a position"),
        ("check BROKEN", "no cell 'z9'"),
        ("check GAMES --nodes x", "--nodes"),
    ],
)
def test_bad_input_is_one_line(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], run: Run, words: str, said: str
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;GM[11]SZ[3]AB[z9])")
    places = {
        "GAMES": games,
        "EMPTY": empty,
        "BROKEN": broken,
        "NOTHING": tmp_path / "no-such.sgf",
        "LONG": "x" * 300,
        "OUT": tmp_path / "out.sgf",
    }
    line = ["puzzles", *(str(places.get(word, word)) for word in words.split())]
    try:
        code, _, err = run(*line)
    except SystemExit as stop:
        code, err = int(stop.code or 0), capsys.readouterr().err
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "out.sgf").exists()
