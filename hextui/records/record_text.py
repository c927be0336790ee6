"""Text as SGF keeps it, text that is safe on a terminal, and errors that name a place in a text."""

import json
import re
from dataclasses import dataclass
from typing import Self

PROPERTY_NAME = re.compile(r"[A-Z][A-Z0-9]*")
"""The name of an SGF property, as it is kept and written."""
RAW_VALUE = re.compile(r"(?:[^\]\\]++|\\.)*+", re.DOTALL)
"""The value of an SGF property, as it stands between its brackets."""
IN_BRACKETS = r"\[(?:[^\]\\]|\\.)*+\]"
"""A pattern of a value with its brackets."""

_LINE_BREAK = re.compile(r"\r\n|\n\r|\r|\n")
_ESCAPED = re.compile(r"\\(?:\r\n|\n\r|\r|\n|(.))", re.DOTALL)
_LINK = re.compile(
    r"(?:(?:[-*+>|\u2022\u2013]|\(?[0-9]{1,9}[.):])\s+)*+"  # what begins an item of a list
    r"(?:<(.*)>|\[[^\]]*\]\(\s*(\S*)\s*\)|(.*?))[.!?]*"
)
_OTHER_SPACE = re.compile(r"[^\S\n]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TO_ESCAPE = re.compile(r"[\]\\]")

# Marks, embeddings, overrides and isolates of the bidirectional algorithm: they reorder what
# surrounds them, so that a name could make a line of the screen say something else.
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
_UNSAFE = re.compile(f"[\0-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029{''.join(_BIDI)}]")
_TO_ESCAPE_IN_JSON = re.compile(f"[\x7f-\x9f{''.join(_BIDI)}]")
_HALVES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_LONGEST_MESSAGE = 300  # characters of a message: a broken value may be as long as the file
_HARMLESS = dict.fromkeys((*_CONTROLS, *map(ord, _BIDI))) | _HALVES


def escape(text: str) -> str:
    """Return ``text`` as it stands between the brackets of an SGF property; see `encodable`."""
    return _TO_ESCAPE.sub(r"\\\g<0>", encodable(text))


def encodable(text: str) -> str:
    """Return ``text`` with U+FFFD for each half of a surrogate pair, which no file can hold."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def json_text(document: object) -> str:
    """Return a document as one line of JSON in which controls and bidirectional marks are escaped.

    >>> json_text({"red": "\xc5sa\x9b"})
    '{"red": "\xc5sa\\\\u009b"}'
    """
    text = json.dumps(document, ensure_ascii=False)
    return _TO_ESCAPE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def unescape(raw: str) -> str:
    """Return the Text that ``raw``, taken from between the brackets, stands for.

    Source: SGF FF[4], "Text": a backslash before a line break removes both, before any other
    character it keeps that character; other white space is shown as spaces.
    """
    plain = _ESCAPED.sub(lambda match: match[1] or "", raw)
    return _OTHER_SPACE.sub(" ", _LINE_BREAK.sub("\n", plain))


def unescape_line(raw: str) -> str:
    """Return the SimpleText that ``raw`` stands for: like ``unescape``, on one line."""
    return unescape(raw).replace("\n", " ").strip()


def printable(text: str, keep_lines: bool = False) -> str:
    """Return ``text`` safe for a terminal: control and bidirectional marks become ``\\xNN``.

    Tabs become spaces. Line breaks become spaces, or stay with ``keep_lines``. So no name or
    comment of a record can move the cursor, change colours or reorder the line it stands in.

    >>> printable("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    lines = (_UNSAFE.sub(_spelled, line) for line in _LINE_BREAK.split(text))
    return ("\n" if keep_lines else " ").join(lines)


def _spelled(unsafe: re.Match[str]) -> str:
    code = ord(unsafe[0])
    if unsafe[0] in "\t\u2028\u2029":
        return " "
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def harmless(text: str) -> str:
    """Return ``text`` without what `printable` shows as numbers; half a surrogate pair is U+FFFD.

    A terminal gives such characters no width, so the text keeps its width without them.

    >>> harmless("a\\x1b[31mb")
    'a[31mb'
    """
    return text if text.isprintable() else text.translate(_HARMLESS)


def shorten(text: str, length: int) -> str:
    """Return ``text``, cut with ``...`` at the end if it has more than ``length`` characters."""
    return text if len(text) <= length else text[: length - 3] + "..."


def bare_link(text: str) -> str:
    """Return a link without the ``<...>``, ``[text](...)`` or full stop that texts put around it.

    Nor with the bullet or the number before an item of a list.

    >>> bare_link("- [a game](https://hexworld.org/board/#5,a1).")
    'https://hexworld.org/board/#5,a1'
    """
    match = _LINK.fullmatch(text)
    return next(filter(None, match.groups()), "") if match else text


class RecordError(ValueError):
    """A record that cannot be read or written; ``str()`` is one line: where, then what.

    Lines and columns count from 1; ``source`` is a file's name. What does not apply is None.

    >>> str(RecordError("no such cell: 'z9'", line=3, source="game.sgf"))
    "game.sgf: line 3: no such cell: 'z9'"
    """

    def __init__(
        self,
        what: str,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
    ) -> None:
        self.what = shorten(printable(what), _LONGEST_MESSAGE)
        self.line = line
        self.column = column
        self.source = source
        place = [printable(source)] if source else []
        if line is not None:
            place.append(f"line {line}" if column is None else f"line {line}, column {column}")
        super().__init__(": ".join([*place, self.what]))

    def in_source(self, source: str | None) -> Self:
        """Return the same error with the name of the file it is in."""
        return type(self)(self.what, self.line, self.column, source)


class NoGamesError(RecordError):
    """A text that holds no games and was not meant to."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: line and column, from 1."""

    line: int
    column: int

    def error(self, what: object) -> RecordError:
        """Return the error that says ``what`` here."""
        return RecordError(str(what), self.line, self.column)

    def after(self, text: str) -> "Place":
        """Return the place behind ``text``, whose lines end with \\n, \\r\\n or a lone \\r."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.count("\n")
        if not lines:
            return Place(self.line, self.column + len(text))
        return Place(self.line + lines, len(text) - text.rfind("\n"))


START = Place(1, 1)
