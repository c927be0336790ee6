"""The panels of moves and connections, what is current on the screen, and the scales of values."""

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual import constants

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.connection import Connection, ConnectionKind, Rule
from hextui.engine.oriented import connections_of
from hextui.engine.ranking import rank_by_value
from hextui.engines.snapshot import Progress, ReportedMove, SearchReport, Verdict, VerdictKind
from hextui.text import Names
from hextui.ui.panels.connections_panel import ConnectionsPanel, items_of, sentence_of
from hextui.ui.panels.lines_panel import LinesPanel
from hextui.ui.panels.moves_panel import MovesPanel
from hextui.ui.panels.value_texts import number, short_name
from hextui.ui.widgets.frame import StatusLine
from hextui.ui.widgets.line_list import LineList
from hextui.words.connections import connection_sentence
from tests.samples import some

from .helpers import (
    SIZES,
    all_shown,
    analysing,
    counts_of,
    game,
    give_focus,
    press,
    ranking,
    resize,
    row_text,
    settle,
    shown,
    strips,
    tell,
    until,
)


def move_list(pilot):
    return pilot.app.main.query_one(MovesPanel).query_one(LineList)


def column(pilot, place=0):
    return [line.spans[place][0].strip() for line in move_list(pilot).lines]


def items(pilot):
    """The connections listed."""
    return [line.key for line in pilot.app.main.query_one(ConnectionsPanel).list.lines]


def rankings(session, **best):
    return {name: ranking(name, session.position, names) for name, names in best.items()}


# Moves


async def test_moves_are_sorted_by_the_focus_and_the_played_one_is_marked():
    session = game("c3", "d2")
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, rankings=rankings(session, one=["a1", "c3"], two=["e5"]))
        assert column(pilot)[:3] == ["a1", "c3 *", "b1"]
        assert "played c3, rank 2" in shown(pilot)
        await press(pilot, "e")
        assert column(pilot)[0] == "e5"
        await press(pilot, "E")
        assert column(pilot)[0] == "a1"


async def test_the_evaluator_in_focus_stays_so_while_its_ranking_is_late():
    session = game("c3", "d2")
    async with analysing(session) as (pilot, analyst):
        ranked = rankings(session, two=["e5"])
        await tell(pilot, analyst, final=False, evaluators=("one", "two"), rankings=ranked)
        assert column(pilot)[0] == "e5"
        assert "two, until one answers" in shown(pilot)
        assert pilot.app.main.workspace.shown.evaluator == "one"
        ranked = rankings(session, two=["e5"], one=["a1"])
        await tell(pilot, analyst, evaluators=("one", "two"), rankings=ranked)
        assert column(pilot)[0] == "a1"
        assert "until" not in shown(pilot)
        await press(pilot, "e", "n")
        await tell(pilot, analyst, final=False, rankings=rankings(session, one=["b1"]))
        assert column(pilot)[0] == "b1"
        await tell(pilot, analyst, rankings=rankings(session, one=["b1"], two=["e4"]))
        assert column(pilot)[0] == "e4"


async def test_the_best_thirty_are_listed_and_the_rest_on_demand():
    session = game("g7", side=7)
    async with analysing(session, (140, 60)) as (pilot, analyst):
        await tell(pilot, analyst, rankings=rankings(session, one=["d4"]))
        assert len(column(pilot)) == 32
        assert column(pilot)[-2:] == ["g7 *", "+18 more"]
        await give_focus(pilot, move_list(pilot))
        await press(pilot, "end", "enter")
        assert len(column(pilot)) == 49


async def test_a_list_stays_at_its_top_until_the_user_moves_in_it():
    session = game("c3", "d2", side=11)
    async with analysing(session) as (pilot, analyst):
        table = move_list(pilot)
        await tell(pilot, analyst, rankings=rankings(session, one=["a1", "b1", "c1"]))
        await give_focus(pilot, table)
        await tell(pilot, analyst, rankings=rankings(session, one=["e8", "b1", "c1", "d1", "a1"]))
        assert table.pointed == session.board.cell("e8")
        assert "e8" in shown_rows(pilot)[0]
        await press(pilot, *["down"] * 20)
        assert "e8" not in "".join(shown_rows(pilot))
        await press(pilot, "n")
        await tell(pilot, analyst, rankings=rankings(session, one=["b1", "c1", "e8"]))
        assert table.pointed == session.board.cell("b1")
        assert "b1" in shown_rows(pilot)[0]


