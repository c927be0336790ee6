"""``hextui rank``: every legal move by each evaluator, or why one of them has its value."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from hextui.analysis.comparison import rankings_document
from hextui.commands.arguments import Parser, usage_errors
from hextui.commands.batch import answer_on_workers, batch_arguments, is_on_workers
from hextui.commands.documents import Document, answer, compile_first, table
from hextui.commands.output import ProgressLine
from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.connection import node_name
from hextui.engine.evaluators import Evaluator, improves, names, scale_of
from hextui.engine.explanation import Explanation, Illustration, Role, Term
from hextui.engine.json_values import as_json
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.widths import Kernels
from hextui.engines.registry import evaluator_called
from hextui.text import Names, counted, counts_text, digits
from hextui.words.explanations import explanation_words

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench

MOVES = 10
"""The number of moves of each evaluator in the text, by default."""


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    parser.position()
    text = (
        "an evaluator (repeat for several; default: all). Options follow the name: k-paths:1, "
        "resistance:plain, shortest-path:seed=7; onnx(FILE) is a network in a file, "
        "engine(NAME) an engine in the settings file"
    )
    parser.value("--evaluator", "NAME", text, action="append")
    text = "explain the value of this move: terms, source and paths"
    parser.value("--explain", "MOVE", text)
    shown = parser.add_mutually_exclusive_group()
    text = f"print the N best moves of each evaluator (default: {MOVES}); JSON has all"
    parser.number("--count", text, MOVES, group=shown)
    parser.flag("--all", "print all moves", group=shown)
    batch_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Rank the moves of a position; return the exit code."""
    with usage_errors():
        make = _maker(options)
    if is_on_workers(options):
        return answer_on_workers(options, _maker)
    if options.explain is not None:
        return answer(options, make, _show_explanations)
    return answer(options, make, partial(_show, count=None if options.all else options.count))


def _maker(options: argparse.Namespace) -> Callable[[Position], Document]:
    """Return what ranks the moves of a position; raises ValueError for an unknown evaluator."""
    chosen = [evaluator_called(name) for name in options.evaluator or names()]
    if options.explain is None:
        return partial(_document, evaluators=chosen)
    names_in = Names.BLACK_WHITE if options.json or options.batch else options.names
    return partial(_explain, evaluators=chosen, move=options.explain, called=names_in)


def _explain(
    position: Position, evaluators: Sequence[Evaluator], move: str, called: Names
) -> Document:
    """Return the document that explains a move's values; ``called`` names the players in it."""
    cell = position.board.cell(move)
    bench = _bench_at(position, evaluators)
    explanations = [each.explained(bench, cell) for each in evaluators]
    return {
        "size": as_json(position.board),
        "to_move": str(position.to_move),
        "move": position.board.name(cell),
        "explanations": {
            explanation.evaluator: _explanation(explanation, called) for explanation in explanations
        },
    }


def _document(position: Position, evaluators: Sequence[Evaluator]) -> Document:
    bench = _bench_at(position, evaluators)
    rankings: dict[str, Ranking] = {}
    with ProgressLine() as progress:
        for done, each in enumerate(evaluators):
            progress.show(f"{each.name}, {done} of {counted(len(evaluators), 'evaluator')} done")
            *_, rankings[each.name] = each.rank(bench)
    return rankings_document(position, rankings)


def _bench_at(position: Position, evaluators: Sequence[Evaluator]) -> "Workbench":
    """Return the workbench at a position, once what the evaluators need is compiled."""
    from hextui.engine.evaluators.workbench import bench_at

    kinds = set()
    for each in evaluators:
        if improves(each.name):
            kinds.add(Kernels.SEARCH)
        elif each.name != "network":
            kinds.add(Kernels.RANKINGS)
    compile_first(position.board, *sorted(kinds))
    return bench_at(position)


def _show(document: Document, names: Names, count: int | None) -> str:
    parts = [f"{names.player(document['to_move'])} to move"]
    if winner := document.get("winner"):
        parts = [f"{names.player(winner)} has won: the game is over"]
    for name in document["evaluators"]:
        parts += _ranking_lines(document, name, names, count)
    return "\n".join(parts)


