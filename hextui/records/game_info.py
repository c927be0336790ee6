"""What is known about a game, field by field, as people read and write it.

A result is told in words, and read back from words; what is not changed keeps the text it had.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.records.errors import RecordError
from hextui.records.record import Record, Result
from hextui.wording import player_name, player_names, result_words


@dataclass(frozen=True)
class InfoField:
    """A field: its name on the command line, its property, and what people call it.

    ``{red}`` and ``{blue}`` in the label stand for what the players are called.
    """

    name: str
    code: str
    label: str

    @property
    def words(self) -> str:
        """The label, with the players called as they are called now."""
        red, blue = player_names()
        return self.label.format(red=red, blue=blue)


FIELDS = (
    InfoField("red", "PB", "{red}"),
    InfoField("blue", "PW", "{blue}"),
    InfoField("red-rating", "BR", "{red}'s rating"),
    InfoField("blue-rating", "WR", "{blue}'s rating"),
    InfoField("event", "EV", "Event"),
    InfoField("round", "RO", "Round"),
    InfoField("date", "DT", "Date"),
    InfoField("place", "PC", "Place"),
    InfoField("result", "RE", "Result"),
    InfoField("rules", "RU", "Rules, swap"),
    InfoField("time", "TM", "Seconds each"),
    InfoField("name", "GN", "Name"),
    InfoField("source", "SO", "Source"),
)
BY_NAME = {field.name: field for field in FIELDS}
_HOW = {"resigned": "R", "ran out of time": "T", "forfeited": "F"}
_WON = re.compile(r"(\w+)(?: won)?(?:,? (?:(\w+) )?(resigned|ran out of time|forfeited))?")
_TOLD = re.compile(r"(\w+) won \((.*)\)")
_LOST = re.compile(r"(\w+) (resigned|ran out of time|forfeited)")


def info_of(record: Record) -> dict[str, str]:
    """Return what is known of a game, by field; '' for what is not."""
    return {field.name: _shown(record, field) for field in FIELDS}


def _shown(record: Record, field: InfoField) -> str:
    if field.code == "RE":
        return result_words(record.result.winner, record.result.how)
    return record.info(field.code)


def set_info(record: Record, texts: Mapping[str, str]) -> bool:
    """Change fields by their names, as one edit; '' takes one away. Tell whether any has changed.

    Raises RecordError, and changes nothing, for a result that is none.
    """
    return record.set_texts(record.root, read_info(info_of(record), texts))


def read_info(known: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the properties that make the texts of fields out of what was ``known`` of them.

    Raises RecordError for a text that is none of its field.
    """
    changes: dict[str, str] = {}
    for name, text in texts.items():
        plain = " ".join(text.split())
        if plain != known[name]:
            read = _READERS.get(name, str)
            changes[BY_NAME[name].code] = read(plain) if plain else ""
    return changes


def read_result(text: str) -> str:
    """Return the value of ``RE`` for a result in words; raises RecordError if it is none.

    >>> read_result("Red won, Blue resigned"), read_result("blue"), read_result("Red resigned")
    ('B+R', 'W+', 'W+R')
    """
    if (lost := _LOST.fullmatch(text)) and (loser := _player(lost[1])):
        return _value(loser.opponent, _HOW[lost[2]])
    if (told := _TOLD.fullmatch(text)) and (winner := _player(told[1])):
        return _value(winner, told[2])
    won = _WON.fullmatch(text)
    winner = _player(won[1]) if won else None
    if won is None or winner is None or (won[2] and _player(won[2]) is not winner.opponent):
        first, second = player_names()
        what = f"a result is '{first} won', '{second} won, {first} resigned' and the like"
        raise RecordError(f"{what}, not {text!r}")
    return _value(winner, _HOW.get(won[3] or "", ""))


def _player(word: str) -> Color | None:
    """Return the player that a word means, by either way to call them."""
    for color in Color:
        if word.casefold() == player_name(color).casefold():
            return color
    try:
        return Color.parse(word.casefold())
    except ValueError:
        return None


def _value(winner: Color, how: str) -> str:
    value = f"{'BW'[winner - 1]}+{how}"
    assert Result.parse(value).winner is winner
    return value


def _read_time(text: str) -> str:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise RecordError(f"the time of each player is a number of seconds, not {text!r}")
    return text


_READERS: dict[str, Callable[[str], str]] = {"result": read_result, "time": _read_time}
