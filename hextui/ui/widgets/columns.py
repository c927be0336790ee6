"""The columns of a list: which of them have room, their heading, and the lines below it."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

from rich.cells import set_cell_size
from rich.style import Style

from hextui.ui.drawing.whole_words import within
from hextui.ui.widgets.line_list import BOLD, PLAIN, Span, TextLine, width_of

_SORTED = Style(bold=True, underline=True)


class Columns:
    """Columns of a list by their names; each ends with a blank.

    ``titles``: the headings of those with another one than their name. ``order``: the name of the
    column that the lines are sorted by, whose heading is underlined.
    """

    def __init__(
        self, widths: Mapping[str, int], titles: Mapping[str, str], order: str = ""
    ) -> None:
        self.widths = dict(widths)
        self._titles = titles
        self._order = order

    @property
    def width(self) -> int:
        return sum(self.widths.values())

    def drop(self, names: Iterable[str], room: int) -> None:
        """Leave out columns, the first of ``names`` first, until the others have room."""
        for name in names:
            if self.width > room:
                self.widths.pop(name, None)

    @property
    def heading(self) -> tuple[Span, ...]:
        spans: list[Span] = []
        for name, width in self.widths.items():
            title = self._titles.get(name, name)
            style = _SORTED if name == self._order else BOLD
            spans.append((title, style))
            after_title = width - len(title)
            spans.append((" " * after_title, BOLD))
        return tuple(spans)

    def name_at(self, column: int) -> str | None:
        """Return the name of what stands in a column of the screen, counted from the first."""
        for name, width in self.widths.items():
            if column < width:
                return name
            column -= width
        return None

    def fitted(self, key: Hashable, cells: Mapping[str, str | Sequence[Span]]) -> TextLine:
        """Return a line of texts by the names of their columns, each cut to fit at its end."""
        spans: list[Span] = []
        for name, width in self.widths.items():
            cell = cells[name]
            *first, (text, style) = [(cell, PLAIN)] if isinstance(cell, str) else cell
            room = width - width_of(first)
            spans += [*first, (set_cell_size(within(text, room - 1), room), style)]
        return TextLine(key, tuple(spans))
