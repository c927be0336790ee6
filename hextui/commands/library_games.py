"""Options of the commands that take games of the library, and these games."""

import argparse
from collections.abc import Iterator

from hextui.commands.arguments import Parser
from hextui.library.answers import GameRow
from hextui.records.formats import read_record
from hextui.records.record import Record


def library_arguments(parser: Parser) -> None:
    """Add the options that say which games of the library are meant."""
    parser.flag("--library", "use the games of the library")
    text = "use the games of the library that TEXT finds: ann 2019, or event=cup size=11"
    parser.value("--search", "TEXT", text)


def wants_library(options: argparse.Namespace) -> bool:
    """Return whether games of the library are meant."""
    return options.library or options.search is not None


def library_games(options: argparse.Namespace) -> Iterator[tuple[GameRow, Record]]:
    """Yield the games of the library that the options choose; raises ValueError, LibraryError."""
    from hextui.library.library import Library
    from hextui.ui.widgets.typed_text import read_filter

    with Library(names=options.names) as library:
        for row in library.games(read_filter(options.search or "")):
            text = library.text(row.id)
            assert text is not None, "the row is there"
            yield row, read_record(text)
