"""Read a file of unknown character set in pieces.

Bytes are carried as Latin-1 text, one character a byte, until a whole game is there: nearly all
character sets keep ASCII bytes for ASCII, so brackets can be found in it. Then each game is decoded
by its own ``CA``, else as UTF-8, else as Latin-1. Files with a byte order mark and the sets that
break that rule (Shift-JIS, GBK, Big5, UTF-16) are decoded as they are read.
"""

import codecs
import re
from collections.abc import Iterator
from typing import BinaryIO

_PIECE = 1024 * 1024
_HEAD = 4096
_CARRIER = "latin-1"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHARSET = re.compile(rb"CA\s*\[([^\]]*)\]")
# Python knows codecs that are no character sets, such as rot13 and unicode_escape.
_CHARSET_NAME = re.compile(
    r"utf|iso|latin|ascii|us|win|cp|ibm|koi|mac|euc|shift|sjis|big|gb|hz|johab|tis", re.I
)
_NOT_LIKE_ASCII = re.compile(r"shift|gb|big5|cp9|johab|iso2022|hz|utf_?16|utf_?32|utf_?7", re.I)


class Decoding:
    """The text of a file: ``pieces()`` of it as carried, and what a stretch of them stands for."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._first = file.read(_PIECE)
        self._encoding = next((e for bom, e in _BOMS if self._first.startswith(bom)), _CARRIER)
        declared = _declared(self._first)
        if self._encoding == _CARRIER and declared and _NOT_LIKE_ASCII.search(declared):
            self._encoding = declared

    def pieces(self) -> Iterator[str]:
        """Yield the carried text as it is read; raises OSError."""
        decoder = codecs.getincrementaldecoder(self._encoding)(errors="replace")
        piece = self._first
        while piece:
            yield decoder.decode(piece)
            piece = self._file.read(_PIECE)
        yield decoder.decode(b"", final=True)

    def text(self, carried: str) -> str:
        """Return the text that a stretch of carried text, a whole game or line, stands for."""
        if self._encoding != _CARRIER or carried.isascii():
            return carried
        data = carried.encode(_CARRIER)
        for encoding in (_declared(data), "utf-8"):
            if encoding is not None:
                try:
                    return data.decode(encoding)
                except UnicodeError:
                    continue
        return carried


def _declared(data: bytes) -> str | None:
    """Return the Python name of the character set that ``CA`` names, None if there is none."""
    match = _CHARSET.search(data, 0, _HEAD)
    name = match[1].strip().decode("ascii", "replace") if match else ""
    try:
        return codecs.lookup(name).name if _CHARSET_NAME.match(name) else None
    except (LookupError, ValueError):
        return None
