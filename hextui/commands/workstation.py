"""``hextui [FILE|LINK]``: the workstation itself."""

import argparse
import asyncio
import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.commands.arguments import POSITION_HELP
from hextui.commands.documents import complain
from hextui.engine.search.line_settings import DEFAULT_EVALUATOR, LineSettings
from hextui.locations import config_file, library_file, state_folder
from hextui.records.errors import RecordError
from hextui.version import __version__

if TYPE_CHECKING:
    from hextui.analysis import Analyst, Progress, Snapshot
    from hextui.analysis.budget import SolverBudget
    from hextui.analysis.stages import Stage
    from hextui.analysis.warmup import Warmup
    from hextui.analysis.whole_game import GameAnalyst
    from hextui.ui.app import HextuiApp
    from hextui.ui.session import Session
    from hextui.ui.settings import Settings

FAILED = 1
SAMPLE = Path(__file__).parents[1] / "samples" / "sample.sgf"
GARBAGE = (2000, 10, 50)
"""When garbage is looked for: among all objects seldom, which takes longer than a repaint."""

# What is ranked live, in the order in which the rankings come.
LIVE_EVALUATORS = ("k-paths:1", "contribution-both:1", "resistance", "shortest-path")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the workstation takes."""
    parser.add_argument("--version", action="version", version=f"hextui {__version__}")
    parser.add_argument("record", nargs="?", metavar="FILE|LINK", help=POSITION_HELP)
    parser.add_argument("--sample", action="store_true", help="open the sample game")
    parser.add_argument(
        "--game", type=int, metavar="N", help="game N of the file (default: choose from a list)"
    )
    parser.add_argument("--ply", type=int, metavar="N", help="start after N plies")


def run(options: argparse.Namespace) -> int:
    """Open the workstation on a record, the sample or an empty board; return the exit code."""
    gc.disable()  # until the first screen is there
    try:
        return _open(options.record, options.sample, options.game, options.ply)
    finally:
        gc.enable()


def _open(source: str | None, sample: bool, game: int | None, ply: int | None) -> int:
    """Open it; of a file with several games one is asked for, unless game or ply is given."""
    from hextui.settings.files import ConfigError
    from hextui.ui.config import load

    try:
        config = load(config_file())
        session = _session(source, sample, game or 1)
    except (ConfigError, RecordError) as error:
        return complain(error)
    if not _in_terminal():
        return complain(OSError("the workstation needs a terminal (hextui --help: what does not)"))
    if ply is not None:
        session.first()
        session.forward(ply)
    from hextui.analysis.warmup import Warmup
    from hextui.ui.app import HextuiApp
    from hextui.ui.services import Services

    warmup = Warmup()
    return show(
        HextuiApp(
            session,
            config,
            Services(
                partial(
                    make_analyst,
                    budget=budget_of(config.settings),
                    warmup=warmup,
                    lines=config.settings.lines(),
                ),
                partial(make_game_analyst, warmup=warmup),
                warmup.wait_for_solver,
                library_file(),
            ),
            state_folder(),
            ask_game=game is None and ply is None,
        )
    )


def show(app: "HextuiApp") -> int:
    """Run the app; return the exit code. After a crash one line says where the log is."""
    from hextui.ui.live.turns import event_loop

    gc.set_threshold(*GARBAGE)
    try:
        with asyncio.Runner(loop_factory=event_loop) as runner:
            loop = runner.get_loop()
            app.heed_signals(loop)
            app.run(loop=loop)
    except Exception as error:  # what went wrong before or after the app itself ran
        app.crash.note(error)
    finally:
        app.let_go_of_terminal()
    crash = app.crash
    if crash.what:
        log = f"what happened is in {crash.log}" if crash.log else "no log could be written"
        print(f"hextui has crashed: {crash.what}; {log}", file=sys.stderr)
        return FAILED
    return app.return_code or 0


def _in_terminal() -> bool:
    """Tell whether keys can be read and a screen be drawn, or a browser does both."""
    terminal = (stream and stream.isatty() for stream in (sys.__stdin__, sys.__stderr__))
    return "TEXTUAL_DRIVER" in os.environ or all(terminal)


def _session(source: str | None, sample: bool, game: int) -> "Session":
    from hextui.engine.board import Board
    from hextui.records.record import Record
    from hextui.ui.files import open_session
    from hextui.ui.session import Session

    if sample:
        session = open_session(str(SAMPLE), game)
        session.path = None  # saving asks for a name
        return session
    if source is None:
        return Session(Record(Board(11, 11)))
    return open_session(source, game)


def budget_of(settings: "Settings") -> "SolverBudget | None":
    """Return what the solver may take; None if it is not to work live."""
    from hextui.analysis.budget import SolverBudget

    if settings.solver is False:
        return None
    given = (settings.solver_seconds, settings.solver_table, settings.solver_disk)
    default = SolverBudget()
    seconds, table, disk = given
    return SolverBudget(
        default.seconds if seconds is None else float(seconds),
        default.table_bytes if table is None else table << 20,
        default.disk_bytes if disk is None else disk << 20,
    )


def make_analyst(
    hear: "Callable[[Snapshot], None]",
    budget: "SolverBudget | None" = None,
    warmup: "Warmup | None" = None,
    lines: LineSettings | None = None,
) -> "Analyst":
    """Start the analysis; ``hear`` gets its snapshots. Without a budget nothing is solved.

    ``warmup`` compiles the kernels, and is closed with the analyst. ``lines`` says how lines are
    searched.
    """
    from hextui.analysis import Analyst
    from hextui.analysis.warmup import Warmup

    # numpy's own threads would take the core that the screen needs
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    warmup = warmup or Warmup()

    def later() -> "tuple[Stage, ...]":
        """Make what comes after the rankings; called in the worker thread, with the engine."""
        from hextui.analysis.inferiority import find_inferior
        from hextui.analysis.lines import LineStage
        from hextui.analysis.solving import SolverStage

        settings = lines or LineSettings()
        if budget is None:
            return (find_inferior, LineStage(settings))
        solver = SolverStage(budget, warmup.wait_for_solver)
        return (find_inferior, LineStage(settings, solver.winner_of), solver)

    return Analyst(hear, LIVE_EVALUATORS, warmup, later, DEFAULT_EVALUATOR)


def make_game_analyst(
    hear: "Callable[[Progress | str], None]", warmup: "Warmup | None" = None
) -> "GameAnalyst":
    """Be ready to analyse games; ``hear`` gets the progress. One core stays for the screen."""
    from hextui.analysis.budget import PLY_SECONDS
    from hextui.analysis.whole_game import GameAnalyst
    from hextui.studies.workers import cores

    return GameAnalyst(hear, max(1, cores() - 1), warmup, PLY_SECONDS)
