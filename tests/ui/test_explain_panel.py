"""The Explain panel: the proof as a tree, walked on the board."""

from hextui.engine.board import Color
from hextui.engine.inferior import inferior_cells
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.engines.questions import NotProved
from hextui.ui.drawing.board_view import Connected
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.screens.explain_screen import ExplainScreen

from .helpers import analysing, game, press, ranking, shown, tell, until
from .test_solver_panel import solved

SIZE = (140, 45)


def panel_of(pilot):
    return pilot.app.main.query_one(ExplainPanel)


async def proved(pilot):
    """Wait until the tree of the proof is there."""
    await until(pilot, lambda: panel_of(pilot)._tree is not None)


async def test_a_key_leads_from_the_board_to_the_reason():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        screen = shown(pilot)
        assert "Red wins, proved" in screen
        assert "Red plays" in screen
        assert panel_of(pilot).list.has_focus


async def test_the_tree_is_walked_and_the_board_paints_where_it_leads():
    session = game("a1", "b5")
    board = session.board
    async with analysing(session, SIZE) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        panel = panel_of(pilot)
        await press(pilot, "home")
        view = pilot.app.main.board.view
        first = panel._reasons[0]
        assert view.line == first.moves
        assert view.connected == Connected(Color.BLACK, first.connected.carrier)
        assert view.position == session.position
        await press(pilot, "right")
        assert panel.list.pointed == (0, 0)
        closed = len(panel._reasons)
        await press(pilot, "left", "left")
        assert panel.list.pointed == (0,)
        assert len(panel._reasons) < closed
        await press(pilot, "enter")
        assert len(panel._reasons) == closed
        assert session.node.ply == 2
        assert board.name(first.moves[0]) in shown(pilot)


async def test_another_activity_takes_the_painted_line_off_the_board():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        await press(pilot, "home")
        assert pilot.app.main.board.view.connected
        await press(pilot, "1")
        assert pilot.app.main.board.view.connected is None
        assert pilot.app.main.board.view.line == ()


async def test_the_losing_side_is_told_that_every_move_loses():
    session = game("c3", "a5", "b4")
    async with analysing(session, SIZE) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        screen = shown(pilot)
        assert "Red wins, proved" in screen
        assert "Red is joined already" in screen or "every move of Blue loses" in screen


async def test_where_a_winner_is_known_the_proof_comes_by_itself():
    session = game("c3", "d2")
    async with analysing(session, SIZE) as (pilot, analyst):
        pilot.app.main.workspace.bring("explain")
        await pilot.pause()
        assert "Winner not known" in shown(pilot)
        await tell(pilot, analyst, solution=solved(session.position))
        await proved(pilot)
        assert "wins, proved" in shown(pilot)


async def test_a_winner_known_from_anywhere_is_told():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, _):
        await press(pilot, "end")
        pilot.app.main.workspace.verdicts.prove(
            session.position, Verdict(VerdictKind.LIBRARY, Color.BLACK)
        )
        panel_of(pilot).open_lane = NothingProved
        pilot.app.main.workspace.bring("explain")
        await until(pilot, lambda: "no proof within" in shown(pilot))
        assert "Red wins\n" in panel_of(pilot)._note()


async def test_an_opinion_that_a_proof_refutes_is_told_as_such():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, analyst):
        pilot.app.main.workspace.bring("explain")
        best = {"resistance": ranking("resistance", session.position, ["c3"])}
        await tell(pilot, analyst, rankings=best)
        assert "c3 is best by resistance: Enter says why" in shown(pilot)
        loses = Verdict(VerdictKind.SOLVER, session.position.to_move.opponent)
        store = pilot.app.main.workspace.verdicts
        store.prove_moves(session.position, {session.board.cell("c3"): loses})
        await tell(pilot, analyst, rankings=best)
        assert "c3 is best by resistance, though it loses: Enter says why" in shown(pilot)


async def test_what_is_proved_here_is_told_everywhere():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, _):
        await press(pilot, "end")
        assert "Red wins" not in shown(pilot)
        await press(pilot, "w")
        await proved(pilot)
        verdict = pilot.app.main.workspace.verdicts.of(session.position)
        assert (verdict.kind, verdict.winner) == (VerdictKind.SOLVER, Color.BLACK)
        assert "Red wins (proved" in shown(pilot)


