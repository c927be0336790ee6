"""Games as JSON objects, one a line: ``{"id", "size", "winner", "end", "moves"}``.

``size`` is a number or ``{"rows":, "columns":}``; ``moves`` a list of names or one text of them,
separated by spaces; ``winner`` red (black) or blue (white); ``end`` says how (``resign``). Only
``size`` and ``moves`` must be there. What else a game holds is kept as text in ``GC``.

An object may hold its game as SGF instead, as files of puzzles do: ``{"name", "sgf"}``. Or it is a
game of playhex.org (`playhex`).
"""

import json
from typing import Any

from hextui.engine.board import MAX_SIDE, Board, Color
from hextui.records.errors import START, Place, RecordError
from hextui.records.json_moves import append_moves
from hextui.records.plain import line_words
from hextui.records.playhex import is_playhex, read_playhex
from hextui.records.record import Record
from hextui.records.sgf import read_sgf
from hextui.records.sizes import board_of
from hextui.records.text import escape
from hextui.records.tree import Node

_KNOWN = ("sgf", "id", "size", "winner", "end", "moves")


def read_json_game(text: str, start: Place = START) -> Record:
    """Return the record of one object, which starts at the place ``start`` of its file.

    Raises RecordError.
    """
    try:
        game = json.loads(text)
    except json.JSONDecodeError as error:
        place = start.after(text[: error.pos])
        raise RecordError(f"not JSON: {error.msg}", place.line, place.column) from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}", start.line) from None
    try:
        return _record(game)
    except ValueError as error:
        raise RecordError(str(error), start.line) from None


def _record(game: Any) -> Record:
    if not isinstance(game, dict):
        raise ValueError("a game is a JSON object")
    if is_playhex(game):
        return read_playhex(game)
    if isinstance(game.get("sgf"), str):
        return _record_of_sgf(game)
    for name in ("size", "moves"):
        if name not in game:
            raise ValueError(f"the game has no {name!r}")
    record = Record(_board(game["size"]), Node(properties=_properties(game)))
    append_moves(record, game["moves"])
    return record


def _record_of_sgf(game: dict[str, Any]) -> Record:
    record = read_sgf(game["sgf"])
    own = _properties({name: value for name, value in game.items() if name != "size"})
    record.add_properties(
        record.root, {k: v for k, v in own.items() if k not in record.root.properties}
    )
    return record


def _board(size: Any) -> Board:
    rows, columns = size, size
    if isinstance(size, dict):
        rows, columns = size.get("rows"), size.get("columns")
    if not all(type(n) is int and 1 <= n <= MAX_SIDE for n in (rows, columns)):
        raise ValueError(f"size {size}: boards here have 1 to {MAX_SIDE} rows and columns")
    return board_of(rows, columns)


def _properties(game: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    properties: dict[str, tuple[str, ...]] = {}
    title = "name" if game.get("id") is None else "id"
    if game.get(title) is not None:
        properties["GN"] = (escape(str(game[title])),)
    if game.get("winner"):
        letter = "BW"[Color.parse(str(game["winner"])) - 1]
        properties["RE"] = (f"{letter}+R" if game.get("end") == "resign" else f"{letter}+",)
    others = [f"{k}: {json.dumps(v)}" for k, v in game.items() if k not in (*_KNOWN, title)]
    if others:
        properties["GC"] = (escape(", ".join(others)),)
    return properties


def write_json_game(record: Record, node: Node | None = None) -> str:
    """Return the line through ``node`` (default: the main line) as one JSON object on one line.

    Raises RecordError like ``line_words``; the rest of a record is left out.
    """
    board = record.board
    game: dict[str, Any] = {"size": board.rows}
    if board.rows != board.columns:
        game["size"] = {"rows": board.rows, "columns": board.columns}
    if record.title:
        game = {"id": record.title, **game}
    result = record.result
    if result.winner:
        game["winner"] = "red" if result.winner is Color.BLACK else "blue"
        game["end"] = "resign" if result.how.upper() in ("R", "RESIGN") else "other"
    game["moves"] = " ".join(line_words(record, node))
    return json.dumps(game, ensure_ascii=False)
