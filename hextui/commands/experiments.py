"""Options, progress and results of ``hextui study`` and ``hextui match``."""

import argparse
import hashlib
import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType

from hextui.commands.arguments import Parser, UsageError, file_path
from hextui.commands.output import FAILED, ProgressLine, complain, confirm, say, say_json
from hextui.commands.worker_options import open_workers, window_of, worker_arguments
from hextui.locations import data_folder, make_private_folder, studies_folder
from hextui.records.saving import save_file
from hextui.runs.experiment import Experiment, RunProgress, run
from hextui.runs.reports import RunReport, can_draw, draw
from hextui.runs.results import REPORT, SETTINGS, ForeignRunError, RunError, RunFolder, interpreting
from hextui.text import Names, clock, counted

MOST_GAMES = 1_000_000
_CONTINUES = "The same command continues."


def experiment_arguments(parser: Parser) -> None:
    """Add the options of every study and every match."""
    text = "folder for the results (default: one in the program's data folder)"
    parser.value("--out", "FOLDER", text, type=file_path)
    text = "continue a run in FOLDER without asking, even if it was not started "
    parser.flag("--trust", f"{text}there on this machine")
    worker_arguments(parser)
    parser.shared("--seed", "--json")


def conduct(
    experiment: Experiment, options: argparse.Namespace, copies: Mapping[str, Path] | None = None
) -> int:
    """Do the tasks of a run that are not done yet, and print its report; return the exit code.

    ``copies``: where else files of the report are saved, by their names. Compiles the kernels
    first. Raises UsageError for a run begun elsewhere, unless it is trusted.
    """
    only = {"": experiment}
    return conduct_parts(experiment.study, only, lambda made: made[""], options, copies or {})


