"""How each study reports its results."""

from hextui.matches import match_report
from hextui.matches.reports import Reporting
from hextui.matches.results import StudyError
from hextui.studies import (
    losing_report,
    quality_figures,
    quality_report,
    rating_report,
    table_report,
)

_REPORTINGS = {
    "rank-quality": Reporting(
        lambda table, settings: quality_figures.figures(
            table, settings["about"]["ties"], settings["settings"]["seed"]
        ),
        quality_report.report,
        quality_report.document,
    ),
    "match": match_report.REPORTING,
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
