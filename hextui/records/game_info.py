"""The data of a game (players, event, result ...) as text fields that people read and write.

Results are written as words and read from words; a field that is not changed keeps its text.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from hextui.engine.board import Color
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.text import ENDS, Names


class InfoField(NamedTuple):
    """A field: its name on the command line, its property, and its label (see `Names.fill`)."""

    name: str
    code: str
    label: str


FIELDS = (
    InfoField("red", "PB", "{black}"),
    InfoField("blue", "PW", "{white}"),
    InfoField("red-rating", "BR", "{black}'s rating"),
    InfoField("blue-rating", "WR", "{white}'s rating"),
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
_CODES = {loss: code for code, (_, loss) in ENDS.items()}
_WON = re.compile(rf"(\w+)(?: won)?(?:,? (?:(\w+) )?({'|'.join(_CODES)}))?")
_WON_HOW = re.compile(r"(\w+) won \((.*)\)")
_LOST = re.compile(rf"(\w+) ({'|'.join(_CODES)})")


def info_of(record: Record, names: Names) -> dict[str, str]:
    """Return the texts of a game's fields by name, '' for what is not known."""
    texts = {field.name: record.info(field.code) for field in FIELDS}
    return texts | {"result": names.result(record.result.winner, record.result.how)}


def set_info(record: Record, texts: Mapping[str, str], names: Names) -> bool:
    """Change fields as one edit ('' removes one); returns whether any changed. See `read_info`."""
    return record.set_texts(record.root, read_info(info_of(record, names), texts, names))


def read_info(
    properties: Mapping[str, str], texts: Mapping[str, str], names: Names
) -> dict[str, str]:
    """Return the properties that give fields, ``known`` before, new texts. Raises RecordError."""
    changes: dict[str, str] = {}
    for name, text in texts.items():
        value = " ".join(text.split())
        if value == properties[name]:
            continue
        if name == "result" and value:
            value = read_result(value, names)
        elif name == "time" and value:
            _check_time(value)
        changes[BY_NAME[name].code] = value
    return changes


def read_result(text: str, names: Names) -> str:
    """Return the value of ``RE`` for a result in words; raises RecordError if it is none.

    Both ways to call the players are understood; ``names`` are those of the error.

    >>> [read_result(text, Names.RED_BLUE) for text in ("Red won, Blue resigned", "black")]
    ['B+R', 'B+']
    """
    result = _loss(text) or _win_in_brackets(text) or _win(text)
    if result is None:
        first, second = names.both
        what = f"write a result like '{first} won' or '{second} won, {first} resigned'"
        raise RecordError(f"{what}, not {text!r}")
    return result


def _loss(text: str) -> str | None:
    """Return the value of ``RE`` for words such as *Blue resigned*, else None."""
    match = _LOST.fullmatch(text)
    loser = _player(match[1]) if match else None
    if match is None or loser is None:
        return None
    return _won(loser.opponent, _CODES[match[2]])


def _win_in_brackets(text: str) -> str | None:
    """Return the value of ``RE`` for words such as *Red won (by default)*, else None."""
    match = _WON_HOW.fullmatch(text)
    winner = _player(match[1]) if match else None
    if match is None or winner is None:
        return None
    return _won(winner, match[2])


def _win(text: str) -> str | None:
    """Return the value of ``RE`` for words such as *Red won, Blue resigned*, else None."""
    match = _WON.fullmatch(text)
    winner = _player(match[1]) if match else None
    if match is None or winner is None:
        return None
    if match[2] and _player(match[2]) is not winner.opponent:
        return None
    return _won(winner, _CODES.get(match[3] or "", ""))


def _player(word: str) -> Color | None:
    with suppress(ValueError):
        return Color.parse(word.casefold())
    return None


def _won(winner: Color, how: str) -> str:
    return f"{'BW'[winner - 1]}+{how}"


def _check_time(text: str) -> None:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise RecordError(f"write the time of each player as a number of seconds, not {text!r}")
