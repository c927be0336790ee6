"""``hextui solve``: who wins, with which moves, and how the solver found out."""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.commands.arguments import duration, file_path, position_arguments, whole
from hextui.commands.documents import Document, answer
from hextui.commands.output import complain
from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver import mustplay
from hextui.engine.solver.mustplay import MustPlayRun, Try
from hextui.engine.solver.mustplay_proof import proof_of
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_json import to_document
from hextui.records.saving import save_text
from hextui.wording import counted

if TYPE_CHECKING:
    from hextui.engine.solver.dfpn import Solver, SolverSettings
    from hextui.engine.solver.kept import KeptSolutions
    from hextui.engine.solver.solution import Solution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    position_arguments(parser)
    parser.add_argument(
        "--method",
        choices=("dfpn", "mustplay"),
        default="dfpn",
        help="dfpn: the strong solver (default); mustplay: the readable one, for up to 9 empty "
        "cells",
    )
    strong = parser.add_argument_group("the strong solver")
    strong.add_argument("--winner", action="store_true", help="the winner only, not every move")
    strong.add_argument(
        "--fresh", action="store_true", help="without what earlier runs kept on disk"
    )
    strong.add_argument("--seconds", type=duration, metavar="S", help="stop after S seconds")
    strong.add_argument("--nodes", type=whole(0), metavar="N", help="stop after N positions")
    strong.add_argument(
        "--threads", type=whole(1, 1024), default=1, metavar="N", help="threads (default: 1)"
    )
    strong.add_argument(
        "--memory",
        type=whole(1, 2**40),
        metavar="MB",
        help="what the solver may take in all (default: 256 for its table, and what else it needs)",
    )
    readable = parser.add_argument_group("the readable solver")
    readable.add_argument("--trace", action="store_true", help="print the run as an indented tree")
    readable.add_argument(
        "--remember",
        action="store_true",
        help="keep a dictionary of solved positions, for up to 16 empty cells",
    )
    parser.add_argument(
        "--proof",
        type=file_path,
        metavar="FILE",
        help="write the proof of who wins, which hextui check checks",
    )


def run(options: argparse.Namespace) -> int:
    """Solve a position; return the exit code."""
    if options.batch and options.proof:
        return complain("--proof is for one position, not for --batch")
    if options.method == "mustplay":
        make = _readable_maker(options.remember, options.trace, options.proof)
        return answer(options, make, _show)
    if options.trace or options.remember:
        return complain("--trace and --remember are for --method mustplay")
    from hextui.engine.solver.dfpn import SolverSettings

    try:
        wanted = _Wanted(
            Limit(options.seconds, options.nodes),
            SolverSettings(threads=options.threads),
            None if options.memory is None else options.memory << 20,
            not options.winner,
            options.fresh,
            options.proof,
        )
    except ValueError as error:
        return complain(error)
    return answer(options, _maker(wanted), _show)


@dataclass(frozen=True)
class _Wanted:
    """What the strong solver is asked for: every move or the winner alone, with which means.

    ``memory_bytes``: a limit for all that the solver takes; None leaves it to the settings.
    ``fresh``: without what earlier runs kept on disk. ``proof``: the file for the proof.
    """

    limit: Limit
    settings: "SolverSettings"
    memory_bytes: int | None
    all_moves: bool
    fresh: bool = False
    proof: Path | None = None


def _maker(wanted: _Wanted) -> Callable[[Position], Document]:
    """Return the function that makes the strong solver's document of a position."""
    from hextui.engine.solver.kept import KeptSolutions

    solvers: list[Solver] = []
    kept = None if wanted.fresh else KeptSolutions()

    def make(position: Position) -> Document:
        if not solvers or solvers[0].board != position.board:
            for old in solvers:
                old.close()
            solvers[:] = [_solver(position.board, wanted)]
        solution = _solved(solvers[0], kept, position, wanted)
        if kept and (problem := kept.new_problem()):
            complain(problem)
        if wanted.proof is not None:
            _prove(solvers[0], solution, wanted.proof)
        return _solution(solution)

    return make


def _solver(board: Board, wanted: _Wanted) -> "Solver":
    from hextui.engine.solver.dfpn import Solver
    from hextui.engine.solver.search import table_bytes_within

    if wanted.memory_bytes is None:
        return Solver(board, wanted.settings)
    table_bytes = table_bytes_within(board, wanted.memory_bytes, wanted.settings.threads)
    try:
        return Solver(board, replace(wanted.settings, table_bytes=table_bytes))
    except MemoryError:
        megabytes = wanted.memory_bytes >> 20
        raise ValueError(f"--memory: this machine does not give {megabytes} MB") from None


def _solved(
    solver: "Solver", kept: "KeptSolutions | None", position: Position, wanted: _Wanted
) -> "Solution":
    """Return the solution, from the disk if it answers what is asked."""
    known = kept.get(position) if kept else None
    if known is not None and (known.complete or not wanted.all_moves):
        return known
    *_, solution = solver.solve(position, wanted.limit, all_moves=wanted.all_moves)
    if kept and solution.nodes and (known is None or solution.complete):
        kept.put(solution)
    return solution


