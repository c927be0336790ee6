"""``hextui openings``: which first moves of a board win, or how likely each of them wins."""

import argparse
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from hextui.commands.arguments import Parser, UsageError, duration, size
from hextui.commands.documents import Document, compile_first, print_document, table
from hextui.commands.output import FAILED, ProgressLine, complain
from hextui.commands.solve import make_solver, solver_settings
from hextui.commands.worker_options import open_workers, worker_arguments
from hextui.engine.board import Color
from hextui.engine.evaluators.tree_evaluator import USUAL
from hextui.engine.json_values import as_json
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.judged_openings import (
    JudgedOpening,
    OpeningSearch,
    judged_openings,
    search_opening,
)
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.solution_cache import SolutionCache
from hextui.engine.widths import Kernels
from hextui.records.board_view import BoardView
from hextui.records.codecs.diagrams import text_diagram
from hextui.runs.results import RunError
from hextui.runs.workers import completed
from hextui.text import Names, counted

if TYPE_CHECKING:
    from hextui.engine.solver.opening_map import Opening, OpeningMap

_SOURCES = {"search": "search", "disk": "an earlier run", "table": "the table", "": "-"}


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.value("size", "SIZE", "board size: 7, or 4x5 (columns x rows)", type=size)
    parser.value("--seconds", "S", "spend at most S seconds on an opening", type=duration)
    parser.value("--total", "S", "stop the run after S seconds", type=duration)
    text = "ignore the results of earlier runs and the table that comes with the program"
    parser.flag("--fresh", text)
    parser.number("--threads", "number of threads (default: one per core)", most=64)
    text = "print each opening's win probability, searched where nothing is proved, and which to "
    parser.flag("--judge", f"{text}swap; --seconds then limits each search")
    worker_arguments(parser, "with --judge: this many processes search (default: this one alone)")
    parser.shared("--memory", "--json")


def run(options: argparse.Namespace) -> int:
    """Decide the openings, or those that are left; return the exit code."""
    from hextui.engine.solver.opening_map import OpeningMap, known_openings

    if not options.judge and (options.workers or options.cluster):
        raise UsageError("--workers and --cluster are for --judge")
    kept = None if options.fresh else SolutionCache()
    opening_map = known_openings(options.size, kept) if kept else OpeningMap(options.size)
    if opening_map.left or options.judge:
        compile_first(opening_map.board, *Kernels)
    if options.judge:
        return _judge(opening_map, options, kept)
    return _decide(opening_map, options, kept)


def _decide(
    opening_map: "OpeningMap", options: argparse.Namespace, kept: SolutionCache | None
) -> int:
    """Decide the openings that are left and print the map; return the exit code."""
    try:
        with ProgressLine() as progress, closing(_solutions(opening_map, options)) as solutions:
            for solution in solutions:
                progress.show(_so_far(opening_map, solution))
                if kept and solution.final:
                    kept.put(solution)
    except KeyboardInterrupt:
        _print_map(opening_map, options)
        complain("interrupted: repeat the command to continue" if kept else "interrupted")
        raise
    except ValueError as error:
        return complain(error)
    if kept and (problem := kept.new_problem()):
        complain(problem)
    _print_map(opening_map, options)
    return 0


def _solutions(
    opening_map: "OpeningMap", options: argparse.Namespace
) -> Generator[Solution, None, None]:
    """Yield the solutions of the openings that are left, each several times as it improves."""
    from hextui.engine.solver.opening_map import TimeLimits, decide_in_turn

    end = None if options.total is None else monotonic() + options.total
    limits = TimeLimits(options.seconds, end)
    settings = solver_settings(opening_map.board, options.threads, options.memory)
    if opening_map.left:
        with closing(make_solver(opening_map.board, settings)) as solver:
            yield from decide_in_turn(opening_map, solver, limits)


def _so_far(opening_map: "OpeningMap", solution: Solution) -> str:
    total = len(opening_map.openings)
    left = len(opening_map.left)
    first = next(cell for cell, stone in enumerate(solution.position.stones) if stone)
    spent = f"{counted(solution.nodes, 'node')}, {solution.seconds:.1f} s"
    return f"{total - left} of {total} decided; {opening_map.board.name(first)}: {spent}"


def _print_map(opening_map: "OpeningMap", options: argparse.Namespace) -> None:
    print_document(_document(opening_map), options, lambda _, names: _text(opening_map, names))


def _document(opening_map: "OpeningMap") -> Document:
    verdicts = _verdicts(opening_map)
    name = opening_map.board.name
    return {
        "size": as_json(opening_map.board),
        "winning_moves": [name(cell) for cell, wins in verdicts.items() if wins],
        "losing_moves": [name(cell) for cell, wins in verdicts.items() if not wins],
        "unknown_moves": [name(c) for c in range(opening_map.board.cells) if c not in verdicts],
        "openings": [_opening_document(opening, name) for opening in opening_map.openings],
    }