async def test_the_cursor_does_not_follow_a_move_that_drops():
    session = game("c3", "d2", side=11)
    async with analysing(session) as (pilot, analyst):
        table, cell = move_list(pilot), session.board.cell
        await tell(pilot, analyst, rankings=rankings(session, one=["a1", "b1", "c1"]))
        await give_focus(pilot, table)
        await press(pilot, "down")
        await tell(pilot, analyst, rankings=rankings(session, one=["e8", "a1", "c1", "b1"]))
        assert table.pointed == cell("a1")  # in the place of b1
        await press(pilot, "down", "down", "up")
        await tell(pilot, analyst, rankings=rankings(session, one=["c1", "a1", "e8", "b1"]))
        assert table.pointed == cell("c1")  # which rose


def shown_rows(pilot):
    """Return the lines of the list of moves as far as they are seen."""
    table = move_list(pilot)
    left, top = table.region.offset
    lines = shown(pilot).splitlines()[top + 1 : top + table.size.height]
    return [line[left : left + table.size.width] for line in lines]


async def test_only_lines_that_changed_are_painted_and_the_cursor_stays_on_its_move(monkeypatch):
    session = game()
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, rankings=rankings(session, one=["a1", "b1", "c1"]))
        table = move_list(pilot)
        await give_focus(pilot, table)
        await press(pilot, "down")
        assert session.cursor == session.board.cell("b1")
        painted = []
        monkeypatch.setattr(table, "refresh", lambda *regions, **_: painted.extend(regions))
        before = shown(pilot)
        await tell(pilot, analyst, rankings=rankings(session, one=["a1", "b1", "d1"]))
        assert [region.y for region in painted] == [3, 4]  # below the heading, a1 and b1
        assert table.pointed == session.cursor == session.board.cell("b1")
        await tell(pilot, analyst, rankings=rankings(session, one=["b1", "c1", "a1"]))
        assert column(pilot)[:3] == ["b1", "c1", "a1"]
        assert table.pointed == session.cursor
        monkeypatch.undo()
        table.refresh()
        await pilot.pause()
        assert shown(pilot) != before


async def test_a_move_that_is_chosen_and_the_best_one_are_played():
    session = game()
    async with analysing(session) as (pilot, analyst):
        await press(pilot, "comma")
        assert "No best move" in shown(pilot)
        await tell(pilot, analyst, rankings=rankings(session, one=["d2", "b1"]))
        await press(pilot, "tab", "down", "enter")
        assert session.last_move == session.board.cell("b1")
        await press(pilot, "escape", "p", "comma")
        assert session.last_move == session.board.cell("d2")


def test_numbers():
    values = (0.123456, 12.3456, 1234.5, float("inf"), float("-inf"))
    assert [number(value) for value in values] == ["0.123", "12.3", "1.23e+03", "inf", "-inf"]


# Connections


def bridges():
    """A 5 x 5 game whose stones are joined to both edges by a chain of bridges."""
    session = game("c3", "a5", "b5", "a4")
    session.last()
    return session


@pytest.fixture(scope="module")
def tables():
    position = bridges().position
    return {color: connections_of(position, color) for color in Color}


@asynccontextmanager
async def listing(session, tables, size=(140, 45)):
    """Run the app with the list of connections in focus; yields pilot, analyst and the list."""
    async with analysing(session, size) as (pilot, analyst):
        await press(pilot, "f6")
        await tell(pilot, analyst, connections=counts_of(tables))
        found = pilot.app.main.query_one(ConnectionsPanel).list
        await give_focus(pilot, found)
        yield pilot, analyst, found


async def test_a_connection_is_painted_and_explained_down_to_adjacencies(tables):
    async with listing(bridges(), tables) as (pilot, _, tree):
        board = pilot.app.main.board
        assert "Red: " in shown(pilot)
        best = next(iter(tables[Color.BLACK]))
        await press(pilot, "home")
        painted = board.view.connected
        assert painted.carrier == best.cells
        assert painted.color is Color.BLACK
        await press(pilot, "enter", "down")  # the first of its ways
        await press(pilot, "enter")
        above = (best.id, best.id)
        premises = [item.connection.id for item in items(pilot) if item.above == above]
        assert premises == list(best.premises)
        await press(pilot, "down")
        first = tables[Color.BLACK].connection(premises[0])
        assert board.view.connected.carrier == first.cells
        await press(pilot, "left")
        assert board.view.connected == painted
        await press(pilot, "left", "enter")
        assert not any(item.above for item in items(pilot))
        while tree.pointed.connection.premises:
            await press(pilot, "enter", "down")
        assert tree.pointed.connection.rule == "adjacency"
        assert tree.pointed.connection.cells == frozenset()
        await press(pilot, "escape")
        assert board.view.connected is None


