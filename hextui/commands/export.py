"""``hextui export``: a position as text, SVG, PNG or HexWiki diagram, or the game as a link."""

import sys
from pathlib import Path

from hextui.commands.documents import complain
from hextui.records.errors import RecordError
from hextui.records.export import export, form_of, save_export
from hextui.records.formats import parse_position_argument


def run(
    source: str, form: str | None, output: str | None, ply: int | None, number: int, numbers: bool
) -> int:
    """Write a picture of a position; return the exit code."""
    try:
        record = parse_position_argument(source, number)
        node = record.root.end() if ply is None else record.node_at(ply)
        if output is not None:
            path = Path(output).expanduser()
            save_export(record, node, path, form or form_of(path), numbers)
            print(f"written to {path}")
            return 0
        data = export(record, node, form or "text", numbers)
    except (RecordError, ValueError) as error:
        return complain(error)
    if isinstance(data, bytes):
        if sys.stdout.isatty():
            return complain(ValueError("a PNG needs --output FILE"))
        sys.stdout.buffer.write(data)
    else:
        print(data, end="")
    return 0
