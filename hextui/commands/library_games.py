"""Options of the commands that take games of the library, and these games."""

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hextui.commands.arguments import Parser, usage_errors
from hextui.commands.convert import report_conversion
from hextui.commands.output import ProgressLine, complain
from hextui.library.answers import GameRow
from hextui.library.filters import (
    CONTRADICTING,
    FILTER_NAMES,
    Filter,
    filter_of,
    filter_text,
    games_filter,
    without_least,
    words_of,
)
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.writing import save_collection
from hextui.text import counted

if TYPE_CHECKING:
    from hextui.library.library import Library


FILTER_HELP = "a filter, as typed on the library screen: words, player=ann, event=cup size=11"
"""Help for a FILTER."""


def library_arguments(parser: Parser) -> None:
    """Add the options that say which games of the library are meant."""
    parser.flag("--library", "use the games of the library")
    text = "use the games of the library that TEXT finds: ann 2019, or event=cup size=11"
    parser.value("--search", "TEXT", text)


def filter_arguments(parser: Parser, *left_out: str) -> None:
    """Add what a filter consists of, but for some names, each as an option of its name."""
    parser.value("--search", "FILTER", FILTER_HELP)
    for name, (metavar, text) in FILTER_NAMES.items():
        if name not in ("results", *left_out):
            parser.value(f"--{name}", metavar, text)
    parser.flag("--contradicting", FILTER_NAMES["results"][1])


def filter_of_options(options: argparse.Namespace, *, of_player: bool = False) -> Filter:
    """Return the filter of `filter_arguments`, with the words of ``--search``; see `filter_of`.

    Raises UsageError.
    """
    with usage_errors():
        words = words_of(" ".join([options.search or "", *getattr(options, "filter", ())]))
        given = {name: getattr(options, name, None) for name in FILTER_NAMES}
        words |= {name: text for name, text in given.items() if isinstance(text, str)}
        if options.contradicting:
            words["results"] = CONTRADICTING
        return filter_of(words, of_player=of_player)


def wants_library(options: argparse.Namespace) -> bool:
    """Return whether games of the library are meant."""
    return options.library or options.search is not None


def library_games(options: argparse.Namespace) -> Iterator[tuple[GameRow, Record]]:
    """Yield the games of the library that the options choose; raises ValueError, LibraryError."""
    from hextui.library.library import Library

    with Library(names=options.names) as library:
        for row in library.games(games_filter(options.search or "")):
            text = library.text(row.id)
            assert text is not None, "the row is there"
            yield row, read_record(text)


def export_games(options: argparse.Namespace) -> int:
    """Write the games that the options choose to a file; return the exit code."""
    from hextui.library.library import Library

    with usage_errors():
        chosen = without_least(filter_of_options(options))
    with Library(names=options.names) as library, ProgressLine() as progress:
        ids = library.ids(chosen)
        if not ids:
            words = filter_text(chosen, options.names)
            return complain(f"no game matches {words}" if words else "the library is empty")
        done = save_collection(_read_games(library, ids, progress), options.output)
    return report_conversion(done, options.json)


def _read_games(
    library: "Library", ids: Sequence[int], progress: ProgressLine
) -> Iterator[tuple[int, Record | RecordError]]:
    """Yield games by their ids, but for those removed meanwhile, and show the progress."""
    for place, number in enumerate(ids):
        if place % 100 == 0:
            progress.show(f"{place:,} of {counted(len(ids), 'game')} written")
        text = library.text(number)
        if text is None:
            continue
        try:
            yield number, read_record(text)
        except RecordError as error:
            yield number, error
