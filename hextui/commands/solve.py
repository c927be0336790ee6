"""``hextui solve``: who wins, with which moves, and how the solver proved it."""

import argparse
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from hextui.commands.arguments import Parser, duration, file_path, usage_errors, whole
from hextui.commands.batch import answer_on_workers, batch_arguments, is_on_workers
from hextui.commands.documents import Document, answer, compile_first
from hextui.commands.output import ProgressLine, complain
from hextui.engine.board import Board, Color
from hextui.engine.json_values import as_json
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver import mustplay
from hextui.engine.solver.mustplay import DEFAULT, MustPlayRun, get_connections, proof_of
from hextui.engine.solver.proof import Proof
from hextui.engine.solver.proof_json import to_document
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.widths import Kernels
from hextui.engines.limits import cores
from hextui.records.saving import save_file
from hextui.text import Names, counted, either
from hextui.words.proofs import ProofTree, proof_lines

if TYPE_CHECKING:
    from hextui.engine.solver.dfpn import Solver, SolverSettings

SECONDS = 60
"""The default time limit."""


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.position()
    batch_arguments(parser)
    text = "dfpn: the strong solver (default); mustplay: the readable one, for up to 9 empty cells"
    parser.add_argument("--method", choices=("dfpn", "mustplay"), default="dfpn", help=text)
    strong = parser.add_argument_group("the strong solver")
    parser.flag("--winner", "find only the winner, not every move's verdict", group=strong)
    parser.flag("--fresh", "ignore the results of earlier runs", group=strong)
    text = f"stop after S seconds (default: {SECONDS}, no limit with --nodes)"
    parser.value("--seconds", "S", text, type=duration, group=strong)
    parser.number("--nodes", "stop after expanding N nodes", least=0, group=strong)
    parser.number("--threads", "number of threads (default: one per core)", most=64, group=strong)
    parser.shared("--memory", group=strong)
    readable = parser.add_argument_group("the readable solver")
    parser.flag("--trace", "print the run as an indented tree", group=readable)
    text = "order in which cells are tried: centre (default), edge, rows, columns, or the cells "
    parser.value("--order", "ORDER", f"{text}to try first: b2,a1", group=readable)
    text = "print what is connected for each colour before the first move (get_connections)"
    parser.flag("--connections", text, group=readable)
    text = "remember solved positions, which allows up to 16 empty cells"
    parser.flag("--remember", text, group=readable)
    text = "write the proof, for hextui check"
    parser.value("--proof", "FILE", text, type=file_path)
    text = "print the proof as a tree of sentences, N replies deep (default: 2)"
    parser.value("--explain", "N", text, type=whole(0, 1000), nargs="?", const=2)


def run(options: argparse.Namespace) -> int:
    """Solve a position; return the exit code."""
    if options.batch and options.proof:
        return complain("--proof is for one position, not for --batch")
    is_strong = options.method == "dfpn"
    if is_strong and (options.trace or options.remember or options.order or options.connections):
        words = "--trace, --remember, --order and --connections"
        return complain(f"{words} are for --method mustplay")
    if is_on_workers(options):
        one_thread = {"threads": options.threads or 1}
        return answer_on_workers(argparse.Namespace(**vars(options) | one_thread), _maker)
    with usage_errors():
        make = _maker(options)
    return answer(options, make, _show)


def _maker(options: argparse.Namespace) -> Callable[[Position], Document]:
    """Return what solves a position; raises ValueError for limits that are none."""
    if options.method == "mustplay":
        return partial(_read, options=options)
    seconds = options.seconds
    if seconds is None and options.nodes is None:
        seconds = float(SECONDS)
    return _strong_maker(options, Limit(seconds, options.nodes))


