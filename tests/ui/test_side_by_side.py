"""Two boards beside each other, letters on the best moves, and the agreement panel."""

import csv
import json
from xml.etree import ElementTree

import pytest
from textual.widgets import Input

from hextui.engine.board import Color
from hextui.engine.ranking import rank_by_value
from hextui.engines.snapshot import Snapshot, Verdict, VerdictKind
from hextui.ui.drawing.geometry import View
from hextui.ui.drawing.overlays import Overlay, letter_heat, letter_marks
from hextui.ui.panels.agreement_panel import agreement_text
from hextui.ui.panels.panel import Change

from .helpers import analysing, game, press, ranking, resize, settle, shown, tell

MOVES = ("a1", "b2", "c3", "d4")


def rankings(position):
    return {
        "k-paths:1": ranking("k-paths:1", position, ["c3", "b2"]),
        "resistance": ranking("resistance", position, ["d4", "c3"]),
    }


async def test_two_boards_show_two_evaluators_and_share_the_cursor():
    session = game(*MOVES)
    session.first()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main = pilot.app.main
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        assert len(main.board.views) == 1
        await press(pilot, "3")
        labels = [view.labels for view in main.board.views]
        board = session.board
        assert labels[0][board.cell("c3")] == "1"
        assert labels[1][board.cell("d4")] == "1"
        assert labels[1][board.cell("c3")] == "2"
        assert main.board.captions == ("k-paths:1", "resistance")
        assert "resistance" in shown(pilot)
        await press(pilot, "down", "right")
        assert [view.cursor for view in main.board.views] == 2 * [session.cursor]
        await press(pilot, "e")
        assert main.board.captions == ("resistance", "k-paths:1")
        await press(pilot, "n", "n", "r")
        assert [view.position for view in main.board.views] == 2 * [session.position]
        assert main.board.turned is View.ROTATED
        await press(pilot, "1")
        assert len(main.board.views) == 1
        assert main.board.captions == ()


@pytest.mark.parametrize("width", [25, 33, 60])
def test_the_agreement_of_engines_with_long_names_is_not_cut(width):
    position = game(*MOVES).position
    names = ("engine(an engine with a long name)", "minimax(contribution-both:2)")
    best = {name: ranking(name, position, ["c3", "b2"]) for name in names}
    snapshot = Snapshot(position, rankings=best, final=True)
    lines = agreement_text(snapshot, position.board.cell("e5"), width).plain.splitlines()
    assert max(map(len, lines)) <= width
    assert "#e5" in lines[0]


async def test_a_click_on_any_board_plays_and_the_words_above_them_stand_apart():
    session = game(side=11)
    async with analysing(session, (140, 45)) as (pilot, analyst):
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        await press(pilot, "3")
        board = pilot.app.main.board
        line = next(line for line in shown(pilot).splitlines() if "k-paths:1  " in line)
        assert "resistance" in line
        for name, origin in zip(("c3", "k1"), board._origins, strict=True):
            await pilot.click(board, origin + board.geometry.centre(session.board.cell(name)))
            await settle(pilot)
            assert session.last_move == session.board.cell(name)


async def test_the_moves_whose_ranks_differ_most_are_named_and_marked_on_all_boards():
    session = game(*MOVES)
    session.first()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        position, board = session.position, session.board
        names = [board.name(cell) for cell in position.empties]
        given = {
            "k-paths:1": ranking("k-paths:1", position, names),
            "resistance": ranking("resistance", position, names[1:] + names[:1]),
        }
        await press(pilot, "3")
        await tell(pilot, analyst, rankings=given, final=True)
        strip = next(line for line in shown(pilot).splitlines() if "ranks differ most:" in line)
        assert f"{names[0]} 1/25" in strip
        for view, rank in zip(pilot.app.main.board.views, ("1", "25"), strict=True):
            assert view.labels[position.empties[0]] == rank
            assert position.empties[0] in view.differing
        session.forward()
        pilot.app.main.workspace.changed(Change.SESSION)
        late = {"k-paths:1": ranking("k-paths:1", session.position, ["e5"])}
        await tell(pilot, analyst, rankings=late)
        assert [view.ranked_by for view in pilot.app.main.board.views] == ["k-paths:1", ""]
        assert pilot.app.main.board.captions == ("k-paths:1", "resistance")
        pilot.app.main.workspace.choose(evaluator="resistance", second_evaluator="k-paths:1")
        assert pilot.app.main.workspace.compared == ["k-paths:1", "k-paths:1"]
        assert "ranks differ" not in shown(pilot)
        await press(pilot, "1")
        assert "ranks differ" not in shown(pilot)
        assert not pilot.app.main.board.view.differing


