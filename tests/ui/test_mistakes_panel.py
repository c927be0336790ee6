"""The mistakes panel: its lines in any width, going there, its counts, and the jump keys."""

import re

import pytest

from hextui.analysis.mistakes import PROVED, CostlyMove, Severity, review_entries
from hextui.engine.board import Color
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.text import Names
from hextui.ui.drawing.palette import DARK
from hextui.ui.live.game_review import LineReview
from hextui.ui.panels.mistakes_panel import MistakesPanel, entry_spans
from hextui.ui.panels.record_panel import MoveTree, losses_of
from hextui.ui.widgets.line_list import LineList
from hextui.words.reviews import entry_move, entry_words
from tests.samples import some

from .helpers import (
    MOVES,
    SIZES,
    ScriptedAnalyst,
    click_text,
    game,
    give_focus,
    press,
    reopened,
    reviewed,
    running,
    shown,
)

JUDGE = "resistance"
NAMES = (JUDGE,)


def known(session):
    """Return a game in which Red's fifth ply is proved to give the win away, and estimates."""
    cells = [session.board.cell(name) for name in ("d2", "b3")]
    winners = {4: Color.BLACK, 5: Color.WHITE}
    return reviewed(session, NAMES, winners, {4: (cells, True)})


def judged():
    """Return a session whose record holds that."""
    session = game(*MOVES)
    known(session)
    return reopened(session)


def opened(session=None, size=(140, 45)):
    return running(session or judged(), size, make_analyst=ScriptedAnalyst)


async def bring(pilot):
    pilot.app.main.workspace.bring("mistakes")
    await press(pilot)
    return pilot.app.main.query_one(MistakesPanel)


@pytest.mark.parametrize("height", [24, 30, 45])
async def test_what_a_line_rests_on_stands_beside_the_bar(height, monkeypatch):
    line, found = known(game(*MOVES))
    (entry, *_) = review_entries(line, found, JUDGE)
    monkeypatch.setattr(LineReview, "mistakes", lambda *_: (entry,) * 40)
    async with opened(size=(140, height)) as pilot:
        panel = await bring(pilot)
        assert panel.query_one(LineList)._has_bar
        assert shown(pilot).count(f" {PROVED} ") >= 2


@pytest.mark.parametrize("width", some((20, 33, 47, 60, 80, *range(20, 100)), 5))
def test_no_word_is_cut_and_the_line_fits(width):
    line, found = known(game(*MOVES))
    for entry in review_entries(line, found, JUDGE):
        text = "".join(text for text, _ in entry_spans(entry, width, DARK, Names.RED_BLUE))
        assert len(text) <= width
        whole = {*entry_move(entry).split(), entry.severity, entry.by}
        whole |= {"resist"} | set(re.findall(r"\S+", " ".join(entry_words(entry, Names.RED_BLUE))))
        assert set(text.replace("…", "").split()) <= whole


@pytest.mark.parametrize("size", SIZES)
async def test_it_lists_what_went_wrong_and_counts_by_side(size):
    async with opened(size=size) as pilot:
        panel = await bring(pilot)
        lines = shown(pilot)
        assert "5. c2 ?? gives the win away" in lines
        if size == SIZES[-1]:
            assert "5. c2 ?? gives the win away; d2 or b3 won" in lines
            assert "proved" in lines
            assert re.match(r"Mistakes  Red \d  Blue \d\b", panel.border_title)


async def test_moving_to_a_line_goes_to_the_position_before_the_move():
    async with opened() as pilot:
        panel = await bring(pilot)
        await give_focus(pilot, panel.query_one(LineList))
        workspace = pilot.app.main.workspace
        entries = review_entries(workspace.survey.positions, workspace.survey.estimates, JUDGE)
        await press(pilot, "home", "enter")
        assert workspace.session.node is entries[0].before.node
        await press(pilot, "down")
        assert workspace.session.node is entries[1].before.node
        await click_text(pilot, "5. c2 ??")
        assert workspace.session.node.ply == 4


