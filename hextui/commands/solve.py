"""``hextui solve``: who wins, with which moves, and how the solver found out."""

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.commands.arguments import (
    duration,
    file_path,
    memory_argument,
    position_arguments,
    whole,
)
from hextui.commands.documents import Document, answer, compile_first
from hextui.commands.output import ProgressLine, complain
from hextui.commands.solve_text import ProofText, proof_document, show
from hextui.commands.trace import connections_document, names, run_document
from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver import mustplay
from hextui.engine.solver.mustplay import DEFAULT, proof_of
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_json import to_document
from hextui.engine.widths import Kernels
from hextui.records.saving import save_text
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.solver.dfpn import Solver, SolverSettings
    from hextui.engine.solver.solution import Solution
    from hextui.engine.solver.solution_cache import SolutionCache

SECONDS = 60
"""How long a position is solved, unless one says otherwise."""


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
    strong.add_argument(
        "--winner", action="store_true", help="find only the winner, not every move's verdict"
    )
    strong.add_argument("--fresh", action="store_true", help="ignore the results of earlier runs")
    strong.add_argument(
        "--seconds",
        type=duration,
        metavar="S",
        help=f"stop after S seconds (default: {SECONDS}, no limit with --nodes)",
    )
    strong.add_argument("--nodes", type=whole(0), metavar="N", help="stop after N nodes")
    strong.add_argument(
        "--threads",
        type=whole(1, 1024),
        default=1,
        metavar="N",
        help="number of threads (default: 1)",
    )
    memory_argument(strong)
    readable = parser.add_argument_group("the readable solver")
    readable.add_argument("--trace", action="store_true", help="print the run as an indented tree")
    readable.add_argument(
        "--order",
        metavar="ORDER",
        help=(
            "order in which cells are tried: centre (default), edge, rows, columns, "
            "or the cells to try first: b2,a1"
        ),
    )
    readable.add_argument(
        "--connections",
        action="store_true",
        help="print what is connected for each colour at the start (get_connections)",
    )
    readable.add_argument(
        "--remember",
        action="store_true",
        help="remember solved positions, which allows up to 16 empty cells",
    )
    parser.add_argument(
        "--proof",
        type=file_path,
        metavar="FILE",
        help="write the proof, for hextui check",
    )
    parser.add_argument(
        "--explain",
        type=whole(0, 1000),
        nargs="?",
        const=2,
        metavar="N",
        help="print the proof as a tree of sentences, N replies deep (default: 2)",
    )


def run(options: argparse.Namespace) -> int:
    """Solve a position; return the exit code."""
    if options.batch and options.proof:
        return complain("--proof is for one position, not for --batch")
    names_in = Names.BLACK_WHITE if options.json or options.batch else options.names
    proof_text = None if options.explain is None else ProofText(options.explain, names_in)
    if options.method == "mustplay":
        readable = _Readable(
            options.remember,
            options.order or DEFAULT,
            options.trace,
            options.connections,
            options.proof,
            proof_text,
        )
        return answer(options, lambda position: _read(position, readable), show)
    if options.trace or options.remember or options.order or options.connections:
        words = "--trace, --remember, --order and --connections"
        return complain(f"{words} are for --method mustplay")
    from hextui.engine.solver.dfpn import SolverSettings

    seconds = options.seconds
    if seconds is None and options.nodes is None:
        seconds = float(SECONDS)
    try:
        wanted = _Wanted(
            Limit(seconds, options.nodes),
            SolverSettings(threads=options.threads),
            None if options.memory is None else options.memory << 20,
            not options.winner,
            options.names,
            options.fresh,
            options.proof,
            proof_text,
        )
    except ValueError as error:
        return complain(error)
    return answer(options, _maker(wanted), show)


@dataclass(frozen=True)
class _Wanted:
    """What the strong solver is asked for: every move or the winner alone, with which means.

    ``memory_bytes``: a limit for all that the solver takes; None leaves it to the settings.
    ``names`` are those of the progress.
    ``fresh``: without what earlier runs kept on disk. ``proof``: the file for the proof.
    ``explain``: how it is told, None for not at all.
    """

    limit: Limit
    settings: "SolverSettings"
    memory_bytes: int | None
    all_moves: bool
    names: Names
    fresh: bool = False
    proof: Path | None = None
    explain: ProofText | None = None


def _maker(wanted: _Wanted) -> Callable[[Position], Document]:
    """Return the function that makes the strong solver's document of a position."""
    from hextui.engine.solver.solution_cache import SolutionCache

    solvers: list[Solver] = []
    kept = None if wanted.fresh else SolutionCache()

    def make(position: Position) -> Document:
        if not solvers or solvers[0].board != position.board:
            for old in solvers:
                old.close()
            compile_first(position.board, Kernels.CONNECTIONS, Kernels.SOLVER)
            settings = settings_within(position.board, wanted.settings, wanted.memory_bytes)
            solvers[:] = [make_solver(position.board, settings)]
        solution = _solved(solvers[0], kept, position, wanted)
        if kept and (problem := kept.new_problem()):
            complain(problem)
        document = _solution(solution)
        if wanted.proof is not None or wanted.explain is not None:
            document |= _prove(solvers[0], solution, wanted)
        return document

    return make


