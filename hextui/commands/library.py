"""``hextui library``: import games, explore positions, list games, count them, remove them."""

import json
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from hextui.commands.documents import BAD_INPUT, Document, complain, size_of, table
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.library.answers import ExploredMove, Filter, GameRow, Imported
from hextui.library.library import Library
from hextui.library.schema import LibraryError
from hextui.wording import counted

FAILED = 1


def guarded(run: Callable[[], int]) -> int:
    """Run a command on the library; one line and exit code 1 if the library cannot be used."""
    try:
        return run()
    except (LibraryError, sqlite3.Error) as error:
        complain(error)
        return FAILED


def import_games(paths: Sequence[str], again: bool, as_json: bool) -> int:
    """Import files and folders; return the exit code: 1 if games were left out.

    ``again`` removes what came from them before.
    """
    files = [Path(path).expanduser() for path in paths]
    for path in files:
        if not path.exists():
            return complain(ValueError(f"{path}: no such file or folder"))
    with Library() as library:
        for path in files if again else ():
            library.remove_source(str(path.resolve()))
        done = library.import_paths(files, _progress)
    for game in done.broken:
        where = game.source if game.number is None else f"{game.source}: game {game.number}"
        print(f"hextui: {where} left out: {game.reason}", file=sys.stderr)
    if as_json:
        broken = [{"source": b.source, "number": b.number, "error": b.reason} for b in done.broken]
        document = {"added": done.added, "duplicates": done.duplicates, "broken": broken}
        print(json.dumps(document))
    else:
        print(f"{done.added} added, {done.duplicates} there already, {len(done.broken)} left out")
    return FAILED if done.broken else 0


def _progress(done: Imported) -> None:
    if sys.stderr.isatty():
        read = done.added + done.duplicates + done.waiting
        print(f"{read} read, {done.added} added", end="\r", file=sys.stderr)


def explorer(library: Library) -> Callable[[Position], Document]:
    """Return the function that makes the document of a position."""

    def make(position: Position) -> Document:
        found = library.explore(position)
        name = position.board
        return {
            "games": found.games,
            "moves": [_move(move, move.move.name(name)) for move in found.moves],
            "best": found.best.move.name(name) if found.best else None,
        }

    return make


def _move(move: ExploredMove, name: str) -> Document:
    return {
        "move": name,
        "games": move.games,
        "black_wins": move.black_wins,
        "verdict": "winning" if move.value.winning else "losing",
        "certain": move.value.certain,
        "moves_to_end": move.value.moves,
        "last_year": move.last_year,
    }


def show_explored(document: Document) -> str:
    """Return the document of a position for people."""
    rows: list[list[object]] = [
        ["move", "games", "black won", "verdict", "moves to the end", "last played"]
    ]
    for m in document["moves"]:
        verdict = m["verdict"] if m["certain"] else f"possibly {m['verdict']}"
        year = m["last_year"] or ""
        rows.append([m["move"], m["games"], m["black_wins"], verdict, m["moves_to_end"], year])
    return f"{counted(document['games'], 'game')}\n{table(rows)}"


def list_games(chosen: Filter, position: Position | None, limit: int, as_json: bool) -> int:
    """Print the games that are meant; return the exit code."""
    with Library() as library:
        documents = [_game(row) for row in library.games(chosen, position, limit)]
    if as_json:
        print(json.dumps({"games": documents}))
    else:
        names = ("id", "size", "black", "white", "event", "date", "winner", "how", "plies")
        rows: list[list[object]] = [list(names)]
        for game in documents:
            size = f"{game['size']['columns']}x{game['size']['rows']}"
            rows.append([size if n == "size" else game[n] or "" for n in names])
        print(table(rows))
    return 0


def _game(row: GameRow) -> Document:
    return {
        "id": row.id,
        "size": size_of(row.board),
        "black": row.black,
        "white": row.white,
        "event": row.event,
        "date": row.date,
        "winner": None if row.winner is None else str(Color(row.winner)),
        "how": row.how,
        "plies": row.plies,
        "source": row.source,
        "number": row.number,
        "ply": row.ply,
    }


def show_stats(as_json: bool) -> int:
    """Print how much the library holds; return the exit code."""
    with Library() as library:
        stats = library.stats()
    document = {
        "games": stats.games,
        "decided": stats.decided,
        "positions": stats.positions,
        "moves": stats.moves,
        "bytes": stats.bytes,
        "path": str(library.path),
    }
    print(json.dumps(document) if as_json else table(document.items()))
    return 0


def settle(nodes: int, as_json: bool) -> int:
    """Have the solver settle late positions; return the exit code."""
    from hextui.library.settle import Settled, settle_games

    if nodes < 1:
        return complain(ValueError(f"--nodes: at least 1, not {nodes}"))

    def progress(done: Settled) -> None:
        if sys.stderr.isatty():
            text = f"{done.games} of {counted(done.of, 'game')}, "
            text += f"{counted(done.positions, 'position')} settled"
            print(text, end="\r", file=sys.stderr)

    with Library() as library:
        done = settle_games(library, nodes, progress)
    if as_json:
        print(json.dumps({"games": done.games, "positions": done.positions}))
    else:
        print(f"{counted(done.positions, 'position')} of {counted(done.games, 'game')} settled")
    return 0


def remove_games(ids: Sequence[int], source: str | None, as_json: bool) -> int:
    """Remove games by their ids, and all of a source; return the exit code: 2 if one is missing."""
    with Library() as library:
        missing = [number for number in ids if library.text(number) is None]
        removed = library.remove(ids)
        if source is not None:
            removed += library.remove_source(str(Path(source).expanduser().resolve()))
    for number in missing:
        complain(ValueError(f"there is no game {number} in the library"))
    if as_json:
        print(json.dumps({"removed": removed, "missing": missing}))
    else:
        print(f"{counted(removed, 'game')} removed")
    return BAD_INPUT if missing else 0
