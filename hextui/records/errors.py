"""The one error of this package: a record that cannot be read or written."""

from dataclasses import dataclass
from typing import Self

from hextui.records.text import printable, shorten

_LONGEST = 300  # characters of a message: a broken value may be as long as the file


class RecordError(ValueError):
    """A record that cannot be read or written; ``str()`` is one line: where, then what.

    ``line`` and ``column`` count from 1; ``source`` is the file's name or None. Each is None where
    it does not apply.

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
        self.what = shorten(printable(what), _LONGEST)
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


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: line and column, from 1."""

    line: int
    column: int

    def error(self, what: object) -> RecordError:
        """Return the error that says ``what`` here."""
        return RecordError(str(what), self.line, self.column)

    def after(self, text: str) -> "Place":
        """Return the place behind ``text`` that starts here.

        ``\\n``, ``\\r\\n`` and a lone ``\\r`` end a line.
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.count("\n")
        if not lines:
            return Place(self.line, self.column + len(text))
        return Place(self.line + lines, len(text) - text.rfind("\n"))


START = Place(1, 1)