def settings_within(
    board: Board, settings: "SolverSettings", memory_bytes: int | None
) -> "SolverSettings":
    """Return the settings of a solver that takes no more than so much, None as they are.

    Raises ValueError where that is too little.
    """
    from hextui.engine.solver.search import table_bytes_within

    if memory_bytes is None:
        return settings
    return replace(settings, table_bytes=table_bytes_within(board, memory_bytes, settings.threads))


def make_solver(board: Board, settings: "SolverSettings") -> "Solver":
    """Make a strong solver; raises ValueError if this machine does not give its memory."""
    from hextui.engine.solver.dfpn import Solver

    try:
        return Solver(board, settings)
    except MemoryError:
        megabytes = settings.table_bytes >> 20
        raise ValueError(
            f"--memory: this machine does not give {megabytes} MB for the table"
        ) from None


def _solved(
    solver: "Solver", kept: "SolutionCache | None", position: Position, wanted: _Wanted
) -> "Solution":
    """Return the solution, from the disk if it answers what is asked."""
    known = kept.get(position) if kept else None
    if known is not None and (known.complete or not wanted.all_moves):
        return known
    progress = ProgressLine()
    for solution in solver.solve(position, wanted.limit, all_moves=wanted.all_moves):
        progress.show(_so_far(solution, wanted.limit, wanted.names))
    progress.end()
    if kept and solution.nodes and (known is None or solution.complete):
        kept.put(solution)
    return solution


def _so_far(solution: "Solution", limit: Limit, players: Names) -> str:
    """Return how far the solver is, in words."""
    most = "" if limit.seconds is None else f" of {limit.seconds:g}"
    text = f"{solution.seconds:.1f}{most} s, {counted(solution.nodes, 'node')}"
    if solution.winner is None:
        return text
    left = counted(len(solution.unknown_moves), "move")
    return f"{text}: {players.player(solution.winner)} wins, {left} to decide"


def _prove(solver: "Solver", solution: "Solution", wanted: _Wanted) -> Document:
    """Prove who wins; write the proof, and return what of it is to be shown, as asked."""
    from hextui.engine.solver.proof_export import Exporter

    if solution.winner is None:
        complain(f"{wanted.proof or '--explain'}: no proof, the winner is not known")
        return {}
    proof = Exporter(solver).prove(solution.position)
    if wanted.proof is not None:
        _save(proof, wanted.proof)
    return {} if wanted.explain is None else {"explanation": proof_document(proof, wanted.explain)}


def _save(proof: Proof, file: Path) -> None:
    """Write a proof to a file; raises ValueError with a line that says why it cannot be."""
    save_text(file, json.dumps(to_document(proof), separators=(",", ":")) + "\n")


@dataclass(frozen=True)
class _Readable:
    """What the readable solver is asked for: see the options of these names."""

    remember: bool
    order: str
    trace: bool
    connections: bool
    proof: Path | None
    explain: ProofText | None


def _read(position: Position, wanted: _Readable) -> Document:
    """Return the readable solver's document; write its proof if one is wanted."""
    try:
        solution = mustplay.solve(position, remember=wanted.remember, order=wanted.order)
    except ValueError as error:
        most, here = mustplay.REMEMBERED_EMPTIES, len(position.empties)
        if wanted.remember or not mustplay.LITERAL_EMPTIES < here <= most:
            raise
        raise ValueError(f"{error} (--remember takes {most})") from None
    document = _common(solution)
    if wanted.proof is not None:
        _save(proof_of(solution), wanted.proof)
    if wanted.explain is not None:
        document["explanation"] = proof_document(proof_of(solution), wanted.explain)
    if wanted.connections:
        document["connections"] = connections_document(position)
    if wanted.trace and solution.run is not None:
        document["trace"] = run_document(position.board, solution.run)
    return document


def _solution(solution: "Solution") -> Document:
    name = solution.position.board.name
    return _common(solution) | {
        "unknown_moves": [name(cell) for cell in solution.unknown_moves],
        "must_play": names(solution.position.board, solution.must_play),
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
        "to_move": str(position.to_move),
        "winner": None if solution.winner is None else str(solution.winner),
        "winning_moves": winning,
        "losing_moves": losing,
        "carrier": names(position.board, solution.carrier),
        "line": [name(cell) for cell in solution.line],
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "complete": True,
    }
