"""``hextui check``: whether an exported proof holds."""

import argparse
import json
import sys
import time
from pathlib import Path

from hextui.commands.arguments import json_argument
from hextui.commands.documents import Document, complain, size_of
from hextui.engine.solver.check import Checked, ProofError, check
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_json import from_text
from hextui.wording import counted

FAILED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("proof", metavar="PROOF", help="a file of solve --proof, - standard input")
    json_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Check a proof; return the exit code: 1 if it does not hold."""
    try:
        proof = _read(options.proof)
    except ValueError as error:
        return complain(ValueError(f"{options.proof}: {error}"))
    start = time.perf_counter()
    try:
        document = _holds(proof, check(proof, _progress), time.perf_counter() - start)
    except ProofError as error:
        document = {"holds": False, "error": str(error)}
    print(json.dumps(document) if options.json else _show(document))
    return 0 if document["holds"] else FAILED


def _read(source: str) -> Proof:
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        text = data.decode()
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ValueError("not a proof: not UTF-8") from None
    return from_text(text)


def _holds(proof: Proof, checked: Checked, seconds: float) -> Document:
    board = proof.position.board
    return {
        "holds": True,
        "size": size_of(board),
        "to_move": str(proof.position.to_move),
        "winner": str(proof.winner),
        "carrier": [board.name(cell) for cell in sorted(checked.carrier)],
        "nodes": checked.nodes,
        "connections": checked.leaves,
        "claims": checked.claims,
        "seconds": seconds,
    }


def _show(document: Document) -> str:
    """Return the document for people."""
    if not document["holds"]:
        return f"does not hold: {document['error']}"
    return "\n".join(
        (
            f"holds: {document['winner']} wins, {document['to_move']} to move",
            f"carrier        {' '.join(document['carrier']) or '-'}",
            f"{counted(document['nodes'], 'node')}, "
            f"{counted(document['connections'], 'connection')} among them, "
            f"{counted(document['claims'], 'claim')}, {document['seconds']:.3f} s",
        )
    )


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        line = f"{done:,} of {counted(total, 'node')}" if done < total else ""
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
