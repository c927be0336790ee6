"""``hextui report``: who gave a win away in a game, and how evaluators rank its moves."""

import argparse
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import quote

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.review_notes import annotate
from hextui.analysis.stored_analysis import ReviewStore
from hextui.analysis.whole_game import analyse_game
from hextui.commands.arguments import (
    POSITION_HELP,
    Parser,
    UsageError,
    duration,
    file_path,
    usage_errors,
)
from hextui.commands.documents import chosen_game, compile_first, print_document
from hextui.commands.library_games import library_arguments, wants_library
from hextui.commands.output import FAILED, ProgressLine, complain
from hextui.commands.report_document import game_document
from hextui.commands.report_games import close_reviews, report_games
from hextui.commands.report_text import game_text
from hextui.commands.story_page import PAGE_SUFFIXES, game_story, pictured, story_page
from hextui.commands.story_proofs import StoryProver, winning_lines, write_proofs
from hextui.commands.worker_options import worker_arguments
from hextui.engine.search.lines import LIVE_EVALUATORS
from hextui.engine.widths import Kernels
from hextui.engines.engine import EngineError
from hextui.engines.limits import GAME_SECONDS, cores
from hextui.engines.registry import evaluator_called, user_engines
from hextui.locations import named_path
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.records.writing import format_of, save
from hextui.words.reviews import mistake_sentence


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    text = f"{POSITION_HELP}; or a folder of games, reported on together"
    parser.value("record", "GAME|FOLDER", text, nargs="?")
    library_arguments(parser)
    games = parser.add_mutually_exclusive_group()
    parser.shared("--game", group=games)
    text = "report on all games of the file together; an interrupted run continues"
    parser.flag("--all", text, group=games)
    text = "an evaluator, or engine(NAME) for an engine in the settings file (repeat for several; "
    text += "default: those that the workstation shows)"
    parser.value("--evaluator", "NAME", text, action="append")
    text = "CPU seconds in which the solver proves mistakes, as if nobody swaps; 0 for none "
    text += f"(default: {GAME_SECONDS:g}); results of earlier analyses are reused"
    parser.value("--solve", "SECONDS", text, type=duration, default=GAME_SECONDS)
    parser.flag("--fresh", "ignore reviews on disk, and store none")
    parser.value("--save", "FILE", "write the game with the results, as SGF", type=file_path)
    text = "write the game with the results and a review for other programs (comments, marks, "
    text += "winning moves as variations), as SGF"
    parser.value("--write", "FILE", text, type=file_path)
    text = "one game: write its story, the turning points with boards and winning lines, as a page "
    text += "into FILE (.html); many games: write a page for each, an index and a table (CSV) into "
    text += "FOLDER"
    parser.value("--html", "FILE|FOLDER", text, type=file_path)
    text = "with --html FILE: write a proof of each proved statement into FOLDER, and link it"
    parser.value("--proofs", "FOLDER", text, type=file_path)
    parser.shared("--size", "--encoding")
    worker_arguments(parser)
    form = parser.add_mutually_exclusive_group()
    parser.shared("--json", group=form)
    parser.flag("--markdown", "print the report as Markdown", group=form)


def run(options: argparse.Namespace) -> int:
    """Report on a game, or on all games of a folder, a file or the library; return the code."""
    chosen = options.evaluator or LIVE_EVALUATORS
    with usage_errors():
        names = list(dict.fromkeys(evaluator_called(name).name for name in chosen))
    if (options.record is None) is not wants_library(options):
        raise UsageError("give a game, a folder of games, or --library")
    if options.record is None or options.all or os.path.isdir(named_path(options.record)):
        with usage_errors():
            _check_folder(options)
        return report_games(options, names)
    if options.workers or options.cluster:
        raise UsageError("--workers and --cluster are for many games: a folder, or --all")
    return _report_game(options, names)


def _report_game(options: argparse.Namespace, names: Sequence[str]) -> int:
    """Analyse a game, except what its record already holds, and print the report."""
    with usage_errors():
        _check_page(options)
        record = chosen_game(options.record, options.game, options.size, charset=options.encoding)
        _check_targets(options)
    store = None if options.fresh else ReviewStore()
    line, estimates = stored_analysis.stored_estimates(record)
    code = 0
    try:
        analyse(line, estimates, names, options.solve, store)
    except EngineError as error:  # only of another engine
        complain(error)
        code = FAILED
    code = _write_files(options, record, line, names, estimates) or code
    document = game_document(record, line, names, estimates, options.names, options.solve)
    print_document(document, options, partial(game_text, markdown=options.markdown))
    if store is not None:
        close_reviews(store)
    return code


