"""``hextui library find``: the games with a shape, and what was played there next."""

import argparse
from functools import partial
from typing import TYPE_CHECKING

from hextui.commands.arguments import Parser, usage_errors
from hextui.commands.documents import Document, print_document, table
from hextui.commands.library_games import filter_arguments, filter_of_options
from hextui.library.filters import without_least
from hextui.text import Names, counted

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.library.shape_search import Continuation, PlayedElsewhere, ShapeFound, ShapeMatch

_LISTED = 20  # games, unless --limit names another number


def find_arguments(parser: Parser) -> None:
    """Add the shape, the games that are searched, and how many are listed."""
    text = "rows from above: R, B, . empty, ? any; R.B/.?? top left lies in that corner"
    parser.value("shape", "SHAPE", text, nargs="+")
    parser.flag("--exchange", "find the shape also with the colours exchanged")
    filter_arguments(parser, "shape", "least")
    text = f"list only the first N games (default: {_LISTED})"
    parser.number("--limit", text, _LISTED, least=0)


def find(options: argparse.Namespace) -> int:
    """Print the games with a shape, one place for each, and the next moves there."""
    from hextui.library.library import Library
    from hextui.library.shape import Shape

    with usage_errors():
        shape = Shape.parse(" ".join(options.shape))
        chosen = without_least(filter_of_options(options))
    with Library(names=options.names) as library:
        result = library.find_shape(shape, chosen, exchange=options.exchange)
        matches = [_match_document(library, match) for match in result.matches[: options.limit]]
    document = {
        "shape": shape.text(options.names),
        "searched": result.searched,
        "games": len(result.matches),
        "continuations": [_continuation_document(each) for each in result.continuations],
        "elsewhere": [_elsewhere_document(each) for each in result.elsewhere],
        "ended": result.ended,
        "matches": matches,
    }
    print_document(document, options, partial(_show, result))
    return 0


def _continuation_document(continuation: "Continuation") -> Document:
    return {
        "row": continuation.row,
        "column": continuation.column,
        "color": str(continuation.color),
        "games": continuation.games,
        "at_once": continuation.at_once,
        "won": continuation.won,
        "lost": continuation.lost,
    }


def _elsewhere_document(elsewhere: "PlayedElsewhere") -> Document:
    return {
        "color": str(elsewhere.color),
        "games": elsewhere.games,
        "returned": elsewhere.returned,
        "won": elsewhere.won,
        "lost": elsewhere.lost,
    }


def _match_document(library: "Library", match: "ShapeMatch") -> Document:
    row = library.row(match.game)
    document: Document = {
        "id": match.game,
        "ply": match.ply,
        "plies": match.plies,
        "cells": list(match.cells),
    }
    if row is not None:  # nobody removed it meanwhile
        winner = None if row.winner is None else str(row.winner)
        document |= {"black": row.black, "white": row.white, "event": row.event}
        document |= {"date": row.date, "winner": winner, "how": row.how}
    return document


def _show(answer: "ShapeFound", document: Document, names: Names) -> str:
    games = counted(document["games"], "game")
    parts = [f"{games} of {document['searched']:,} with {document['shape']}"]
    if document["matches"]:
        from hextui.words.shapes import cell_letters, next_stones

        parts.append(_drawn(document["shape"], cell_letters(answer)))
        heading = ("next", "by", "games", "at once", "won")
        parts.append(table([heading, *next_stones(answer, names)]))
    if document["matches"]:
        parts.append(table(_match_rows(document["matches"], names)))
    left = document["games"] - len(document["matches"])
    if left:
        parts.append(f"{counted(left, 'more game')}: see --limit")
    return "\n\n".join(parts)


def _drawn(shape: str, letters: dict[tuple[int, int], str]) -> str:
    """Return the shape with the letters in it and beside it; rows are half a cell apart."""
    rows = shape.split()[0].split("/")
    lines = []
    for row in range(-1, len(rows) + 1):
        signs = []
        for column in range(-1, len(rows[0]) + 1):
            inside = 0 <= row < len(rows) and 0 <= column < len(rows[0])
            sign = rows[row][column] if inside else " "
            signs.append(letters.get((row, column), sign))
        half_cells = " " * (row + 1)
        lines.append(f"{half_cells}{' '.join(signs)}".rstrip())
    return "\n".join(line for line in lines if line)


def _match_rows(matches: list[Document], names: Names) -> list[list[object]]:
    rows: list[list[object]] = [["id", "ply", "plies", "cells", *names.both, "date", "result"]]
    for match in matches:
        about = [match.get(name) or "" for name in ("black", "white", "date")]
        result = names.result(match.get("winner"), match.get("how", ""))
        place = [match["ply"], match["plies"], " ".join(match["cells"])]
        rows.append([match["id"], *place, *about, result])
    return rows