async def test_the_list_is_used_while_that_of_a_smaller_board_is_on_its_way(tables, monkeypatch):
    monkeypatch.setattr("hextui.ui.panels.connections_panel.STALE_SECONDS", 3)
    async with listing(bridges(), tables) as (pilot, analyst, _):
        panel = pilot.app.main.query_one(ConnectionsPanel)
        pilot.app.records.open(game(side=2))
        await settle(pilot)
        panel.look_up = lambda question, hear: None  # it takes its time
        small = connections_of(game(side=2).position, Color.BLACK)
        await tell(pilot, analyst, connections=counts_of({Color.BLACK: small}))
        assert len(items(pilot)) > 5
        for key in ("end", "enter", "home", "enter"):
            await press(pilot, key)
        assert pilot.app.main.board.view.connected is None
        panel.list.refresh()
        await until(pilot, lambda: not panel._items)


async def test_the_connections_that_a_proof_uses_are_listed_first(tables):
    async with listing(bridges(), tables) as (pilot, _, _):
        position = pilot.app.records.session.position
        panel = pilot.app.main.query_one(ConnectionsPanel)
        best = next(iter(tables[Color.BLACK]))
        all_ids = {item.connection.id for item in items(pilot) if item.connection}
        panel.use_proof(position, Color.BLACK, best.cells)
        await settle(pilot)
        used = [way for item in items(pilot) for way in item.connections]
        assert best in used
        assert all(way.cells <= best.cells for way in used)
        empty_ends = {node for way in used for node in way.nodes} & set(position.empties)
        assert empty_ends <= best.cells
        assert len(used) < len(tables[Color.BLACK].derived_ids())
        assert "used by the proof; f lists all" in shown(pilot)
        await press(pilot, "f")
        assert {item.connection.id for item in items(pilot) if item.connection} == all_ids
        await press(pilot, "f", "f", "f")
        assert [way for item in items(pilot) for way in item.connections] == used
        await press(pilot, "v")
        assert "used by the proof" not in str(panel.note.content)


async def test_the_winners_connections_come_first(tables):
    async with listing(bridges(), tables) as (pilot, analyst, _):
        position = pilot.app.records.session.position
        assert "Red: " in shown(pilot)
        pilot.app.main.workspace.verdicts.prove(position, Verdict(VerdictKind.SOLVER, Color.WHITE))
        await tell(pilot, analyst, connections=counts_of(tables))
        assert "Blue: " in shown(pilot)
        await press(pilot, "v")
        assert "Red: " in shown(pilot)


async def test_connections_can_be_filtered(tables):
    async with listing(bridges(), tables) as (pilot, *_):
        for wanted in ({"full"}, {"semi"}):
            await press(pilot, "f")
            assert {item.connection.kind for item in items(pilot) if item.connection} == wanted
        await press(pilot, "f", "v")
        assert "Blue: " in shown(pilot)
        first = next(one for one in tables[Color.WHITE] if one.premises)
        assert items(pilot)[0].connection == first


async def test_ends_that_are_joined_in_several_ways_stand_once_and_open_to_the_ways():
    session = game("c3", "a5", side=6)
    session.last()
    position = session.position
    tables = {color: connections_of(position, color) for color in Color}
    async with listing(session, tables) as (pilot, _, tree):
        told = [row_text(line) for line in tree.lines]
        assert len(set(told)) == len(told)
        several = next(item for item in items(pilot) if item.ways)
        assert f"({len(several.ways)} ways, " in told[items(pilot).index(several)]
        await press(pilot, *["down"] * items(pilot).index(several), "right")
        ways = [item for item in items(pilot) if item.way]
        assert [item.connection for item in ways] == list(several.ways)
        await press(pilot, "down", "down")
        assert pilot.app.main.board.view.connected.carrier == several.ways[1].cells
        text = row_text(tree.lines[items(pilot).index(ways[1])])
        assert all(cell in text for cell in several.ways[1].carrier)
        await press(pilot, "right", "left", "left")
        assert tree.pointed == several
        await press(pilot, "right")
        assert not any(item.above for item in items(pilot))


