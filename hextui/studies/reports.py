"""How each study reports its results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hextui.studies import (
    losing_report,
    match_report,
    quality_figures,
    quality_report,
    rating_report,
    table_report,
)
from hextui.studies.figures import Figure
from hextui.studies.results import Document, StudyError, Table


@dataclass(frozen=True)
class Reporting:
    """How a study tells its results, from its rows and ``settings.json``.

    Figures, the whole report (given the figures that are drawn beside it), the document for
    --json, and further text files by their names.
    """

    figures: Callable[[Table, Document], list[Figure]]
    report: Callable[[Table, Document, Sequence[Figure]], str]
    document: Callable[[Table, Document], Document]
    files: Callable[[Table, Document], dict[str, str]] = lambda table, settings: {}


def _match_result(table: Table, settings: Document) -> match_report.MatchResult:
    return match_report.result(table, settings["settings"])


_REPORTINGS = {
    "rank-quality": Reporting(
        lambda table, settings: quality_figures.figures(
            table, settings["about"]["ties"], settings["settings"]["seed"]
        ),
        quality_report.report,
        quality_report.document,
    ),
    "match": Reporting(
        lambda table, settings: [],
        lambda table, settings, drawn: match_report.report(
            _match_result(table, settings), settings["settings"]
        ),
        lambda table, settings: match_report.document(_match_result(table, settings)),
        lambda table, settings: {"games.sgf": match_report.sgf(table, settings["settings"])},
    ),
    "match-table": Reporting(
        table_report.figures, table_report.report, table_report.document, table_report.files
    ),
    "losing-moves": Reporting(
        losing_report.figures,
        losing_report.report,
        losing_report.document,
        lambda table, settings: {"losing-moves.sgf": losing_report.sgf(table, settings)},
    ),
    "ratings": Reporting(rating_report.figures, rating_report.report, rating_report.document),
}


def reporting_of(study: str) -> Reporting:
    """Return how a study tells its results; raises StudyError for a study that is none."""
    if study not in _REPORTINGS:
        raise StudyError(f"there is no study {study!r}")
    return _REPORTINGS[study]