def _opening_document(opening: "Opening", name: Callable[[int], str]) -> Document:
    proved_by = opening.proved_by
    return {
        "opening": name(opening.cell),
        "winner": as_json(opening.winner),
        "nodes": opening.nodes,
        "seconds": opening.seconds,
        "source": opening.source,
        "proved_by": None if proved_by is None else name(proved_by),
    }


def _verdicts(opening_map: "OpeningMap") -> dict[int, bool]:
    """Return whether the first move wins, for each cell that is decided."""
    winners = {cell: opening_map[cell].winner for cell in range(opening_map.board.cells)}
    return {cell: winner is Color.BLACK for cell, winner in winners.items() if winner}


def _text(opening_map: "OpeningMap", names: Names) -> str:
    verdicts = _verdicts(opening_map)
    name = opening_map.board.name
    cells = opening_map.board.cells
    wins = sum(verdicts.values())
    losses = len(verdicts) - wins
    left = cells - len(verdicts)
    first = names.player(Color.BLACK)
    said = f"{first} wins with {wins} of {counted(cells, 'first move')}, loses with {losses}"
    if left:
        said += f"; {left} undecided"
    rows: list[list[object]] = [["opening", "winner", "nodes", "seconds", "from"]]
    for opening in opening_map.openings:
        winner = "undecided" if opening.winner is None else names.player(opening.winner)
        proof = None if opening.proved_by is None else f"the proof of {name(opening.proved_by)}"
        seconds = round(opening.seconds, 2)
        source = proof or _SOURCES[opening.source]
        rows.append([name(opening.cell), winner, opening.nodes, seconds, source])
    view = BoardView(Position.empty(opening_map.board), verdicts=verdicts)
    return _laid_out(rows, said, view, names)


def _laid_out(rows: list[list[object]], said: str, view: BoardView, names: Names) -> str:
    """Return a table and a map, which comes last: it is seen however long the table is."""
    return f"{table(rows)}\n\n{said}\n\n{text_diagram(view, names)}"


def _judge(
    opening_map: "OpeningMap", options: argparse.Namespace, kept: SolutionCache | None
) -> int:
    """Estimate openings by search, unless an earlier run did, and print them, the best first.

    Returns the exit code.
    """
    limit = USUAL if options.seconds is None else Limit(options.seconds)
    judged: list[JudgedOpening] = []
    with ProgressLine() as progress:
        search_all = None
        if options.workers or options.cluster:
            search_all = partial(_search_on_workers, options=options)
        try:
            for opening in judged_openings(opening_map, limit, kept, search_all=search_all):
                judged.append(opening)
                progress.show(
                    f"{len(judged)} of {counted(len(opening_map.openings), 'opening')} judged"
                )
        except RunError as error:
            complain(error)
            return FAILED
    if kept and (problem := kept.new_problem()):
        complain(problem)
    judged.sort(key=lambda opening: (-opening.win_probability, opening.cell))
    document = {
        "size": as_json(opening_map.board),
        "openings": [
            {
                "opening": opening_map.board.name(opening.cell),
                "chance": as_json(opening.win_probability),
                "proved": opening.proved,
                "swap": opening.swap,
            }
            for opening in judged
        ],
    }
    print_document(document, options, lambda _, names: _judged_text(opening_map, judged, names))
    return 0


def _search_on_workers(
    searches: Sequence[OpeningSearch], options: argparse.Namespace
) -> Iterator[JudgedOpening]:
    """Search openings on workers; yield each as it is done. Raises RunError."""
    if not searches:
        return
    cells = {searches[0].board.cells}
    with open_workers(options, cells, len(searches)) as executor:
        for _, searched in completed(executor, search_opening, enumerate(searches)):
            yield searched.value


def _judged_text(opening_map: "OpeningMap", judged: Sequence[JudgedOpening], names: Names) -> str:
    board = opening_map.board
    first = names.player(Color.BLACK)
    verdicts: dict[int, bool] = {}
    labels: dict[int, str] = {}
    swaps = 0
    for first_move in judged:
        tenths = min(int(10 * first_move.win_probability), 9)
        for cell in {first_move.cell, board.rotate(first_move.cell)}:
            labels[cell] = str(tenths)
            if first_move.proved:
                verdicts[cell] = first_move.swap
            if first_move.swap:
                swaps += 1
    source = f"tenths of {first}'s win probability"
    view = BoardView(Position.empty(board), verdicts=verdicts, labels=labels, source=source)
    rows: list[list[object]] = [["opening", f"{first} wins", "then"]]
    for first_move in judged:
        share = f"{first_move.win_probability:.0%}"
        if first_move.proved:
            share = "wins, proved" if first_move.win_probability else "loses, proved"
        rows.append([board.name(first_move.cell), share, "swap" if first_move.swap else "play"])
    said = f"Swap {swaps} of {counted(board.cells, 'first move')}"
    return _laid_out(rows, said, view, names)
