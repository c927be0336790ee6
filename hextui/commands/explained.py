"""Why a move has its value, as a document and as text for people."""

from fractions import Fraction

from hextui.commands.documents import Document, number, size_of, table
from hextui.engine.board import Board, Color
from hextui.engine.connection import node_name
from hextui.engine.explanation import Explanation, Illustration, Role, Term
from hextui.words.explanations import explanation_words
from hextui.words.names import Names, digits


def document_of(found: list[Explanation], names: Names) -> Document:
    """Return the document of one move's explanations, one per evaluator.

    ``names`` are those in its sentences: Black and White where a program reads it.
    """
    position, move = found[0].before, found[0].move
    return {
        "size": size_of(position.board),
        "to_move": str(position.to_move),
        "move": position.board.name(move),
        "explanations": {one.evaluator: _explanation(one, names) for one in found},
    }


def _explanation(found: Explanation, names: Names) -> Document:
    words, facts = explanation_words(found, names), found.facts
    return {
        "value": number(found.value),
        "rank": found.rank,
        "moves": found.moves,
        "sentence": words.sentence,
        "formula": words.formula,
        "direction": words.direction,
        "terms": list(map(_term, facts.terms, words.meanings)),
        "notes": list(words.notes),
        "source": words.source._asdict(),
        "pictures": [
            _picture(found.before.board, picture, *texts)
            for picture, texts in zip(facts.pictures, words.pictures, strict=True)
        ],
    }


def _term(term: Term, meaning: str) -> Document:
    exact = {"exact": str(term.value)} if isinstance(term.value, Fraction) else {}
    value = term.value if isinstance(term.value, int) else number(float(term.value))
    return {
        "symbol": term.symbol,
        "color": None if term.color is None else str(term.color),
        "value": value,
        **exact,
        "meaning": meaning,
    }


def _picture(board: Board, picture: Illustration, group: str, text: str) -> Document:
    """Return a picture; what it does not show is left out."""
    color = picture.color or Color.BLACK
    cells = {str(role): [board.name(cell) for cell in picture.cells(role)] for role in Role}
    wires = [
        {"ends": [node_name(end, board, color) for end in wire.ends], "current": wire.amount}
        for wire in picture.wires
    ]
    amounts = {board.name(cell): amount for cell, amount in picture.amounts}
    shown = {**cells, "wires": wires, "amounts": amounts}
    return {
        "group": group,
        "color": None if picture.color is None else str(picture.color),
        "text": text,
        **{key: value for key, value in shown.items() if value},
    }


def show(document: Document, names: Names) -> str:
    """Return the document for people."""
    found = document["explanations"].items()
    return "\n\n".join(_shown(document["move"], name, one, names) for name, one in found)


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
    for picture in found["pictures"]:
        if picture["group"] != group:
            group = picture["group"]
            lines += ["", f"{group}:"]
        lines.append(f"  {picture['text']}")
    return "\n".join(lines)


def _value(term: Document) -> str:
    """Return a value with all its digits; a fraction is told as one if it is short."""
    value = term["value"]
    if isinstance(value, float):
        return digits(value)
    return str(value)