def _strong_maker(options: argparse.Namespace, limit: Limit) -> Callable[[Position], Document]:
    from hextui.engine.solver.proof_export import Exporter

    solvers: list[Solver] = []
    kept = None if options.fresh else SolutionCache()

    def solver_of(board: Board) -> "Solver":
        """Return the solver of a board, by closing that of another one if need be."""
        if solvers and solvers[0].board == board:
            return solvers[0]
        for other in solvers:
            other.close()
        compile_first(board, Kernels.CONNECTIONS, Kernels.SOLVER)
        settings = solver_settings(board, options.threads, options.memory)
        solvers[:] = [make_solver(board, settings)]
        return solvers[0]

    def solve(position: Position) -> Solution:
        """Solve a position, unless all that is asked is on the disk."""
        solver = solver_of(position.board)
        stored = kept.get(position) if kept else None
        if stored is not None and (stored.complete or options.winner):
            return stored
        with ProgressLine() as progress:
            for solution in solver.solve(position, limit, all_moves=not options.winner):
                progress.show(_so_far(solution, limit, options.names))
        if kept and solution.nodes and (stored is None or solution.complete):
            kept.put(solution)
        return solution

    def make(position: Position) -> Document:
        solution = solve(position)
        if kept and (problem := kept.new_problem()):
            complain(problem)
        document = _solution(solution)
        if options.proof is None and options.explain is None:
            return document
        if solution.winner is None:
            complain(f"{options.proof or '--explain'}: no proof, the winner is not known")
            return document
        return document | _use_proof(Exporter(solvers[0]).prove(solution.position), options)

    return make


def solver_settings(board: Board, threads: int | None, megabytes: int | None) -> "SolverSettings":
    """Return settings with so many threads and, if given, so many MB of memory.

    By default a thread for each core that the memory is enough for. Raises ValueError if it is too
    little.
    """
    from hextui.engine.solver.search import MOST_THREADS, SolverSettings, table_bytes_within

    if threads is None:
        threads = min(cores(), MOST_THREADS)
        while megabytes is not None and threads > 1:
            with suppress(ValueError):
                return solver_settings(board, threads, megabytes)
            threads -= 1
    if megabytes is None:
        return SolverSettings(threads=threads)
    return SolverSettings(table_bytes_within(board, megabytes << 20, threads), threads=threads)


def make_solver(board: Board, settings: "SolverSettings") -> "Solver":
    """Return a strong solver; raises ValueError if its memory cannot be allocated."""
    from hextui.engine.solver.dfpn import Solver

    try:
        return Solver(board, settings)
    except MemoryError:
        megabytes = settings.table_bytes >> 20
        raise ValueError(
            f"--memory: this machine cannot provide {megabytes} MB for the table"
        ) from None


def _so_far(solution: Solution, limit: Limit, players: Names) -> str:
    most = "" if limit.seconds is None else f" of {limit.seconds:g}"
    text = f"{solution.seconds:.1f}{most} s, {counted(solution.nodes, 'node')}"
    if solution.winner is None:
        return text
    left = counted(len(solution.unknown_moves), "move")
    return f"{text}: {players.player(solution.winner)} wins, {left} to decide"


def _use_proof(proof: Proof, options: argparse.Namespace) -> Document:
    if options.proof is not None:
        text = json.dumps(to_document(proof), separators=(",", ":"))
        save_file(options.proof, f"{text}\n")
    if options.explain is None:
        return {}
    names = Names.BLACK_WHITE if options.json or options.batch else options.names
    board = proof.position.board
    tree = ProofTree(proof, names)
    lines = [
        {
            "depth": depth,
            "text": line.text,
            "moves": list(map(board.name, line.moves)),
            "to": list(map(board.name, line.cells)),
            "carrier": _names(board, line.carrier),
            "below": below,  # the number of lines directly below it that are left out
        }
        for depth, line, below in proof_lines(tree, options.explain)
    ]
    return {"explanation": lines}


def _read(position: Position, options: argparse.Namespace) -> Document:
    """Return the readable solver's document; write its proof with ``--proof``."""
    board = position.board
    solution = _readable_solution(position, options)
    document = _common(solution)
    if options.proof is not None or options.explain is not None:
        document |= _use_proof(proof_of(solution), options)
    if options.connections:
        document["connections"] = {str(c): _connections_document(position, c) for c in Color}
    if options.trace and solution.run is not None:
        document["trace"] = _run_document(board, solution.run, set())
    return document


