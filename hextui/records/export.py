"""One way to all exports: by the name of a form, or by the ending of a file."""

from pathlib import Path

from hextui.records.diagrams import (
    DIAGRAMS,
    hexwiki_diagram,
    png_diagram,
    svg_diagram,
    text_diagram,
)
from hextui.records.errors import RecordError
from hextui.records.formats import Format
from hextui.records.highlights import NOTHING, Highlights
from hextui.records.reading_back import written
from hextui.records.record import Record
from hextui.records.saving import save_bytes, save_text
from hextui.records.tree import Node
from hextui.words.names import Names

FORMS = (*DIAGRAMS, "hexworld")
"""Diagrams of a position, and the game as a link."""

ENDINGS = {".txt": "text", ".svg": "svg", ".png": "png", ".wiki": "hexwiki", ".url": "hexworld"}


def form_of(path: Path) -> str:
    """Return the form that a file's ending names. Raises RecordError if it names none."""
    form = ENDINGS.get(path.suffix.lower())
    if form is None:
        raise RecordError(f"no picture ends so ({', '.join(ENDINGS)})", source=str(path))
    return form


def export(
    record: Record,
    node: Node,
    form: str,
    numbers: bool = False,
    shown: Highlights = NOTHING,
    names: Names = Names.RED_BLUE,
) -> str | bytes:
    """Return the position of a node, or for ``hexworld`` the game, in one of FORMS.

    Diagrams carry what is ``shown`` of it besides, each as far as it can; the legend of a text
    uses ``names``. Raises RecordError for what a form cannot hold.
    """
    match form:
        case "text":
            return text_diagram(record.position(node), names, shown)
        case "svg":
            return svg_diagram(record, node, numbers, shown)
        case "png":
            return png_diagram(record, node, numbers, shown)
        case "hexwiki":
            return hexwiki_diagram(record, node, numbers, shown)
        case "hexworld":
            return written(record, Format.HEXWORLD, node) + "\n"
    raise RecordError(f"{form!r} is none of {', '.join(FORMS)}")


def save_export(
    record: Record,
    node: Node,
    path: Path,
    form: str,
    numbers: bool = False,
    shown: Highlights = NOTHING,
    names: Names = Names.RED_BLUE,
) -> None:
    """Write an export to a file. Raises RecordError like ``export``, or if it cannot be saved."""
    data = export(record, node, form, numbers, shown, names=names)
    if isinstance(data, bytes):
        save_bytes(path, data)
    else:
        save_text(path, data)
