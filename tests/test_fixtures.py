"""Files that earlier versions left: all that was stored comes back.

``tests/fixtures`` has a folder of each version, which make_fixtures.py wrote.
"""

import shutil
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.mistakes import blunders
from hextui.analysis.stored_analysis import ReviewStore
from hextui.commands import match
from hextui.commands.arguments import Parser
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.check import check
from hextui.engine.solver.proof_json import from_text
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.verdicts import ClaimSource
from hextui.library.filters import ALL_GAMES, Filter
from hextui.library.library import Library
from hextui.matches.match import scores
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.runs.results import RunError, RunFolder
from hextui.text import Names
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import Theme, read_puzzles
from hextui.ui.app import config
from hextui.ui.app.settings import UserState
from hextui.ui.safety.recovery import find_left_behind
from tests.make_fixtures import (
    ATTEMPTS,
    CHOSEN,
    COMMENT,
    EVALUATORS,
    GAMES,
    MATCH,
    NOW,
    REVIEWED,
    annotated,
    game,
)

WINNERS = "BWBBBWBWWW"
"""Who wins at each ply of the reviewed game."""


@pytest.fixture(params=["0.1.0"])
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of what a version left, with the modes that Git does not keep."""
    folder = tmp_path / "left"
    shutil.copytree(Path(__file__).parent / "fixtures" / request.param, folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return folder


def words(record: Record) -> str:
    return " ".join(turn.move.name(record.board) for turn in record.turns())


def after(plies: int) -> Position:
    """Return a position of the reviewed game."""
    return game(REVIEWED).position(ply=plies)


@pytest.mark.parametrize("name", ["games.sgf", "games.jsonl", "games.txt"])
def test_collections(left: Path, name: str) -> None:
    read = [one for one in read_collection(left / "records" / name) if isinstance(one, Record)]
    assert len(read) == len(GAMES)
    for record, (size, black, white, result, date, moves) in zip(read, GAMES, strict=True):
        assert (record.board, words(record)) == (Board.parse(size), moves)
        assert str(record.result.winner or "-")[0] == (result or "-")[0].lower().replace("r", "b")
        if not name.endswith(".txt"):
            data = black, white, date
            assert (record.info("PB"), record.info("PW"), record.info("DT")) == data


@pytest.mark.parametrize("form", ["sgf", "json", "hexworld", "hexata"])
def test_one_game(left: Path, form: str) -> None:
    record = read_record(left / "records" / f"game-{REVIEWED}.{form}")
    assert record.turns() == game(REVIEWED).turns()
    if form in ("sgf", "json"):
        assert record.result.winner is Color.WHITE


def test_variations_comments_markup_and_setup(left: Path) -> None:
    record = read_record(left / "records" / "annotated.sgf")
    assert record.difference(annotated()) == ""
    node = record.main_line()[2]
    assert node.comment == COMMENT
    assert dict(node.properties)["TR"] == ("a1",)
    assert [len(node.children), len(list(record.nodes()))] == [3, 15]


def test_a_review_in_a_record(left: Path) -> None:
    record = read_record(left / "records" / "reviewed.sgf")
    glyphs = [node.properties["BM"] for node in record.main_line() if "BM" in node.properties]
    assert glyphs == [("2",)] * 4
    line, found = stored_analysis.stored_estimates(record)
    assert claimed(line, found, ClaimSource.RECORD) == WINNERS
    assert blunders(line, found) == ()
    stored_analysis.sign(record)  # else it is anybody's
    line, found = stored_analysis.stored_estimates(record)
    assert stored_analysis.read(line, Estimates()) == EVALUATORS
    check_review(line, found)


def test_reviews(left: Path) -> None:
    record = game(REVIEWED)
    line, found = game_positions(record, record.main_line()), Estimates()
    with closing(ReviewStore(left / "home" / "state" / "reviews.sqlite")) as store:
        assert store.read(line, found), "they are to be proved again"
        assert store.mistakes(record) == ()
        assert store.problem == ""
    assert claimed(line, found, ClaimSource.REVIEW) == WINNERS
    assert (blunders(line, found), found.spent(line), found.names) == ((), 0, ())


def claimed(line: Sequence[GamePosition], found: Estimates, source: ClaimSource) -> str:
    """Return who is claimed to win at each ply, by one source."""
    claims = [claim for here in line for claim in found.claims(here.position)]
    assert {claim.source for claim in claims} == {source}
    return "".join(str(claim.winner)[0].upper() for claim in claims)


def check_review(line: Sequence[GamePosition], found: Estimates) -> None:
    """Check the verdicts, mistakes and balances of the reviewed game."""
    verdicts = [found.verdict(here.position) for here in line]
    assert "".join(str(one and one.winner)[0].upper() for one in verdicts) == WINNERS
    plies = [[move.ply for move in mistake.moves] for mistake in blunders(line, found)]
    assert plies == [[2], [5], [6], [7]]
    board = line[0].position.board
    assert {board.name(cell) for cell in found.verdicts.moves(after(5)).wins} == {
        *("b2", "c4", "c5", "d1")
    }
    assert found.balance(after(1)) == 0.418271306
    resistance = found.of(line[1], "resistance")
    if resistance is not None:  # estimates count for the version that made them
        assert resistance.value == 0.541335365


def test_the_library(left: Path) -> None:
    with Library(left / "home" / "data" / "library.sqlite") as library:
        rows = list(library.games(ALL_GAMES))
        assert library.stats().games == len(GAMES)
        texts = [library.text(row.id) for row in rows]
        assert [read_record(text).turns() for text in texts if text] == [
            game(number).turns() for number in range(len(GAMES))
        ]
        assert [row.title for row in library.games(Filter(player="Ben"))] == [
            "Fixture 0", "Fixture 1",
        ]  # fmt: skip
        explored = library.explore(after(7))
        assert [(one.move, one.games) for one in explored.moves] == [("c4", 1)]
        settled = explored.moves[0].value
        assert (settled.winning, settled.certain) == (True, True)
        assert library.untried(1000) == []


def test_solved_positions_that_were_not_signed(left: Path) -> None:
    path = left / "home" / "cache" / "solved.sqlite"
    with closing(SolutionCache(path)) as kept:
        assert kept.get(after(4)) is None
        assert kept.problem == (f"{path}: dropped, an entry is not signed by this user's program")


def test_a_proof(left: Path) -> None:
    proof = from_text((left / "proof.json").read_text())
    assert proof.position.without_swap == after(4).without_swap
    assert proof.winner is Color.BLACK
    assert check(proof).carrier


def test_puzzles_with_progress(left: Path) -> None:
    puzzles = list(read_puzzles(left / "puzzles.sgf"))
    named = [[puzzle.position.board.name(cell) for cell in puzzle.wins] for puzzle in puzzles]
    assert named == [["c4"], ["c3"]]
    assert [puzzle.level for puzzle in puzzles] == [1, 4]
    assert {puzzle.theme for puzzle in puzzles} == {Theme.TEMPLATE}
    assert puzzles[0].task(Names.RED_BLUE) == "Blue to move and win. Exactly one move wins."
    with closing(TrainingStore(left / "home" / "state" / "training.sqlite")) as store:
        progress = [store.of(puzzle) for puzzle in puzzles]
        assert store.problem == ""
    assert [one and one.attempts for one in progress] == list(ATTEMPTS[: len(puzzles)])
    waits = [one.due - NOW for one in progress if one]
    assert timedelta(days=2) < waits[1] < waits[0] < timedelta(days=30)


def test_the_settings_file(left: Path) -> None:
    read = config.load(left / "home" / "config" / "config.toml")
    assert (read.problems, read.changes) == ((), ())
    assert read.keymap == {"next": "n,ctrl+down"}
    assert read.settings.players is Names.BLACK_WHITE
    assert read.settings.evaluators == ("k-paths:1", "resistance")
    assert (read.settings.line_widths, read.settings.game_seconds) == ((8, 6, 4, 2, 0), 30)
    assert [theme.name for theme in read.themes] == ["mine"]
    assert read.engines["wolve"].command == ("wolve", "--quiet")


def test_choices_and_recent_files(left: Path) -> None:
    state = UserState(left / "home" / "state")
    assert state.settings() == CHOSEN
    assert state.recent() == ["/games/newer.sgf", "/games/older.sgf"]
    assert state.problem == ""


def test_edits_of_a_crash(left: Path) -> None:
    ((_, rescue),), aside = find_left_behind(left / "home" / "state" / "recovery")
    session = rescue.session()
    assert aside == []
    assert session.record.difference(annotated()) == ""
    assert (session.name, session.node.ply) == ("edited.sgf", 3)


def test_matches(left: Path) -> None:
    done, begun = (RunFolder(left / "matches" / name) for name in ("done", "begun"))
    overall = scores(done.rows())["overall"]
    assert (overall.games, overall.wins) == (6, 3)
    assert [finished.rows for finished in begun.journal().new_tasks()] == [
        [tuple(int(text) if text.isdecimal() else text for text in row)]
        for row in done.rows().rows[:3]
    ]
    parser = Parser()
    match.add_arguments(parser)
    experiment = match._match(parser.parse_args(MATCH[1:]))
    refused = ""
    try:
        begun.begin(experiment.document(), {}, trusted=True)
    except RunError as error:  # other versions of the software may play otherwise
        refused = str(error)
    assert not refused or "holds another run (versions" in refused
    assert len(refused.splitlines()) <= 1