def test_what_says_the_same_stands_once_also_where_another_key_comes_between():
    position = game(side=4).position
    ends = (4, 8)

    def semi(number, key, *carrier):
        return Connection(
            id=number,
            board=position.board,
            color=Color.BLACK,
            nodes=ends,
            cells=frozenset({key, *carrier}),
            kind=ConnectionKind.SEMI,
            rule=Rule.AND,
            key_cell=key,
            premises=(),
            live=True,
        )

    one, other, third = semi(1, 1, 2), semi(2, 3, 2), semi(3, 1, 2, 5)

    def say(connection):
        return connection_sentence(position, Color.BLACK, connection, Names.RED_BLUE)

    found = items_of(say, (one, other, third))
    assert [item.connections for item in found] == [(one, third), (other,)]
    assert "2 ways, 2 to 3 cells" in sentence_of(say, position.board, found[0])


async def test_long_lists_come_in_pages(tables, monkeypatch):
    monkeypatch.setattr("hextui.ui.panels.connections_panel.PAGE", 5)
    async with listing(bridges(), tables) as (pilot, _, tree):

        def listed():
            return [one.id for item in items(pilot) for one in item.connections]

        assert len(listed()) == 5
        await press(pilot, "end", "enter")
        live = [one.id for one in tables[Color.BLACK] if one.premises]
        assert listed() == live[:10]
        for _ in range(3):
            await press(pilot, "end", "enter")
        told = [row_text(line) for line in tree.lines]
        assert len(set(told)) == len(told)  # also of what two pages tell of the same ends


async def test_a_hidden_list_is_made_when_it_is_shown(tables):
    async with analysing(bridges(), (80, 24)) as (pilot, analyst):
        await tell(pilot, analyst, connections=counts_of(tables))
        assert not items(pilot)
        await press(pilot, "f6")
        assert items(pilot)


# What is current and what is stale


async def test_what_is_not_of_the_position_is_dimmed_and_said_to_be_stale():
    session = game("c3", "d2")
    async with analysing(session) as (pilot, analyst):
        main = pilot.app.main
        await tell(pilot, analyst, rankings=rankings(session, one=["a1"]), final=True)
        assert "analysed" in shown(pilot)
        assert main.board.view.heat
        late = analyst.answer(rankings=rankings(session, one=["a1"]))
        await press(pilot, "n")
        analyst.emit(late)
        await all_shown(pilot)
        assert "STALE" in shown(pilot)
        await until(pilot, lambda: main.query_one(MovesPanel).dimmed)
        assert not main.board.view.heat
        assert analyst.asked[-1] == session.position
        await tell(pilot, analyst, rankings=rankings(session, one=["a1"]))
        assert "STALE" not in shown(pilot)
        assert not main.query_one(MovesPanel).dimmed


async def test_the_panels_rest_between_updates_and_end_with_the_last(monkeypatch):
    session = game()
    async with analysing(session) as (pilot, analyst):
        updates = []
        panel = pilot.app.main.query_one(MovesPanel)
        monkeypatch.setattr(panel, "fill", lambda moves: updates.append(moves))
        for n in range(10):
            analyst.answer(rankings=rankings(session, one=["a1"]), progress=Progress(n, 10, "n"))
            await pilot.pause()
        await all_shown(pilot)
        assert len(updates) < 8
        assert "n 90%" in shown(pilot)


async def test_an_error_is_one_line():
    session = game()
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, error="ValueError: no room")
        assert "ValueError: no room" in shown(pilot)
        await press(pilot, "right")
        assert "analysis failed" in shown(pilot)
        await press(pilot, "space")
        assert "analysis off: Space" in shown(pilot)
    assert analyst.closed


