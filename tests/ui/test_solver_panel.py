"""The solver on the screen: panel, column, overlay, status line."""

from dataclasses import replace

from hextui.engine.board import Color
from hextui.engine.solver.solution import MoveVerdict, Reason, Solution
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.panels.moves_panel import MovesPanel
from hextui.ui.panels.solver_panel import SolverPanel
from hextui.ui.widgets.line_list import LineList

from .helpers import analysing, game, give_focus, press, ranking, shown, tell


def cells(board, names):
    return frozenset(map(board.cell, names.split()))


def solved(position, **known):
    """A solution of which Black's c3 wins, a1 and b1 lose."""
    board = position.board
    carrier = cells(board, "b4 c4 d2")
    solution = Solution(
        position=position,
        winner=Color.BLACK,
        winning_moves={board.cell("c3"): MoveVerdict(Reason.SEARCH, carrier)},
        losing_moves={
            board.cell("a1"): MoveVerdict(Reason.MUST_PLAY, cells(board, "c3 c4")),
            board.cell("b1"): MoveVerdict(Reason.SEARCH, cells(board, "c3 d3")),
        },
        unknown_moves=(board.cell("e5"),),
        carrier=carrier | cells(board, "c3"),
        line=tuple(map(board.cell, ("c3", "b4", "c4"))),
        proof_number=0,
        disproof_number=2_000_000_000,
        nodes=12345,
        builds=2,
        seconds=0.5,
        table_used=0.25,
        must_play=cells(board, "c3 c4 d2"),
    )
    return replace(solution, **known)


async def show_panel(pilot):
    pilot.app.main.workspace.bring("solver")
    await pilot.pause()
    return pilot.app.main.query_one(SolverPanel)


async def unfold(pilot, panel):
    """Ask for the details."""
    await give_focus(pilot, panel.list)
    panel.list.point_at("details")
    await press(pilot, "enter", "end")


async def test_the_panel_says_who_wins_and_what_it_took_when_that_is_asked():
    session = game("c3", "d2")
    async with analysing(session, (140, 45)) as (pilot, analyst):
        panel = await show_panel(pilot)
        await tell(pilot, analyst, solution=solved(session.position))
        for words in (
            "Red wins",
            "1 move wins, 2 lose, 1 open",
            "winning carrier: 4 cells",
            "must-play region: 3 cells",
        ):
            assert words in shown(pilot)
        assert "nodes" not in shown(pilot)
        await unfold(pilot, panel)
        assert "12,345 nodes, 24,690 a second" in shown(pilot)
        assert "table 25% used" in shown(pilot)
        await tell(pilot, analyst, solution=solved(session.position, source="disk"))
        assert "solved before: 12,345 nodes" in shown(pilot)
        unknown = {"winner": None, "winning_moves": {}, "line": (), "proof_number": 17}
        await tell(pilot, analyst, solution=solved(session.position, **unknown))
        assert "to move: open" in shown(pilot)
        assert "proof number 17, disproof inf" in shown(pilot)
        await unfold(pilot, panel)
        assert "nodes" not in shown(pilot)
        await tell(pilot, analyst, solution=solved(session.position, **unknown), final=True)
        assert "No winner found in time; . continues" in shown(pilot)
        await press(pilot, "full_stop")
        assert analyst.asked == [session.position] * 2
        assert analyst.asked_again == 1
        await press(pilot, "space", "full_stop")
        assert analyst.asked_again == 1
        assert "Space switches it on" in shown(pilot)


async def test_the_list_is_painted_and_stepped_through_without_touching_the_record():
    session = game("c3", "d2")
    board = session.board
    async with analysing(session) as (pilot, analyst):
        panel = await show_panel(pilot)
        await tell(pilot, analyst, solution=solved(session.position))
        await give_focus(pilot, panel.list)
        await press(pilot, "up")
        view = pilot.app.main.board.view
        assert view.connected.carrier == cells(board, "c3 b4 c4 d2")
        assert view.connected.color is Color.BLACK
        await press(pilot, "down")
        assert pilot.app.main.board.view.connected.color is Color.WHITE
        for length in (1, 2, 3):
            await press(pilot, "down")
            line = pilot.app.main.board.view.line
            assert line == tuple(map(board.cell, ("c3", "b4", "c4")[:length]))
        await press(pilot, "down")
        view = pilot.app.main.board.view
        assert view.connected.key == board.cell("c3")
        assert view.line == ()
        assert session.node is session.record.root
        await tell(pilot, analyst, solution=solved(session.position, nodes=99999))
        assert panel.list.pointed == f"wins {board.cell('c3')}"
        await press(pilot, "up", "up", "enter")
        assert session.node.ply == 2
        assert session.last_move == board.cell("b4")


async def test_verdicts_stand_among_the_moves_and_are_an_overlay():
    session = game("e1", "d1", "c3", "d2")
    session.forward(2)
    cell = session.board.cell
    async with analysing(session, (140, 45)) as (pilot, analyst):
        best = {"one": ranking("one", session.position, ["a1", "c3", "e5"])}
        await tell(pilot, analyst, rankings=best)
        moves = pilot.app.main.query_one(MovesPanel).query_one(LineList)
        assert "verdict" not in shown(pilot)
        await tell(pilot, analyst, rankings=best, solution=solved(session.position))
        assert "Red wins" in shown(pilot)
        said = {line.key: line.spans[1][0].strip() for line in moves.lines}
        wanted = {"c3": "wins", "a1": "loses", "b1": "loses", "e5": ""}
        assert {name: said[cell(name)] for name in wanted} == wanted
        await press(pilot, "o")
        assert "proved wins and losses" in shown(pilot)
        await press(pilot, "5")
        assert pilot.app.main.workspace.shown.overlay is Overlay.SOLVER
        verdicts = pilot.app.main.board.view.verdicts
        assert [verdicts.get(cell(name)) for name in ("c3", "a1", "e5")] == [True, False, None]
        assert "+ wins" in shown(pilot)


async def test_swapping_has_a_verdict():
    session = game("c3", "d2")
    session.forward()
    position = session.position
    async with analysing(session) as (pilot, analyst):
        await show_panel(pilot)
        lost = solved(position, winning_moves={}, must_play=frozenset(), line=())
        await tell(pilot, analyst, solution=lost)
        assert "if nobody swaps: swapping wins" in " ".join(shown(pilot).split())
