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
    """Ask for the proof, and wait until its tree is there."""
    await press(pilot, "w")
    await until(pilot, lambda: panel_of(pilot)._tree is not None)


async def test_a_proof_is_walked_on_the_board_told_everywhere_and_of_one_position():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, _):
        board, panel = pilot.app.main.board, panel_of(pilot)
        await press(pilot, "end")
        assert "Red wins" not in shown(pilot)
        await proved(pilot)
        for words in ("Red wins, proved", "Red wins (proved", "Red plays"):
            assert words in shown(pilot)
        verdict = pilot.app.main.workspace.verdicts.of(session.position)
        assert (verdict.kind, verdict.winner) == (VerdictKind.SOLVER, Color.BLACK)
        assert panel.list.has_focus
        await press(pilot, "home")
        first = panel.list.lines[0]
        assert board.view.line == first.moves
        assert board.view.connected == Connected(Color.BLACK, first.connected.carrier)
        assert board.view.position == session.position
        assert session.board.name(first.moves[0]) in shown(pilot)
        await press(pilot, "right")
        assert panel.list.pointed == (0, 0)
        closed = len(panel.list.lines)
        await press(pilot, "left", "left")
        assert panel.list.pointed == (0,)
        assert len(panel.list.lines) < closed
        await press(pilot, "enter")
        assert len(panel.list.lines) == closed
        assert session.node.ply == 2
        await press(pilot, "1")
        assert (board.view.connected, board.view.line) == (None, ())
        await press(pilot, "2", "p")
        assert "wins, proved" not in shown(pilot)
        assert "Winner not known" in shown(pilot)


async def test_where_a_winner_is_known_the_proof_comes_by_itself():
    session = game("c3", "d2")
    async with analysing(session, SIZE) as (pilot, analyst):
        pilot.app.main.workspace.bring("explain")
        await tell(pilot, analyst)
        assert "Winner not known" in shown(pilot)
        await tell(pilot, analyst, solution=solved(session.position))
        await until(pilot, lambda: panel_of(pilot)._tree is not None)
        assert "wins, proved" in shown(pilot)
        pilot.app.records.open(game("c3", "a5", "b4"))
        await press(pilot, "end")
        await proved(pilot)
        screen = shown(pilot)
        assert "Red wins, proved" in screen
        assert "Red is joined already" in screen or "every move of Blue loses" in screen


class NothingProved:
    """Answers every question so."""

    def answers(self, question, stop=lambda: False):
        """Say that the time was too short."""
        yield NotProved(question.seconds)

    def close(self):
        """Nothing was kept."""


async def test_where_nothing_is_proved_in_time_the_panel_says_so_and_who_wins_if_that_is_known():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, _):
        panel_of(pilot).open_lane = NothingProved
        await press(pilot, "w")
        await until(pilot, lambda: "no proof within 60 seconds" in shown(pilot))
        assert "Winner not known" in shown(pilot)
        end = session.record.position(session.record.main_line()[-1])
        library = Verdict(VerdictKind.LIBRARY, Color.BLACK)
        pilot.app.main.workspace.verdicts.prove(end, library)
        await press(pilot, "escape", "end", "w")
        await until(pilot, lambda: "Red wins\nno proof within" in panel_of(pilot)._note())


async def test_the_best_move_by_opinion_is_explained_though_a_proof_refutes_it():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, analyst):
        main = pilot.app.main
        main.panel_actions.go_to("explain")
        best = {"resistance": ranking("resistance", session.position, ["c3", "a1"])}
        await tell(pilot, analyst, rankings=best)
        assert "c3 is best by resistance: Enter says why" in shown(pilot)
        await press(pilot, "end", "enter")
        assert isinstance(pilot.app.screen, ExplainScreen)
        assert session.cursor == session.board.cell("c3")
        await press(pilot, "escape")
        loses = Verdict(VerdictKind.SOLVER, session.position.to_move.opponent)
        main.workspace.verdicts.prove_moves(session.position, {session.board.cell("c3"): loses})
        await tell(pilot, analyst, rankings=best)
        assert "c3 is best by resistance, though it loses: Enter says why" in shown(pilot)


async def test_what_is_known_of_the_cell_with_the_cursor_is_told():
    session = game("a1", "b5")
    async with analysing(session, SIZE) as (pilot, analyst):
        main = pilot.app.main
        await tell(pilot, analyst, inferior=inferior_cells(session.position))
        main.record_actions.point(session.board.cell("a5"))
        assert "a5 is " not in main.legend.text
        await press(pilot, "I")
        assert main.legend.text.startswith("a5 is ")
        await press(pilot, "I")
        assert "a5 is " not in shown(pilot)
        main.workspace.bring("explain")
        await press(pilot)
        assert "a5 is " in shown(pilot)
        await press(pilot, "I", "up", "up", "right", "right")
        assert "a5 is " not in main.legend.text


async def test_a_narrow_panel_ends_no_sentence_before_its_end_and_says_nothing_twice():
    session = game("a1", "b5", side=6)
    async with analysing(session, (80, 24)) as (pilot, _):
        await press(pilot, "end")
        await proved(pilot)
        await press(pilot, "home")
        panel, several, told = panel_of(pilot), 0, {True: 0, False: 0}
        for _ in range(12):
            await press(pilot, "right")
            assert not [row for row in shown(pilot).splitlines() if "…" in row and "answers" in row]
            for line in panel.list.lines:
                rows = ["".join(text for text, _ in row) for row in (line.spans, *line.more)]
                several += len(rows) > 1
                assert not any("…" in row for row in rows)
                assert max(map(len, rows)) < panel.list.size.width
                if line.key != panel.list.pointed:
                    continue
                listed = " ".join(" ".join(rows).split()).lstrip("+- ")
                left_out = line.text != listed
                told[left_out] += 1
                below = str(panel.query_one(".whole").render()).strip()
                assert bool(below) == left_out, (listed, below)
            await press(pilot, "down")
        assert several
        assert all(told.values()), "both happen"
