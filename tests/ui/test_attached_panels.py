"""Attached engines on the screen: beside our own in the panels, on the card, in the dialogs."""

from dataclasses import replace

from hextui.engines.engine_config import AttachedConfig
from hextui.engines.snapshot import ReportedMove, SearchReport
from hextui.settings.engine_tables import AttachedEngines
from hextui.ui.drawing.overlays import Overlay
from hextui.ui.widgets.line_list import LineList

from .helpers import analysing, game, press, ranking, row_text, shown, tell, told

KATA = "engine(katahex)"


def with_engines(session, size=(140, 45)):
    """Run the app with a scripted analyst and two configured engines that nobody starts."""
    configs = {name: AttachedConfig(name, ("no-such-program",)) for name in ("katahex", "wolve")}
    return analysing(session, size, attached=AttachedEngines(configs))


def report(position, **more):
    """Return what an engine says of a position: of two moves and the image of one."""
    cell = position.board.cell
    moves = (
        ReportedMove(cell("c3"), 12_300, 0.634, None, 0.41, (cell("c3"), cell("b4"))),
        ReportedMove(cell("d2"), 800, 0.5, None, 0.2, (cell("d2"),)),
        ReportedMove(cell("b4"), 800, 0.5, None, 0.2, (cell("b4"),), copy_of=cell("d2")),
    )
    return replace(SearchReport(position, "katahex", moves, 13_100, 6.55), **more)


def by_engine(position, **more):
    """Return what a snapshot says of that."""
    found = report(position, **more)
    own = ranking("resistance", position, ["a1"])
    ranks = {"resistance": own, KATA: replace(found.ranking, evaluator=KATA)}
    return {"rankings": ranks, "reports": {KATA: found}}


async def test_moves_and_both_boards_show_an_engine_beside_our_own():
    session = game()
    async with with_engines(session, (200, 60)) as (pilot, analyst):
        await tell(pilot, analyst, **by_engine(session.position))
        await press(pilot, "e")
        assert pilot.app.main.workspace.shown.evaluator == KATA
        rows = moves_of(pilot)
        row = next(line for line in rows if line.startswith("c3"))
        assert "0.634" in row
        assert "12.3k" in row
        assert "41.0%" in row
        heading = next(line for line in shown(pilot).splitlines() if "visits" in line)
        assert "katahex" in heading
        assert "policy" in heading
        assert any(line.startswith("a1") for line in rows)  # behind them: it looked at three
        await press(pilot, "3")
        workspace = pilot.app.main.workspace
        workspace.choose(evaluator="resistance", second_evaluator=KATA, overlay=Overlay.EVALUATOR)
        await pilot.pause()
        view, cell = pilot.app.main.second_board.view, session.board.cell
        assert view.labels == {cell("c3"): "1", cell("d2"): "2", cell("b4"): "3"}
        assert "A resist" in shown(pilot)  # agreement
        assert "B katahex" in shown(pilot)


async def test_lines_of_an_engine():
    session = game()
    async with with_engines(session) as (pilot, analyst):
        analyst.lines_by = KATA
        await press(pilot, "f8")
        await tell(pilot, analyst, lines_by=KATA)
        assert "katahex: no lines yet" in shown(pilot)
        await tell(pilot, analyst, lines_by=KATA, **by_engine(session.position))
        text = shown(pilot)
        assert "katahex: 13,100 visits, 2,000 a second" in text
        assert "win rates of Red" in text
        assert "win rate  visits  policy  line" in text
        assert "63.4%   12.3k   41.0%  c3  b4" in text
        assert "50.0%     800   20.0%  d2" in text
        assert "20.0%  b4" not in text  # the image of d2
        await press(pilot, "right")
        assert len(pilot.app.main.board.view.line) == 1
        await press(pilot, "enter")
        assert session.record.main_line()[-1].turn.move.cell == session.board.cell("c3")
        moves = (
            ReportedMove(session.board.cell("c4"), proved=True),
            ReportedMove(session.board.cell("d2"), winrate=0.2),
        )
        told_less = by_engine(session.position, moves=moves, visits=0)
        await tell(pilot, analyst, lines_by=KATA, **told_less)
        text = shown(pilot)
        assert "win rate  line" in text
        assert "    wins  c4" in text
        assert "katahex: searching" in text


async def test_card_problems_dialogs_and_reasons():
    session = game("e5", "c3", "b2")
    session.first()
    session.forward()
    line = "katahex takes boards of 6 to 13 rows and columns, not 5x5"
    async with with_engines(session) as (pilot, analyst):
        await tell(pilot, analyst, lines_by=KATA, **by_engine(session.position))
        text = " ".join(shown(pilot).split())
        assert "Blue 63% by katahex. Best c3" in text
        assert "1st by katahex" in text
        pilot.app.main.workspace.choose(evaluator=KATA)
        await press(pilot, "H")
        assert told(pilot) == "katahex is another program: it gives no reasons"
        pilot.app.clear_notifications()
        own = {"resistance": ranking("resistance", session.position, ["a1"])}
        await tell(pilot, analyst, final=True, rankings=own, problems={KATA: line})
        assert told(pilot) == line
        assert pilot.app.main.workspace.shown.evaluator == KATA
        assert "katahex takes boards of" in shown(pilot)
        pilot.app.clear_notifications()
        await press(pilot, "n")
        await tell(pilot, analyst, final=True, problems={KATA: line})
        assert told(pilot) == ""  # once is enough
        await press(pilot, "C", "end")
        assert "[ ] engine(wolve)           another program" in shown(pilot)
        await press(pilot, "space", "enter")
        assert analyst.evaluators == ("k-paths:1", "resistance", "engine(wolve)")
        await press(pilot, "V", "end", "enter")
        assert analyst.lines_by == "engine(wolve)"


def moves_of(pilot):
    """Return the lines of the list of moves as text."""
    return [row_text(row) for row in pilot.app.main.panels["moves"].query_one(LineList).lines]
