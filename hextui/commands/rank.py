"""``hextui rank``: every legal move by each evaluator."""

from collections.abc import Callable, Sequence

from hextui.commands.documents import Document, number, size_of, table
from hextui.engine.evaluators import Evaluator, Workbench
from hextui.engine.evaluators.benches import bench_of
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking


def maker(evaluators: Sequence[Evaluator]) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position."""

    def make(position: Position) -> Document:
        bench = bench_of(position.board)
        bench.look_at(position)
        rankings = {e.name: _final(e, bench) for e in evaluators}
        document: Document = {
            "size": size_of(position.board),
            "to_move": str(position.to_move),
            "evaluators": {name: _moves(position, r) for name, r in rankings.items()},
        }
        inexact = [name for name, ranking in rankings.items() if not ranking.exact]
        notes = {name: ranking.note for name, ranking in rankings.items() if ranking.note}
        if inexact:
            document["inexact"] = inexact
        if notes:
            document["notes"] = notes
        return document

    return make


def _final(evaluator: Evaluator, bench: Workbench) -> Ranking:
    *_, last = evaluator.rank(bench)
    return last


def _moves(position: Position, ranking: Ranking) -> list[Document]:
    return [
        {"move": position.board.name(m.cell), "value": number(m.value), "rank": m.rank}
        for m in ranking.moves
    ]


def show(document: Document) -> str:
    """Return the document for people: one table an evaluator."""
    parts = [f"{document['to_move']} to move"]
    for name, moves in document["evaluators"].items():
        inexact = "  (not exact)" if name in document.get("inexact", ()) else ""
        note = document.get("notes", {}).get(name)
        parts.append(f"\n{name}{inexact}" + (f"\n{note}" if note else ""))
        parts.append(table([m["rank"], m["move"], m["value"]] for m in moves) if moves else "-")
    return "\n".join(parts)
