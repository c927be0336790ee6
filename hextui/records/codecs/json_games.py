"""Games as JSON: ``{"id", "size", "winner", "end", "red", "blue", "event", "date", "moves"}``.

Written as well where they are known: ``redRating``, ``blueRating``, ``timeLimit`` (seconds each),
``overtime``, and ``clocks``, the seconds that the player has left after each move, or null.

``size`` is a number, ``{"rows":, "columns":}`` or a text, columns x rows; ``moves`` a list of names
or of objects with names, or one text of names; ``winner`` red (black) or blue (white); ``end`` says
how (``resign``). Only ``size`` and ``moves`` must be there. All but ``winner`` and ``end`` are also
read under the other names that programs give them; what else a game holds is kept as text in
``GC``. An object may hold its game as SGF instead, as files of puzzles do: ``{"name", "sgf"}``.
Games may stand anywhere in objects and lists around them: ``{"games": [...]}``.

playhex.org has names of its own in its export of all games (https://playhex.org/export-games-data);
a game that is asked for alone has 0 or 1 as winner and ``publicId`` as its name. The state of a
game of abstractplay.com is a ``stack`` of the results of each move.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from hextui.engine.board import MAX_RECORD_SIDE, Board, Color
from hextui.records.codecs.codec import (
    MAX_GAME,
    MAX_LIST,
    SIDES,
    Codec,
    FileText,
    Flaws,
    GameText,
    Site,
    TextWindow,
    board_of,
    check_length,
    split_lines,
)
from hextui.records.codecs.plain import MEANT, line_words
from hextui.records.codecs.sgf import Sgf
from hextui.records.dates import iso_date
from hextui.records.move_line import move_line
from hextui.records.record import Record
from hextui.records.record_text import START, Place, RecordError, escape, json_text, shorten
from hextui.records.tree import TIME_LEFT, Node, Turn
from hextui.text import ENDS

_WRITTEN = {
    "PB": "red", "PW": "blue", "EV": "event", "DT": "date", "BR": "redRating", "WR": "blueRating",
    "TM": "timeLimit", "OT": "overtime",
}  # fmt: skip
_SPELLINGS = {  # in small letters, without signs
    "PB": "red black playerred playerblack redplayer blackplayer redname blackname player1 pb",
    "PW": "blue white playerblue playerwhite blueplayer whiteplayer bluename whitename player2 pw",
    "EV": "event tournament ev",
    "DT": "date dateplayed playedon playedat startedat dt",
    "BR": "redrating blackrating playerredrating redelo blackelo player1rating br",
    "WR": "bluerating whiterating playerbluerating blueelo whiteelo player2rating wr",
    "TM": "timelimit tm",
    "OT": "overtime ot",
    "PC": "url",
}
_CODES = {spelling: code for code, names in _SPELLINGS.items() for spelling in names.split()}
_ENDS = {word: code for code, (word, _) in ENDS.items()}
_SIZES = ("size", "boardsize", "dimensions", "dimension")
_ROWS = ("rows", "height")
_COLUMNS = ("columns", "cols", "width")
_MOVES = ("moves", "movelist", "movehistory", "history", "plays")
_CELLS = ("cell", "move", "position", "pos", "coord", "point", "to", "at", "where", "name")
_COLORS = ("player", "color", "colour", "by", "side")
_OTHERS = ("sgf", "id", "winner", "end", "outcome", "movescount", "allowswap", "clocks")
_KNOWN = {*_SIZES, *_ROWS, *_COLUMNS, *_MOVES, *_OTHERS}
"""What is read, but not as a property of its own name."""
_SIZE = re.compile(r"\s*([0-9]{1,9})\s*(?:[x:,*/]\s*([0-9]{1,9})\s*)?", re.IGNORECASE)
_BETWEEN_MOVES = re.compile(r"[\s,;]+|(?<![a-zA-Z0-9])[0-9]+[.):]*(?![a-zA-Z0-9])|[0-9]+[.):]+")
_SIGNS = re.compile(r"[^a-z0-9]")
_BLANKS = re.compile(r"[ \t\r\n]*+")
_BEHIND = re.compile(rf"{_BLANKS.pattern}(,?){_BLANKS.pattern}(\]?){_BLANKS.pattern}")
_VARIANT = re.compile(r"size-([0-9]{1,3})")
# The begin of a list in an object, behind other values: such lists may be long.
_WRAPPED = re.compile(
    r'\{\s*+(?:"[^"\\]*+"\s*+:\s*+(?:"(?:[^"\\]++|\\.)*+"|[\w.+-]++|\{[^{}]*+\})\s*+,\s*+)*+'
    r'"(?:games?|records?|matches|puzzles|data|items|results|list)"\s*+:\s*+(?=\[\s*+[{\]])',
    re.DOTALL | re.IGNORECASE,
)
_NESTED = re.compile(r"[\[:{,]\s*+\{")
_AHEAD = 1 << 12  # characters behind an object that tell what follows it
_MOST_LEVELS = 5  # of objects and lists around a game
_ABSTRACT_PLAYS_SIDE = 13  # without a variant
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", re.ASCII)
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


class JsonGames(Codec):
    """Games as JSON objects: one in several lines, one a line, or a list of them."""

    name = "json"
    suffixes = (".json", ".jsonl")
    site: ClassVar[Site | None] = Site(
        "playhex.org",
        re.compile(rf"https?://(?:www\.)?playhex\.org/games/({_UUID})(?:[/?#].*)?", re.IGNORECASE),
        re.compile(rf"({_UUID})", re.IGNORECASE),
        "https://playhex.org/api/games/{0}",
    )

    def detects(self, head: str) -> bool:
        return head.startswith(("{", "["))

    def split(self, file: FileText) -> Iterator[GameText]:
        for game in self._objects(file):
            if not _NESTED.search(game.text):
                yield game
                continue
            for begin, end in _games_within(game.text):
                start = game.start.after(game.text[:begin])
                yield replace(game, text=game.text[begin:end], start=start)

    def _objects(self, file: FileText) -> Iterator[GameText]:
        """Yield the objects of a file, or of the list that it consists of or holds."""
        wrapped = _WRAPPED.match(file.head)
        if wrapped or file.head.startswith("["):
            begin = file.window.index(file.head[:1])
            yield from self._listed(file, begin + wrapped.end() if wrapped else None)
        elif split_lines(file.head, 1)[0].rstrip(", \t\r").endswith("}"):
            for number, line in file.lines_as_they_come():
                if file.counter.is_before_first and _is_flat(line):
                    file.counter.number += 1
                    continue
                yield file.game(self, line, Place(number, 1), file.board)
        else:
            longest = MAX_GAME if _NESTED.search(file.text) else MAX_LIST
            check_length(len(file.text), START, longest)
            yield file.game(self, file.text, START, file.board)

    def _listed(self, file: FileText, offset: int | None) -> Iterator[GameText]:
        """Yield the objects of a list, which begins ``at`` some place or is all of the file."""
        begun = file.window[: file.window.rfind("}") + 1]
        if not file.decoded(begun).guessed and not file.lead_bytes(begun):
            for text, start, wrong in _objects(file, offset):
                yield replace(file.game(self, text, start, file.board), flaws=Flaws(wrong))
            return
        # brackets and quotes can be found in decoded text only, and the set is guessed from all
        check_length(len(file.text), START, MAX_GAME)
        decoded = file.decoded(file.text)
        offset = offset and len(file.decoded(file.text[:offset]).text)
        for text, start, wrong in _objects(TextWindow(decoded.text), offset):
            yield GameText(
                self,
                text=text,
                start=start,
                board=file.board,
                notes=decoded.notes,
                strict=file.strict,
                as_hex=file.as_hex,
                flaws=Flaws(wrong),
                charset=decoded.guessed,
            )

    def read(self, game: GameText) -> Record:
        def checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            made = dict(pairs)
            if len(made) < len(pairs):
                names = [name for name, _ in pairs]
                twice = next(name for name in names if names.count(name) > 1)
                game.flaw(f"{twice!r} is given twice: the last value counts", 0)
            return made

        try:
            decoder = json.JSONDecoder(object_pairs_hook=checked)
            document, end = decoder.raw_decode(game.text, _behind_blanks(game.text, 0))
        except json.JSONDecodeError as error:
            raise game.error(f"not JSON: {error.msg}", error.pos) from None
        except (ValueError, RecursionError) as error:
            raise game.error(f"not JSON: {error}", 0) from None
        if game.text[end:].strip():
            game.flaw("text after the game", end)
        try:
            return _record(game, document)
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
        clocks = _clocks_of(record, node)
        if any(clocks):
            game["clocks"] = clocks
        return json_text(game)

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        names = {"GN": "id", **_WRITTEN}
        lost = (name for code, name in names.items() if record.info(code) != again.info(code))
        return super().difference(record, again, node) or next(lost, "")


def _is_flat(line: str) -> bool:
    """Whether a line is one game at most, as no object or list of objects is in its object."""
    return line.startswith("{") and line.count("{") == 1


def _objects(
    source: TextWindow, offset: int | None
) -> Iterator[tuple[str, Place, RecordError | None]]:
    """Yield the objects of a JSON list, each with its place and what is wrong behind it.

    The list is the whole text, or begins ``offset`` characters in it.
    """
    text = source.window
    decoder = json.JSONDecoder()
    alone = offset is None
    ended = False
    offset = _behind_blanks(text, _behind_blanks(text, offset or 0) + 1)
    start = START.after(text[:offset])
    if alone and text.startswith("]", offset) and text[offset + 1 :].strip():
        raise start.after("]").error("text after the JSON list")
    done = text.startswith("]", offset)
    while not done:
        text = source.window
        behind = _end_of_object(decoder, text, offset)
        if not (ended or (behind and behind.end() + _AHEAD < len(text))):
            source.drop(offset)
            offset = 0
            ended = not source.more()
            continue
        if behind is None:
            yield text[offset:], start, None  # reading it reports what is wrong
            return
        comma, bracket = behind.groups()
        done = bool(bracket) or behind.end() == len(text)
        wrong = ""
        if comma:
            wrong = "no game after ','" if done else ""
        elif not bracket:
            wrong = "a JSON list needs ',' or ']' here"
        elif alone and behind.end() < len(text):
            wrong = "text after the JSON list"
        place = start.after(text[offset : behind.end()])
        yield text[offset : behind.start()], start, place.error(wrong) if wrong else None
        start = place
        offset = behind.end()


def _end_of_object(decoder: json.JSONDecoder, text: str, offset: int) -> re.Match[str] | None:
    """Return the signs and blanks behind the value that stands there, None if none ends."""
    try:
        _, end = decoder.raw_decode(text, offset)
    except (ValueError, RecursionError):
        return None
    return _BEHIND.match(text, end)


def _games_within(text: str) -> list[tuple[int, int]]:
    """Return where the games in a JSON value begin and end; without any, it is the game itself."""
    whole = (0, len(text))
    begin = _behind_blanks(text, 0)
    try:
        spans = list(_walk(text, begin, json.JSONDecoder(), _MOST_LEVELS))
    except (ValueError, RecursionError):  # reported when it is read
        return [whole]
    return spans if spans and spans[0][0] > begin else [whole]


def _walk(
    text: str, offset: int, decoder: json.JSONDecoder, levels: int
) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the games in the value that stands at a place. Raises ValueError."""
    value, end = decoder.raw_decode(text, offset)
    if isinstance(value, dict) and is_game(value):
        yield offset, end
        return
    if not (levels and isinstance(value, list | dict)):
        return
    offset = _behind_blanks(text, offset + 1)
    while not text.startswith(("]", "}"), offset):
        if isinstance(value, dict):
            _, colon = decoder.raw_decode(text, offset)
            offset = _behind_blanks(text, _behind_blanks(text, colon) + 1)
        yield from _walk(text, offset, decoder, levels - 1)
        _, inner_end = decoder.raw_decode(text, offset)
        offset = _behind_blanks(text, inner_end)
        offset = _behind_blanks(text, offset + 1) if text.startswith(",", offset) else offset


