"""A proof as a tree of sentences: as a document, and as text for people."""

from collections.abc import Iterator
from dataclasses import dataclass

from hextui.commands.documents import Document
from hextui.commands.trace import names
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.story import Story, told
from hextui.engine.solver.strategy import strategy_of
from hextui.words.names import Names, counted


@dataclass(frozen=True)
class Telling:
    """How a proof is told: so many answers deep, with these names of the players."""

    depth: int
    names: Names


def story_document(proof: Proof, telling: Telling) -> list[Document]:
    """Return the lines of a proof's tree.

    ``below`` counts the lines right below one that are left out.
    """
    board = proof.position.board
    name = board.name
    story = Story(strategy_of(proof), few=board.cells)
    return [
        {
            "depth": at,
            "text": telling.names.fill(line.text),
            "moves": [name(cell) for cell in line.moves],
            "to": [name(cell) for cell in line.cells],
            "carrier": names(board, line.carrier),
            "below": below,
        }
        for at, line, below in told(story, telling.depth)
    ]


def story_lines(document: list[Document]) -> Iterator[str]:
    """Yield the lines of `story_document`, indented; where some are left out, they say so."""
    left_out = False
    for line in document:
        more = f"  ({counted(line['below'], 'line')} below)" if line["below"] else ""
        left_out = left_out or bool(more)
        yield f"{'  ' * line['depth']}{line['text']}{more}"
    if left_out:
        yield "--explain N goes N answers deep"
