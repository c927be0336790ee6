"""The game tree in rows: every node once and in order, folded variations, keys and clicks."""

import random
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.record import Record
from hextui.ui.panels.record_panel import CELL, MoveTree, RecordPanel, runs
from hextui.ui.record.session import Session
from tests.records.trees import records

from .helpers import give_focus, press, running, settle, shown, until

BOARD = Board(9, 9)


def long_record() -> Record:
    """60 plies, and variations of 16 plies at plies 4, 20 and 40; the first has one of its own."""
    cells = random.Random(4).sample(range(BOARD.cells), 81)
    record = Record.of_moves(BOARD, [Move.play(cell) for cell in cells[:60]])
    for ply in (4, 20, 40):
        start = record.node_at(ply - 1)
        end = record.play_line(start, [Move.play(cell) for cell in cells[60:76]])
        if end.parent and ply == 4:
            record.play_line(end.parent, [Move.play(cells[80])])
    return record


@settings(max_examples=40)
@given(records(length=25), st.integers(1, 60), st.data())
def test_every_node_of_open_lines_stands_once_and_in_order(record, width, data) -> None:
    heads = [node for node in record.nodes() if node.index]
    opened = set(data.draw(st.lists(st.sampled_from(heads)))) if heads else set()
    rows = runs(record.root, opened, width)
    found = [node for row in rows for node in row.nodes]
    assert len(found) == len(set(found))
    for row in rows:
        assert len(row.nodes) <= max(2, (width - len(row.prefix)) // CELL)
        for before, after in zip(row.nodes, row.nodes[1:], strict=False):
            assert after.parent is before
            assert after.index == 0
    for node in record.nodes():
        variations = [n for n in node.line() if n.index]
        if all(n in opened for n in variations):
            assert node in found
        if variations and not all(n in opened for n in variations[:-1]):
            assert node not in found
    if set(heads) <= opened:
        plies = [[n.ply for n in row.nodes] for row in rows]
        assert sum(map(len, plies)) == len(list(record.nodes()))


@asynccontextmanager
async def tree_of(record, size=(80, 24)):
    """Run the app with the tree on the screen; yields the pilot and the tree."""
    async with running(Session(record), size) as pilot:
        pilot.app.main.workspace.bring("record")
        await settle(pilot)
        yield pilot, pilot.app.main.query_one(MoveTree)


async def test_a_long_game_is_seen_at_a_glance():
    async with tree_of(long_record()) as (pilot, tree):
        await press(pilot, "n")
        names = [node.turn.name(BOARD) for node in tree._record.main_line()[1:]]
        assert sum(f" {name} " in shown(pilot) for name in names) > 40
        for key in ("end", "home", *["pagedown"] * 5, "right_square_bracket", "n", "end"):
            await press(pilot, key)
            assert tree.node is pilot.app.records.session.node
            assert tree._top <= tree._at < tree._top + tree.size.height
            assert tree.node in tree._rows[tree._at].nodes


async def test_keys_in_one_piece_each_go_on_from_the_one_before():
    async with tree_of(long_record()) as (pilot, tree):
        session = pilot.app.records.session
        await press(pilot, "end")
        for _ in range(3):
            tree.action_step(-1)
        assert session.node.ply == 60  # the record follows when it hears of it
        await until(pilot, lambda: session.node.ply == 57)
        row = tree._at
        for _ in range(2):
            tree.action_row(-1)
        await until(pilot, lambda: session.node in tree._rows[row - 2].nodes)
        assert tree.node is session.node


async def test_a_step_is_kept_until_the_record_has_heard_of_it():
    async with tree_of(long_record()) as (pilot, tree):
        session, workspace = pilot.app.records.session, pilot.app.main.workspace
        panel = pilot.app.main.query_one(RecordPanel)
        for ply in (1, 2):
            tree.action_step(1)
            panel.fill(workspace.panel_input)  # as when results arrive in between
            assert (session.node.ply, tree.node.ply) == (0, ply)
        await until(pilot, lambda: session.node.ply == 2)
        assert tree.node is session.node
        await press(pilot, "p")
        assert tree.node is session.node
        assert tree.node.ply == 1


async def test_variations_are_folded_and_opened_and_scrolling_ends_with_a_step():
    record = long_record()

    def folded(depth=1):
        return [row.folded for row in tree._rows if row.depth == depth].count(True)

    async with tree_of(record) as (pilot, tree):
        await press(pilot, "n")
        assert folded() == 3
        await give_focus(pilot, tree)
        await press(pilot, "enter")
        assert folded() == 0
        for _ in range(9):
            tree._scroll(3)
        assert tree._top > 0
        await press(pilot, "enter")
        assert tree._top <= tree._at < tree._top + tree.size.height
        # going into a variation opens it, Enter leaves and folds it
        await press(pilot, "n", "n", "n", "right_square_bracket", "n")
        assert tree.node.parent.index == 1
        assert folded() == 2
        await press(pilot, "enter")
        assert tree.node is record.node_at(4)
        assert folded() == 3


async def test_rows_and_moves_by_keys():
    record = long_record()
    async with tree_of(record) as (pilot, tree):
        await give_focus(pilot, tree)
        await press(pilot, "down")
        assert tree.node.ply == 1
        await press(pilot, "right", "right", "left")
        assert tree.node.ply == 2
        await press(pilot, "down")
        assert (tree.node.ply, tree.node.parent.index) == (5, 1)
        await press(pilot, "up", "up")
        assert tree.node is record.root


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_clicks_go_to_moves_and_turn_variations(size):
    record = long_record()
    async with tree_of(record, size) as (pilot, tree):

        async def click(column):
            await pilot.click(tree, offset=(column, at))
            await settle(pilot)

        await press(pilot, "n")
        at = next(at for at, row in enumerate(tree._rows) if row.head)
        before = len(tree._rows)
        await click(1)
        assert len(tree._rows) > before
        row = tree._rows[at]
        await click(len(row.prefix) + CELL)
        assert tree.node is row.nodes[1]
        await click(1)
        assert tree.node is record.node_at(4)
        assert len(tree._rows) == before