def is_game(names: Iterable[str]) -> bool:
    """Return whether an object, or a row, with values of these names holds a game."""
    keys = set(map(_key, names))
    return "sgf" in keys or "stack" in keys or not keys.isdisjoint(_MOVES)


def gives_size(names: Iterable[str]) -> bool:
    """Return whether one of these names is that of a size."""
    return not {*_SIZES, *_ROWS}.isdisjoint(map(_key, names))


@lru_cache(maxsize=1024)  # a file has few names
def _key(name: str) -> str:
    """Return a name in small letters, without signs."""
    return _SIGNS.sub("", name.lower())


def _first(values: dict[str, Any], names: Iterable[str]) -> Any:
    """Return the first value there is under one of these names, None without any."""
    return next((values[name] for name in names if values.get(name) is not None), None)


def _behind_blanks(text: str, offset: int) -> int:
    blanks = _BLANKS.match(text, offset)
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
        inner = GameText(Sgf(), game["sgf"], board=text.board, as_hex=text.as_hex)
        record = Sgf().read(inner)
        text.flaws.guesses += inner.flaws.guesses
        if inner.flaws.first is not None:
            text.flaw(inner.flaws.first, 0)
        record.root.properties.update(properties | record.root.properties)
        return record
    values = {_key(name): value for name, value in reversed(game.items())}
    moves = _first(values, _MOVES)
    board = _board(values) or _board_inside(values) or text.board
    for name, there in (("size", board), ("moves", moves)):
        if there is None:
            raise ValueError(f"the game has no {name!r}")
    assert board
    clocks = values.get("clocks")
    if isinstance(moves, str):
        if line := move_line(board, moves.split(), {0: properties}):
            if clocks is not None:
                times = _times_left(line.turns, clocks)
                line = replace(line, properties={0: properties, **times})
            return Record(board, line=line)
        moves = list(filter(None, _BETWEEN_MOVES.split(moves)))
    if not isinstance(moves, list):
        raise ValueError("'moves' is neither a text nor a list")
    record = Record(board, Node(properties=properties))
    node = record.root
    for number, move in enumerate(moves, start=1):
        try:
            node = record.append(node, _turn(move, record.position(node).to_move, board))
        except ValueError as error:
            text.flaw(f"move {number}: {error}", 0)
            break
    line_nodes = node.line()
    for ply, left in _times_left(record.turns(), clocks).items():
        line_nodes[ply].properties = dict(left)
    return record