def _prove(solver: "Solver", solution: "Solution", file: Path) -> None:
    from hextui.engine.solver.export import Exporter

    if solution.winner is None:
        complain(f"{file}: no proof, the winner is not known")
    else:
        _save(Exporter(solver).prove(solution.position), file)


def _save(proof: Proof, file: Path) -> None:
    """Write a proof to a file; raises ValueError with a line that says why it cannot be."""
    save_text(file, json.dumps(to_document(proof), separators=(",", ":")) + "\n")


def _readable_maker(
    remember: bool, trace: bool, proof: Path | None = None
) -> Callable[[Position], Document]:
    """Return the function that makes the readable solver's document, and a proof in that file."""

    def make(position: Position) -> Document:
        solution = mustplay.solve(position, remember=remember)
        document = _common(solution)
        if proof is not None:
            _save(proof_of(solution), proof)
        if trace and solution.run is not None:
            document["trace"] = _run(position.board, solution.run, set())
        return document

    return make


def _solution(solution: "Solution") -> Document:
    name = solution.position.board.name
    return _common(solution) | {
        "unknown_moves": [name(cell) for cell in solution.unknown_moves],
        "must_play": _names(solution.position.board, solution.must_play),
        "proof_number": solution.proof_number,
        "disproof_number": solution.disproof_number,
        "builds": solution.builds,
        "table_used": round(solution.table_used, 4),
        "source": solution.source,
        "complete": solution.complete,
    }


def _common(solution: "Solution | mustplay.MustPlaySolution") -> Document:
    position = solution.position
    name = position.board.name
    winning, losing = (
        [name(cell) for cell in cells] for cells in (solution.winning_moves, solution.losing_moves)
    )
    if position.swap_legal and solution.winner is not None:
        # who swaps takes the place of the other side
        swap = "swap-pieces" if position.board.rows == position.board.columns else "swap-sides"
        (losing if solution.winner is position.to_move else winning).append(swap)
    return {
        "winner": None if solution.winner is None else str(solution.winner),
        "winning_moves": winning,
        "losing_moves": losing,
        "carrier": _names(position.board, solution.carrier),
        "line": [name(cell) for cell in solution.line],
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "complete": True,
    }


def _names(board: Board, cells: frozenset[int]) -> list[str]:
    return [board.name(cell) for cell in sorted(cells)]


def _run(board: Board, run: MustPlayRun, seen: set[int]) -> Document:
    """Return one call; a call looked up again is told without what it tried."""
    document: Document = {
        "depth": run.depth,
        "to_move": str(run.to_move),
        "move": None if run.move is None else board.name(run.move),
        "winset": _names(board, run.winset),
        "known": id(run) in seen,
    }
    if id(run) not in seen:
        seen.add(id(run))
        document["tries"] = [_try(board, one, seen) for one in run.tries]
    return document


def _try(board: Board, one: Try, seen: set[int]) -> Document:
    return {
        "region": _names(board, one.region),
        "move": board.name(one.move),
        "reply": None if one.reply is None else board.name(one.reply),
        "winset": _names(board, one.winset),
        "after": None if one.after is None else _run(board, one.after, seen),
    }


def _show(document: Document) -> str:
    """Return the document for people; the trace is an indented tree, a line a move tried."""
    swaps = [m for m in document["winning_moves"] if m.startswith("swap")]
    swaps += [m for m in document["losing_moves"] if m.startswith("swap")]
    winner = document["winner"]
    lines = [
        (f"{winner} wins" if winner else "unknown") + (" if nobody swaps" if swaps else ""),
        f"winning moves  {_listed(document['winning_moves'])}",
        f"losing moves   {_listed(document['losing_moves'])}",
    ]
    if document.get("unknown_moves"):
        lines.append(f"unknown        {_listed(document['unknown_moves'])}")
    lines += [
        f"carrier        {_listed(document['carrier'])}",
        f"line           {_listed(document['line'])}",
        f"{counted(document['nodes'], 'node')}, {document['seconds']:.3f} s"
        + (", in an earlier run" if document.get("source") == "disk" else ""),
    ]
    if not winner:
        numbers = document["proof_number"], document["disproof_number"]
        lines.append("proof number {}, disproof number {}".format(*numbers))
    if "trace" in document:
        lines += ["", *_tree(document["trace"])]
    return "\n".join(lines)


def _tree(run: Document) -> Iterator[str]:
    indent = "  " * run["depth"]
    if run["known"]:
        yield f"{indent}{_verdict(run)} (solved above)"
        return
    for one in run["tries"]:
        yield f"{indent}{run['to_move']} {one['move']}  must play in {_listed(one['region'])}"
        if one["after"] is None:
            yield f"{indent}  joins the sides"
        else:
            yield from _tree(one["after"])
    yield f"{indent}{_verdict(run)}"


def _verdict(run: Document) -> str:
    if run["move"] is None:
        return f"{run['to_move']} has no winning move: winset {_listed(run['winset'])}"
    return f"{run['to_move']} wins with {run['move']}: winset {_listed(run['winset'])}"


def _listed(names: list[str]) -> str:
    return " ".join(names) or "-"