@pytest.mark.parametrize("theme", ["hextui-dark", "hextui-light", "hextui-contrast"])
async def test_analysis_that_is_off_is_amber_and_a_proved_win_green(theme, monkeypatch):
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")
    session = game(swap=False)
    async with analysing(session) as (pilot, analyst):
        pilot.app.theme = theme
        await press(pilot, "f2")
        won = {0: Verdict(VerdictKind.SOLVER, Color.BLACK)}
        pilot.app.main.workspace.verdicts.prove_moves(session.position, won)
        await tell(pilot, analyst, rankings=rankings(session, one=["b1"]))
        await press(pilot, "down", "space")
        amber, green = (
            next(
                segment.style.color.triplet
                for strip in strips(pilot.app.screen)[first:]
                for segment in strip
                if text == segment.text.strip()
            )
            for text, first in (("analysis off: Space", 3), ("wins", 4))
        )
        assert amber.red > amber.green > amber.blue
        assert green.green > max(green.red, green.blue)


async def test_analysis_is_on_at_the_next_start(tmp_path):
    for _ in range(2):
        async with analysing(game(), state=tmp_path) as (pilot, _analyst):
            assert "analysis off" not in shown(pilot)
            await press(pilot, "space")
            assert "analysis off: Space" in shown(pilot)


async def test_wins_come_first_then_what_is_open_then_losses_each_by_the_focus():
    session = game("a5", "b5", "c3", "d2")
    session.forward(2)
    board = session.board
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, rankings=rankings(session, one=["a1", "b1", "c1", "d1"]))
        assert column(pilot)[:4] == ["a1", "b1", "c1", "d1"]
        lost = Verdict(VerdictKind.SOLVER, Color.WHITE)
        won = Verdict(VerdictKind.SOLVER, Color.BLACK)
        cell = board.cell
        proved = {cell("a1"): lost, cell("e5"): won, cell("d1"): won, cell("c3"): lost}
        pilot.app.main.workspace.verdicts.prove_moves(session.position, proved)
        await tell(pilot, analyst, rankings=rankings(session, one=["a1", "b1", "c1", "d1"]))
        assert column(pilot)[:4] == ["d1", "e5", "b1", "c1"]
        assert column(pilot)[-2:] == ["a1", "c3 *"]
        assert column(pilot, 1)[:3] == ["wins", "wins", ""]
        assert column(pilot, 1)[-1] == "loses"


async def test_a_column_without_room_is_left_out_whole_and_the_focus_is_always_there():
    names = ["k-paths:1", "resistance", "contribution-both:2", "two-distance"]
    session = game("c3", "d2")
    async with analysing(session) as (pilot, analyst):
        workspace = pilot.app.main.workspace
        workspace.shown = replace(workspace.shown, evaluator=names[2])
        best = {name: ranking(name, session.position, ["a1"]) for name in names}
        lost = Verdict(VerdictKind.SOLVER, Color.WHITE)
        workspace.verdicts.prove_moves(session.position, {0: lost})
        await tell(pilot, analyst, rankings=best, final=True)
        for size in ((80, 24), (100, 30), (140, 45), (200, 60)):
            await resize(pilot, *size)
            room = pilot.app.main.query_one(MovesPanel).content_size.width - 1
            heading = "".join(text for text, _ in move_list(pilot)._heading)
            assert "both:2" in heading
            assert "verdict" in heading
            assert heading.split()[0] == "move"
            assert len(heading) <= room
            assert heading.count("#") == sum(short_name(name) in heading for name in names)
            for line in move_list(pilot).lines[:-1]:
                assert len(row_text(line)) == len(heading)


async def test_from_140_columns_on_a_contribution_stands_beside_search_and_network():
    session = game("k10", "d2", side=11)
    async with analysing(session, (140, 45)) as (pilot, analyst):
        names = ("search", "network", "resistance", "k-paths:1", "contribution-both:1")
        best = {name: ranking(name, session.position, ["a1"]) for name in names}
        moves = tuple(ReportedMove(Cells(session.board, (cell,)), 100, 0.5) for cell in (5, 6))
        known = {
            "evaluators": names,
            "rankings": best,
            "reports": {"search": SearchReport(session.position, "search", moves, 200)},
        }
        lost = Verdict(VerdictKind.SOLVER, Color.WHITE)
        for proved in (False, True):
            if proved:
                pilot.app.main.workspace.verdicts.prove_moves(session.position, {0: lost})
            await tell(pilot, analyst, **known)
            heading = "".join(text for text, _ in move_list(pilot)._heading)
            assert ("verdict" in heading) is proved
            places = [heading.index(name) for name in ("search", "visits", "net", "both:1")]
            assert places == sorted(places)