def _times_left(turns: Sequence[Turn], clocks: object) -> dict[int, dict[str, tuple[str, ...]]]:
    """Return the properties, by ply, that give the seconds that players have left."""
    times: dict[int, dict[str, tuple[str, ...]]] = {}
    seconds = clocks if isinstance(clocks, list) else []
    for ply, (turn, left) in enumerate(zip(turns, seconds, strict=False), start=1):
        if _SECONDS.fullmatch(str(left)):
            times[ply] = {TIME_LEFT[turn.color]: (str(left),)}
    return times


def _clocks_of(record: Record, node: Node | None) -> list[str | None]:
    """Return the seconds that the player has left after each turn, None where they are unknown."""
    clocks: list[str | None] = []
    for step in (node or record.root).end().line():
        if step.turn:
            left, *_ = step.properties.get(TIME_LEFT[step.turn.color], ("",))
            clocks.append(left if _SECONDS.fullmatch(left) else None)
    return clocks


def _board(values: dict[str, Any]) -> Board | None:
    """Return the board of a game, None if it gives no size. Raises ValueError for a wrong one."""
    size = _first(values, _SIZES)
    rows = _first(values, _ROWS)
    columns = _first(values, _COLUMNS)
    if isinstance(size, dict):
        size = {_key(name): value for name, value in size.items()}
        rows = _first(size, _ROWS)
        columns = _first(size, _COLUMNS)
    elif isinstance(size, list) and len(size) == 2:
        columns, rows = size
    elif isinstance(size, str) and (match := _SIZE.fullmatch(size)):
        columns = match[1]
        rows = match[2] or match[1]
    elif size is not None:
        rows = columns = size
    if size is None and (rows is None or columns is None):
        return None
    sides = [_side(side) for side in (rows, columns)]
    if not all(1 <= side <= MAX_RECORD_SIDE for side in sides):
        raise ValueError(f"size {_first(values, _SIZES) or [columns, rows]}: {SIDES}")
    return board_of(*sides)


