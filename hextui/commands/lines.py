"""``hextui lines``: the best lines of play, best first.

An attached engine reports them, or our tree search, or a selective minimax search finds them.
"""

import argparse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hextui.commands.arguments import Parser, usage_errors
from hextui.commands.documents import Document, answer, compile_first, table
from hextui.commands.output import ProgressLine
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import Evaluator, evaluator, scale_of
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.json_values import as_json
from hextui.engine.position import Position, SwapRule
from hextui.engine.search.lines import (
    DEFAULT_EVALUATOR,
    DEFAULT_SEARCH,
    DEFAULT_WIDTHS,
    LineSettings,
    parse_widths,
)
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope, scope_of
from hextui.engine.swap import first_stone_value, swap_value, wants_swap
from hextui.engine.widths import Kernels
from hextui.engines.engine import Lane
from hextui.engines.questions import SearchMoves
from hextui.engines.registry import user_engines
from hextui.settings.engine_config import engine_in, evaluator_of
from hextui.text import Names, counted

if TYPE_CHECKING:
    from hextui.engine.search.tree_search import SearchedMove

Scope = Callable[[Board], MoveScope]
"""Returns the moves of a board that are searched."""


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    widths = ",".join(map(str, DEFAULT_WIDTHS))
    count = LineSettings().count
    parser.position()
    text = "the evaluator of the search, or engine(NAME) for an engine in the settings file "
    text += f"(default: {DEFAULT_SEARCH}; {DEFAULT_EVALUATOR} with --widths or --literal)"
    parser.value("--evaluator", "NAME", text)
    text = f"moves tried at each ply, the last width 0 (default: {widths})"
    parser.value("--widths", "W,...,0", text)
    parser.number("--count", f"number of lines (default: {count})", count, most=1000)
    cells = "cells, and rectangles by two corners: 'c3, d4:f6'"
    for name, text in (
        ("--avoid", f"leave out these first moves; {cells}"),
        ("--allow", "consider only these first moves"),
        ("--region", "consider only these cells, for every move of both sides"),
    ):
        parser.value(name, "CELLS", text, default="")
    text = "search as in the source of blocking: proofs neither end lines nor exclude moves"
    parser.flag("--literal", text)


def run(options: argparse.Namespace) -> int:
    """Search for lines from a position; return the exit code."""
    scope = partial(scope_of, avoid=options.avoid, allow=options.allow, region=options.region)
    minimax_only = options.widths or options.literal
    name = options.evaluator or (DEFAULT_EVALUATOR if minimax_only else DEFAULT_SEARCH)
    count = options.count
    with usage_errors():
        if (attached := engine_in(name)) is not None:
            make = partial(
                _by_engine, lane=user_engines().engine(attached).lane(), count=count, scope=scope
            )
            return answer(options, make, _show_engine)
        chosen = evaluator(name)
        if isinstance(chosen, TreeEvaluator):
            make = partial(_by_search, evaluator=chosen, count=count, scope=scope)
            return answer(options, make, _show_search)
        widths = parse_widths(options.widths) if options.widths else DEFAULT_WIDTHS
        settings = LineSettings(widths, count, options.literal)
    make = partial(_by_minimax, evaluator=chosen, settings=settings, scope=scope)
    return answer(options, make, _show_minimax)


def _common(position: Position, evaluator: str) -> Document:
    return {
        "size": as_json(position.board),
        "to_move": str(position.to_move),
        "evaluator": evaluator,
    }


def _head(document: Document, names: Names, about: str = "") -> str:
    """Return the first line of the text: side to move, evaluator, and who is proved to win."""
    head = f"{names.player(document['to_move'])} to move, {document['evaluator']}{about}"
    if document.get("winner") is not None:
        head += f"; {names.player(document['winner'])} wins, proved"
    if document.get("if_nobody_swaps"):
        head += ", if nobody swaps"
    return head


# Lines of an attached engine


def _by_engine(position: Position, lane: Lane, count: int, scope: Scope) -> Document:
    with ProgressLine() as progress:
        for report in lane.answers(SearchMoves(position, scope=scope(position.board))):
            progress.show(f"{report.visits:,} visits")
    lines = []
    for move in report.moves[:count]:
        line = {
            "moves": list(move.line),
            "winrate": move.winrate,
            "score": move.score,
            "visits": move.visits,
            "prior": move.prior,
        }
        lines.append(line)
    common = _common(position, evaluator_of(report.engine))
    return common | {"visits": report.visits, "lines": lines}