async def test_a_small_terminal_has_one_board_and_a_key_for_the_other_evaluator():
    session = game(*MOVES, side=11)
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main = pilot.app.main
        await press(pilot, "3")
        for size, boards in (((80, 24), 1), ((140, 45), 2), ((80, 24), 1)):
            await resize(pilot, *size)
            assert len(main.board.views) == boards
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        for name in ("resistance", "k-paths:1"):
            await press(pilot, "y")
            assert main.board.view.ranked_by == name


def test_letters_by_hand():
    found = {
        "x": rank_by_value("x", {0: 3.0, 1: 2.0, 2: 1.0}),
        "y": rank_by_value("y", {0: 3.0, 1: 3.0, 2: 1.0}),
        "z": rank_by_value("z", {0: 4.0, 1: 3.0, 2: 1.0}),
        "all the same": rank_by_value("all the same", dict.fromkeys(range(9), 1.0)),
    }
    marks = {cell: mark.text for cell, mark in letter_marks(found).items()}
    assert marks == {0: "A+", 1: "B "}
    del found["z"], found["all the same"]
    marks = {cell: mark.text for cell, mark in letter_marks(found).items()}
    assert marks == {0: "AB", 1: "B "}
    assert letter_heat(found).values == {0: 1.0, 1: 1.0, 2: 1.0}


async def test_the_overlay_and_the_panel_use_the_same_letters():
    session = game(*MOVES)
    session.first()
    async with analysing(session, (100, 30)) as (pilot, analyst):
        main = pilot.app.main
        main.workspace.choose(overlay=Overlay.LETTERS)
        main.workspace.bring("agree")
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        board = session.board
        assert main.board.view.marks[board.cell("c3")].text == "A "
        assert main.board.view.marks[board.cell("d4")].text == "B "
        text = shown(pilot)
        assert "A k-paths:1" in text
        assert "B resistance" in text
        line = next(line for line in text.splitlines() if "A B " in line)
        assert line.rstrip().endswith("of 5")
        assert session.next_cell is not None
        played = board.name(session.next_cell)
        assert text.count(f"#{played}") == 1
        one = {"k-paths:1": rankings(session.position)["k-paths:1"]}
        await tell(pilot, analyst, rankings=one, final=True)
        assert "Two evaluators are needed" in shown(pilot)


async def exported(pilot, path):
    """Export to a file and return what it holds."""
    await press(pilot, "X")
    pilot.app.screen.query_one(Input).value = str(path)
    await press(pilot, "enter")
    return path.read_text()


async def test_compare_exports_its_boards_and_all_rankings(tmp_path):
    session = game(*MOVES)
    session.first()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        await press(pilot, "3")
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        pilot.app.main.workspace.verdicts.prove_moves(
            session.position, {0: Verdict(VerdictKind.SOLVER, Color.BLACK)}
        )
        svg = await exported(pilot, tmp_path / "both.svg")
        assert "rank by k-paths:1" in svg
        assert "rank by resistance" in svg
        drawn = ElementTree.fromstring(svg)
        assert len({one.get("x") for one in drawn}) == 2
        await resize(pilot, 60, 20)
        assert len(pilot.app.main.board.views) == 1
        assert await exported(pilot, tmp_path / "small.svg") == svg
        document = json.loads(await exported(pilot, tmp_path / "all.json"))
        assert document["evaluators"]["resistance"][0] == {"move": "d4", "value": 0.0, "rank": 1}
        assert document["verdicts"] == {"a1": "winning", "e5": "winning"}
        assert document["agreement"][0]["best"] == 5
        moves = {one["move"]: one["ranks"] for one in document["differences"]}
        assert moves["b2"] == {"k-paths:1": 2, "resistance": 9}
        rows = list(csv.DictReader((await exported(pilot, tmp_path / "all.csv")).splitlines()))
        assert rows[0] == dict(zip(rows[0], ("k-paths:1", "c3", "0.0", "1", ""), strict=True))
        await press(pilot, "1", "X")
        assert ".json or .csv" not in shown(pilot)
