"""``hextui rank``: every legal move by each evaluator, or why one of them has its value."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from hextui.commands import explained
from hextui.commands.arguments import position_arguments, whole
from hextui.commands.documents import Document, answer, compile_first, number, size_of, table
from hextui.commands.output import ProgressLine, complain
from hextui.engine.board import Board
from hextui.engine.evaluators import Evaluator, names, scale_of
from hextui.engine.position import Position
from hextui.engine.widths import Kernels
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.ranking import Ranking


MOVES = 10
"""So many moves of each evaluator people are shown, unless they ask for more."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    position_arguments(parser)
    parser.add_argument(
        "--evaluator",
        action="append",
        metavar="NAME",
        help="an evaluator (repeat for several; default: all). "
        "Options follow the name: k-paths:1, resistance:plain, shortest-path:seed=7; "
        "engine(NAME) is an engine in the settings file",
    )
    parser.add_argument(
        "--explain",
        metavar="MOVE",
        help="explain the value of this move: terms, source and paths",
    )

    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--count",
        type=whole(1),
        default=MOVES,
        metavar="N",
        help=f"print the N best moves of each evaluator (default: {MOVES}); JSON has all",
    )
    shown.add_argument("--all", action="store_true", help="print all moves")


def run(options: argparse.Namespace) -> int:
    """Rank the moves of a position; return the exit code."""
    from hextui.matches.open_engines import evaluator_called

    try:
        chosen = [evaluator_called(name) for name in options.evaluator or names()]
    except ValueError as error:
        return complain(error)
    if options.explain is not None:
        names_in = Names.BLACK_WHITE if options.json or options.batch else options.names
        explain = partial(_explain, chosen, options.explain, names_in)
        return answer(options, explain, explained.show)
    show = partial(_show, count=None if options.all else options.count)
    return answer(options, _maker(chosen), show)


def _explain(
    evaluators: Sequence[Evaluator], move: str, called: Names, position: Position
) -> Document:
    """Return the document that says why a move has its values; see `explained.document_of`."""
    from hextui.engine.evaluators.workbench import bench_of

    cell = position.board.cell(move)
    _compile_for(evaluators, position.board)
    bench = bench_of(position.board)
    bench.look_at(position)
    return explained.document_of([each.explained(bench, cell) for each in evaluators], called)


def _maker(evaluators: Sequence[Evaluator]) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position."""
    from hextui.engine.evaluators.workbench import bench_of

    def make(position: Position) -> Document:
        _compile_for(evaluators, position.board)
        bench = bench_of(position.board)
        bench.look_at(position)
        progress = ProgressLine()
        rankings = {}
        for done, each in enumerate(evaluators):
            progress.show(f"{each.name}, {done} of {counted(len(evaluators), 'evaluator')} done")
            rankings[each.name] = _final(each, bench)
        progress.end()
        document: Document = {
            "size": size_of(position.board),
            "to_move": str(position.to_move),
            "evaluators": {name: _moves(position, r) for name, r in rankings.items()},
        }
        if position.winner is not None:
            document["winner"] = str(position.winner)
        inexact = [name for name, ranking in rankings.items() if not ranking.exact]
        notes = {name: ranking.note for name, ranking in rankings.items() if ranking.note}
        if inexact:
            document["inexact"] = inexact
        if notes:
            document["notes"] = notes
        return document

    return make


def _compile_for(evaluators: Sequence[Evaluator], board: Board) -> None:
    """Compile what the evaluators need; the network alone is compiled soonest by its use."""
    wanted = [each for each in evaluators if each.name != "network"]
    kinds = {Kernels.SEARCH if each.needs_search else Kernels.RANKINGS for each in wanted}
    compile_first(board, *sorted(kinds))


def _final(evaluator: Evaluator, bench: "Workbench") -> "Ranking":
    *_, last = evaluator.rank(bench)
    return last


def _moves(position: Position, ranking: "Ranking") -> list[Document]:
    return [
        {"move": position.board.name(m.cell), "value": number(m.value), "rank": m.rank}
        for m in ranking.moves
    ]


def _show(document: Document, names: Names, count: int | None) -> str:
    """Return the document for people: one table an evaluator, of so many moves or of all."""
    parts = [f"{names.player(document['to_move'])} to move"]
    if winner := document.get("winner"):
        parts = [f"{names.player(winner)} has won: the game is over"]
    for name, moves in document["evaluators"].items():
        inexact = "  (not exact)" if name in document.get("inexact", ()) else ""
        note = document.get("notes", {}).get(name)
        parts.append(f"\n{name}{inexact}" + (f"\n{note}" if note else ""))
        scale = scale_of(name)
        if scale is not None:
            parts.append(f"rank, move, value, {scale.unit}")
        best = moves[:count]
        read = [[scale.text(float(m["value"]))] if scale else [] for m in best]
        rows = [
            [m["rank"], m["move"], m["value"], *more] for m, more in zip(best, read, strict=True)
        ]
        parts.append(table(rows) if moves else "-")
        if len(best) < len(moves):
            parts.append(f"the best {len(best)} of {len(moves)} moves: --all prints all")
    return "\n".join(parts)
