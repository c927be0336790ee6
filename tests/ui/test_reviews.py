"""Reviews on the screen: they are there again, a variation leaves them alone, and none accuses
anybody of what the solver may still disprove.
"""

import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing

import pytest

from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.mistakes import PROVED, review_entries
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engines.snapshot import ReportedMove, SearchReport, Snapshot, Verdict, VerdictKind
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.ui.live.game_review import GameReviews
from hextui.ui.panels.graph_panel import VARIATION
from hextui.ui.panels.panel import Change
from hextui.ui.record.session import Session

from .helpers import (
    MOVES,
    ScriptedGameAnalyst,
    analysing,
    game,
    press,
    reviewed,
    running,
    settle,
    shown,
    tell,
    told,
    until,
)

NAMES = ("resistance",)
WINNERS = {4: Color.BLACK, 5: Color.WHITE}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "reviews.sqlite"


def kept(path, spent=60.0, winners=WINNERS):
    """Store the review of the game `MOVES`, in which 5. c2 is proved to give the win away."""
    session = game(*MOVES)
    line, found = reviewed(session, NAMES, winners)
    found.keep_spent(line, spent)
    with closing(ReviewStore(path)) as store:
        store.keep(line, found)
    return line


RATES = (0.5, 0.5, 0.5, 0.1, 0.9, 0.6, 0.5, 0.9, 0.1, 0.9, 0.1, 0.9)
"""By ply, of the side to move: 5. c2 and 7. d4 lose win rate."""


def judged(line):
    """Return estimates by search, and nothing proved."""
    found = Estimates()
    for here, rate in zip(line, RATES, strict=False):
        best = (here.position.empties[-1],)
        found.keep(here.position, "search", Estimate(rate, best, {}, False, rate))
    for here in line:
        found.keep_verdict(here.position, None)
    return found


def kept_in_part(path, winners=()):
    """Store a review of the game `MOVES` with most of the solver's budget left."""
    session = game(*MOVES)
    line = game_positions(session.record, session.record.main_line())
    found = judged(line)
    for ply, winner in dict(winners).items():
        found.keep_verdict(line[ply].position, Verdict(VerdictKind.SOLVER, winner))
    found.keep_spent(line, 1.0)
    with closing(ReviewStore(path)) as store:
        store.keep(line, found)


def surveying(session, path, **arguments):
    return analysing(
        session, (140, 45), make_game_analyst=ScriptedGameAnalyst, reviews=path, **arguments
    )


async def test_a_game_is_reviewed_when_it_is_opened_again(path, tmp_path):
    kept(path)
    moved = tmp_path / "moved.sgf"
    moved.write_text(write_sgf(game(*MOVES).record))
    async with surveying(Session(read_sgf(moved.read_text())), path) as (pilot, _):
        await press(pilot, "f3")
        assert "5. c2 ??" in shown(pilot)
        await press(pilot, "f5")
        assert "solid = proved" in shown(pilot)
        assert "not analysed" not in shown(pilot)
        assert not pilot.app.main.workspace.session.record.modified


