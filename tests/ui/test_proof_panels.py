"""The panels of the solver, of lines and of proofs, and verdicts elsewhere on the screen."""

import math
from contextlib import asynccontextmanager
from dataclasses import replace

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.inferior import inferior_cells
from hextui.engine.search.lines import Line, Lines, LineSettings
from hextui.engine.solver.solution import MoveVerdict, Reason, Solution
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from hextui.engines.questions import NotProved
from hextui.engines.snapshot import ReportedMove, SearchReport
from hextui.records.board_view import Connected
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.panels.lines_panel import LinesPanel
from hextui.ui.panels.moves_panel import MovesPanel
from hextui.ui.panels.solver_panel import SolverPanel
from hextui.ui.screens.explain_screen import ExplainScreen
from hextui.ui.widgets.line_list import LineList

from .helpers import analysing, game, give_focus, press, ranking, row_text, shown, tell, until


def cells(board, names):
    return frozenset(map(board.cell, names.split()))


def solved(position, **known):
    """A solution of which Black's c3 wins, a1 and b1 lose."""
    board = position.board
    carrier = cells(board, "b4 c4 d2")
    solution = Solution(
        position=position,
        winner=Color.BLACK,
        wins={board.cell("c3"): MoveVerdict(Reason.SEARCH, carrier)},
        losses={
            board.cell("a1"): MoveVerdict(Reason.MUST_PLAY, cells(board, "c3 c4")),
            board.cell("b1"): MoveVerdict(Reason.SEARCH, cells(board, "c3 d3")),
        },
        carrier=Cells.of(board, carrier | cells(board, "c3")),
        line=Cells(board, tuple(map(board.cell, ("c3", "b4", "c4")))),
        proof_number=0,
        disproof_number=2_000_000_000,
        nodes=12345,
        seconds=0.5,
        table_used=0.25,
        must_play=Cells.of(board, cells(board, "c3 c4 d2")),
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
            f"1 move wins, 2 lose, {len(session.position.empties) - 3} undecided",
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
        nothing = Cells(session.board)
        unknown = {"winner": None, "wins": {}, "line": nothing, "proof_number": 17}
        await tell(pilot, analyst, solution=solved(session.position, **unknown))
        assert "to move: undecided" in shown(pilot)
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
        nothing = Cells(position.board)
        lost = solved(position, wins={}, must_play=nothing, line=nothing)
        await tell(pilot, analyst, solution=lost)
        assert "if nobody swaps: swapping wins" in " ".join(shown(pilot).split())


# Lines: values, stepping on the board, into the record, another evaluator


SIZE = (100, 40)


def moves_of(board, names):
    return Cells(board, tuple(map(board.cell, names.split())))


def lines_of(session, *lines, **more):
    """Lines of named moves: (value, moves, winner)."""
    position = session.position
    found = tuple(
        Line(moves_of(position.board, moves), value, 5, winner) for value, moves, winner in lines
    )
    known = {"depth": 5, "searched": 8, "moves": 8, "nodes": 207, "full_nodes": 633, **more}
    return Lines(position, "blocking", known.pop("settings", LineSettings()), found, **known)


def two(session, **more):
    return lines_of(session, (0.75, "c3 b2 d4", None), (-math.inf, "a1 e5", Color.WHITE), **more)


def on_board(pilot):
    board = pilot.app.main.board.view
    return [board.position.board.name(cell) for cell in board.line]


@asynccontextmanager
async def with_lines(session, **known):
    """Run the app with the panel in focus and something known; yields pilot and analyst."""
    async with analysing(session, SIZE) as (pilot, analyst):
        await tell(pilot, analyst, **known)
        await press(pilot, "f8")
        yield pilot, analyst


async def test_lines_are_listed_with_their_values():
    session = game()
    async with with_lines(session, final=False, lines=two(session, searched=3)) as (pilot, analyst):
        for words in (
            "blocking, depth 5 (3 of 8)",
            "207 of 633 nodes",
            "log10 odds  line",
            "0.477  c3  b2  d4",
            "Blue wins  a1  e5",
        ):
            assert words in shown(pilot)
        await tell(pilot, analyst, lines=two(session, final=True))
        assert "depth 5 (" not in shown(pilot)
        await tell(pilot, analyst, lines=lines_of(session, final=True))
        assert "The game is over" in shown(pilot)
        await press(pilot, "down", "left", "enter")
        assert session.node is session.record.root


async def test_the_first_lines_begin_with_all_winning_moves_the_named_one_first():
    session = game()
    async with with_lines(session, lines=two(session)) as (pilot, analyst):
        panel, cell = pilot.app.main.query_one(LinesPanel), session.board.cell
        # a move that is symmetric to a winning one wins too
        for name, lines in (("a1", "a1 e5 c3"), ("d4", "d4 b2 c3 a1")):
            pilot.app.main.workspace.verdicts = verdicts = Verdicts()
            won = Verdict(VerdictKind.SOLVER, Color.BLACK)
            verdicts.prove_moves(session.position, {cell(name): won})
            verdicts.prove_moves(session.position, {cell("c3"): won})
            await tell(pilot, analyst, lines=two(session))
            assert [line.key for line in panel.list.lines] == list(map(cell, lines.split()))
        assert "proved  d4" in shown(pilot)


def searched(position, *moves, visits=0):
    """A report of the tree search with these moves, which win or have a win probability."""
    board = position.board
    moves = tuple(
        ReportedMove(Cells(board, (board.cell(name),)), visits, rate, proved=rate == 1.0 or None)
        for name, rate in moves
    )
    return SearchReport(position, "search", moves, visits=visits)


async def test_a_solved_position_lists_its_wins_and_is_not_searching():
    session = game()
    won = searched(session.position, ("c3", 1.0))
    unknown = {"lines_by": "search", "reports": {"search": searched(won.position, ("c3", 0.6))}}
    async with with_lines(session, **unknown) as (pilot, analyst):
        assert "search: searching" in shown(pilot)
        verdict = Verdict(VerdictKind.SOLVER, Color.BLACK)
        cells = map(session.board.cell, ("c3", "b3", "d2"))
        verdicts = pilot.app.main.workspace.verdicts
        verdicts.prove_moves(session.position, dict.fromkeys(cells, verdict))
        for report in (won, searched(session.position)):
            await tell(pilot, analyst, lines_by="search", reports={"search": report})
            assert "searching" not in shown(pilot)
            assert "Red wins, proved" in shown(pilot)
            listed = [line.key for line in pilot.app.main.query_one(LinesPanel).list.lines]
            assert listed == list(verdicts.moves(session.position).wins)
            assert {"c3", "b3", "d2"} <= set(map(session.board.name, listed))


async def test_the_minimax_is_listed_below_the_tree_search_and_the_other_way_round():
    session = game()
    report = searched(session.position, *((f"{c}1", 0.5) for c in "abcde"), visits=9)
    both = {"lines": two(session, searched=3), "reports": {"search": report}}
    async with with_lines(session, lines_by="search", **both) as (pilot, analyst):
        panel = pilot.app.main.query_one(LinesPanel)
        heading = panel.list.lines[-3]
        assert "minimax by blocking, depth 5 (3 of 8)" in row_text(heading)
        assert [line.key for line in panel.list.lines[-2:]] == [("beside", 12), ("beside", 0)]
        await press(pilot, "end")
        assert on_board(pilot) == ["a1", "e5"]
        await press(pilot, "up", "left")
        assert on_board(pilot) == ["c3", "b2"]
        await press(pilot, "up", "enter")
        assert "choose a line below" in shown(pilot)
        assert not session.record.root.children

        await tell(pilot, analyst, lines_by="blocking", **both)
        assert panel.list.lines[0].key == 12
        assert "search: 9 visits" in row_text(panel.list.lines[2])
        await press(pilot, "end", "enter")
        assert [node.turn.name(session.board) for node in session.record.root.children] == ["e1"]


async def test_lines_that_leave_no_room_for_those_beside_them_are_listed_on_demand():
    session = game()
    names = [session.board.name(cell) for cell in session.position.empties]
    report = searched(session.position, *((name, 0.5) for name in names), visits=99)
    known = {"lines_by": "search", "lines": two(session), "reports": {"search": report}}
    async with with_lines(session, **known) as (pilot, _):
        lines = pilot.app.main.query_one(LinesPanel).list
        more = next(place for place, line in enumerate(lines.lines) if line.key == "more")
        assert row_text(lines.lines[more]) == f"+{25 - more} more"
        assert "b2  d4" in shown(pilot)
        await press(pilot, *["down"] * more, "enter")
        assert len(lines.lines) == 25 + 3


async def test_stepping_paints_the_board_and_leaves_the_record_alone():
    session = game()
    async with with_lines(session, lines=two(session, final=True)) as (pilot, _):
        assert on_board(pilot) == []
        for keys, painted in (
            ("down", ["a1", "e5"]),
            ("up", ["c3", "b2", "d4"]),
            ("left", ["c3", "b2"]),
            ("left left left", []),
            ("right", ["c3"]),
            ("right right right", ["c3"]),  # on from the whole line it begins anew
            ("escape", []),
        ):
            await press(pilot, *keys.split())
            assert on_board(pilot) == painted
        assert not session.record.root.children
        assert not session.record.modified


async def test_enter_adds_what_was_stepped_to_as_a_variation_and_one_undo_takes_it_back():
    session = game("e5")
    async with with_lines(session, lines=two(session, final=True)) as (pilot, _):
        await press(pilot, "enter")
        names = [node.turn.name(session.board) for node in session.node.line() if node.turn]
        assert names == ["c3", "b2", "d4"]
        assert session.node.line()[1].index == 1
        await press(pilot, "u")
        assert len(session.record.root.children) == 1
        assert session.node is session.record.root
        assert not session.record.modified
        await press(pilot, "f8", "left", "enter")
        assert session.node.ply == 2


async def test_better_lines_replace_what_is_looked_at_and_another_position_begins_anew():
    session = game("e5", "d2")
    async with with_lines(session, final=False, lines=two(session)) as (pilot, analyst):
        await press(pilot, "down", "up", "left")
        assert on_board(pilot) == ["c3", "b2"]
        other = lines_of(session, (0.9, "d4 a1", None), (0.8, "c3 d2 b1", None))
        await tell(pilot, analyst, lines=other)
        assert pilot.app.main.query_one(LinesPanel).list.pointed == session.board.cell("c3")
        assert on_board(pilot) == ["c3", "d2"]
        await press(pilot, "n")
        assert on_board(pilot) == []
        await tell(pilot, analyst, final=False, lines_by="resistance")
        assert "resistance: no lines yet" in shown(pilot)


async def test_the_evaluator_is_chosen_and_kept(tmp_path):
    async with analysing(game(), SIZE, state=tmp_path) as (pilot, analyst):
        await press(pilot, "V")
        assert "Evaluator of lines" in shown(pilot)
        await press(pilot, "end")
        assert "without proofs" in shown(pilot)
        await press(pilot, "enter")
        assert analyst.lines_by == "blocking/literal"
        assert len(analyst.asked) == 2
        session = pilot.app.records.session
        lines = lines_of(session, (0.75, "c3", None), settings=LineSettings(literal=True))
        await tell(pilot, analyst, lines=lines)
        await press(pilot, "f8")
        assert "blocking, literal, depth 5" in shown(pilot)
        await press(pilot, "q")
    async with analysing(game(), SIZE, state=tmp_path) as (pilot, analyst):
        assert analyst.lines_by == "blocking/literal"


# Explain: the proof as a tree, walked on the board


WIDE = (140, 45)


def panel_of(pilot):
    return pilot.app.main.query_one(ExplainPanel)


async def find_proof(pilot):
    """Ask for the proof, and wait until its tree is there."""
    await press(pilot, "w")
    await until(pilot, lambda: panel_of(pilot)._tried is not None)


async def test_a_proof_is_walked_on_the_board_told_everywhere_and_of_one_position():
    session = game("a1", "b5")
    async with analysing(session, WIDE) as (pilot, _):
        board, panel = pilot.app.main.board, panel_of(pilot)
        await press(pilot, "end")
        assert "Red wins" not in shown(pilot)
        await find_proof(pilot)
        named = session.board.name(panel._tried.lines[0].moves[0])
        await until(pilot, lambda: f"HERE  Red wins: {named} (proved)" in shown(pilot))
        for words in ("Red wins, proved", "Red plays"):
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


async def test_moves_are_tried_and_answered_while_a_win_is_explained_and_played_after_escape():
    session = game("a1", "b5")
    async with analysing(session, WIDE) as (pilot, _):
        board, panel, cell = pilot.app.main.board, panel_of(pilot), session.board.cell
        await press(pilot, "end")
        await find_proof(pilot)
        await press(pilot, "shift+tab")
        assert board.has_focus
        assert " TRY " in shown(pilot)
        assert "enter Try" in shown(pilot)
        first = panel._tried.lines[0]
        assert board.view.connected.carrier == first.carrier
        outside = min(set(first.position.empties) - first.carrier)
        pilot.app.main.play_actions.click(outside, 1)
        assert "changes nothing: Red wins inside" in " ".join(shown(pilot).split())
        moves = first.moves
        for depth in (1, 2):
            session.cursor = min(panel._tried.lines[-1].carrier)
            await press(pilot, "enter")
            await until(pilot, lambda depth=depth: len(panel._tried.lines) == depth + 1)
            last = panel._tried.lines[-1]
            assert last.moves[: len(moves)] == moves
            moves = last.moves
            assert session.cursor in moves
            await until(pilot, lambda moves=moves: board.view.line == moves)
            assert last.text.split(".")[0] in " ".join(shown(pilot).split())
        assert session.node.ply == 2
        assert not session.record.modified
        await press(pilot, "escape")
        assert " TRY " not in shown(pilot)
        assert "enter Play" in shown(pilot)
        assert board.view.line == ()
        session.cursor = cell("c3")
        await press(pilot, "enter")
        assert session.node.ply == 3
        await press(pilot, "u")
        for keys in (["2"], ["f12"], ["1", "escape", "f12"]):
            await press(pilot, *keys)
            await until(pilot, lambda: " TRY " in shown(pilot))
            await press(pilot, "escape", "escape")
            assert " TRY " not in shown(pilot)
        await press(pilot, "2")
        await until(pilot, lambda: " TRY " in shown(pilot))
        await press(pilot, "3")  # where nothing is explained
        assert " TRY " not in shown(pilot)


async def test_a_shortened_proof_is_written_out_where_it_is_opened(monkeypatch):
    monkeypatch.setattr("hextui.engines.limits.WRITE", 0.0)
    session = game("f1", side=6)
    async with analysing(session, WIDE) as (pilot, _):
        await press(pilot, "end")
        await find_proof(pilot)
        panel = panel_of(pilot)
        short = next(r for r in panel.list.lines if r.proof and r.proof.tree.is_left_out(r.proof))
        panel.list.point_at(short.key)
        before = len(panel.list.lines)
        await press(pilot, "right")
        await until(pilot, lambda: len(panel.list.lines) > before)
        below = [row.proof for row in panel.list.lines if row.key[:-1] == short.key and row.proof]
        assert below
        assert all(line.moves[: len(short.moves)] == short.moves for line in below)


async def test_no_move_is_named_where_any_move_wins():
    session = game("c3", "a1")
    async with analysing(session, WIDE) as (pilot, _):
        await press(pilot, "end")
        await find_proof(pilot)
        text = " ".join(shown(pilot).split())
        assert "Red is connected already and need not move" in text
        verdicts = pilot.app.main.workspace.verdicts
        await until(pilot, lambda: verdicts.of(session.position) is not None)
        assert verdicts.moves(session.position).named is None
        played = panel_of(pilot)._tried.lines[0].moves
        session.cursor = min(panel_of(pilot)._tried.lines[0].carrier)
        await press(pilot, "shift+tab", "enter")
        await until(pilot, lambda: len(panel_of(pilot)._tried.lines) == 2)
        assert panel_of(pilot)._tried.lines[1].moves[:2] == (*played, session.cursor)
        answered = panel_of(pilot)._tried.lines[1].moves[-1]
        await until(pilot, lambda: "#1" in shown(pilot) and "#2" in shown(pilot))
        assert answered in panel_of(pilot)._tried.lines[0].carrier
        assert "#3" not in shown(pilot)


async def test_where_a_winner_is_known_the_proof_comes_by_itself():
    session = game("c3", "d2")
    async with analysing(session, WIDE) as (pilot, analyst):
        pilot.app.main.workspace.bring("explain")
        await tell(pilot, analyst)
        assert "Winner not known" in shown(pilot)
        await tell(pilot, analyst, solution=solved(session.position))
        await until(pilot, lambda: panel_of(pilot)._tried is not None)
        assert "wins, proved" in shown(pilot)
        pilot.app.records.open(game("c3", "a5", "b4"))
        await press(pilot, "end")
        await find_proof(pilot)
        screen = shown(pilot)
        assert "Red wins, proved" in screen
        assert "Red is connected already" in screen or "every move of Blue loses" in screen


class NothingProved:
    """Answers every question so."""

    def answers(self, question, stop=lambda: False):
        """Say that the time was too short."""
        yield NotProved(question.seconds)

    def close(self):
        """Nothing was kept."""


async def test_where_nothing_is_proved_in_time_the_panel_says_so_and_who_wins_if_that_is_known():
    session = game("a1", "b5")
    async with analysing(session, WIDE) as (pilot, _):
        panel_of(pilot).open_lane = NothingProved
        await press(pilot, "w")
        await until(pilot, lambda: "no proof within 60 seconds" in shown(pilot))
        assert "Winner not known" in shown(pilot)
        end = session.record.position(session.record.main_line()[-1])
        solved = Verdict(VerdictKind.SOLVER, Color.BLACK)
        pilot.app.main.workspace.verdicts.prove(end, solved)
        await press(pilot, "escape", "end", "w")
        await until(pilot, lambda: "Red wins\nno proof within" in panel_of(pilot)._note())


async def test_the_best_move_by_opinion_is_explained_though_a_proof_refutes_it():
    session = game("a1", "b5")
    async with analysing(session, WIDE) as (pilot, analyst):
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
    async with analysing(session, WIDE) as (pilot, analyst):
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


async def test_a_narrow_panel_ends_no_sentence_before_its_end():
    session = game("a1", "b5", side=6)
    async with analysing(session, (80, 24)) as (pilot, _):
        await press(pilot, "end")
        await find_proof(pilot)
        await press(pilot, "home")
        panel, several = panel_of(pilot), 0
        for _ in range(4):
            await press(pilot, "right")
            for line in panel.list.lines:
                rows = ["".join(text for text, _ in row) for row in (line.spans, *line.more)]
                several += len(rows) > 1
                assert not any("…" in row for row in rows)
                assert max(map(len, rows)) < panel.list.size.width
                listed = " ".join(" ".join(rows).split()).lstrip("+- ")
                assert line.proof is None or line.proof.text == listed
            await press(pilot, "down")
        assert several
