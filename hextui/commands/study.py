"""``hextui study``: experiments over many games, with a folder of results."""

import hashlib
import json
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

from hextui.commands.documents import complain
from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator
from hextui.engine.warm import compile_width, is_warm, width_of
from hextui.locations import data_folder
from hextui.records.errors import RecordError
from hextui.studies import match_table as match_table_study
from hextui.studies import round_robin, workers
from hextui.studies.drawing import can_draw, draw
from hextui.studies.figures import write_figures
from hextui.studies.games import Filters, collect
from hextui.studies.players import player
from hextui.studies.rank_quality import PAPER_EVALUATORS, RankQuality, tasks
from hextui.studies.readings import BY_NAME, READINGS
from hextui.studies.reports import reporting_of
from hextui.studies.results import FIGURES, REPORT, Description, Folder, StudyError
from hextui.studies.runs import Progress, Task, Work, run

FAILED = 1


@dataclass(frozen=True)
class Options:
    """What all studies take: folder (None: one of the program's own), workers, cluster, seed."""

    out: Path | None
    workers: int
    cluster: str | None
    seed: int
    as_json: bool


def rank_quality(
    sources: Sequence[str],
    filters: Filters,
    evaluators: Sequence[str],
    players: str,
    options: Options,
) -> int:
    """Run the study of section 4 on a collection; return the exit code."""
    paths = [Path(source).expanduser() for source in sources]
    try:
        names = tuple(dict.fromkeys(evaluator(n).name for n in evaluators)) or PAPER_EVALUATORS
        collection = collect(paths, filters)
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    except (RecordError, ValueError) as error:
        return complain(error)
    if not collection.games:
        reasons = ", ".join(f"{n} ({reason})" for reason, n in collection.reasons)
        return complain(ValueError(f"no game is left; left out: {reasons or 'none'}"))
    work = RankQuality(names, losers=players == "both")
    description = Description(
        "rank-quality",
        {
            "collection": [
                {"name": path.name, "sha256": digest}
                for path, digest in zip(paths, digests, strict=True)
            ],
            "filters": asdict(filters),
            "evaluators": list(names),
            "players": players,
            "seed": options.seed,
        },
        work.columns,
        len(collection.games),
        {"read": collection.read, "left_out": [list(pair) for pair in collection.reasons]},
    )
    sizes = {game.cells for game in collection.games}
    return conduct(description, tasks(collection.games), work, sizes, options)


def match_table(names: Sequence[str], board: Board, games: int, options: Options) -> int:
    """Play the matches of section 6.2 by the named readings; return the exit code."""
    unknown = [name for name in names if name != "all" and name not in BY_NAME]
    if unknown:
        return complain(
            ValueError(f"no reading {unknown[0]!r}; there are all, {', '.join(BY_NAME)}")
        )
    chosen = READINGS if "all" in names else [BY_NAME[name] for name in dict.fromkeys(names)]
    todo = match_table_study.encounters(chosen, board, games, options.seed)
    description = Description(
        "match-table",
        {
            "size": str(board),
            "games": games,
            "readings": [asdict(reading) for reading in chosen],
            "seed": options.seed,
        },
        match_table_study.COLUMNS,
        len(todo),
        {},
    )
    return conduct(description, todo, match_table_study.play_encounter, {board.cells}, options)


def rating_list(
    players: Sequence[str], board: Board, openings: int | None, options: Options
) -> int:
    """Let evaluators play all against all; return the exit code."""
    try:
        names = list(dict.fromkeys(player(name).name for name in players))
    except ValueError as error:
        return complain(error)
    if len(names) < 2:
        return complain(ValueError("ratings need two evaluators or more"))
    cells = round_robin.openings(board, openings, options.seed)
    todo = round_robin.meetings(names, board, cells, options.seed)
    description = Description(
        "ratings",
        {
            "size": str(board),
            "players": names,
            "openings": [board.name(cell) for cell in cells],
            "seed": options.seed,
        },
        round_robin.COLUMNS,
        len(todo),
        {},
    )
    return conduct(description, todo, round_robin.play_meeting, {board.cells}, options)


def conduct(
    description: Description,
    todo: Sequence[Task],
    work: Work,
    sizes: Iterable[int],
    options: Options,
) -> int:
    """Do what is not done yet of a run, and tell its results; return the exit code.

    ``sizes``: numbers of cells of the boards, whose kernels are compiled first.
    """
    folder = Folder(options.out or _own_folder(description))
    progress = _ProgressLine()
    try:
        folder.begin(description)
        if not folder.done:
            with _executor(options, sizes) as executor:
                run(description, todo, work, executor, folder, progress.show)
        progress.end()
        return _tell(folder, options)
    except StudyError as error:
        progress.end()
        complain(error)
        return FAILED
    except KeyboardInterrupt:
        progress.end()
        print(
            f"hextui: interrupted; what was done is kept in {folder.path}: "
            "run the same command again to go on",
            file=sys.stderr,
        )
        raise


def _own_folder(description: Description) -> Path:
    """Return the folder of a run without --out: the same for the same settings."""
    text = json.dumps(description.document(), sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:10]
    return data_folder() / "studies" / f"{description.study}-{digest}"


def _executor(options: Options, sizes: Iterable[int]) -> AbstractContextManager[Executor]:
    """Open the workers; on this machine only after the kernels are compiled."""
    if options.cluster is not None:
        return workers.cluster(options.cluster)
    for width in sorted({width_of(cells) for cells in sizes}):
        if not is_warm(width):
            for step in compile_width(width):
                print(f"compiling {step.label}: {step.done} of {step.total}", file=sys.stderr)
    return workers.processes(options.workers)


def _tell(folder: Folder, options: Options) -> int:
    """Write report and figures, and print the report."""
    table, settings = folder.rows(), folder.settings()
    how = reporting_of(settings["study"])
    figures, files = how.figures(table, settings), how.files(table, settings)
    text = how.report(table, settings, figures if can_draw() else [])
    for name, content in {REPORT: text, FIGURES: write_figures(figures), **files}.items():
        folder.write(name, content)
    if can_draw():
        for figure in figures:
            draw(figure, folder.path)
    if options.as_json:
        results = how.document(table, settings)
        print(json.dumps({"folder": str(folder.path), **settings, **results}, allow_nan=False))
        return 0
    print(text.partition("## Figures")[0].rstrip())
    print(f"\n{', '.join(['rows', 'settings', 'report', *files])}: {folder.path}")
    if figures and not can_draw():
        print("figures as SVG and PNG need matplotlib: pip install 'hextui[study]'")
    return 0


class _ProgressLine:
    """One line on standard error that is written over; lines of their own into a file."""

    def __init__(self) -> None:
        self._last = 0.0
        self._open = False

    def show(self, progress: Progress) -> None:
        """Show how far a run is, at most every tenth of a second (ten seconds in a file)."""
        now = time.monotonic()
        pause = 0.1 if sys.stderr.isatty() else 10.0
        if progress.done < progress.total and now - self._last < pause:
            return
        self._last = now
        left = "" if progress.left is None else f"  about {_clock(progress.left)} left"
        share = 100 * progress.done // max(progress.total, 1)
        text = f"{progress.done} of {progress.total} games  {share} %{left}"
        if sys.stderr.isatty():
            print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)
            self._open = True
        else:
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._open:
            print(file=sys.stderr)
            self._open = False


def _clock(seconds: float) -> str:
    """Return minutes and seconds, and hours where there are some.

    >>> _clock(75), _clock(3675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