def _board_inside(values: dict[str, Any]) -> Board | None:
    """Return the board that an object inside a game gives, None if none does."""
    for value in values.values():
        if isinstance(value, dict):
            inside = {_key(name): content for name, content in value.items()}
            if board := _board(inside):
                return board
    side = values.get("board")
    named = type(side) is int or (isinstance(side, str) and _SIZE.fullmatch(side))
    return _board({"size": side}) if named else None


def _side(value: Any) -> int:
    """Return a number of rows or columns, 0 for what is none."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        return int(value)
    whole = type(value) is int or (type(value) is float and value.is_integer())
    return int(value) if whole else 0


def _turn(move: Any, to_move: Color, board: Board) -> Turn:
    """Return the turn of a name, or of an object with one. Raises ValueError."""
    color = to_move
    if isinstance(move, dict):
        values = {_key(name): value for name, value in move.items()}
        mover = _first(values, _COLORS)
        cell = _first(values, _CELLS)
        if cell is None:
            raise ValueError(f"not the name of a cell: {shorten(json.dumps(move), 40)}")
        move = cell
        with suppress(ValueError):  # numbers may begin at 0 or 1
            color = Color.parse(mover) if isinstance(mover, str) else to_move
    word = str(move).strip()
    return Turn.parse(color, MEANT.get(word.lower(), word), board)


def _of_abstract_play(state: dict[str, Any]) -> dict[str, Any]:
    """Return the game of a state, whose variants name the size and whose first player is Red."""
    size = _VARIANT.search(str(state.get("variants")))
    winners = {"[1]": "red", "[2]": "blue"}
    try:
        results = [result for move in state["stack"] for result in move["_results"]]
        moves = [result["where"] for result in results if result["type"] == "place"]
    except (KeyError, TypeError):
        raise ValueError("this is not a state of an Abstract Play game") from None
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
    read = {title} | ({"players", "hostedGameToPlayers"} if players else set())
    others = []
    for name, value in (players | game).items():
        code = _CODES.get(_key(name), "")
        text = _text(value)
        if code and text and code not in texts:
            texts[code] = iso_date(text) if code == "DT" else text
        elif not (name in read or _key(name) in _KNOWN) and not (code and value in (None, "")):
            others.append(f"{name}: {json.dumps(value)}")
    texts = _time_control(game.get("timeControl")) | texts
    texts["GC"] = ", ".join(others)
    return {code: (escape(text),) for code, text in texts.items() if text}


def _time_control(control: object) -> dict[str, str]:
    """Return the texts of ``TM`` and ``OT`` for a time control of PlayHex, in milliseconds."""
    options = control.get("options") if isinstance(control, dict) else None
    if not isinstance(options, dict):
        return {}
    times = {name: value / 1000 for name, value in options.items() if type(value) in (int, float)}
    texts = {}
    if "initialTime" in times:
        texts["TM"] = _decimal(times["initialTime"])
    if times.get("timeIncrement"):
        texts["OT"] = f"{_decimal(times['timeIncrement'])} fischer"
    elif "periodTime" in times and type(options.get("periodsCount")) is int:
        texts["OT"] = f"{options['periodsCount']}x{_decimal(times['periodTime'])} byo-yomi"
    return texts


def _decimal(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def _result(game: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return ``RE``, nothing without a winner. Raises ValueError for an unknown one."""
    winner = game.get("winner")
    end = game.get("end", game.get("outcome"))
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