def _write_files(
    options: argparse.Namespace,
    record: Record,
    line: Sequence[GamePosition],
    names: Sequence[str],
    estimates: Estimates,
) -> int:
    """Write the files that the options name; return the exit code.

    What cannot be written is said in a line: the report is printed all the same.
    """
    code = 0
    if options.save or options.write:
        record.set_properties(stored_analysis.properties(line, names, estimates))
    for target in filter(None, (options.save, options.write)):
        if target is options.write:
            annotate(record, line, estimates, partial(mistake_sentence, names=options.names))
        try:
            save(record, target)
        except RecordError as error:
            code = complain(error)
    if options.html is not None:
        try:
            _write_story(options, record, line, names, estimates)
        except RecordError as error:
            code = complain(error)
    return code


def _check_targets(options: argparse.Namespace) -> None:
    """Raise RecordError for a file in which no results can be kept."""
    for target in (options.save, options.write):
        if target is not None and format_of(target) != "sgf":
            raise RecordError(
                "only SGF can hold results: use a name that ends in .sgf", source=str(target)
            )


def _check_folder(options: argparse.Namespace) -> None:
    """Raise RecordError or UsageError for options that many games do not have."""
    if options.save or options.write or options.proofs:
        raise UsageError("--save, --write and --proofs are for one game")
    if options.html is not None and options.html.suffix.lower() in PAGE_SUFFIXES:
        what = "a page for one game; for many games, --html takes a folder"
        raise RecordError(what, source=str(options.html))


def _check_page(options: argparse.Namespace) -> None:
    """Raise RecordError or UsageError for options that make no page."""
    if options.proofs is not None and options.html is None:
        raise UsageError("--proofs needs --html FILE, whose page links the proofs")
    if options.html is not None and options.html.suffix.lower() not in PAGE_SUFFIXES:
        raise RecordError("a page needs a name that ends in .html", source=str(options.html))


def _write_story(
    options: argparse.Namespace,
    record: Record,
    line: Sequence[GamePosition],
    names: Sequence[str],
    estimates: Estimates,
) -> None:
    """Write the page about a game, and its proofs if they are wanted. Raises RecordError."""
    story = game_story(record, line, estimates, names, options.solve, options.names)
    proofs: dict[int, str | None] | None = None
    with closing(StoryProver(record.board)) as prover:
        lines = winning_lines(pictured(story.summary, record.board), prover)
        if options.proofs is not None:
            files = write_proofs(story.facts, line, prover, options.proofs, options.names)
            proofs = {ply: _address(file, options.html) for ply, file in files.items()}
    save_file(options.html, story_page(replace(story, lines=lines, proofs=proofs)))


def _address(file: Path | None, page: Path) -> str | None:
    """Return the address of a file relative to a page that links it; None for no file."""
    if file is None:
        return None
    start = os.path.dirname(os.path.abspath(page))
    return quote(Path(os.path.relpath(os.path.abspath(file), start)).as_posix())


def analyse(
    line: Sequence[GamePosition],
    estimates: Estimates,
    names: Sequence[str],
    seconds: float,
    store: ReviewStore | None,
) -> None:
    """Add to ``estimates`` what is stored about a line of play, and analyse what is not.

    ``seconds``: the solver's budget. ``store`` also keeps what is found. Raises EngineError if
    another engine fails, after everything else has been analysed.
    """
    if store is not None:
        store.read(line, estimates)
    complete = all(estimates.complete(game_position, names) for game_position in line)
    if complete and estimates.spent(line) >= seconds:
        return
    compile_first(line[0].position.board, *Kernels)
    others = user_engines().lane
    try:
        with ProgressLine() as shown:
            for progress in analyse_game(line, names, estimates, cores(), seconds, others=others):
                text = f"{progress.label}: {progress.amount}"
                if progress.done == progress.total:
                    shown.last(text)
                else:
                    shown.show(text)
    finally:  # also what was found before an interrupt
        if store is not None:
            store.keep(line, estimates)
