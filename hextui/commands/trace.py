"""The readable solver's run as a document, and as an indented tree for people."""

from collections.abc import Iterator

from hextui.commands.documents import Document
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import MustPlayRun, Try, get_connections
from hextui.words.names import Names


def names(board: Board, cells: frozenset[int]) -> list[str]:
    """Return the names of cells, in row order."""
    return [board.name(cell) for cell in sorted(cells)]


def listed(words: list[str]) -> str:
    """Return names with blanks between, ``-`` for none."""
    return " ".join(words) or "-"


def run_document(board: Board, run: MustPlayRun) -> Document:
    """Return a run; a call looked up again is told without what it tried."""
    return _run(board, run, set())


def _run(board: Board, run: MustPlayRun, seen: set[int]) -> Document:
    document: Document = {
        "depth": run.depth,
        "to_move": str(run.to_move),
        "move": None if run.move is None else board.name(run.move),
        "winset": names(board, run.winset),
        "known": id(run) in seen,
    }
    if id(run) not in seen:
        seen.add(id(run))
        document["tries"] = [_try(board, one, seen) for one in run.tries]
    return document


def _try(board: Board, one: Try, seen: set[int]) -> Document:
    return {
        "region": names(board, one.region),
        "move": board.name(one.move),
        "reply": None if one.reply is None else board.name(one.reply),
        "winset": names(board, one.winset),
        "left": None if one.wins else names(board, one.left),
        "after": None if one.after is None else _run(board, one.after, seen),
    }


def connections_document(position: Position) -> Document:
    """Return `get_connections` of both colours: each cell with those it is connected to."""
    name = position.board.name
    return {
        str(color): {
            name(cell): names(position.board, others)
            for cell, others in get_connections(position, color).items()
        }
        for color in Color
    }


def connections_lines(document: Document, players: Names) -> Iterator[str]:
    """Yield the lines of `connections_document`."""
    for color, cells in document.items():
        yield f"connected for {players.player(color)}:"
        for cell, others in cells.items():
            yield f"  {cell:<3} {listed(others)}"


def tree(run: Document, players: Names) -> Iterator[str]:
    """Yield the lines of a run, indented by the moves made.

    A move that loses is followed by the equation of its sets: what the region and the winset that
    beats it have in common is the next region.
    """
    indent = "  " * run["depth"]
    if run["known"]:
        yield f"{indent}{_verdict(run, players)} (solved above)"
        return
    mover = players.player(run["to_move"])
    for one in run["tries"]:
        yield f"{indent}{mover} {one['move']}  must play in {listed(one['region'])}"
        if one["after"] is None:
            yield f"{indent}  joins the sides"
        else:
            yield from tree(one["after"], players)
        if one["left"] is not None:
            region, winset, left = (_set(one[name]) for name in ("region", "winset", "left"))
            yield f"{indent}{region} and {winset} leave {left}"
    yield f"{indent}{_verdict(run, players)}"


def _verdict(run: Document, players: Names) -> str:
    mover = players.player(run["to_move"])
    if run["move"] is not None:
        return f"{mover} wins with {run['move']}: winset {listed(run['winset'])}"
    text = f"{mover} has no winning move: winset {listed(run['winset'])}"
    if len(run.get("tries", ())) > 1:
        text += f", joined from {' '.join(_set(one['winset']) for one in run['tries'])}"
    return text


def _set(words: list[str]) -> str:
    return f"{{{' '.join(words)}}}"
