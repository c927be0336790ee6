"""Games of playhex.org in JSON: from its export of all games, or one by one.

The export has an object a game: ``{"id", "url", "boardsize", "moves", "playerRed", "playerBlue",
"winner", "outcome", "allowSwap", "startedAt", ...}``; ``moves`` is one text, without a
resignation, which is the ``outcome``. A game that is asked for alone has a list of moves, its
players in ``hostedGameToPlayers``, 0 or 1 as winner and ``publicId`` as its name. Red is Black
here. What has no place in SGF is kept as text in ``GC``.

Source: https://playhex.org/export-games-data.
"""

import json
import re
from math import isfinite
from typing import Any

from hextui.engine.board import MAX_SIDE, Color
from hextui.engine.position import MoveKind
from hextui.records.codecs.codec import Codec, Site, board_of
from hextui.records.codecs.plain import line_words
from hextui.records.record import Record
from hextui.records.text import RecordError, escape, json_text
from hextui.records.tree import Node, Turn

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
GAMES = "https://playhex.org/games/"
_HOW = {"path": "", "resign": "R", "time": "T", "forfeit": "F"}
_OUTCOMES = {end[:n].upper(): end for end in ("resign", "time", "forfeit") for n in (1, None)}
_WINNERS = {"red": Color.BLACK, "blue": Color.WHITE, 0: Color.BLACK, 1: Color.WHITE}
_SIDES = {Color.BLACK: "red", Color.WHITE: "blue", None: None}
_TEXTS = {"PB": "playerRed", "PW": "playerBlue"}
_RATINGS = {"BR": "playerRedRating", "WR": "playerBlueRating"}
_READ = {
    *("id", "publicId", "url", "boardsize", "moves", "movesCount", "winner", "outcome"),
    *("allowSwap", "startedAt", "hostedGameToPlayers"),
    *(_TEXTS | _RATINGS).values(),
}
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T.*", re.DOTALL)
SWAP, NO_SWAP = "swap", "no swap"
"""What ``RU`` says about the swap."""


def is_playhex(game: Any) -> bool:
    """Whether what a JSON text holds is a game of PlayHex."""
    return isinstance(game, dict) and "boardsize" in game and "size" not in game


def read_playhex(game: dict[str, Any]) -> Record:
    """Return the record of a game; raises ValueError with what is wrong in it."""
    side = game["boardsize"]
    if type(side) is not int or not 1 <= side <= MAX_SIDE:
        raise ValueError(f"boardsize {side}: boards have 1 to {MAX_SIDE} rows and columns")
    record = Record(board_of(side, side), Node(properties=_properties(game)))
    append_moves(record, game.get("moves"))
    return record


def _properties(game: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    players = game.get("hostedGameToPlayers")
    if isinstance(players, list):
        names = [_pseudo(player) for player in players]
        game = {**dict(zip(("playerRed", "playerBlue"), names, strict=False)), **game}
    name = game.get("id") if isinstance(game.get("id"), str) else game.get("publicId")
    texts = {
        "GN": name,
        "PC": game.get("url") or (f"{GAMES}{name}" if "publicId" in game else None),
        **{own: game.get(theirs) for own, theirs in (_TEXTS | _RATINGS).items()},
        "DT": _MOMENT.sub(r"\1", str(game.get("startedAt") or "")),
        "RE": _result(game),
        "GC": ", ".join(f"{k}: {json.dumps(v)}" for k, v in game.items() if k not in _READ),
    }
    if isinstance(game.get("allowSwap"), bool):
        texts["RU"] = SWAP if game["allowSwap"] else NO_SWAP
    return {key: (escape(str(text)),) for key, text in texts.items() if text not in (None, "")}


def _pseudo(entry: Any) -> str | None:
    """Return the name of a player in ``hostedGameToPlayers``."""
    player = entry.get("player") if isinstance(entry, dict) else None
    return player.get("pseudo") if isinstance(player, dict) else None


def _result(game: dict[str, Any]) -> str | None:
    stated = game.get("winner")
    winner = _WINNERS.get(stated) if isinstance(stated, str | int) else None
    if winner is None:
        return None
    outcome = str(game.get("outcome") or "path")
    return f"{'BW'[winner - 1]}+{_HOW.get(outcome, outcome)}"


def append_moves(record: Record, moves: Any) -> None:
    """Append a text or list of moves, colours by their order. Raises ValueError with its number."""
    names = moves.split() if isinstance(moves, str) else moves
    if not isinstance(names, list):
        raise ValueError("'moves' is neither a text nor a list")
    node = record.root
    for number, name in enumerate(names, start=1):
        try:
            turn = Turn.parse(record.position(node).to_move, str(name).strip(), record.board)
            node = record.append(node, turn)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None


class PlayHex(Codec):
    """An object of PlayHex's export. ``JsonGames`` finds and reads these objects in its files."""

    name = "playhex"
    properties = frozenset({"GN", "PB", "PW", "BR", "WR", "DT", "PC", "RU"})
    outcomes = frozenset({"", *_OUTCOMES})
    site = Site(
        "playhex.org",
        re.compile(rf"https?://(?:www\.)?playhex\.org/games/({_UUID})(?:[/?#].*)?", re.IGNORECASE),
        re.compile(rf"({_UUID})", re.IGNORECASE),
        "https://playhex.org/api/games/{0}",
    )

    def write(self, record: Record, node: Node | None = None) -> str:
        board, words = record.board, line_words(record, node)
        if board.rows != board.columns:
            raise RecordError(f"boards of PlayHex are square, not {board}")
        end = (node or record.root).end()
        if any(at.turn and at.turn.move.kind is MoveKind.SWAP_SIDES for at in end.line()):
            raise RecordError("PlayHex has no swap-sides")
        words = words[: len(words) - _resignations(end)]
        winner, how = record.result.winner, record.result.how.upper()
        chain = winner is not None and record.position(end).winner is winner
        game: dict[str, Any] = {
            "id": record.info("GN"),
            "url": record.info("PC"),
            "boardsize": board.rows,
            **{theirs: record.info(own) for own, theirs in _TEXTS.items()},
            **{theirs: _number(record.info(own)) for own, theirs in _RATINGS.items()},
            "winner": _SIDES.get(winner),
            "outcome": winner and _OUTCOMES.get(how, "path" if chain else None),
            "allowSwap": {SWAP: True, NO_SWAP: False}.get(record.info("RU")),
            "startedAt": record.info("DT"),
        }
        known = {key: value for key, value in game.items() if value not in (None, "")}
        known |= {"movesCount": len(words), "moves": " ".join(words)}
        return json_text(known)

    def difference(self, record: Record, again: Record, node: Node | None) -> str:
        end = (node or record.root).end()
        turns = record.turns(end)  # a resignation is an outcome there, no move
        if turns[: len(turns) - _resignations(end)] != again.turns():
            return "the moves"
        if any(record.player(color) != again.player(color) for color in Color):
            return "the names of the players"
        return "" if record.result.winner is again.result.winner else "the winner"


def _resignations(end: Node) -> int:
    """Return how many turns at the end of a line give up: they are no moves of PlayHex."""
    turns = [at.turn for at in reversed(end.line()) if at.turn]
    return next(
        (n for n, turn in enumerate(turns) if turn.move.kind is not MoveKind.RESIGN), len(turns)
    )


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None
