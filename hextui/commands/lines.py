"""``hextui lines``: the best lines of play, best first: by tree search or selective minimax."""

import argparse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hextui.commands import engine_lines, search_lines
from hextui.commands.arguments import position_arguments, whole
from hextui.commands.documents import Document, answer, compile_first, number, size_of, table
from hextui.commands.output import ProgressLine, complain
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import scale_of
from hextui.engine.position import Position
from hextui.engine.search.lines import (
    DEFAULT_EVALUATOR,
    DEFAULT_SEARCH,
    DEFAULT_WIDTHS,
    LineSettings,
    parse_widths,
)
from hextui.engine.search.move_scope import MoveScope, scope_of
from hextui.engine.widths import Kernels
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.evaluators import Evaluator
    from hextui.engine.search.lines import Line, Lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    widths = ",".join(map(str, DEFAULT_WIDTHS))
    position_arguments(parser)
    parser.add_argument(
        "--evaluator",
        metavar="NAME",
        help="the evaluator of the search, or engine(NAME) for an engine in the settings file "
        f"(default: {DEFAULT_SEARCH}; {DEFAULT_EVALUATOR} with --widths or --literal)",
    )
    parser.add_argument(
        "--widths",
        metavar="W,...,0",
        help=f"moves tried at each ply, the last width 0 (default: {widths})",
    )
    parser.add_argument(
        "--count",
        type=whole(1, 1000),
        default=LineSettings().count,
        metavar="N",
        help=f"number of lines (default: {LineSettings().count})",
    )
    cells = "cells, and rectangles by two corners: 'c3, d4:f6'"
    parser.add_argument(
        "--avoid", default="", metavar="CELLS", help=f"leave out these first moves; {cells}"
    )
    parser.add_argument(
        "--allow", default="", metavar="CELLS", help="consider only these first moves"
    )
    parser.add_argument(
        "--region",
        default="",
        metavar="CELLS",
        help="consider only these cells, for every move of both sides",
    )
    parser.add_argument(
        "--literal",
        action="store_true",
        help="search as the source of blocking does: no proof ends a line or leaves out a move",
    )


def run(options: argparse.Namespace) -> int:
    """Search for lines from a position; return the exit code."""
    from hextui.engine.evaluators import evaluator
    from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
    from hextui.engines.attached.engine_config import engine_in
    from hextui.matches.open_engines import opened

    choose = partial(scope_of, avoid=options.avoid, allow=options.allow, region=options.region)
    name = options.evaluator or _usual(options)
    try:
        if (attached := engine_in(name)) is not None:
            make = engine_lines.maker(opened(attached), options.count, choose)
            return answer(options, make, engine_lines.show)
        chosen = evaluator(name)
        if isinstance(chosen, TreeEvaluator):
            make = search_lines.maker(chosen, options.count, choose)
            return answer(options, make, search_lines.show)
        widths = parse_widths(options.widths) if options.widths else DEFAULT_WIDTHS
        settings = LineSettings(widths, options.count, options.literal)
    except ValueError as error:
        return complain(error)
    return answer(options, _maker(chosen, settings, choose), _show)


def _usual(options: argparse.Namespace) -> str:
    """Return who judges where nobody is named: minimax where only that does what is asked."""
    return DEFAULT_EVALUATOR if options.widths or options.literal else DEFAULT_SEARCH


def _maker(
    evaluator: "Evaluator", settings: LineSettings, choose: Callable[[Board], MoveScope]
) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position."""
    from hextui.engine.search.front import best_lines

    def make(position: Position) -> Document:
        compile_first(position.board, Kernels.RANKINGS)
        progress = ProgressLine()
        scope = choose(position.board)
        for found in best_lines(position, evaluator, settings, scope=scope):
            progress.show(f"depth {found.depth}: {found.searched} of {found.moves}")
        progress.end()
        return _document(found)

    return make


def _document(found: "Lines") -> Document:
    return {
        "size": size_of(found.position.board),
        "to_move": str(found.position.to_move),
        "evaluator": found.evaluator,
        "widths": list(found.settings.widths),
        "literal": found.settings.literal,
        "depth": found.depth,
        "nodes": found.nodes,
        "full_nodes": found.full_nodes,
        "winner": _winner(found.winner),
        "lines": [_line(found.position.board, line) for line in found.lines],
    }


def _line(board: Board, line: "Line") -> Document:
    return {
        "moves": [board.name(cell) for cell in line.moves],
        "value": number(line.value),
        "winner": _winner(line.winner),
    }


def _winner(color: Color | None) -> str | None:
    return None if color is None else str(color)


def _show(document: Document, names: Names) -> str:
    """Return the document for people: a line a row, its value for the side to move."""
    widths = ",".join(map(str, document["widths"]))
    literal = ", literal" if document["literal"] else ""
    mover = names.player(document["to_move"])
    head = f"{mover} to move, {document['evaluator']}, widths {widths}{literal}"
    if document["winner"] is not None:
        head += f"; {names.player(document['winner'])} wins, proved"
    if not document["lines"]:
        return f"{head}\nno lines: the game is over"
    scale = scale_of(document["evaluator"])
    if scale is not None:
        head += f"\nvalue, and {scale.unit}"
    rows = [
        [
            line["value"],
            *([scale.text(float(line["value"]))] if scale else []),
            " ".join(line["moves"]),
            f"{names.player(line['winner'])} wins" if line["winner"] else "",
        ]
        for line in document["lines"]
    ]
    share = f"{document['nodes']:,} of {counted(document['full_nodes'], 'position')} visited"
    return f"{head}\n\n{table(rows)}\n\n{share}"