def _ranking_lines(document: Document, name: str, names: Names, count: int | None) -> Iterator[str]:
    """Yield the ranking by one evaluator: its heading, its columns, its best moves."""
    moves = document["evaluators"][name]
    inexact = "  (not exact)" if name in document.get("inexact", ()) else ""
    yield f"\n{name}{inexact}"
    if note := document.get("notes", {}).get(name):
        yield note
    best = moves[:count]
    rows = [[move["rank"], move["move"], move["value"]] for move in best]
    scale = scale_of(name)
    if scale is not None:
        yield f"rank, move, value, {scale.unit}"
        for row in rows:
            row.append(scale.text(float(row[-1])))
    if counts := document.get("counts", {}).get(name):
        yield f"rank, move, value, {_counts_heading(counts, names)}"
        for row in rows:
            row.append(counts_text(counts.get(row[1], ())))
    yield table(rows) if moves else "-"
    if len(best) < len(moves):
        yield f"the best {len(best)} of {len(moves)} moves: --all prints all"


def _counts_heading(counts: Mapping[str, Sequence[object]], names: Names) -> str:
    """Return what stands above the distances and the path counts of both players."""
    paths = " n_0 n_1..." if max(map(len, counts.values())) > 1 else ""
    return f"{names.player('white')}/{names.player('black')}: d{paths}"


def _explanation(explanation: Explanation, names: Names) -> Document:
    words = explanation_words(explanation, names)
    facts = explanation.facts
    return {
        "value": as_json(explanation.value),
        "rank": explanation.rank,
        "moves": explanation.moves,
        "sentence": words.sentence,
        "formula": words.formula,
        "direction": words.direction,
        "terms": list(map(_term, facts.terms, words.meanings)),
        "notes": list(words.notes),
        "source": words.source._asdict(),
        "pictures": [
            _picture(explanation.before.board, picture, *texts)
            for picture, texts in zip(facts.pictures, words.pictures, strict=True)
        ],
    }


def _term(term: Term, meaning: str) -> Document:
    value = term.value if isinstance(term.value, int) else as_json(float(term.value))
    return {
        "symbol": term.symbol,
        "color": term.color and str(term.color),
        "value": value,
        **({"exact": str(term.value)} if isinstance(term.value, Fraction) else {}),
        "meaning": meaning,
    }


def _picture(board: Board, picture: Illustration, group: str, text: str) -> Document:
    """Return a picture, without the fields that are empty."""
    color = picture.color or Color.BLACK
    shown: Document = {}
    for role in Role:
        shown[str(role)] = list(Cells(board, tuple(picture.cells(role))))
    wires = []
    for wire in picture.wires:
        ends = [node_name(end, board, color) for end in wire.ends]
        wires.append({"ends": ends, "current": wire.amount})
    shown["wires"] = wires
    shown["amounts"] = {board.name(cell): amount for cell, amount in picture.amounts}
    document = {"group": group, "color": as_json(picture.color), "text": text}
    return document | {key: value for key, value in shown.items() if value}


def _show_explanations(document: Document, names: Names) -> str:
    explanations = document["explanations"].items()
    return "\n\n".join(
        _show_explanation(document["move"], name, explanation, names)
        for name, explanation in explanations
    )


def _show_explanation(move: str, name: str, explanation: Document, names: Names) -> str:
    source = explanation["source"]
    rows = []
    for term in explanation["terms"]:
        whose = names.player(term["color"]) if term["color"] else ""
        rows.append([term["symbol"], whose, digits(term["value"]), term["meaning"]])
    lines = [
        f"{name}: {move} has rank {explanation['rank']} of {explanation['moves']}",
        explanation["sentence"],
        explanation["direction"],
        f"value {digits(explanation['value'])}",
        explanation["formula"],
        "",
        table(rows),
        *(["", *explanation["notes"]] if explanation["notes"] else []),
        "",
        f"{source['authors']} {source['year']}: {source['title']}; {source['where']}",
        source["link"],
    ]
    group = None
    for picture in explanation["pictures"]:
        if picture["group"] != group:
            group = picture["group"]
            lines += ["", f"{group}:"]
        lines.append(f"  {picture['text']}")
    return "\n".join(lines)
