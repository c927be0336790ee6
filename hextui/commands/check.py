"""``hextui check``: whether an exported proof holds."""

import argparse
import time

from hextui.commands.arguments import Parser
from hextui.commands.documents import Document, print_document
from hextui.commands.output import FAILED, ProgressLine, complain
from hextui.engine.json_values import as_json
from hextui.engine.limit import TooCostlyError
from hextui.engine.solver.check import Checked, ProofError, check
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_json import from_text
from hextui.records.codecs.codec import MIB
from hextui.records.formats import STANDARD_INPUT, read_bytes
from hextui.text import Names, counted

_LONGEST = 64 * MIB
"""Bytes of a proof; they take 1.6 GB of memory. The solver's proofs of 8x8 have 20 MiB."""


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.value("proof", "PROOF", "a file from solve --proof, or - for standard input")
    parser.shared("--json")


def run(options: argparse.Namespace) -> int:
    """Check a proof; return the exit code: 1 if it does not hold."""
    source = STANDARD_INPUT if options.proof == "-" else options.proof
    data = read_bytes(options.proof, _LONGEST)
    try:
        proof = from_text(data.decode())
    except UnicodeDecodeError:
        return complain(f"{source}: not a proof: not UTF-8")
    except ValueError as error:
        return complain(f"{source}: {error}")

    def tell(done: int, total: int) -> None:
        progress.show(f"{done:,} of {counted(total, 'node')}")

    start = time.perf_counter()
    try:
        with ProgressLine() as progress:
            checked = check(proof, tell)
        document = _holds(proof, checked, time.perf_counter() - start)
    except ProofError as error:
        document = {"holds": False, "error": str(error)}
    except TooCostlyError as error:
        return complain(f"{source}: {error}")
    print_document(document, options, _show)
    return 0 if document["holds"] else FAILED


def _holds(proof: Proof, checked: Checked, seconds: float) -> Document:
    board = proof.position.board
    return {
        "holds": True,
        "size": as_json(board),
        "to_move": str(proof.position.to_move),
        "winner": str(proof.winner),
        "carrier": [board.name(cell) for cell in sorted(checked.carrier)],
        "nodes": len(proof.nodes),
        "connections": proof.leaves,
        "claims": checked.claims,
        "seconds": seconds,
    }


def _show(document: Document, names: Names) -> str:
    if not document["holds"]:
        return f"does not hold: {document['error']}"
    return "\n".join(
        (
            f"holds: {names.player(document['winner'])} wins, "
            f"{names.player(document['to_move'])} to move",
            f"carrier        {' '.join(document['carrier']) or '-'}",
            f"{counted(document['nodes'], 'node')}, "
            f"{counted(document['connections'], 'connection')} among them, "
            f"{counted(document['claims'], 'claim')}, {document['seconds']:.3f} s",
        )
    )