async def test_a_game_met_in_another_record_is_reviewed(path):
    kept(path)
    async with surveying(game("a1", "b2"), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        assert not workspace.survey.known
        pilot.app.records.open(game(*MOVES))
        await settle(pilot)
        assert workspace.survey.known
        assert workspace.survey.summary.finished


async def test_what_is_found_out_is_stored_for_another_process(path):
    async with surveying(game(*MOVES), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        await press(pilot, "a")
        workspace.surveys.analyst.work()
        await settle(pilot)
        workspace.verdicts.prove(
            workspace.survey.positions[4].position, Verdict(VerdictKind.SOLVER, Color.BLACK)
        )
    code = """
import sys
import zlib
from contextlib import closing
from pathlib import Path
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.stored_analysis import ReviewStore
from tests.ui.helpers import MOVES, game, until
record, found = game(*MOVES).record, Estimates()
line = game_positions(record, record.main_line())
with closing(ReviewStore(Path(sys.argv[1]))) as store:
    store.read(line, found)
print(found.names != (), found.verdict(line[4].position).winner)
"""
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True black\n", "")


async def test_a_stopped_analysis_is_stored_and_resumed(path):
    async with surveying(game(*MOVES), path) as (pilot, _):
        analyst = pilot.app.main.workspace.surveys.analyst
        await press(pilot, "a")
        analyst.work(plies=3)
        await press(pilot, "a")
    async with surveying(game(*MOVES), path) as (pilot, _):
        survey = pilot.app.main.workspace.survey
        done = [survey.estimates.judged(here, survey.names) for here in survey.positions]
        assert 3 <= sum(done) < len(done)
        assert "No mistake found" not in shown(pilot)


async def test_a_damaged_store_is_reported_in_one_line_and_the_screen_works(path):
    kept(path)
    path.write_bytes(b"this is no database\n" * 100)
    async with surveying(game(*MOVES), path) as (pilot, _):
        (note,) = pilot.app.notes
        assert "renamed to reviews.sqlite.damaged" in note
        assert "\n" not in note
        await press(pilot, "f3")
        assert "Not analysed yet" in shown(pilot)


async def test_trying_a_move_leaves_graph_and_mistakes_alone(path):
    kept(path)
    async with surveying(game(*MOVES), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        await press(pilot, "f5", "f3", *["n"] * 6)
        before = workspace.survey
        assert VARIATION not in shown(pilot)
        workspace.session.play(workspace.session.board.cell("e5"))
        workspace.verdicts.prove(
            workspace.session.position, Verdict(VerdictKind.SOLVER, Color.WHITE)
        )
        workspace.changed(Change.SESSION)
        await settle(pilot)
        after = workspace.survey
        assert after.positions == before.positions
        assert after.mistakes("resistance") == before.mistakes("resistance")
        assert list(after.variation) == [7]
        workspace.bring("graph")
        await settle(pilot)
        assert f"{VARIATION} variation" in shown(pilot)
        assert "variation: Blue wins, proved" in shown(pilot)
        await press(pilot, "p")
        assert VARIATION in shown(pilot), "it is the line that n goes on along"
        workspace.bring("mistakes")
        await settle(pilot)
        assert "5. c2 ??" in shown(pilot)


async def test_a_variation_is_analysed_once_the_game_is(path):
    kept(path, spent=0.0)
    async with surveying(game(*MOVES), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        analyst = workspace.surveys.analyst
        await press(pilot, *["n"] * 6)
        workspace.session.play(workspace.session.board.cell("e5"))
        await press(pilot, "a")
        assert len(analyst.started[-1][0]) == len(MOVES) + 1, "the game comes first"
        await press(pilot, "a")
        workspace.survey.estimates.keep_spent(workspace.survey.positions, 60.0)
        await press(pilot, "a")
        assert len(analyst.started[-1][0]) == 8


async def test_undo_after_writing_the_review_stays_at_the_ply(path):
    kept(path)
    async with surveying(game(*MOVES), path) as (pilot, _):
        session = pilot.app.main.workspace.session
        before = write_sgf(session.record)
        await press(pilot, *["n"] * 6, "A")
        assert session.record.modified
        assert session.node.ply == 6
        await press(pilot, "u")
        assert session.node.ply == 6
        assert write_sgf(session.record) == before
        await press(pilot, "ctrl+y")
        assert session.node.ply == 6
        better = session.record.node_at(4).children[1:]
        if better:  # undone while looked at: the position that it begins at
            session.go_to(better[0])
            await press(pilot, "u")
            assert session.node is session.record.node_at(4)


async def test_saving_says_that_the_review_is_not_in_the_file_until_it_is(path, tmp_path):
    kept(path)
    folder = tmp_path / "a folder whose name is long"  # and leaves no room for more
    folder.mkdir()
    file, words = folder / "game.sgf", "without the review; A adds it"
    session = game(*MOVES)
    async with surveying(session, path) as (pilot, _):
        session.path = file
        await press(pilot, "n", "exclamation_mark", "ctrl+s")
        await until(pilot, lambda: words in shown(pilot))
        assert "HXJ" not in file.read_text()
        await press(pilot, "A", "ctrl+s")
        assert words not in shown(pilot)
        assert f"Saved {file}"[:30] in shown(pilot)
        assert "HXJ" in file.read_text()


async def test_estimated_mistakes_are_provisional_until_the_budget_is_spent(path):
    kept_in_part(path, {2: Color.BLACK, 3: Color.WHITE})
    async with surveying(game(*MOVES), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        workspace.live.choose_evaluators(("search",))
        await press(pilot, "f3")
        workspace.changed(Change.GAME)
        await settle(pilot)
        entries = workspace.survey.mistakes("search")
        assert [(entry.before.ply, entry.by) for entry in entries] == [
            (2, PROVED),
            (4, "search"),
            (6, "search"),
        ]
        assert shown(pilot).count("provisional") == 2
        for key in ("D", "D", "greater_than_sign", "less_than_sign"):
            await press(pilot, "g", key)
            assert workspace.session.node.ply == 2, "the proved one"
        workspace.survey.estimates.keep_spent(workspace.survey.positions, 7.0)
        workspace.changed(Change.GAME)
        await settle(pilot)
        assert "provisional" not in shown(pilot)
        await press(pilot, "g", "D", "D")
        assert workspace.session.node.ply == 4


async def test_without_proofs_no_key_goes_to_a_provisional_mistake(path):
    kept_in_part(path)
    async with surveying(game(*MOVES), path) as (pilot, _):
        pilot.app.main.workspace.live.choose_evaluators(("search",))
        for key in ("D", "greater_than_sign", "less_than_sign"):
            await press(pilot, "g", key)
            assert pilot.app.main.workspace.session.node.ply == 0
            assert told(pilot) == "No mistake found yet; a resumes the analysis"


def test_a_proof_removes_the_estimate_that_it_contradicts():
    session = game(*MOVES)
    line = game_positions(session.record, session.record.main_line())
    found = judged(line)
    assert {entry.before.ply for entry in review_entries(line, found, "search")} == {4, 6}
    found.keep_verdict(line[5].position, Verdict(VerdictKind.SOLVER, Color.BLACK))
    (entry,) = review_entries(line, found, "search")
    assert entry.before is line[6], "Red still wins after 5. c2"


async def test_only_searches_while_walking_make_no_review():
    async with running(game(*MOVES), (140, 45)) as pilot:
        await press(pilot, "f3", "n", "n")
        assert "No mistake found" not in shown(pilot)
        await press(pilot, "D")
        assert "not analysed yet" in told(pilot)


def test_results_of_the_live_search_are_stored_too(path):
    session = game(*MOVES)
    reviews = GameReviews(None, path=path)
    survey = reviews.of(session, ())
    survey.estimates.keep(session.position, "search", Estimate(0.7, (3,), {}, False, 0.7))
    assert not reviews.hear(Snapshot(session.position)), "nothing is said in it"
    reviews.close()
    again = GameReviews(None, path=path)
    judged = again.of(game(*MOVES), ()).estimates.of(survey.positions[0], "search")
    assert judged is not None
    assert judged.winrate == 0.7
    again.close()


# Claims


def forge(path):
    """Take the signatures off the stored reviews: as 0.1.0 kept them, with whatever it believed."""
    with sqlite3.connect(path) as database:
        for key, entry in database.execute("SELECT key, entry FROM reviews").fetchall():
            values = zlib.crc32(key + entry), key
            database.execute("UPDATE reviews SET checksum = ? WHERE key = ?", values)
    database.close()


async def test_a_review_that_an_earlier_version_stored_is_proved_again_by_itself(path):
    kept(path)
    forge(path)
    async with surveying(game(*MOVES), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        analyst = workspace.surveys.analyst
        assert len(analyst.started) == 1
        assert "An earlier version made this review" in shown(pilot)
        assert not workspace.survey.summary.mistakes
        await press(pilot, "n")
        assert len(analyst.started) == 1
        analyst.work()
        survey = workspace.survey
        survey.estimates.keep_spent(survey.positions, 60.0)  # as the solver had for the first one
        await settle(pilot)
        assert workspace.survey.summary.mistakes
    async with surveying(game(*MOVES), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        assert not workspace.surveys.analyst.started
        assert workspace.survey.summary.mistakes


async def test_a_record_claims_and_a_clean_one_with_its_moves_says_nothing_of_it(path):
    text = write_sgf(game(*MOVES).record).replace(";W[b2]", "HXP[white solver];W[b2]HXS[600]")
    async with surveying(Session(read_sgf(text)), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        await press(pilot, "n")
        assert "Claimed by the record, not proved: Blue wins." in shown(pilot)
        assert workspace.verdicts.of(workspace.session.position) is None
        assert not workspace.surveys.analyst.started, (
            "only reviews on disk are proved by themselves"
        )
        pilot.app.records.open(game(*MOVES))
        await press(pilot, "home", "n")
        assert "Claimed" not in shown(pilot)
    async with surveying(game(*MOVES), path) as (pilot, _):
        await press(pilot, "n")
        assert "Claimed" not in shown(pilot)
        assert not pilot.app.main.workspace.surveys.analyst.started


async def test_a_claim_goes_once_the_winner_is_proved(path):
    text = write_sgf(game(*MOVES).record).replace(";W[b2]", "HXP[white solver];W[b2]")
    async with surveying(Session(read_sgf(text)), path) as (pilot, _):
        workspace = pilot.app.main.workspace
        await press(pilot, "n")
        proof = Verdict(VerdictKind.SOLVER, Color.BLACK)
        workspace.keep_proof(workspace.session.position, proof)
        await until(pilot, lambda: "Claimed" not in shown(pilot))
        assert "Red wins" in shown(pilot)


@pytest.mark.parametrize("name", ["engine(another)", "engine(search)"])
async def test_what_an_engine_claims_is_shown_and_proves_nothing(path, name):
    async with surveying(game("a1"), path) as (pilot, analyst):
        position = pilot.app.main.workspace.session.position
        move = ReportedMove(
            Cells(position.board, position.empties[:1]), visits=5, winrate=0.6, proved=True
        )
        engine = name[7:-1]
        found = SearchReport(position, engine, (move,), visits=5)
        await tell(pilot, analyst, reports={name: found}, lines_by=name)
        assert f"Claimed by {engine}, not proved: Red wins." in shown(pilot)
        assert pilot.app.main.workspace.verdicts.of(position) is None
        assert pilot.app.main.board.view.verdicts == {}
