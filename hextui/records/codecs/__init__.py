"""The record formats. To add one, write its ``Codec`` in a file of its own and list it here."""

from pathlib import Path

from hextui.records.codecs.codec import Codec, FileText, GameText
from hextui.records.codecs.hexwiki import HexWiki
from hextui.records.codecs.hexworld import Hexata, HexWorld, TextWithLinks
from hextui.records.codecs.json_games import JsonGames
from hextui.records.codecs.littlegolem import LittleGolem
from hextui.records.codecs.plain import PlainList
from hextui.records.codecs.protocol_log import ProtocolLog
from hextui.records.codecs.sgf import Sgf
from hextui.records.codecs.six import Six
from hextui.records.codecs.tables import Tables
from hextui.records.codecs.text_diagrams import TextDiagram
from hextui.records.record_text import RecordError

__all__ = [
    "CODECS", "Codec", "FileText", "GameText", "codec_named", "codec_of_file", "is_game",
    "is_table", "suffixes",
]  # fmt: skip

CODECS: tuple[Codec, ...] = (
    HexWorld(), JsonGames(), LittleGolem(), Six(), Sgf(), HexWiki(), Hexata(),
    ProtocolLog(), TextDiagram(), TextWithLinks(), Tables(), PlainList(),
)  # fmt: skip
"""All formats. A file's format is the first that detects it; the last one takes what is left."""


def codec_named(name: str) -> Codec:
    """Return the format of a name, in any case. Raises RecordError if there is none."""
    named = {codec.name: codec for codec in CODECS}
    if name.lower() not in named:
        raise RecordError(f"{name!r} is no record format; the formats are {', '.join(named)}")
    return named[name.lower()]


def codec_of_file(path: Path) -> Codec | None:
    """Return the format that a file's ending stands for, None for an unknown ending."""
    ending = path.suffix.lower()
    return next((codec for codec in CODECS if ending in codec.suffixes), None)


def is_table(name: str) -> bool:
    """Return whether a file's name is that of a table."""
    return Path(name).suffix.lower() in Tables.suffixes


def is_game(word: str, bare: bool = False) -> bool:
    """Return whether a word or a pasted text is itself a game (see ``Codec.recognizes``)."""
    return any(codec.recognizes(word.strip(), bare) for codec in CODECS)


def suffixes(*, written: bool = False) -> tuple[str, ...]:
    """Return the endings of record files; with ``written`` only those that can be saved."""
    return tuple(end for codec in CODECS for end in codec.suffixes if codec.writes or not written)
