"""Games as JSON: ``{"id", "size", "winner", "end", "red", "blue", "event", "date", "moves"}``.

``size`` is a number or ``{"rows":, "columns":}``; ``moves`` a list of names or one text of them,
separated by spaces; ``winner`` red (black) or blue (white); ``end`` says how (``resign``). Only
``size`` and ``moves`` must be there. Players, event and date are also read under the other names
that programs give them; what else a game holds is kept as text in ``GC``.

An object may hold its game as SGF instead, as files of puzzles do: ``{"name", "sgf"}``. Or it is a
game of playhex.org (`playhex`).
"""

import json
import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

from hextui.engine.board import MAX_SIDE, Board, Color
from hextui.records.codecs.codec import (
    MAX_GAME,
    MAX_LIST,
    Codec,
    GameText,
    TextStream,
    board_of,
    split_lines,
)
from hextui.records.codecs.plain import line_words
from hextui.records.codecs.playhex import append_moves, is_playhex, read_playhex
from hextui.records.codecs.sgf import read_sgf
from hextui.records.record import Record
from hextui.records.text import START, Place, RecordError, escape, json_text
from hextui.records.tree import Node

_KNOWN = ("sgf", "id", "size", "winner", "end", "moves")
_TITLES = {
    "GN": "the name", "PB": "a player", "PW": "a player", "EV": "the event", "DT": "the date",
}  # fmt: skip
_WRITTEN = {"PB": "red", "PW": "blue", "EV": "event", "DT": "date"}
_SPELLINGS = {  # in small letters, without signs
    "PB": "red black playerred playerblack redplayer blackplayer redname blackname player1 pb",
    "PW": "blue white playerblue playerwhite blueplayer whiteplayer bluename whitename player2 pw",
    "EV": "event tournament ev",
    "DT": "date dateplayed playedon playedat startedat dt",
}
_CODES = {spelling: code for code, names in _SPELLINGS.items() for spelling in names.split()}
_SIGNS = re.compile(r"[^a-z0-9]")
_BLANKS = re.compile(r"[ \t\r\n]*+")


class JsonGames(Codec):
    """Games as JSON objects: one in several lines, one a line, or a list of them."""

    name = "json"
    suffixes = (".json", ".jsonl")
    properties = frozenset({"GN", *_WRITTEN})
    outcomes = frozenset({"", "R", "RESIGN"})

    def detects(self, head: str) -> bool:
        return head.startswith(("{", "["))

    def split(self, stream: TextStream) -> Iterator[GameText]:
        head = stream.head.lstrip()
        if head.startswith("["):
            listed, note = stream.decoded(stream.whole(MAX_GAME))
            for text, start in _objects(listed):
                yield GameText(self, text, start, notes=(note,) if note else ())
        elif split_lines(head, 1)[0].rstrip().endswith("}"):
            yield from super().split(stream)
        else:
            yield stream.game(self, stream.whole(MAX_LIST), START)

    def read(self, game: GameText) -> Record:
        try:
            found = json.loads(game.text)
        except json.JSONDecodeError as error:
            raise game.error(f"not JSON: {error.msg}", error.pos) from None
        except (ValueError, RecursionError) as error:
            raise RecordError(f"not JSON: {error}", game.start.line) from None
        try:
            return _record(found)
        except ValueError as error:
            raise RecordError(str(error), game.start.line) from None

    def write(self, record: Record, node: Node | None = None) -> str:
        board = record.board
        game: dict[str, Any] = {"size": board.rows}
        if board.rows != board.columns:
            game["size"] = {"rows": board.rows, "columns": board.columns}
        if record.info("GN"):
            game = {"id": record.info("GN"), **game}
        game |= {name: text for code, name in _WRITTEN.items() if (text := record.info(code))}
        result = record.result
        if result.winner:
            game["winner"] = "red" if result.winner is Color.BLACK else "blue"
            game["end"] = "resign" if result.how.upper() in ("R", "RESIGN") else "other"
        game["moves"] = " ".join(line_words(record, node))
        return json_text(game)

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        lost = (what for code, what in _TITLES.items() if record.info(code) != again.info(code))
        return super().difference(record, again, node) or next(lost, "")


def _objects(text: str) -> Iterator[tuple[str, Place]]:
    """Yield the objects of a JSON list, each as text with its place."""
    decoder = json.JSONDecoder()
    start, at = START, 0
    for separator in chain("[", repeat(",")):
        end = _behind_blanks(text, at)
        if separator == "," and text.startswith("]", end):
            break
        if not text.startswith(separator, end):
            raise START.after(text[:end]).error(f"a JSON list needs {separator!r} here")
        end = _behind_blanks(text, end + 1)
        start, at = start.after(text[at:end]), end
        if separator == "[" and text.startswith("]", end):
            break
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield text[at:], start  # whoever reads it says what is wrong
            return
        yield text[at:end], start
        start, at = start.after(text[at:end]), end
    if text[end + 1 :].strip():
        raise START.after(text[: end + 1]).error("text after the JSON list")


def _behind_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    assert blanks
    return blanks.end()


def _record(game: Any) -> Record:
    if not isinstance(game, dict):
        raise ValueError("a game is a JSON object")
    if is_playhex(game):
        return read_playhex(game)
    if isinstance(game.get("sgf"), str):
        record = read_sgf(game["sgf"])
        record.root.properties.update(_properties(game) | record.root.properties)
        return record
    for name in ("size", "moves"):
        if name not in game:
            raise ValueError(f"the game has no {name!r}")
    record = Record(_board(game["size"]), Node(properties=_properties(game)))
    append_moves(record, game["moves"])
    return record


def _board(size: Any) -> Board:
    rows, columns = size, size
    if isinstance(size, dict):
        rows, columns = size.get("rows"), size.get("columns")
    if not all(type(n) is int and 1 <= n <= MAX_SIDE for n in (rows, columns)):
        raise ValueError(f"size {size}: boards have 1 to {MAX_SIDE} rows and columns")
    return board_of(rows, columns)


def _properties(game: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    properties: dict[str, tuple[str, ...]] = {}
    title = "name" if game.get("id") is None else "id"
    if game.get(title) is not None:
        properties["GN"] = (escape(str(game[title])),)
    if game.get("winner"):
        letter = "BW"[Color.parse(str(game["winner"])) - 1]
        properties["RE"] = (f"{letter}+R" if game.get("end") == "resign" else f"{letter}+",)
    others = []
    for name, value in _with_players(game).items():
        code, text = _CODES.get(_SIGNS.sub("", name.lower())), _text(value)
        if code and text and code not in properties:
            properties[code] = (escape(text),)
        elif name not in (*_KNOWN, title) and not (code and value in (None, "")):
            others.append(f"{name}: {json.dumps(value)}")
    if others:
        properties["GC"] = (escape(", ".join(others)),)
    return properties


def _with_players(game: dict[str, Any]) -> dict[str, Any]:
    """Return a game with what its ``players``, a list or an object, holds beside the rest."""
    players = game.get("players")
    if isinstance(players, list) and len(players) == 2:
        players = dict(zip(("player1", "player2"), players, strict=True))
    if not isinstance(players, dict) or not all(map(_text, players.values())):
        return game
    return {**players, **{name: value for name, value in game.items() if name != "players"}}


def _text(value: Any) -> str:
    """Return the text of a value, '' if it has none; that of an object is its name."""
    if isinstance(value, dict):
        value = value.get("name")
    return str(value) if isinstance(value, str | int | float) else ""