def _readable_solution(
    position: Position, options: argparse.Namespace
) -> mustplay.MustPlaySolution:
    """Solve by the readable solver; raises ValueError, with what helps, for too many cells."""
    order = options.order or DEFAULT
    try:
        return mustplay.solve(position, remember=options.remember, order=order)
    except ValueError as error:
        most = mustplay.REMEMBERED_EMPTIES
        fits_remembered = mustplay.LITERAL_EMPTIES < len(position.empties) <= most
        if options.remember or not fits_remembered:
            raise
        raise ValueError(f"{error} (--remember takes {most})") from None


def _connections_document(position: Position, color: Color) -> Document:
    board = position.board
    connected = get_connections(position, color)
    return {board.name(cell): _names(board, others) for cell, others in connected.items()}


def _solution(solution: Solution) -> Document:
    document: Document = as_json(
        {
            "unknown_moves": solution.unknown_moves,
            "must_play": solution.must_play,
            "proof_number": solution.proof_number,
            "disproof_number": solution.disproof_number,
            "table_used": round(solution.table_used, 4),
            "source": solution.source,
            "complete": solution.complete,
        }
    )
    return _common(solution) | document


def _common(solution: Solution | mustplay.MustPlaySolution) -> Document:
    position = solution.position
    winning = list(solution.winning_moves)
    losing = list(solution.losing_moves)
    if position.swap_legal and solution.winner is not None:
        # after a swap the side to move plays for the other colour
        swap = str(position.swap_rule.move)
        (losing if solution.winner is position.to_move else winning).append(swap)
    document: Document = as_json(
        {
            "to_move": position.to_move,
            "winner": solution.winner,
            "winning_moves": winning,
            "losing_moves": losing,
            "carrier": solution.carrier,
            "line": solution.line,
            "nodes": solution.nodes,
            "seconds": solution.seconds,
            "complete": True,
        }
    )
    if position.first_stone_swappable:
        document["if_nobody_swaps"] = True
    return document


def _run_document(board: Board, run: MustPlayRun, listed: set[int]) -> Document:
    """Return a call of the readable solver; what it tried only at its first place in the tree."""
    is_listed = id(run) in listed
    listed.add(id(run))
    document: Document = {
        "depth": run.depth,
        "to_move": str(run.to_move),
        "move": None if run.move is None else board.name(run.move),
        "winset": _names(board, run.winset),
        "known": is_listed,
    }
    if not is_listed:
        document["tries"] = [_try_document(board, tried, listed) for tried in run.tries]
    return document


def _try_document(board: Board, tried: mustplay.Try, listed: set[int]) -> Document:
    return {
        "region": _names(board, tried.region),
        "move": board.name(tried.move),
        "reply": None if tried.reply is None else board.name(tried.reply),
        "winset": _names(board, tried.winset),
        "left": None if tried.wins else _names(board, tried.region & tried.winset),
        "after": None if tried.after is None else _run_document(board, tried.after, listed),
    }


def _names(board: Board, cells: Collection[int]) -> list[str]:
    return [board.name(cell) for cell in sorted(cells)]


def _show(document: Document, names: Names) -> str:
    cells = {
        "winning moves": document["winning_moves"],
        "losing moves": document["losing_moves"],
        "unknown": document.get("unknown_moves"),
        "carrier": document["carrier"],
        "line": document["line"],
    }
    lines = [
        verdict(document, names),
        "",
        *(f"{k:<15}{_listed(v)}" for k, v in cells.items() if v or k != "unknown"),
        f"{counted(document['nodes'], 'node')}, {document['seconds']:.3f} s",
    ]
    if not document["winner"]:
        numbers = document["proof_number"], document["disproof_number"]
        lines.append("proof number {}, disproof number {}".format(*numbers))
    if "connections" in document:
        lines += ["", *_connections_text(document["connections"], names)]
    if "explanation" in document:
        lines += ["", *_explanation_text(document["explanation"])]
    if "trace" in document:
        lines += ["", *_trace_text(document["trace"], names)]
    return "\n".join(lines)


