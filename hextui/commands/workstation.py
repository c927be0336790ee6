"""``hextui [FILE|LINK]``: the workstation itself."""

from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING

from hextui.commands.documents import complain
from hextui.records.errors import RecordError

if TYPE_CHECKING:
    from hextui.analysis import Analyst, Snapshot
    from hextui.ui.session import Session

# What is ranked live, in the order in which the rankings come.
LIVE_EVALUATORS = ("k-paths:1", "contribution-both:1", "resistance", "shortest-path")


def run(source: str | None, *, sample: bool, game: int, ply: int | None) -> int:
    """Open the workstation on a record, the sample or an empty board; return the exit code."""
    try:
        session = _session(source, sample, game)
    except RecordError as error:
        return complain(error)
    if ply is not None:
        session.first()
        session.forward(ply)
    from hextui.ui.app import HextuiApp

    app = HextuiApp(session, make_analyst)
    app.run()
    return app.return_code or 0


def _session(source: str | None, sample: bool, game: int) -> "Session":
    from hextui.engine.board import Board
    from hextui.records.record import Record
    from hextui.ui.files import open_session
    from hextui.ui.session import Session

    if sample:
        return open_session(str(files("hextui") / "samples" / "sample.sgf"), game)
    if source is None:
        return Session(Record(Board(11, 11)))
    return open_session(source, game)


def make_analyst(hear: "Callable[[Snapshot], None]") -> "Analyst":
    """Start the analysis; ``hear`` gets its snapshots."""
    from hextui.analysis import Analyst
    from hextui.analysis.warmup import Warmup

    return Analyst(hear, LIVE_EVALUATORS, Warmup())