async def test_the_list_is_worked_out_anew_only_when_something_new_is_known(monkeypatch):
    made = []

    def counting(*arguments):
        made.append(arguments)
        return review_entries(*arguments)

    monkeypatch.setattr("hextui.ui.live.game_review.review_entries", counting)
    async with opened() as pilot:
        await bring(pilot)
        await press(pilot, "n", "p")
        made.clear()
        await press(pilot, "n", "n", "n")  # the graph and the list show each
        assert not made
        workspace = pilot.app.main.workspace
        position = workspace.survey.positions[2].position
        assert "4. d4 ??" not in shown(pilot)
        workspace.verdicts.prove(position, Verdict(VerdictKind.SOLVER, Color.WHITE))
        await press(pilot, "n")
        assert made
        assert "4. d4 ??" in shown(pilot)


async def test_keys_go_to_the_worst_mistake_and_from_each_to_the_next():
    async with opened() as pilot:
        workspace = pilot.app.main.workspace
        entries = review_entries(workspace.survey.positions, workspace.survey.estimates, JUDGE)
        worst_first = [entry.before.ply for entry in entries]
        plies = sorted(worst_first)
        assert len(plies) > 1
        assert worst_first != plies

        async def visited(key):
            found = []
            for _ in range(len(plies) + 1):
                await press(pilot, key)
                found.append(workspace.session.node.ply)
            return found

        await press(pilot, "g")
        assert await visited("D") == [*worst_first, worst_first[0]]
        assert workspace.session.cursor == workspace.session.next_cell
        workspace.session.go_to(entries[0].before.node)
        workspace.session.cursor = entries[1].moves[0].cell  # nobody has been led here
        await press(pilot, "D")
        assert workspace.session.node.ply == worst_first[0]
        await press(pilot, "g")
        later = [ply for ply in plies if ply > 0]
        assert await visited("greater_than_sign") == [*later, *plies][: len(plies) + 1]
        await press(pilot, "end")
        assert await visited("less_than_sign") == [*reversed(plies), plies[-1]]
        await press(pilot, "g", *["D"] * (worst_first.index(4) + 1))
        assert workspace.session.node.ply == 4
        assert "5. c2 ?? gives the win away; d2 or b3 won" in shown(pilot)
        assert workspace.session.cursor == workspace.session.board.cell("c2")


async def test_without_an_analysis_it_says_how_to_have_one():
    async with opened(game(*MOVES)) as pilot:
        await bring(pilot)
        assert "Not analysed yet; a analyses the game" in shown(pilot)


@pytest.mark.parametrize("size", some(SIZES, 1))
async def test_the_record_shows_below_the_moves_what_they_lost(size):
    async with opened(size=size) as pilot:
        pilot.app.main.workspace.bring("record")
        await press(pilot)
        tree = pilot.app.main.query_one(MoveTree)
        moves = next(row for row in tree._rows if tree._record.main_line()[5] in row.nodes)
        below = tree._rows[tree._rows.index(moves) + 1]
        assert below.of_losses
        assert "lost" in shown(pilot)
        await give_focus(pilot, tree)
        await press(pilot, "home", "down", "down")  # over what is no move
        assert tree.node.turn is not None
        assert not tree._rows[tree._at].of_losses


def test_losses_are_those_proved_and_those_of_a_search_that_the_solver_cannot_excuse(monkeypatch):
    line, found = known(game(*MOVES))
    review = LineReview(line, NAMES, found)
    node = line[5].node
    assert losses_of(review, JUDGE)[node] == ("lost", True)
    costly = CostlyMove("search", Severity.INACCURACY, line[4], 0, 1, 0.6, 0.48)
    monkeypatch.setattr(LineReview, "mistakes", lambda *_: (costly,))
    monkeypatch.setattr(LineReview, "is_provisional", lambda *_: False)
    assert losses_of(review, JUDGE) == {node: ("-12%", False)}
    monkeypatch.setattr(LineReview, "is_provisional", lambda *_: True)
    assert losses_of(review, JUDGE) == {}