def verdict(document: Document, names: Names) -> str:
    """Return one line: who wins with which moves, or that it is not decided."""
    winning = document["winning_moves"]
    losing = document["losing_moves"]
    if not document["winner"]:
        spent = f"{document['seconds']:.1f} s and {counted(document['nodes'], 'node')}"
        return f"Not decided after {spent}: raise --seconds or --nodes"
    mover = names.player(document["to_move"])
    winner = names.player(document["winner"])
    if not (winning or losing or document.get("unknown_moves")):
        return f"{winner} has won: the game is over"
    said = _winner_words(document, mover, winner)
    earlier = document.get("source") == "disk"
    said += " (proved in an earlier run)" if earlier else f" (proved, {document['seconds']:.1f} s)"
    if not document["complete"]:
        said += f"; {counted(len(document['unknown_moves']), 'move')} undecided"
    return said


def _winner_words(document: Document, mover: str, winner: str) -> str:
    """Return who wins, with which moves, and what a swap would do."""
    winning = document["winning_moves"]
    losing = document["losing_moves"]
    cells = [name for name in winning if not name.startswith("swap")]
    if mover != winner:
        said = f"{winner} wins, whatever {mover} plays"
    elif cells:
        said = f"{mover} wins with {either(cells)}"
    else:
        said = f"{mover} wins"
    if len(cells) < len(winning):
        return f"{mover} wins by swapping; if nobody swaps, {said}"
    if any(name.startswith("swap") for name in losing):
        return f"{said}; swapping loses"
    return f"{said} if nobody swaps" if document.get("if_nobody_swaps") else said


def _listed(words: Sequence[str]) -> str:
    return " ".join(words) or "-"


def _explanation_text(document: list[Document]) -> Iterator[str]:
    """Yield the lines of a proof's tree, indented, with the number of lines left out below."""
    left_out = False
    for line in document:
        more = f"  ({counted(line['below'], 'line')} below)" if line["below"] else ""
        left_out = left_out or bool(more)
        yield f"{'  ' * line['depth']}{line['text']}{more}"
    if left_out:
        yield "--explain N goes N replies deep"


def _connections_text(document: Document, players: Names) -> Iterator[str]:
    for color, cells in document.items():
        yield f"connected for {players.player(color)}:"
        for cell, others in cells.items():
            yield f"  {cell:<3} {_listed(others)}"


def _trace_text(run: Document, players: Names) -> Iterator[str]:
    """Yield the lines of the readable solver's run, indented by the number of moves made."""
    indent = "  " * run["depth"]
    if run["known"]:
        yield f"{indent}{_run_verdict(run, players)} (solved above)"
        return
    mover = players.player(run["to_move"])
    for tried in run["tries"]:
        yield f"{indent}{mover} {tried['move']}  must play in {_listed(tried['region'])}"
        if tried["after"] is None:
            yield f"{indent}  joins the sides"
        else:
            yield from _trace_text(tried["after"], players)
        if tried["left"] is not None:
            region, winset, left = (_set(tried[name]) for name in ("region", "winset", "left"))
            yield f"{indent}{region} and {winset} leave {left}"
    yield f"{indent}{_run_verdict(run, players)}"


def _run_verdict(run: Document, players: Names) -> str:
    mover = players.player(run["to_move"])
    if run["move"] is not None:
        return f"{mover} wins with {run['move']}: winset {_listed(run['winset'])}"
    text = f"{mover} has no winning move: winset {_listed(run['winset'])}"
    if len(run.get("tries", ())) > 1:
        text += f", joined from {' '.join(_set(tried['winset']) for tried in run['tries'])}"
    return text


def _set(words: list[str]) -> str:
    return f"{{{' '.join(words)}}}"