def conduct_parts(
    study: str,
    parts: Mapping[str, Experiment],
    join: Callable[[Mapping[str, RunReport]], RunReport],
    options: argparse.Namespace,
    copies: Mapping[str, Path] = MappingProxyType({}),
) -> int:
    """Do several runs, each in the folder of its name, and print what ``join`` makes of them.

    Ctrl+C or SIGTERM ends it after writing the reports on what is finished.
    """
    folder = RunFolder(options.out or _own_folder(study, *parts.values()))
    reports: dict[str, RunReport] = {}
    try:
        with _ended_by_sigterm():
            for name, part in parts.items():
                reports[name] = _complete(part, RunFolder(folder.path / name), options)
            report = join(reports)
            if "" not in parts:
                folder.write(REPORT, report.markdown(False))
            for name, path in copies.items():
                save_file(path, report.files[name])
            _print_report(report, folder, options, copies)
    except RunError as error:
        complain(error)
        return FAILED
    except KeyboardInterrupt:
        complain(_after_interrupt(folder, parts, join, reports, options))
        raise
    return 0


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end what is done as Ctrl+C does; only the main thread can."""
    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.SIG_DFL or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _complete(experiment: Experiment, folder: RunFolder, options: argparse.Namespace) -> RunReport:
    """Do what is left of a run, and write its report."""
    line = ProgressLine(first=0.0, pause=10.0)
    try:
        _begin(folder, experiment, options.trust)
        with folder.shared() as claims:
            if not folder.done:
                show = partial(_show, line)
                with open_workers(options, experiment.cells) as executor:
                    run(experiment, executor, folder, claims, 2 * window_of(options), show)
            line.end(keep=True)
            with claims.alone(b"report"):
                return _write_report(experiment, folder, options.names)
    finally:
        line.end(keep=True)


def _after_interrupt(
    folder: RunFolder,
    parts: Mapping[str, Experiment],
    join: Callable[[Mapping[str, RunReport]], RunReport],
    complete: Mapping[str, RunReport],
    options: argparse.Namespace,
) -> str:
    """Write the reports on what is finished of an interrupted run; return what to tell the user.

    ``complete``: the reports of its first parts; the next part was interrupted.
    """
    reports = {**complete}
    left = list(parts)[len(complete) :]
    try:
        if left and (folder.path / left[0] / SETTINGS).exists():
            part = RunFolder(folder.path / left[0])
            reports |= _report_so_far(left[0], parts[left[0]], part, options.names)
        if left and reports and "" not in parts:
            _write_joined_so_far(folder, parts, join, reports)
    except RunError as error:
        return f"interrupted; no report: {error}"
    if not reports:
        return "interrupted"
    kept = "keeps the finished games, and a report on them: repeat the command to continue"
    return f"interrupted; {folder.path} {kept}"


def _report_so_far(
    name: str, experiment: Experiment, folder: RunFolder, names: Names
) -> dict[str, RunReport]:
    """Write the report on what is finished of a run, without figures; return it by its name.

    Returns nothing where no game is finished.
    """
    with folder.shared() as claims, claims.alone(b"report"):
        run_so_far = folder.so_far()
        if not run_so_far.finished:
            return {}
        with interpreting(folder.path):
            report = experiment.report(run_so_far.rows, run_so_far.settings, names)
        if not folder.done:
            total = counted(len(experiment.tasks), "game")
            report.mark_unfinished(f"{run_so_far.finished:,} of {total}. {_CONTINUES}")
        for file, content in {REPORT: report.markdown(False), **report.files}.items():
            folder.write(file, content)
        report.document = {**run_so_far.settings, **report.document}
    return {name: report}


def _write_joined_so_far(
    folder: RunFolder,
    parts: Mapping[str, Experiment],
    join: Callable[[Mapping[str, RunReport]], RunReport],
    reports: Mapping[str, RunReport],
) -> None:
    """Write what ``join`` makes of the reports that there are."""
    states = []
    for name in parts:
        if name not in reports:
            states.append(f"{name}: not begun")
        elif "unfinished" in reports[name].document:
            states.append(f"{name}: {reports[name].document['unfinished'].partition('.')[0]}")
    with interpreting(folder.path):
        joined = join(reports)
    joined.mark_unfinished(f"{'; '.join(states)}. {_CONTINUES}")
    folder.write(REPORT, joined.markdown(False))


def _begin(folder: RunFolder, experiment: Experiment, trusted: bool) -> None:
    """Prepare the folder; ask before continuing a run that was started elsewhere."""
    document = experiment.document()
    about = experiment.about
    try:
        folder.begin(document, about, trusted)
    except ForeignRunError as error:
        if not confirm(f"{error}; continue it, and use the results in it?"):
            raise UsageError(f"{error}; --trust continues it") from None
        folder.begin(document, about, trusted=True)


def _own_folder(study: str, *experiments: Experiment) -> Path:
    """Return the default folder of a run, derived from its settings."""
    text = "".join(json.dumps(each.document(), sort_keys=True) for each in experiments)
    digest = hashlib.sha256(text.encode()).hexdigest()[:10]
    with suppress(OSError):  # RunFolder reports what is wrong
        make_private_folder(data_folder())
    return studies_folder() / f"{study}-{digest}"


def _write_report(experiment: Experiment, folder: RunFolder, names: Names) -> RunReport:
    table = folder.rows()
    settings = folder.settings()
    drawn = can_draw()
    with interpreting(folder.path):
        report = experiment.report(table, settings, names)
    for name, content in {REPORT: report.markdown(drawn), **report.files}.items():
        folder.write(name, content)
    if drawn:
        for figure in report.figures:
            draw(figure, folder.path)
    report.document = {**settings, **report.document}
    return report


def _print_report(
    report: RunReport, folder: RunFolder, options: argparse.Namespace, copies: Mapping[str, Path]
) -> None:
    drawn = can_draw()
    if options.json:
        with interpreting(folder.path):  # its settings may hold NaN
            say_json({"folder": str(folder.path), **report.document})
        return
    say(report.summary(drawn))
    for name, path in copies.items():
        say(f"\n{Path(name).stem}: {path}")
    say(f"\n{', '.join(['rows', 'settings', 'report', *report.files])}: {folder.path}")
    if report.figures and not drawn:
        say("Figures need matplotlib: pip install matplotlib")


def _show(line: ProgressLine, progress: RunProgress) -> None:
    left = "" if progress.left is None else f"  about {clock(progress.left)} left"
    share = 100 * progress.done // max(progress.total, 1)
    text = f"{progress.done} of {progress.total} games  {share}%{left}"
    if progress.done < progress.total:
        line.show(text)
    else:
        line.last(text)
