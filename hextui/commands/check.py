"""``hextui check``: whether an exported proof holds."""

import json
import sys
import time
from pathlib import Path

from hextui.commands.documents import Document, complain, size_of
from hextui.engine.solver.check import Checked, ProofError, check
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_json import from_text, to_document
from hextui.records.saving import save_text
from hextui.wording import counted

FAILED = 1


def run(source: str, as_json: bool) -> int:
    """Check the proof in a file (``-``: standard input); return the exit code."""
    try:
        proof = _read(source)
    except ValueError as error:
        return complain(ValueError(f"{source}: {error}"))
    start = time.perf_counter()
    try:
        document = _holds(proof, check(proof, _progress), time.perf_counter() - start)
    except ProofError as error:
        document = {"holds": False, "error": str(error)}
    print(json.dumps(document) if as_json else show(document))
    return 0 if document["holds"] else FAILED


def save(proof: Proof, path: str) -> None:
    """Write a proof to a file; raises ValueError with a line that says why it cannot be."""
    save_text(Path(path), json.dumps(to_document(proof), separators=(",", ":")) + "\n")


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


def show(document: Document) -> str:
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
