"""How each study reports its results."""

from functools import partial

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
from hextui.words.names import Names


def reporting_of(study: str, names: Names) -> Reporting:
    """Return how a study is reported; raises StudyError for a study that is none.

    ``names``: what the players of a game are called.
    """
    reportings = {
        "rank-quality": Reporting(
            lambda table, settings: quality_figures.figures(
                table, settings["about"]["ties"], settings["settings"]["seed"]
            ),
            quality_report.report,
            quality_report.document,
        ),
        "match": match_report.reporting(names),
        "match-table": Reporting(
            table_report.figures, table_report.report, table_report.document, table_report.files
        ),
        "losing-moves": Reporting(
            losing_report.figures,
            partial(losing_report.report, names=names),
            losing_report.document,
            lambda table, settings: {"losing-moves.sgf": losing_report.sgf(table, settings, names)},
        ),
        "ratings": Reporting(rating_report.figures, rating_report.report, rating_report.document),
    }
    if study not in reportings:
        raise StudyError(f"there is no study {study!r}")
    return reportings[study]
