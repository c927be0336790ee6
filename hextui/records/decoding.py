"""Decode files whose character set is declared wrongly, or not at all.

Bytes are carried as Latin-1 text, one character a byte, until a whole game is there; then the game
is decoded. Brackets can be found in carried text, except where a character of two bytes has a
bracket or a backslash as its second: see ``Decoding.lead_bytes``. UTF-16 and UTF-32 are decoded as
they are read. A set that is not declared, or does not fit, is guessed game by game.
"""

import codecs
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from hextui.records.record_text import RecordError

MAX_FILE = 256 << 20  # bytes, unpacked
_HEAD = 4096
_SAMPLE = 1000  # stretches that are not ASCII, from which a character set is guessed
_CARRIER = "latin-1"
_WIDE = (  # with a byte order mark, and without
    (re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), "UTF-32"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), "UTF-16"),
    (re.compile(rb"[^\0]\0\0\0"), "UTF-32-LE"),
    (re.compile(rb"\0\0\0[^\0]"), "UTF-32-BE"),
    (re.compile(rb"[^\0]\0[^\0]\0"), "UTF-16-LE"),
    (re.compile(rb"\0[^\0]\0[^\0]"), "UTF-16-BE"),
)
_CHARSET = re.compile(rb"CA\s*\[([^\]]{,50})\]")
# A character set leaves ASCII as it is; some of Python's codecs, such as unicode_escape, do not.
_ASCII = bytes(range(0x20, 0x7F)).replace(b"\\", rb"\u0041")
_JAPANESE_ESCAPE = "\x1b$"  # begins a stretch of ISO-2022-JP that is not ASCII
# What browsers read where a set is declared. Source: https://encoding.spec.whatwg.org
_BROWSERS_CHARSETS = {
    "shift_jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "euc_kr": "cp949",
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "tis-620": "cp874",
}  # fmt: skip
# Where the second of two bytes may be a bracket or a backslash: what the first may be.
_LEADS = {
    "cp932": "\x81-\x9f\xe0-\xfc",
    **dict.fromkeys(("gb18030", "cp950", "big5hkscs"), "\x81-\xfe"),
}
_RUN = re.compile(r".?[\x80-\xff]{1,99}.?", re.DOTALL)
_AMBIGUOUS = re.compile(r"[\x81-\xfe][\[\\\]]")
_NAMES = {
    "cp932": "Shift_JIS",
    "gb18030": "GBK",
    "cp950": "Big5",
    "cp949": "EUC-KR",
    "iso2022_jp": "ISO-2022-JP",
    "cp1251": "Windows-1251",
    "cp1252": "Windows-1252",
}
_SURNAMES = re.findall(
    "..", "김이박최정강조윤장임한오서신권황안송류홍".encode("cp949").decode(_CARRIER)
)
# For each set that is guessed: kinds of characters, the first that fits counts, and how unlikely
# one such character is, in bits. Common kanji, hanzi and syllables come before rare ones; accented
# Latin letters stand alone, Cyrillic ones together. On lists of names that the figures were not
# made with, 97 % of games are guessed right.
_SURPRISES: dict[str, list[tuple[str, float]]] = {
    "cp932": [
        (r"[\x82\x83].", 9), (r"[\x88-\x97].", 12), (r"\x81.", 11),
        (r"[\x98-\x9f\xe0-\xfc].", 17), (r"[\x80-\xff]", 15),
    ],
    "gb18030": [
        (r"[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]", 11), (r"[\xd8-\xf7][\xa1-\xfe]", 15),
        (r"[\x80-\xff].", 20),
    ],
    "cp950": [(r"[\xa1-\xc6].", 11.4), (r"[\xc9-\xf9].", 17), (r"[\x80-\xff].", 22)],
    "cp949": [
        (rf"(?<![\x80-\xff])(?:{'|'.join(_SURNAMES)})(?=[\xb0-\xc8])", 8),
        (r"(?<![\x80-\xff])[\xb0-\xc8][\xa1-\xfe]", 12.3), (r"[\xb0-\xc8][\xa1-\xfe]", 10.8),
        (r"[\xa1-\xa3][\xa1-\xfe]", 12), (r"[\x80-\xff].", 22),
    ],
    "cp1252": [
        (r"(?<![\x80-\xff])[\xc0-\xff]", 6), (r"[\xc0-\xff]", 9),
        (r"(?<=[a-z\xc0-\xff])\x92(?=[a-z])", 6), (r"[\x80-\xff]", 16),
    ],
    "cp1251": [
        (r"(?<![A-Za-z])[\xe0-\xff](?![A-Za-z])", 5.5),
        (r"(?<![A-Za-z\xe0-\xff])[\xc0-\xdf](?![A-Za-z])", 7),
        (r"[\x80-\xff]", 15),
    ],
}  # fmt: skip


