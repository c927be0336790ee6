"""``hextui library sync``: fetch the games of a player at another site that the library lacks."""

import argparse

from hextui.commands.arguments import Parser, UsageError
from hextui.commands.documents import print_document, table
from hextui.commands.output import FAILED, ProgressLine, complain
from hextui.library.syncs import SITE_NAMES, syncs_of
from hextui.locations import library_file
from hextui.records.fetching import FetchError
from hextui.words.files import import_text


def add_sync_arguments(parser: Parser) -> None:
    """Add what the action takes."""
    text = f"{' or '.join(SITE_NAMES)} (default: list the players, and when each was synced last)"
    parser.value("site", "SITE", text, nargs="?", choices=SITE_NAMES)
    text = "the player's name there, link, or at Little Golem number"
    parser.value("player", "PLAYER", text, nargs="?")


def run_sync(options: argparse.Namespace) -> int:
    """Fetch the games of a player, or list who was synced; return the exit code."""
    from hextui.library.library import Library
    from hextui.library.sync import sync_games
    from hextui.library.sync_sites import SITES

    if options.site is None:
        return _list_syncs(options)
    if options.player is None:
        raise UsageError("sync needs a SITE and a PLAYER")
    with Library() as library:
        before = library.count()
        try:
            with ProgressLine(first=0.0, pause=30.0) as progress:
                site = SITES[options.site]
                done, sync = sync_games(library, site, options.player, progress.show)
        except FetchError as error:
            complain(error)
            return FAILED
        except KeyboardInterrupt:
            added = library.count() - before
            complain(f"interrupted: {added:,} added; the same command fetches the rest")
            raise
    broken = []
    for game in done.broken:
        complain(f"{game.source} skipped: {game.reason}")
        broken.append({"source": game.source, "error": game.reason})
    document = {
        "site": sync.site,
        "player": sync.name,
        "last": sync.last,
        "added": done.added,
        "contradicting": done.contradicting,
        "duplicates": done.duplicates,
        "broken": broken,
    }
    print_document(document, options, f"{sync.site}, {sync.name}: {import_text(done)}")
    return FAILED if broken else 0


def _list_syncs(options: argparse.Namespace) -> int:
    syncs = syncs_of(library_file())
    documents = []
    for sync in syncs:
        documents.append({"site": sync.site, "id": sync.id, "name": sync.name, "last": sync.last})
    rows = [[sync.site, sync.name, sync.last or "not complete"] for sync in syncs]
    text = table([["site", "player", "last sync"], *rows]) if rows else "no player was synced"
    print_document({"syncs": documents}, options, text)
    return 0
