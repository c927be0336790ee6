"""What a run is called: in words, from its settings."""

from collections.abc import Sequence

from hextui.matches.results import Document
from hextui.words.names import counted

MOST_FILES = 3
"""So many files of a collection are named; a folder may hold thousands."""


def title(document: Document) -> str:
    """Return what the run of a ``settings.json`` is called; its study's name if that says little.

    >>> match = {"first": "resistance", "second": "blocking", "board": "7x7", "games": 20}
    >>> title({"study": "match", "settings": match})
    'Match on 7x7: resistance against blocking, 20 games'
    >>> title({"study": "ratings", "settings": {"size": "5x5", "players": ["a", "b", "c"]}})
    'Ratings on 5x5: a, b, c'
    """
    study = str(document.get("study"))
    try:
        return _TITLES[study](document["settings"])
    except (KeyError, TypeError):  # settings of another version
        return study


def collection_name(files: Sequence[Document]) -> str:
    """Return what a collection is called: by its files, by the first of them if they are many.

    >>> collection_name([{"name": "a.sgf"}, {"name": "b.sgf"}])
    'a.sgf, b.sgf'
    >>> collection_name([{"name": f"{number}.sgf"} for number in range(50)])
    '0.sgf, 1.sgf, 2.sgf and 47 more'
    """
    named = ", ".join(file["name"] for file in files[:MOST_FILES])
    more = len(files) - MOST_FILES
    return f"{named} and {more} more" if more > 0 else named


def _match(settings: Document) -> str:
    names = f"{settings['first']} against {settings['second']}"
    return f"Match on {settings['board']}: {names}, {counted(settings['games'], 'game')}"


def _ratings(settings: Document) -> str:
    return f"Ratings on {settings['size']}: {', '.join(settings['players'])}"


def _match_table(settings: Document) -> str:
    return f"Table of matches on {settings['size']}: E_k against E, and each other"


def _losing_moves(settings: Document) -> str:
    names = f"{settings['player']} against {settings['other']}"
    return f"Lost wins on {settings['size']}: {names}"


def _rank_quality(settings: Document) -> str:
    files = collection_name(settings["collection"])
    return f"Ranks of the moves in {files} by {counted(len(settings['evaluators']), 'evaluator')}"


_TITLES = {
    "match": _match,
    "ratings": _ratings,
    "match-table": _match_table,
    "losing-moves": _losing_moves,
    "rank-quality": _rank_quality,
}
