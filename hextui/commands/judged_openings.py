"""``hextui openings SIZE --judge``: what first moves are worth, and which to take over."""

import argparse
from typing import TYPE_CHECKING

from hextui.commands.documents import Document, number, size_of, table
from hextui.commands.output import ProgressLine, complain, say, say_json
from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.records.codecs.diagrams import text_diagram
from hextui.records.markup import Highlights
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.search.judged_openings import JudgedOpening
    from hextui.engine.solver.opening_map import OpeningMap


def judge(found: "OpeningMap", options: argparse.Namespace) -> None:
    """Estimate the openings of a map and print them, with ``--seconds`` of search each if given.

    Estimates of earlier runs are reused, but not with ``--fresh``.
    """
    from hextui.engine.evaluators.tree_evaluator import USUAL
    from hextui.engine.search.judged_openings import judged_openings
    from hextui.engines.own.opening_cache import OpeningCache, judge_or_recall

    limit = USUAL if options.seconds is None else Limit(options.seconds)
    kept = OpeningCache()
    found_openings = (
        judged_openings(found, limit) if options.fresh else judge_or_recall(found, limit, kept)
    )
    progress = ProgressLine()
    judged: list[JudgedOpening] = []
    for opening in found_openings:
        judged.append(opening)
        progress.show(f"{len(judged)} of {counted(len(found.openings), 'opening')} judged")
    progress.end()
    if kept.problem:
        complain(kept.problem)
    judged.sort(key=lambda opening: -opening.chance)
    if options.json:
        say_json(_document(found, judged))
    else:
        say(_text(found, judged, options.names))


def _document(found: "OpeningMap", judged: "list[JudgedOpening]") -> Document:
    name = found.board.name
    return {
        "size": size_of(found.board),
        "openings": [
            {
                "opening": name(opening.cell),
                "chance": number(opening.chance),
                "proved": opening.proved,
                "swap": opening.swap,
            }
            for opening in judged
        ],
    }


def _text(found: "OpeningMap", judged: "list[JudgedOpening]", names: Names) -> str:
    board, first = found.board, names.player(Color.BLACK)
    by_cell = {cell: one for one in judged for cell in (one.cell, board.rotate(one.cell))}
    swaps = sum(one.swap for one in by_cell.values())
    said = f"Swap {swaps} of {counted(board.cells, 'first move')}"
    shown = Highlights(
        verdicts={cell: one.swap for cell, one in by_cell.items() if one.proved},
        labels={c: str(min(int(10 * one.chance), 9)) for c, one in by_cell.items()},
        name=f"tenths of {first}'s win probability",
    )
    rows: list[list[object]] = [["opening", f"{first} wins", "then"]]
    rows += [[board.name(one.cell), _chance(one), "swap" if one.swap else "play"] for one in judged]
    # the map comes last, where it is seen however long the table is
    return f"{table(rows)}\n\n{said}\n\n{text_diagram(Position.empty(board), names, shown)}"


def _chance(opening: "JudgedOpening") -> str:
    if opening.proved:
        return "wins, proved" if opening.chance else "loses, proved"
    return f"{opening.chance:.0%}"
