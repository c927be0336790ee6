"""``hextui [FILE|LINK]``: the workstation itself."""

import argparse
import asyncio
import gc
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hextui.commands.arguments import POSITION_HELP, Parser
from hextui.commands.output import FAILED, complain, remark, say
from hextui.engine.board import Board
from hextui.engine.search.lines import DEFAULT_EVALUATOR, DEFAULT_SEARCH, LIVE_EVALUATORS
from hextui.locations import (
    config_file,
    correct_older_folders,
    games_file,
    library_file,
    mistakes_file,
    reviews_file,
    state_folder,
    training_file,
)
from hextui.version import __version__

if TYPE_CHECKING:
    from hextui.engines.engine import Lane
    from hextui.engines.limits import SolverBudget
    from hextui.engines.registry import AttachedEngines
    from hextui.ui.app.app import HextuiApp
    from hextui.ui.app.settings import Settings
    from hextui.ui.app.workspace import Services
    from hextui.ui.record.session import Session
    from hextui.ui.safety.graphics import TerminalGraphics

_SECONDS_TO_LOAD = 2.0  # from the start until all modules of the first screen are there


def add_arguments(parser: Parser) -> None:
    """Add what the workstation takes."""
    parser.value("record", "FILE|LINK", POSITION_HELP, nargs="?")
    add_options(parser)


def add_options(parser: Parser) -> None:
    """Add the options of the workstation, which a file or a link may precede."""
    parser.flag("--version", "show the version and exit")
    parser.flag("--sample", "open the sample game")
    set_defaults(parser)
    parser.place()
    parser.shared("--size", "--encoding")


def set_defaults(parser: Parser) -> None:
    """Set what `run` reads to nothing, for commands that lead to the workstation."""
    names = ("record", "game", "ply", "size", "encoding", "play", "today", "tutorial")
    parser.set_defaults(version=False, sample=False, **dict.fromkeys(names))


def run(options: argparse.Namespace) -> int:
    """Open the workstation on a record, the sample or an empty board; return the exit code."""
    if options.version:
        say(f"hextui {__version__}")
        return 0
    os.environ.setdefault("TEXTUAL_FPS", "240")  # a key is painted within 4 ms instead of 17
    from hextui.ui.safety.graphics import FORGET_PICTURES, GraphicsProtocol, GraphicsQuery

    correct_older_folders()
    with GraphicsQuery() as query:  # the terminal answers while the modules are loaded
        from hextui.ui.app.config import load

        config = load(config_file())
        if options.sample:
            config = replace(config, settings=for_tour(config.settings))
        if options.tutorial:
            config = replace(config, settings=config.settings.over(options.tutorial))
        session = _session(options)
        from hextui.engines.process import COMMAND, EngineProcess
        from hextui.engines.registry import AttachedEngines

        make_app = _app_class(tutorial=options.tutorial is not None)
        graphics, typed = query.answer()
    if not in_terminal():
        return complain(
            OSError("the workstation needs a terminal (hextui --help lists commands that do not)")
        )
    if options.ply is not None:
        session.first()
        session.forward(options.ply)

    def died(line: str) -> None:
        app.records.talk.warn("Engine", line)  # of another thread

    command = (*COMMAND, *solver_options(config.settings))
    engine = EngineProcess(state_folder() / "engine.log", command, died)
    engines = AttachedEngines(config.engines)
    app = make_app(
        session=session,
        config=config,
        services=_services(config.settings, engine.lane, engines, graphics),
        state=state_folder(),
        # without game and ply, the user chooses among several games of a file
        ask_game=options.game is None and options.ply is None,
        typed=typed,
        play=options.play,
        today=options.today,
    )
    try:
        return show(app)
    finally:
        if graphics.protocol is GraphicsProtocol.KITTY and sys.__stderr__:
            sys.__stderr__.write(FORGET_PICTURES)
            sys.__stderr__.flush()
        engine.close()
        engines.close()


def _app_class(*, tutorial: bool) -> "type[HextuiApp]":
    if tutorial:
        from hextui.ui.tutorial.tutorial_app import TutorialApp

        return TutorialApp
    from hextui.ui.app.app import HextuiApp

    return HextuiApp


