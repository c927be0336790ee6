"""``hextui library player``: what the games of a player come to, or of two players compared."""

import argparse

from hextui.commands.arguments import Parser, UsageError, file_path, usage_errors
from hextui.commands.documents import Document, print_document, table
from hextui.commands.library_games import FILTER_HELP, filter_arguments, filter_of_options
from hextui.commands.output import complain
from hextui.records.record_text import RecordError
from hextui.text import Names, counted

_PLIES = 4  # of the tree of openings
_SHARE = 50  # a move has a fiftieth of the games or more, unless --least names another number


def player_arguments(parser: Parser) -> None:
    """Add the players, the games that count, and what is written."""
    parser.value("name", "NAME", "the whole name of a player of the library")
    text = f"the whole name of another player to compare with, and {FILTER_HELP}"
    parser.value("filter", "OTHER|FILTER", text, nargs="*")
    filter_arguments(parser, "player")
    text = f"plies of the openings that are listed (default: {_PLIES})"
    parser.number("--plies", text, _PLIES, least=1, most=20)
    parser.value("--html", "FILE", "write the same as a page (.html)", type=file_path)


def show_player(options: argparse.Namespace) -> int:
    """Print what is counted of a player, or of two; return the exit code."""
    from hextui.commands.player_page import player_page
    from hextui.commands.story_page import PAGE_SUFFIXES
    from hextui.records.saving import save_file

    if options.html is not None and options.html.suffix.lower() not in PAGE_SUFFIXES:
        raise UsageError(f"{options.html}: a page needs a name that ends in .html")
    names = [options.name]
    if options.filter and "=" not in options.filter[0]:
        names.append(options.filter.pop(0))
    document = _document(options, names)
    if options.html is not None:
        try:
            save_file(options.html, player_page(document, options.names))
        except RecordError as error:
            return complain(error)
    print_document(document, options, _show)
    return 0


def _document(options: argparse.Namespace, names: list[str]) -> Document:
    """Return the document about players. Raises UsageError, LibraryError."""
    from hextui.commands.player_document import TreeSize, player_document, score_document
    from hextui.library.library import Library
    from hextui.library.player_games import player_games
    from hextui.locations import reviews_file
    from hextui.train.player_review import player_review

    with Library(names=options.names) as library:
        players = []
        chosen = filter_of_options(options, of_player=True)
        for name in names:
            with usage_errors():
                players.append(player_games(library, name, chosen))
        least = chosen.least
        if least == 1 and not options.least:
            least = max(min(len(player.games) for player in players) // _SHARE, 1)
        size = TreeSize(options.plies, least)
        documents = []
        for player in players:
            review = player_review(library, player.games, reviews_file())
            documents.append(player_document(player, review, size))
    document: Document = {"players": documents}
    if len(players) > 1:
        first, second = players
        document["against_each_other"] = score_document(first.against(second.name).score)
    return document


def _show(document: Document, names: Names) -> str:
    from hextui.commands.player_tables import player_tables

    players = document["players"]
    parts = []
    for player in players:
        words = f"{player['name']}: {counted(player['games'], 'game')}"
        if itself := player["against_itself"]:
            words += f"; {counted(itself, 'game')} against the same name left out"
        parts.append(words)
    if len(players) > 1:
        parts.append(_against_each_other(document))
    for shown in player_tables(document, names):
        parts.append(f"{shown.title}\n{table([shown.head, *shown.rows])}")
    return "\n\n".join(parts)


def _against_each_other(document: Document) -> str:
    score = document["against_each_other"]
    first, second = (player["name"] for player in document["players"])
    games = counted(score["games"], "game")
    return f"Against each other: {games}, {first} won {score['wins']}, {second} {score['losses']}"