@pytest.mark.parametrize("size", some([(60, 20), *SIZES], 2))
@pytest.mark.parametrize("name", ["search", "an evaluator whose name is long"])
async def test_every_column_is_whole_beside_the_scroll_bar(size, name):
    session = game("k10", "d2", side=11)
    board = session.board
    async with analysing(session, size) as (pilot, analyst):
        lost = {board.cell("b1"): Verdict(VerdictKind.SOLVER, Color.WHITE)}
        pilot.app.main.workspace.verdicts.prove_moves(session.position, lost)
        ranked = {name: ranking(name, session.position, ["a1"])}
        line = Cells(board, tuple(range(60)))
        moves = (ReportedMove(line, 900, 0.6, 0.1, 0.3),)
        reports = {"search": SearchReport(session.position, "search", moves, 900)}
        known = {"rankings": ranked, "lines_by": "search", "reports": reports}
        for panel in (MovesPanel, LinesPanel):
            await press(pilot, panel.KEY)
            await tell(pilot, analyst, evaluators=(name,), final=True, **known)
            listed = pilot.app.main.query_one(panel).list
            heading = "".join(text for text, _ in listed._heading)
            assert "…" not in heading
            assert max(map(len, (heading, *map(row_text, listed.lines)))) < listed.size.width


async def test_moves_of_a_line_are_shown_whole_or_not_at_all():
    session = game(side=11)
    async with analysing(session, (60, 20)) as (pilot, analyst):
        line = Cells(session.board, tuple(range(60)))
        moves = (ReportedMove(line, 900, 0.6, 0.1, 0.3),)
        analyst.lines_by = "search"
        report = SearchReport(session.position, "search", moves, 900)
        await press(pilot, "f8")
        await tell(pilot, analyst, lines_by="search", reports={"search": report})
        listed = pilot.app.main.query_one(LinesPanel).list
        (shown_line,) = listed.lines
        assert row_text(shown_line).split()[-1] in line
        assert len(row_text(shown_line)) < listed.size.width
        assert len(row_text(shown_line).split()) > 3


async def test_verdicts_are_in_the_status_line():
    session = game()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        verdict = Verdict(VerdictKind.CONNECTION, Color.BLACK, session.board.cell("c3"))
        await tell(pilot, analyst, verdict=verdict)
        assert "Red wins: c3 (connected);" in " ".join(shown(pilot).split())
        parts = pilot.app.main.query_one(StatusLine).status.parts
        assert "Red wins" in [text for _, spans in parts for text, _ in spans]


# Overlays


async def test_evaluators_are_chosen_in_a_dialog():
    session = game()
    async with analysing(session) as (pilot, analyst):
        await press(pilot, "C")
        assert "contribution-own:2" in shown(pilot)
        await press(pilot, "space", "enter")
        assert analyst.evaluators == ("k-paths:1", "resistance", "k-paths:2")
        assert analyst.asked == [session.position] * 2
        await press(pilot, "C", "escape")
        assert len(analyst.asked) == 2


@pytest.mark.parametrize(
    ("size", "name", "first", "rest", "note", "told"),
    [
        # before what is left out for want of room, and none of them as nought
        ((100, 30), "network", [0.91, 0.084], 0.0002, "44.0% for the side",
         ["91.0   1", "8.4   2", "<0.1   3", "network  44.0% for the side"]),
        # so that nobody wonders why a move has a better chance and stands further down
        ((80, 24), "search", [0.5, 0.6], 0.2, "800 visits", ["search, ranked by visits"]),
        ((140, 45), "search", [0.5, 0.6], 0.2, "800 visits", ["search, ranked by visits"]),
        ((140, 45), "blocking", [0.9999], 0.99998, "",
         ["blocking (lg: log10 odds)", "block lg", "4.70"]),
    ],
)  # fmt: skip
async def test_values_stand_in_the_scale_of_their_evaluator(size, name, first, rest, note, told):
    session = game()
    cells = dict.fromkeys(session.position.empties, rest) | dict(enumerate(first))
    async with analysing(session, size) as (pilot, analyst):
        await tell(pilot, analyst, rankings={name: rank_by_value(name, cells, note=note)})
        text = shown(pilot)
    assert [words for words in told if words not in text] == []
    assert "0.00" not in text
    assert "0.9999" not in text
    assert ("ranked by visits" in text) == (name == "search")