class Decoded(NamedTuple):
    """A text, and its character set if that was guessed, else ''.

    ``declared``: whether another set was declared. ``lossy``: whether bytes did not fit the set.
    """

    text: str
    guessed: str = ""
    declared: bool = False
    lossy: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for the user about what is not certain, if anything is."""
        if self.lossy:
            return (f"not all of it is {self.lossy}",)
        if not self.guessed:
            return ()
        about_declared = "is not the declared one" if self.declared else "is not declared"
        return (f"the character set {about_declared}: read as {self.guessed}, a guess",)


def charset_called(label: str) -> str | None:
    """Return the Python name of a character set that leaves ASCII as it is; None if there is none.

    As in browsers, several names mean a larger set.
    """
    label = label.strip(" \t\r\n\"'").lower().removeprefix("x-")
    label = label.replace("windows-31j", "cp932").replace("windows-", "cp")
    try:
        name = codecs.lookup(label).name
        name = _BROWSERS_CHARSETS.get(name, name)
        return name if _ASCII.decode(name) == _ASCII.decode() else None
    except (LookupError, ValueError):  # none, or one in which ASCII is not ASCII
        return None


class Decoding:
    """The text of a file as it is ``carried``, and what a stretch of that stands for.

    ``charset``: the set that the user names (see ``charset_called``), None to find it. Raises
    RecordError for UTF-16 and UTF-32 that is broken.
    """

    def __init__(self, data: bytes, charset: str | None = None) -> None:
        """``data`` is the first kilobytes of a file, or all of it; `carry` takes it again."""
        self._charset = charset
        self._wide = next((name for start, name in _WIDE if start.match(data)), None)
        self._carrier = codecs.getincrementaldecoder(self._wide or _CARRIER)()
        self._begun = False

    def carry(self, data: bytes, ends: bool) -> str:
        """Return the next bytes of the file as carried text; ``ends``: they are the last."""
        if not self._begun:
            data = data.removeprefix(codecs.BOM_UTF8)
            self._begun = True
        try:
            return self._carrier.decode(data, ends)
        except UnicodeError:
            raise RecordError(f"the file starts as {self._wide} but is not") from None

    def text(self, carried: str) -> Decoded:
        """Return what a stretch of carried text, a whole game or line, stands for."""
        if self._is_decoded(carried):
            return Decoded(carried)
        data = carried.encode(_CARRIER)
        if self._charset:
            text = data.decode(self._charset, "replace")
            return Decoded(text, lossy=_name(self._charset) if "\ufffd" in text else "")
        declared = _declared(data)
        charset, text = self._decoded(data, declared)
        if charset in (declared, "utf-8"):
            return Decoded(text)
        return Decoded(text, _name(charset), declared is not None)

    def lead_bytes(self, carried: str) -> str:
        """Return which bytes begin characters of two bytes, as a class of a regular expression.

        '' unless in this text a second byte may be a bracket or a backslash.
        """
        if self._is_decoded(carried) or not _AMBIGUOUS.search(carried):
            return ""
        data = carried.encode(_CARRIER)
        charset = self._charset or self._decoded(data, _declared(data), whole=False)[0]
        return _LEADS.get(charset, "")

    def _is_decoded(self, carried: str) -> bool:
        ascii_only = carried.isascii() and _JAPANESE_ESCAPE not in carried
        return ascii_only or self._wide is not None

    def _decoded(self, data: bytes, declared: str | None, whole: bool = True) -> tuple[str, str]:
        """Return the first character set that fits, the likeliest first, and the text.

        ``whole``: the data does not end within a character.
        """
        for charset in self._likely(data, declared):
            try:
                return charset, codecs.getincrementaldecoder(charset)().decode(data, whole)
            except UnicodeError:
                continue
        return _CARRIER, data.decode(_CARRIER)

    def _likely(self, data: bytes, declared: str | None) -> Iterator[str]:
        carried = data.decode(_CARRIER)
        # the escape sequences of ISO-2022-JP are valid UTF-8 too: a declaration decides
        if _JAPANESE_ESCAPE in carried and declared != "utf-8":
            yield "iso2022_jp"
        # Many programs declare SGF's default, Latin-1, whatever they write.
        likely = [declared, "utf-8"] if declared and declared != "cp1252" else ["utf-8", declared]
        yield from filter(None, likely)
        runs = "\n".join(run[0] for run in islice(_RUN.finditer(carried), _SAMPLE))
        yield from sorted(_SURPRISES, key=lambda charset: _surprise(charset, runs))


def _surprise(charset: str, runs: str) -> float:
    """Return how unlikely stretches of text are in a character set, in bits."""
    bits = [bits for _, bits in _SURPRISES[charset]]
    runs_of_kinds = _kinds(charset).finditer(runs)
    return sum(bits[match.lastindex - 1] for match in runs_of_kinds if match.lastindex)


@cache
def _kinds(charset: str) -> re.Pattern[str]:
    """Return what matches a character of a set, with a group for each of its kinds."""
    return re.compile("|".join(f"({kind})" for kind, _ in _SURPRISES[charset]), re.DOTALL)


def _declared(data: bytes) -> str | None:
    """Return the Python name of the character set that a game's ``CA`` names, None if none does."""
    match = _CHARSET.search(data, 0, _HEAD) if data.lstrip().startswith(b"(") else None
    return charset_called(match[1].decode("ascii", "replace")) if match else None


def _name(charset: str) -> str:
    """Return what users call a character set."""
    return _NAMES.get(charset, charset)