async def test_nothing_stays_of_another_position():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        await press(pilot, "escape", "p")
        screen = shown(pilot)
        assert "wins, proved" not in screen
        assert "Winner not known" in screen


async def test_what_is_known_of_the_cell_with_the_cursor_is_told():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, analyst):
        pilot.app.main.workspace.bring("explain")
        await tell(pilot, analyst, inferior=inferior_cells(session.position))
        pilot.app.main.record_actions.point(session.board.cell("a5"))
        await pilot.pause()
        assert "a5 is " in shown(pilot)


class NothingProved:
    """Answers every question so."""

    def answers(self, question, stop=lambda: False):
        """Say that the time was too short."""
        yield NotProved(question.seconds)

    def close(self):
        """Nothing was kept."""


async def test_where_nothing_is_proved_in_time_the_panel_says_so():
    session = game(side=9)
    async with analysing(session, SIZE) as (pilot, _):
        panel_of(pilot).open_lane = NothingProved
        await press(pilot, "w")
        await until(pilot, lambda: "no proof within 60 seconds" in shown(pilot))
        assert "Winner not known" in shown(pilot)


async def test_the_line_below_the_board_gives_the_reason_while_inferior_cells_are_shown():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, analyst):
        main = pilot.app.main
        await tell(pilot, analyst, inferior=inferior_cells(session.position))
        main.record_actions.point(session.board.cell("a5"))
        legend = main.legend
        assert "a5 is " not in legend.text
        await press(pilot, "I")
        assert legend.text.startswith("a5 is ")
        await press(pilot, "up", "up", "right", "right")
        assert "a5 is " not in legend.text


async def test_enter_on_the_best_move_of_the_evaluator_says_why():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, analyst):
        main = pilot.app.main
        main.panel_actions.go_to("explain")
        best = {"resistance": ranking("resistance", session.position, ["c3", "a1"])}
        await tell(pilot, analyst, rankings=best)
        assert "c3 is best by resistance" in shown(pilot)
        await press(pilot, "end", "enter")
        assert isinstance(pilot.app.screen, ExplainScreen)
        assert session.cursor == session.board.cell("c3")


async def test_no_sentence_ends_before_its_end():
    session = game("a1", "b5", side=6)
    async with analysing(session, (80, 24)) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        await press(pilot, "home", "right", "down", "right")
        rows = [row for line in panel_of(pilot).list.lines for row in (line.spans, *line.more)]
        told = ["".join(text for text, _ in row) for row in rows]
        assert any(line.more for line in panel_of(pilot).list.lines)
        assert not [row for row in told if "…" in row]
        assert max(map(len, told)) < panel_of(pilot).list.size.width


def whole(pilot):
    return str(panel_of(pilot).query_one(".whole").render()).strip()


async def test_below_the_tree_stands_what_a_line_leaves_out_and_nothing_twice():
    session = game("a1", "b5", side=6)
    async with analysing(session, (80, 24)) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        await press(pilot, "home")
        told = {True: 0, False: 0}
        for _ in range(12):
            await press(pilot, "right")
            panel = panel_of(pilot)
            line = next(one for one in panel.list.lines if one.key == panel.list.pointed)
            rows = ("".join(text for text, _ in row) for row in (line.spans, *line.more))
            listed = " ".join(" ".join(rows).split()).lstrip("+- ")
            left_out = panel._pointed.text != listed or panel._pointed.unnamed
            told[bool(left_out)] += 1
            assert bool(whole(pilot)) == bool(left_out), (listed, whole(pilot))
            await press(pilot, "down")
        assert all(told.values()), "both happen"


async def test_a_narrow_panel_says_it_in_fewer_words():
    session = game("a1", "b5", side=6)
    async with analysing(session, (80, 24)) as (pilot, _):
        await press(pilot, "end", "w")
        await proved(pilot)
        await press(pilot, "home", "right")
        lines = [line for line in shown(pilot).splitlines() if "…" in line]
        assert not [line for line in lines if "answers" in line]