def _services(
    settings: "Settings",
    open_lane: "Callable[[], Lane]",
    engines: "AttachedEngines",
    graphics: "TerminalGraphics",
) -> "Services":
    from hextui.analysis.analyst import Analyst
    from hextui.analysis.whole_game import GameAnalyst
    from hextui.engines.limits import cores_beside_screen
    from hextui.ui.app.workspace import Services

    make_analyst = partial(
        Analyst,
        open_lane=open_lane,
        evaluators=LIVE_EVALUATORS,
        lines_by=DEFAULT_SEARCH,
        minimax_by=DEFAULT_EVALUATOR,
        lines=settings.lines(),
        budget=budget_of(settings),
        engines=engines,
    )
    make_game_analyst = partial(
        GameAnalyst,
        threads=cores_beside_screen(),
        solve_seconds=settings.review_seconds,
        open_lane=open_lane,
        others=engines.lane,
    )
    return Services(
        open_lane=open_lane,
        make_analyst=make_analyst,
        make_game_analyst=make_game_analyst,
        library=library_file(),
        reviews=reviews_file(),
        training=training_file(),
        games=games_file(),
        mistakes=mistakes_file(),
        attached=engines,
        graphics=graphics,
    )


def show(app: "HextuiApp") -> int:
    """Run the app and return the exit code; after a crash, print where the log is."""
    from hextui.ui.safety.terminal import screen_output
    from hextui.ui.textual_fixes import replace_invalid_input

    replace_invalid_input()
    if sys.__stderr__ is not None:  # Textual writes the screen there
        sys.__stderr__ = screen_output(sys.__stderr__)  # type: ignore[misc]
    try:
        with asyncio.Runner() as runner:
            loop = runner.get_loop()
            app.start_watchdog(loop)
            # a full garbage collection of all that is loaded would delay a key by 70 ms
            loop.call_later(_SECONDS_TO_LOAD, gc.freeze)
            app.run(loop=loop)
    except Exception as error:  # an error before or after the app itself ran
        if not app.crash.note(error):
            raise
    crash = app.crash
    if crash.what:
        log = f"{crash.log} has the details" if crash.log else "no log could be written"
        remark(f"hextui has crashed: {crash.what}; {log}")
        return FAILED
    return app.return_code or 0


def in_terminal() -> bool:
    """Return whether there is a terminal for keys and screen, or a browser for both."""
    terminal = (stream and stream.isatty() for stream in (sys.__stdin__, sys.__stderr__))
    return "TEXTUAL_DRIVER" in os.environ or all(terminal)


def _session(options: argparse.Namespace) -> "Session":
    from hextui.records.record import Record
    from hextui.ui.record.files import open_sample, open_session
    from hextui.ui.record.session import Session

    game = options.game or 1
    board = options.size
    if options.sample:
        return open_sample(number=game)
    if options.record is None:
        return Session(Record(board or Board(11, 11)))
    return open_session(options.record, game, board, options.encoding, pipes=True)


def for_tour(settings: "Settings") -> "Settings":
    """Return settings with which the sample opens in Review, which its tour describes."""
    from hextui.ui.app.layout import Activity

    return replace(settings, activity=Activity.REVIEW, panel="")


def budget_of(settings: "Settings") -> "SolverBudget | None":
    """Return the limits of the live solver; None if it is off."""
    from hextui.engines.limits import SolverBudget

    if settings.solver is False:
        return None
    default = SolverBudget()
    seconds, disk = settings.solver_seconds, settings.solver_disk
    return SolverBudget(
        default.seconds if seconds is None else float(seconds),
        default.disk_bytes if disk is None else disk << 20,
    )


def solver_options(settings: "Settings") -> list[str]:
    """Return the engine's options that say how many threads and megabytes the solver has."""
    from hextui.engines.limits import TABLE_MB, cores_beside_screen

    threads = settings.solver_threads or cores_beside_screen()
    table_mb = settings.solver_table or TABLE_MB
    return ["--threads", str(threads), "--table-mb", str(table_mb)]
