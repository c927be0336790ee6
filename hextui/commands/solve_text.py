"""What ``hextui solve`` prints for people: the verdict in words, the details, the proof."""

from collections.abc import Iterator
from dataclasses import dataclass

from hextui.commands.documents import Document
from hextui.commands.trace import connections_lines, listed, tree
from hextui.commands.trace import names as names_of
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.strategy import strategy_of
from hextui.words.names import Names, counted, either
from hextui.words.proofs import ProofTree, proof_lines


def show(document: Document, names: Names) -> str:
    """Return the document for people; a trace is an indented tree, a line a move tried."""
    lines = [
        verdict(document, names),
        "",
        f"winning moves  {listed(document['winning_moves'])}",
        f"losing moves   {listed(document['losing_moves'])}",
    ]
    if document.get("unknown_moves"):
        lines.append(f"unknown        {listed(document['unknown_moves'])}")
    lines += [
        f"carrier        {listed(document['carrier'])}",
        f"line           {listed(document['line'])}",
        f"{counted(document['nodes'], 'node')}, {document['seconds']:.3f} s",
    ]
    if not document["winner"]:
        numbers = document["proof_number"], document["disproof_number"]
        lines.append("proof number {}, disproof number {}".format(*numbers))
    if "connections" in document:
        lines += ["", *connections_lines(document["connections"], names)]
    if "explanation" in document:
        lines += ["", *proof_text_lines(document["explanation"])]
    if "trace" in document:
        lines += ["", *tree(document["trace"], names)]
    return "\n".join(lines)


def verdict(document: Document, names: Names) -> str:
    """Return who wins and by which moves, or that it is not decided: a line."""
    winning, losing = document["winning_moves"], document["losing_moves"]
    if not document["winner"]:
        spent = f"{document['seconds']:.1f} s and {counted(document['nodes'], 'node')}"
        return f"Not decided after {spent}: --seconds and --nodes allow more"
    mover, winner = names.player(document["to_move"]), names.player(document["winner"])
    if not (winning or losing or document.get("unknown_moves")):
        return f"{winner} has won: the game is over"
    swaps = [name for name in (*winning, *losing) if name.startswith("swap")]
    cells = [name for name in winning if name not in swaps]
    if mover != winner:
        said = f"{winner} wins, whatever {mover} plays"
    elif cells:
        said = f"{mover} wins by {either(cells)}"
    else:
        said = f"{mover} wins"
    if swaps and swaps[0] in winning:
        said = f"{mover} wins by swapping; if nobody swaps, {said}"
    elif swaps:
        said += "; swapping loses"
    earlier = document.get("source") == "disk"
    said += " (proved in an earlier run)" if earlier else f" (proved, {document['seconds']:.1f} s)"
    if not document["complete"]:
        said += f"; {counted(len(document['unknown_moves']), 'move')} not decided"
    return said


@dataclass(frozen=True)
class ProofText:
    """How a proof is printed: to ``depth`` answers, with the names of the players."""

    depth: int
    names: Names


def proof_document(proof: Proof, how: ProofText) -> list[Document]:
    """Return the lines of a proof's tree.

    ``below`` counts the lines right below one that are left out.
    """
    board = proof.position.board
    name = board.name
    tree = ProofTree(strategy_of(proof), how.names, few=board.cells)
    return [
        {
            "depth": at,
            "text": line.text,
            "moves": [name(cell) for cell in line.moves],
            "to": [name(cell) for cell in line.cells],
            "carrier": names_of(board, line.carrier),
            "below": below,
        }
        for at, line, below in proof_lines(tree, how.depth)
    ]


def proof_text_lines(document: list[Document]) -> Iterator[str]:
    """Yield the lines of `proof_document`, indented; where some are left out, they say so."""
    left_out = False
    for line in document:
        more = f"  ({counted(line['below'], 'line')} below)" if line["below"] else ""
        left_out = left_out or bool(more)
        yield f"{'  ' * line['depth']}{line['text']}{more}"
    if left_out:
        yield "--explain N goes N answers deep"
