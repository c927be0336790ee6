"""The record formats. To add one, write its ``Codec`` in a file of its own and list it here.

Other installed packages may offer more (offered_formats.py), by the endings of their files.
"""

from pathlib import Path

from hextui.entry_points import entries_of
from hextui.records.codecs.codec import Codec, FileText, GameText
from hextui.records.codecs.hexwiki import HexWiki
from hextui.records.codecs.hexworld import Hexata, HexWorld, TextWithLinks
from hextui.records.codecs.json_games import JsonGames
from hextui.records.codecs.littlegolem import LittleGolem
from hextui.records.codecs.offered_formats import GROUP, offered_codec, offered_endings
from hextui.records.codecs.plain import PlainList
from hextui.records.codecs.protocol_log import ProtocolLog
from hextui.records.codecs.sgf import Sgf
from hextui.records.codecs.six import Six
from hextui.records.codecs.tables import Tables
from hextui.records.codecs.text_diagrams import TextDiagram
from hextui.records.record_text import RecordError

__all__ = [
    "CODECS", "Codec", "FileText", "GameText", "codec_named", "codec_of_file", "find_codec",
    "is_game", "is_table", "suffixes",
]  # fmt: skip

CODECS: tuple[Codec, ...] = (
    HexWorld(), JsonGames(), LittleGolem(), Six(), Sgf(), HexWiki(), Hexata(),
    ProtocolLog(), TextDiagram(), TextWithLinks(), Tables(), PlainList(),
)  # fmt: skip
"""All formats. A file's format is the first that detects it; the last one takes what is left."""


def codec_named(name: str) -> Codec:
    """Return the format of a name, in any case. Raises RecordError if there is none."""
    codec = find_codec(name)
    if codec is None:
        names = (*(codec.name for codec in CODECS), *entries_of(GROUP))
        raise RecordError(f"{name!r} is not a record format; the formats are {', '.join(names)}")
    return codec


def find_codec(name: str) -> Codec | None:
    """Return the format of a name, in any case, None if there is none.

    Raises RecordError for one of another package that cannot be used.
    """
    for codec in CODECS:
        if codec.name == name.lower():
            return codec
    return offered_codec(name.lower())


def codec_of_file(path: Path) -> Codec | None:
    """Return the format that a file's ending stands for, None for an unknown ending.

    Raises RecordError for one of another package that cannot be used.
    """
    ending = path.suffix.lower()
    for codec in CODECS:
        if ending in codec.suffixes:
            return codec
    return offered_codec(ending.removeprefix("."))


def is_table(name: str) -> bool:
    """Return whether a file's name is that of a table."""
    return Path(name).suffix.lower() in Tables.suffixes


def is_game(word: str, bare: bool = False) -> bool:
    """Return whether a word or a pasted text is itself a game (see ``Codec.recognizes``)."""
    return any(codec.recognizes(word.strip(), bare) for codec in CODECS)


def suffixes(*, written: bool = False) -> tuple[str, ...]:
    """Return the endings of record files; with ``written`` only those of ours that can be saved."""
    if written:
        return tuple(end for codec in CODECS if codec.writes for end in codec.suffixes)
    return (*(end for codec in CODECS for end in codec.suffixes), *offered_endings())
