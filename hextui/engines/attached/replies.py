"""Takes an engine's standard output apart: answers, reports of a search, graphics, and noise.

Measured on Benzene and KataHex. An answer ends with an empty line, and a line of one blank is not
empty. KataHex forgets the empty line behind some refusals: a refusal is whole with its line, and
the answer to the next command ends one that was never ended. Reports come inside an answer that
stays open, graphics before an answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEAD = re.compile(r"([=?])(\d*)[ \t]?(.*)", re.ASCII)
_GRAPHICS = "gogui-gfx:"
_REPORT = "info "


@dataclass(frozen=True)
class Opened:
    """The first line of an answer, which goes on until an empty line."""

    id: str
    text: str


@dataclass(frozen=True)
class EngineReply:
    """An answer to the command with this ``id``, '' for none; ``ok`` unless it was refused."""

    id: str
    ok: bool
    text: str


@dataclass(frozen=True)
class Report:
    """A line that a search reports, in the answer to the command with this ``id``."""

    id: str
    line: str


@dataclass(frozen=True)
class Graphics:
    """A block of live graphics: its lines, the first of which tells its kind."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Noise:
    """A line that belongs to nothing."""

    line: str


Said = Opened | EngineReply | Report | Graphics | Noise


class ReplyReader:
    """Makes what an engine says out of its lines."""

    def __init__(self) -> None:
        self._id = ""
        self._lines: list[str] | None = None  # of the answer that is open
        self._block: list[str] | None = None

    def take(self, line: str) -> Iterator[Said]:
        """Take the next line, with or without its end; yield what it completes."""
        line = line.rstrip("\r\n")
        if self._block is not None:
            if line and not _HEAD.match(line):
                self._block.append(line)
                return
            yield Graphics(tuple(self._block))
            self._block = None
            if not line:
                return
        if self._lines is not None:
            if line and not self._begins_another(line):
                if line.startswith(_REPORT):
                    yield Report(self._id, line)
                else:
                    self._lines.append(line)
                return
            yield self._closed(self._lines)
            if not line:
                return
        if line.startswith(_GRAPHICS):
            self._block = []
        elif head := _HEAD.match(line):
            yield from self._begun(head)
        elif line.startswith(_REPORT):
            yield Report("", line)
        elif line:
            yield Noise(line)

    def _begun(self, head: re.Match[str]) -> Iterator[Said]:
        mark, its_id, text = head.groups()
        if mark == "?":
            yield EngineReply(its_id, False, text)
        else:
            self._id, self._lines = its_id, [text]
            yield Opened(its_id, text)

    def _begins_another(self, line: str) -> bool:
        """Tell whether a line is the first of the answer to another command."""
        head = _HEAD.match(line)
        return bool(head and self._id and head[2] and head[2] != self._id)

    def _closed(self, lines: list[str]) -> EngineReply:
        self._lines = None
        return EngineReply(self._id, True, "\n".join(lines))
