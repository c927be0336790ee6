"""Games as JSON: ``{"id", "size", "winner", "end", "red", "blue", "event", "date", "moves"}``.

``size`` is a number or ``{"rows":, "columns":}``; ``moves`` a list of names or one text of them,
separated by spaces; ``winner`` red (black) or blue (white); ``end`` says how (``resign``). Only
``size`` and ``moves`` must be there. Players, event and date are also read under the other names
that programs give them; what else a game holds is kept as text in ``GC``. An object may hold its
game as SGF instead, as files of puzzles do: ``{"name", "sgf"}``.

playhex.org has names of its own in its export of all games (https://playhex.org/export-games-data);
a game that is asked for alone has 0 or 1 as winner and ``publicId`` as its name. The state of a
game of abstractplay.com is a ``stack`` of the results of each move.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from hextui.engine.board import MAX_RECORD_SIDE, Color
from hextui.records.codecs.codec import (
    MAX_GAME,
    MAX_LIST,
    SIDES,
    Codec,
    FileText,
    Flaws,
    GameText,
    Site,
    board_of,
    check_length,
    split_lines,
)
from hextui.records.codecs.plain import line_words
from hextui.records.codecs.sgf import Sgf
from hextui.records.record import Record
from hextui.records.text import START, Place, RecordError, escape, json_text
from hextui.records.tree import Node, Turn
from hextui.words.names import ENDS

_WRITTEN = {"PB": "red", "PW": "blue", "EV": "event", "DT": "date"}
_SPELLINGS = {  # in small letters, without signs
    "PB": "red black playerred playerblack redplayer blackplayer redname blackname player1 pb",
    "PW": "blue white playerblue playerwhite blueplayer whiteplayer bluename whitename player2 pw",
    "EV": "event tournament ev",
    "DT": "date dateplayed playedon playedat startedat dt",
    "BR": "playerredrating",
    "WR": "playerbluerating",
    "PC": "url",
}
_CODES = {spelling: code for code, names in _SPELLINGS.items() for spelling in names.split()}
_ENDS = {word: code for code, (word, _) in ENDS.items()}
_KNOWN = {  # what is read, but not as a property of its own name
    *("sgf", "id", "size", "boardsize", "winner", "end", "outcome", "moves", "movesCount"),
    "allowSwap",
}
_SIGNS = re.compile(r"[^a-z0-9]")
_BLANKS = re.compile(r"[ \t\r\n]*+")
_BEHIND = re.compile(rf"{_BLANKS.pattern}(,?){_BLANKS.pattern}(\]?){_BLANKS.pattern}")
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T.*", re.DOTALL)
_VARIANT = re.compile(r"size-([0-9]{1,3})")
_ABSTRACT_PLAYS_SIDE = 13  # without a variant
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


class JsonGames(Codec):
    """Games as JSON objects: one in several lines, one a line, or a list of them."""

    name = "json"
    suffixes = (".json", ".jsonl")
    site = Site(
        "playhex.org",
        re.compile(rf"https?://(?:www\.)?playhex\.org/games/({_UUID})(?:[/?#].*)?", re.IGNORECASE),
        re.compile(rf"({_UUID})", re.IGNORECASE),
        "https://playhex.org/api/games/{0}",
    )

    def detects(self, head: str) -> bool:
        return head.startswith(("{", "["))

    def split(self, file: FileText) -> Iterator[GameText]:
        if file.head.startswith("["):
            check_length(len(file.text), START, MAX_GAME)
            listed, note = file.decoded(file.text)
            notes = (note,) if note else ()
            for text, start, wrong in _objects(listed):
                how = file.strict, file.as_hex, Flaws(wrong)
                yield GameText(self, text, start, None, notes, *how)
        elif split_lines(file.head, 1)[0].rstrip(", \t\r").endswith("}"):
            yield from super().split(file)
        else:
            check_length(len(file.text), START, MAX_LIST)
            yield file.game(self, file.text, START)

    def read(self, game: GameText) -> Record:
        try:
            found, end = json.JSONDecoder().raw_decode(game.text, _behind_blanks(game.text, 0))
        except json.JSONDecodeError as error:
            raise game.error(f"not JSON: {error.msg}", error.pos) from None
        except (ValueError, RecursionError) as error:
            raise game.error(f"not JSON: {error}", 0) from None
        if game.text[end:].strip():
            game.flaw("text after the game", end)
        try:
            return _record(game, found)
        except ValueError as error:
            raise game.flaws.first or game.error(error, 0) from None

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
            how = result.how.upper()
            ends = (end for end, code in _ENDS.items() if how in (code, end.upper()))
            game["end"] = next(ends, "other")
        game["moves"] = " ".join(line_words(record, node))
        return json_text(game)

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        names = {"GN": "id", **_WRITTEN}
        lost = (name for code, name in names.items() if record.info(code) != again.info(code))
        return super().difference(record, again, node) or next(lost, "")


def _objects(text: str) -> Iterator[tuple[str, Place, RecordError | None]]:
    """Yield the objects of a JSON list, each with its place and what is wrong behind it."""
    decoder = json.JSONDecoder()
    at = _behind_blanks(text, _behind_blanks(text, 0) + 1)
    start = START.after(text[:at])
    if text.startswith("]", at) and text[at + 1 :].strip():
        raise start.after("]").error("text after the JSON list")
    done = text.startswith("]", at)
    while not done:
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield text[at:], start, None  # reading it reports what is wrong
            return
        behind = _BEHIND.match(text, end)
        assert behind
        comma, bracket = behind.groups()
        done = bool(bracket) or behind.end() == len(text)
        wrong = ""
        if comma:
            wrong = "no game after ','" if done else ""
        elif not bracket:
            wrong = "a JSON list needs ',' or ']' here"
        elif behind.end() < len(text):
            wrong = "text after the JSON list"
        place = start.after(text[at : behind.end()])
        yield text[at:end], start, place.error(wrong) if wrong else None
        start, at = place, behind.end()


def _behind_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    assert blanks
    return blanks.end()


def _record(text: GameText, game: Any) -> Record:
    """Return the record of a parsed game, of the moves before the first that cannot be made."""
    if not isinstance(game, dict):
        raise ValueError("a game is a JSON object")
    if game.get("game") == "hex" and isinstance(game.get("stack"), list):
        game = _of_abstract_play(game)
    properties = _properties(game)
    try:
        properties |= _result(game)
    except ValueError as error:
        text.flaw(error, 0)
    if isinstance(game.get("sgf"), str):
        inner = GameText(Sgf(), game["sgf"], as_hex=text.as_hex)
        record = Sgf().read(inner)
        if inner.flaws.first is not None:
            text.flaw(inner.flaws.first, 0)
        record.root.properties.update(properties | record.root.properties)
        return record
    size = game.get("size", game.get("boardsize"))
    for name, value in (("size", size), ("moves", game.get("moves"))):
        if value is None:
            raise ValueError(f"the game has no {name!r}")
    rows, columns = size, size
    if isinstance(size, dict):
        rows, columns = size.get("rows"), size.get("columns")
    if not all(type(n) is int and 1 <= n <= MAX_RECORD_SIDE for n in (rows, columns)):
        raise ValueError(f"size {size}: {SIDES}")
    record = Record(board_of(rows, columns), Node(properties=properties))
    names = game["moves"].split() if isinstance(game["moves"], str) else game["moves"]
    if not isinstance(names, list):
        raise ValueError("'moves' is neither a text nor a list")
    node = record.root
    for number, name in enumerate(names, start=1):
        try:
            turn = Turn.parse(record.position(node).to_move, str(name).strip(), record.board)
            node = record.append(node, turn)
        except ValueError as error:
            text.flaw(f"move {number}: {error}", 0)
            break
    return record


def _of_abstract_play(state: dict[str, Any]) -> dict[str, Any]:
    """Return the game of a state, whose variants name the size and whose first player is Red."""
    size = _VARIANT.search(str(state.get("variants")))
    winners = {"[1]": "red", "[2]": "blue"}
    try:
        results = [result for move in state["stack"] for result in move["_results"]]
        moves = [result["where"] for result in results if result["type"] == "place"]
    except (KeyError, TypeError):
        raise ValueError("this is no state of a game of Abstract Play") from None
    return {
        "size": int(size[1]) if size else _ABSTRACT_PLAYS_SIDE,
        "moves": moves,
        "winner": winners.get(str(state.get("winner"))),
    }


def _properties(game: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    title = next((name for name in ("publicId", "id", "name") if game.get(name) is not None), "")
    texts = {"GN": str(game.get(title, ""))}
    if title == "publicId":
        texts["PC"] = f"https://playhex.org/games/{game[title]}"
    if isinstance(game.get("allowSwap"), bool):
        texts["RU"] = "swap" if game["allowSwap"] else "no swap"
    players = _players(game)
    read = _KNOWN | {title} | ({"players", "hostedGameToPlayers"} if players else set())
    others = []
    for name, value in (players | game).items():
        code, text = _CODES.get(_SIGNS.sub("", name.lower()), ""), _text(value)
        if code and text and code not in texts:
            texts[code] = _MOMENT.sub(r"\1", text) if code == "DT" else text
        elif name not in read and not (code and value in (None, "")):
            others.append(f"{name}: {json.dumps(value)}")
    texts["GC"] = ", ".join(others)
    return {code: (escape(text),) for code, text in texts.items() if text}


def _result(game: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return ``RE``, nothing without a winner. Raises ValueError for an unknown one."""
    winner, end = game.get("winner"), game.get("end", game.get("outcome"))
    if "publicId" in game and type(winner) is int:
        winner = "red" if winner == 0 else "blue"
    if not winner:
        return {}
    return {"RE": (f"{'BW'[Color.parse(str(winner)) - 1]}+{_ENDS.get(str(end), '')}",)}


def _players(game: dict[str, Any]) -> dict[str, Any]:
    """Return what a game's ``players``, a list or an object, holds, under the players' names."""
    players = game.get("players", game.get("hostedGameToPlayers"))
    if isinstance(players, list):
        players = dict(zip(("player1", "player2"), players, strict=False))
    return players if isinstance(players, dict) else {}


def _text(value: Any) -> str:
    """Return the text of a value, '' if it has none; that of an object is its name."""
    for name in ("player", "pseudo", "name"):
        value = value.get(name, value) if isinstance(value, dict) else value
    return str(value) if isinstance(value, str | int | float) else ""
