"""The one error of this room: a record that cannot be read or written."""

from hextui.records.text import printable, shorten

_LONGEST = 300  # characters of a message: a broken value may be as long as the file


class RecordError(ValueError):
    """A record that cannot be read or written; ``str()`` is one line: where, then what.

    ``line`` and ``column`` count from 1; ``source`` is the file's name or None. Each is None where
    it does not apply.
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

    def in_source(self, source: str | None) -> "RecordError":
        """Return the same error with the name of the file it is in."""
        return RecordError(self.what, self.line, self.column, source)


def place_of(text: str, offset: int, first_line: int = 1) -> tuple[int, int]:
    """Return line and column, from 1, of a character of ``text``, which starts at ``first_line``.

    ``\\n``, ``\\r\\n`` and a lone ``\\r`` end a line.
    """
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    start = before.rfind("\n") + 1
    return first_line + before.count("\n"), len(before) - start + 1
