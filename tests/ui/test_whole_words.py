"""No text of any activity is cut in the middle of a word or of a number."""

import re
from pathlib import Path

import pytest

from hextui.engine.board import Color
from hextui.engine.inferior import inferior_cells
from hextui.engine.ranking import rank_by_value
from hextui.library.library import Library
from hextui.records.codecs.sgf import write_sgf
from hextui.ui.app.layout import Activity
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.drawing.whole_words import clauses_within, within
from hextui.ui.panels.all_panels import PANEL_IDS, PANEL_TEXTS
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.widgets.frame import parts_within

from .helpers import (
    MOVES,
    analysing,
    game,
    press,
    reopened,
    resize,
    reviewed,
    running,
    settle,
    shown,
    tell,
    until,
)
from .test_explorer import looked

SIZES = [(80, 24), (100, 30), (140, 45), (200, 60)]
LARGE = (240, 90)  # where everything has room
_WORD = re.compile(r"[\w.,:;!?'()/+%*-]*\w[\w.,:;!?'()/+%*-]*…?")
_SHORT = {"wins?", "loses?", "year", "from", "Proved", "mistakes"}
"""Words that stand where there is no room for others."""
JUDGE = "resistance"
RED, BLUE = "Wilhelmina Featherstonehaugh", "Konstantinos Papadopoulos"


def played():
    """Return a session in the middle of a game with long names, whose record holds a review."""
    session = game(*MOVES, side=11)
    record = session.record
    for name, text in (("PB", RED), ("PW", BLUE), ("RE", "W+R")):
        record.set_properties({record.root: {name: [text]}})
    wins = record.position(record.node_at(4)).empties[:3]
    winners = {4: Color.BLACK, 5: Color.WHITE, 8: Color.BLACK}
    reviewed(session, (JUDGE,), winners, {4: (wins, False)})
    session = reopened(session)
    session.forward(6)
    comment = "An extraordinarily comprehensive commentary. " * 3
    session.record.set_comment(session.node, comment)
    return session


def rankings(position):
    """Return values with many digits by evaluators with long names."""
    names = (JUDGE, "k-paths:1", "contribution-both:1", "minimax(resistance)", "shortest-path")
    return {
        name: rank_by_value(name, {cell: 1 / (cell + 3 * at + 2) for cell in position.empties})
        for at, name in enumerate(names)
    }


def words(text):
    """Return the words and numbers of a screen."""
    return {word.rstrip("….,:;") for word in _WORD.findall(text)}


def is_begun(word, text):
    """Return whether a name, longer than its column, is begun and said to go on."""
    begun = {match.group() for match in _WORD.finditer(text)}
    names = (*RED.split(), *BLUE.split())
    return f"{word}…" in begun and any(name.startswith(word) for name in names)


async def seen(pilot):
    """Return the words that are on the screen when all is there."""
    await settle(pilot)
    await pilot.pause()
    return words(shown(pilot))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library with the game, another one with its first moves, and one of another board."""
    other = game(*MOVES[:7], "k11", side=11).record
    for name, text in (("PB", BLUE), ("PW", RED), ("RE", "B+R"), ("DT", "2019-05-01")):
        other.set_properties({other.root: {name: [text]}})
    other.set_properties({other.root: {"EV": ["The Extraordinary Championship of Everybody"]}})
    games = [write_sgf(played().record), write_sgf(other), "(;GM[11]SZ[13];B[a13];W[k11])"]
    (tmp_path / "collection.sgf").write_text("".join(games))
    with Library(tmp_path / "library.sqlite") as made:
        made.import_paths([tmp_path / "collection.sgf"])
    return tmp_path / "library.sqlite"


async def looks(pilot, quick):
    """Yield for what there is to look at, when it is on the screen: ``quick``: activities only."""
    main = pilot.app.main
    arranging = main.panel_actions
    for activity in Activity:
        arranging.choose(activity)
        if activity is Activity.EXPLORE:
            await looked(pilot)
        yield activity
    if quick:
        return
    for panel in PANEL_IDS:
        arranging.go_to(panel)
        yield panel
    arranging.focus_board()
    chosen = main.workspace.shown.overlay
    for overlay in Overlay:
        main.workspace.choose(overlay=overlay)
        yield overlay
    main.workspace.choose(overlay=chosen)
    await press(pilot, "Q")
    yield "puzzle"
    await press(pilot, "escape", "L")
    await until(pilot, lambda: "id, descending" in shown(pilot))
    yield "library"
    await press(pilot, "escape")


@pytest.mark.parametrize(
    ("size", "quick"),
    [((80, 24), True), *(pytest.param(size, False, marks=pytest.mark.slow) for size in SIZES)],
)
async def test_no_word_and_no_number_is_cut(size, quick, library):
    session = played()
    async with analysing(session, LARGE, library=library) as (pilot, analyst):
        position = session.position
        known = {
            "rankings": rankings(position),
            "must_play": frozenset(position.empties[:40]),
            "inferior": inferior_cells(position),
            "final": True,
        }
        await tell(pilot, analyst, **known)
        whole = words("lowest agreement first") | _SHORT
        async for _ in looks(pilot, quick):
            whole |= await seen(pilot)
        await resize(pilot, *size)
        async for look in looks(pilot, quick):
            found = await seen(pilot)
            cut = {word for word in found - whole if not is_begun(word, shown(pilot))}
            assert not cut, f"{look}: {cut}\n{shown(pilot)}"


@pytest.mark.parametrize(
    ("columns", "text"),
    [(30, "Red wins by a connection"), (13, "Red wins by…"), (8, "Red…"), (3, "Re…"), (1, "")],
)
def test_words_are_left_out_from_the_end(columns, text):
    assert within("Red wins by a connection", columns) == text


@pytest.mark.parametrize("panel", sorted(PANEL_TEXTS))
def test_the_first_clause_of_a_caption_has_room_in_a_narrow_panel(panel):
    narrow, around = 33, 5  # columns that a wide board leaves, and those around the title
    assert clauses_within(PANEL_TEXTS[panel].caption, narrow - around - len(panel))


async def test_a_caption_that_has_no_room_leaves_out_whole_clauses():
    async with running(game(*MOVES, side=11), (80, 24)) as pilot:
        await press(pilot, "f12")
        panel = pilot.app.main.query_one(ExplainPanel)
        await until(pilot, lambda: 0 < panel.size.width < 40)
        await until(pilot, lambda: "why" in str(panel.border_title))
        assert "…" not in str(panel.border_title)


def test_the_line_below_the_board_ends_with_a_clause():
    outside = "c10 is outside the must-play region"
    reason = f"{outside}: Blue joins the left and the right edge without it (12 cells)"
    assert parts_within(reason, 60) == outside
