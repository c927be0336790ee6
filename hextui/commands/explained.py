"""Why a move has its number, as a document and as text for people."""

from collections.abc import Callable
from fractions import Fraction

from hextui.commands.documents import Document, number, size_of, table
from hextui.engine.board import Board, Color
from hextui.engine.connection import node_name
from hextui.engine.explanation import Explanation, Painting, Role, Term
from hextui.words.names import Names, digits

Teller = Callable[[str], str]


def document_of(found: list[Explanation], names: Names) -> Document:
    """Return the document of one move's explanations, one per evaluator.

    ``names`` are those in its sentences: Black and White where a program reads it.
    """
    position, move = found[0].before, found[0].move
    return {
        "size": size_of(position.board),
        "to_move": str(position.to_move),
        "move": position.board.name(move),
        "explanations": {one.evaluator: _explanation(one, names.fill) for one in found},
    }


def _explanation(found: Explanation, tell: Teller) -> Document:
    source = found.source
    return {
        "value": number(found.value),
        "rank": found.rank,
        "moves": found.moves,
        "sentence": tell(found.sentence),
        "formula": tell(found.formula),
        "direction": tell(found.direction),
        "terms": [_term(term, tell) for term in found.terms],
        "notes": [tell(note) for note in found.notes],
        "source": {
            "authors": source.authors,
            "year": source.year,
            "title": source.title,
            "where": source.where,
            "link": source.link,
        },
        "pictures": [_painting(found.before.board, p, tell) for p in found.paintings],
    }


def _term(term: Term, tell: Teller) -> Document:
    exact = {"exact": str(term.value)} if isinstance(term.value, Fraction) else {}
    value = term.value if isinstance(term.value, int) else number(float(term.value))
    return {
        "symbol": term.symbol,
        "color": None if term.color is None else str(term.color),
        "value": value,
        **exact,
        "meaning": tell(term.meaning),
    }


def _painting(board: Board, painting: Painting, tell: Teller) -> Document:
    """Return a painting; what it does not show is left out."""
    color = painting.color or Color.BLACK
    cells = {str(role): [board.name(cell) for cell in painting.cells(role)] for role in Role}
    wires = [
        {"ends": [node_name(end, board, color) for end in wire.ends], "current": wire.amount}
        for wire in painting.wires
    ]
    amounts = {board.name(cell): amount for cell, amount in painting.amounts}
    shown = {**cells, "wires": wires, "amounts": amounts}
    return {
        "group": tell(painting.group),
        "color": None if painting.color is None else str(painting.color),
        "text": tell(painting.text),
        **{key: value for key, value in shown.items() if value},
    }


def show(document: Document, names: Names) -> str:
    """Return the document for people."""
    move, found = document["move"], document["explanations"]
    return "\n\n".join(_shown(move, name, one, names) for name, one in found.items())


def _shown(move: str, name: str, found: Document, names: Names) -> str:
    source = found["source"]
    value = found["value"] if isinstance(found["value"], str) else digits(found["value"])
    rows = [
        [
            term["symbol"],
            names.player(term["color"]) if term["color"] else "",
            _value(term),
            term["meaning"],
        ]
        for term in found["terms"]
    ]
    lines = [
        f"{name}: {move} has rank {found['rank']} of {found['moves']}",
        found["sentence"],
        found["direction"],
        f"value {value}",
        found["formula"],
        "",
        table(rows),
        *(["", *found["notes"]] if found["notes"] else []),
        "",
        f"{source['authors']} {source['year']}: {source['title']}; {source['where']}",
        source["link"],
    ]
    group = None
    for painting in found["pictures"]:
        if painting["group"] != group:
            group = painting["group"]
            lines += ["", f"{group}:"]
        lines.append(f"  {painting['text']}")
    return "\n".join(lines)


def _value(term: Document) -> str:
    """Return a value with all its digits; a fraction is told as one if it is short."""
    value = term["value"]
    if isinstance(value, float):
        return digits(value)
    return str(value)