def _show_engine(document: Document, names: Names) -> str:
    head = _head(document, names, f", {document['visits']:,} visits")
    if not document["lines"]:
        return f"{head}\nno lines"
    rows: list[list[object]] = [["win prob.", "score", "visits", "line"]]
    for line in document["lines"]:
        winrate = "-" if line["winrate"] is None else line["winrate"]
        score = "-" if line["score"] is None else line["score"]
        rows.append([winrate, score, line["visits"], " ".join(line["moves"])])
    return f"{head}\n\n{table(rows)}"


# Lines of the tree search


def _by_search(position: Position, evaluator: TreeEvaluator, count: int, scope: Scope) -> Document:
    moves, winner = _searched(position, evaluator, scope(position.board))
    lines = [_line_document(position, move) for move in moves]
    if position.swap_legal and scope(position.board) == ALL_MOVES:
        win = moves[0].value if moves else float(winner is position.to_move)
        swap = {
            "moves": [str(position.swap_rule.move)],
            "value": swap_value(win),
            "proved": winner is not None,
            "visits": sum(move.visits for move in moves),
        }
        lines.insert(0 if wants_swap(win) else 1, swap)
    document = _common(position, evaluator.name) | {
        "winner": winner and str(winner),
        "lines": lines[:count],
    }
    if winner is not None and position.swap_rule is not SwapRule.NONE:
        document["if_nobody_swaps"] = True
    return document


def _searched(
    position: Position, evaluator: TreeEvaluator, scope: MoveScope
) -> "tuple[list[SearchedMove], Color | None]":
    """Return the moves by a tree search, best first, and who wins if that is certain.

    Nobody swaps in it. There are no moves after a win, or where the side to move loses at once.
    """
    from hextui.engine.search.tree_search import TreeSearch, searched_moves

    if position.winner is not None or not position.empties:
        return [], position.winner
    compile_first(position.board, Kernels.SEARCH)
    search = TreeSearch(position.board, evaluator.threads, evaluator.judge)
    searched_moves(search, position, evaluator.limit, scope=scope)
    for _ in search.check(in_sight=True):
        pass
    moves = search.moves()
    if moves and moves[0].proved and moves[0].value:
        return moves, position.to_move
    is_lost = search.root.proved and not search.root.won
    return moves, position.to_move.opponent if is_lost else None


def _line_document(position: Position, move: "SearchedMove") -> Document:
    worth = first_stone_value(move.value) if position.first_stone_swappable else move.value
    return {
        "moves": [position.board.name(cell) for cell in move.line],
        "value": worth,
        "proved": move.proved,
        "visits": move.visits,
    }


def _show_search(document: Document, names: Names) -> str:
    head = _head(document, names)
    if not document["lines"]:
        return f"{head}\nno lines: the game is over, or lost at once"
    rows: list[list[object]] = [["win prob.", "visits", "line"]]
    for line in document["lines"]:
        value = f"{line['value']:.0%}"
        if line["proved"]:
            value = "wins" if line["value"] else "loses"
        rows.append([value, line["visits"], " ".join(line["moves"])])
    return f"{head}\n\n{table(rows)}"


# Lines of the minimax search


def _by_minimax(
    position: Position, evaluator: Evaluator, settings: LineSettings, scope: Scope
) -> Document:
    from hextui.engine.search.front import best_lines

    compile_first(position.board, Kernels.RANKINGS)
    with ProgressLine() as progress:
        for lines_found in best_lines(position, evaluator, settings, scope=scope(position.board)):
            progress.show(
                f"depth {lines_found.depth}: {lines_found.searched} of {lines_found.moves}"
            )
    document: Document = as_json(
        {
            "widths": lines_found.settings.widths,
            "literal": lines_found.settings.literal,
            "depth": lines_found.depth,
            "nodes": lines_found.nodes,
            "full_nodes": lines_found.full_nodes,
            "winner": lines_found.winner,
            "lines": [
                {"moves": line.moves, "value": line.value, "winner": line.winner}
                for line in lines_found.lines
            ],
        }
    )
    return _common(lines_found.position, lines_found.evaluator) | document


def _show_minimax(document: Document, names: Names) -> str:
    widths = ",".join(map(str, document["widths"]))
    literal = ", literal" if document["literal"] else ""
    head = _head(document, names, f", widths {widths}{literal}")
    if not document["lines"]:
        return f"{head}\nno lines: the game is over"
    scale = scale_of(document["evaluator"])
    if scale is not None:
        head += f"\nvalue, and {scale.unit}"
    rows = []
    for line in document["lines"]:
        row = [line["value"]]
        if scale is not None:
            row.append(scale.text(float(line["value"])))
        winner = f"{names.player(line['winner'])} wins" if line["winner"] else ""
        rows.append([*row, " ".join(line["moves"]), winner])
    share = f"{document['nodes']:,} of {counted(document['full_nodes'], 'node')} searched"
    return f"{head}\n\n{table(rows)}\n\n{share}"
