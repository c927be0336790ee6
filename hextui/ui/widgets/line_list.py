"""A list of lines with a cursor. Filling it never changes the layout of the screen: only lines that
changed are painted again.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.binding import Binding
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from hextui.ui.drawing.palette import readable

Span = tuple[str, Style]
PLAIN = Style()
BOLD = Style(bold=True)
DIM = Style(dim=True)


def width_of(spans: Iterable[Span]) -> int:
    """Return the columns that pieces of text take."""
    return sum(cell_len(text) for text, _ in spans)


_WHEEL = 3  # lines that a turn of the wheel scrolls


class ScrollingList(Widget, can_focus=True):
    """Rows of which some are seen, from ``_top`` on, below the lines of a heading."""

    COMPONENT_CLASSES = {"lines--cursor", "lines--bar", "lines--thumb"}
    DEFAULT_CSS = """
    ScrollingList {
        height: 1fr;
        & > .lines--bar { background: $panel; }
        & > .lines--thumb { background: $secondary; }
        &:focus > .lines--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: bold;
        }
    }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[Any] = ()
        self._top = 0
        self._above = 0  # lines of the heading

    @property
    def _base(self) -> Style:
        return self.visual_style.rich_style

    @property
    def _room(self) -> int:
        return max(self.size.height - self._above, 1)

    @property
    def _has_bar(self) -> bool:
        return len(self._rows) > self._room

    def _within(self, top: int) -> int:
        """Return the nearest row to this one that can be the first seen."""
        return max(min(top, len(self._rows) - self._room), 0)

    def render_line(self, y: int) -> Strip:
        """Return one line as it is on the screen, with a piece of the scroll bar."""
        y -= self._above
        place = self._top + y
        width = self.size.width
        if place >= len(self._rows):
            return Strip.blank(width, self._base)
        if not self._has_bar:
            return self._painted(place, width)
        part = "lines--thumb" if y in self._thumb else "lines--bar"
        piece = Segment(" ", self.get_component_rich_style(part))
        return Strip([*self._painted(place, width - 1), piece], width)

    def _painted(self, place: int, width: int) -> Strip:
        raise NotImplementedError

    @property
    def _thumb(self) -> range:
        """Where the thumb of the scroll bar is, in lines; nowhere without a bar."""
        if not self._has_bar:
            return range(0)
        room = self._room
        total = len(self._rows)
        length = max(room * room // total, 1)
        first = round((room - length) * self._top / (total - room))
        return range(first, first + length)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def _turn_wheel(self, event: events.MouseEvent) -> None:
        event.stop()
        self._scroll(_WHEEL if isinstance(event, events.MouseScrollDown) else -_WHEEL)

    def _scroll(self, lines: int) -> None:
        self._top = self._within(self._top + lines)
        self.refresh()


@dataclass(frozen=True)
class TextLine:
    """One line: pieces of text with styles; ``key`` identifies it; ``more`` are further rows."""

    key: Hashable
    spans: tuple[Span, ...]
    more: tuple[tuple[Span, ...], ...] = ()


def _ignore(what: object) -> bool:
    return False


class LineList(ScrollingList):
    """Lines below a fixed heading, with a cursor.

    Until the user moves in it, the list stays at its top and the cursor on the first line. Then the
    cursor stays on its line, but never follows it out of sight or, in a ``ranked`` list, down.
    Arrows and the mouse move the cursor, Enter and a double click choose. A row wider than the
    list is cut; Left and Right show more of it.
    """

    BINDINGS = [
        Binding("up,k", "cursor(-1)", "Up", show=False),
        Binding("down,j", "cursor(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home,ctrl+home", "to(0)", "First line", show=False),
        Binding("end,ctrl+end", "to(-1)", "Last line", show=False),
        Binding("enter", "choose", "Choose", show=False),
        Binding("left,h", "step(-1)", "Left", show=False),
        Binding("right,l", "step(1)", "Right", show=False),
    ]
    COMPONENT_CLASSES = {"lines--heading", "lines--stripe"}
    DEFAULT_CSS = """
    LineList {
        & > .lines--heading { text-style: bold; background: $panel; }
        & > .lines--stripe { background: $foreground 4%; }
        & > .lines--cursor { background: $foreground 12%; }
    }
    """

    def __init__(
        self,
        point: Callable[[Any], object] = _ignore,
        choose: Callable[[Any], object] = _ignore,
        step: Callable[[int], object] | None = None,
        click: Callable[[int], bool] = _ignore,
        leave: Callable[[int], object] = _ignore,
        sort: Callable[[int], object] = _ignore,
        empty: Callable[[], object] = lambda: None,
        ranked: bool = False,
        striped: bool = False,
        id: str | None = None,
    ) -> None:
        """Each is called with: ``point`` and ``choose`` the key of the line; ``step`` 1 for Right,
        -1 for Left, instead of showing more of wide rows; ``click`` the column clicked in the line
        with the cursor, and returns whether that chooses it; ``leave`` 1 down from the last line,
        -1 up from the first; ``sort`` the column clicked in the heading.
        ``empty``, without anything, where Enter has no line to choose.

        ``striped``: every other line has another background.

        Messages would come after keys that wait already, which may change the lines.
        """
        super().__init__(id=id)
        self._when_pointed = point
        self._when_chosen = choose
        self._when_stepped = step or self.show_beside
        self._when_clicked = click
        self._when_left = leave
        self._when_sorted = sort
        self._when_empty = empty
        self.lines: Sequence[TextLine] = ()
        self._rows: Sequence[tuple[int, tuple[Span, ...]]] = ()  # each with the place of its line
        self._firsts: list[int] = []  # the first row of each line
        self._heading: tuple[Span, ...] | None = None
        self._ranked = ranked
        self._striped = striped
        self._at = 0
        self._is_untouched = True
        self._left = 0
        self._seen: Sequence[object] = ()  # what is painted, row by row

    @property
    def room(self) -> int:
        return self.size.width - 1

    @property
    def line(self) -> Any:
        return self.lines[self._at] if self.lines else None

    @property
    def place(self) -> int:
        """The place of the line with the cursor; 0 without lines."""
        return self._at

    @property
    def pointed(self) -> Any:
        """The key of the line with the cursor; None without lines."""
        return self.line.key if self.line else None

    def show(self, lines: Sequence[TextLine], heading: tuple[Span, ...] | None = None) -> None:
        """Replace the lines and the heading; only rows that changed are painted again."""
        pointed = self.pointed
        self._set_lines(lines)
        if self._is_untouched:
            self._at = 0
            self._top = 0
        else:
            self._at = max(min(self._at, len(lines) - 1), 0)
            self._top = self._within(self._top)
            self._keep_cursor(pointed)
        if heading != self._heading:
            self._heading = heading
            self._above = int(heading is not None)
            self.refresh()
        self._repaint()

    def _set_lines(self, lines: Sequence[TextLine]) -> None:
        rows: list[tuple[int, tuple[Span, ...]]] = []
        firsts = []
        for place, line in enumerate(lines):
            firsts.append(len(rows))
            rows.append((place, line.spans))
            rows += [(place, more) for more in line.more]
        self.lines = lines
        self._rows = rows
        self._firsts = firsts

    def _keep_cursor(self, key: Hashable) -> None:
        """Keep the cursor on the line with this key, except out of sight or down a ranking."""
        if not self.lines:
            return
        place = self._place_of(key, self._at)
        is_visible = self._firsts[place] < self._top + self._room
        if place <= self._at or (is_visible and not self._ranked):
            self._at = place

    def start_again(self) -> None:
        """Go back to the top, with the next lines: those of something else."""
        self._is_untouched = True

    def point_at(self, key: Hashable) -> None:
        """Move the cursor to the line with this key, if there is one, and into sight."""
        place = self._place_of(key, -1)
        if place >= 0:
            self._is_untouched = False
            self._move(place)

    def _place_of(self, key: Hashable, default: int) -> int:
        return next((place for place, line in enumerate(self.lines) if line.key == key), default)

    def render_line(self, y: int) -> Strip:
        if y < self._above:
            base = self.get_component_rich_style("lines--heading")
            return self._strip(self._heading or (), base, self.size.width)
        return super().render_line(y)

    def _painted(self, place: int, width: int) -> Strip:
        line, spans = self._rows[place]
        base = self._base
        if line == self._at:
            base = self.get_component_rich_style("lines--cursor")
        elif self._striped and line % 2:
            base = self.get_component_rich_style("lines--stripe")
        return self._strip(spans, base, width)

    def _strip(self, spans: Sequence[Span], base: Style, width: int) -> Strip:
        strip = Strip([Segment(text, _readable(base, style)) for text, style in spans])
        return strip.crop_extend(self._left, self._left + width, base)

    def _repaint(self) -> None:
        """Paint the lines again that differ from what was seen before."""
        rows = self._rows[self._top : self._top + self._room]
        thumb = self._thumb
        has_bar = self._has_bar
        painted = [
            (spans, place == self._at, y in thumb, has_bar) for y, (place, spans) in enumerate(rows)
        ]
        changed = [
            Region(0, self._above + y, self.size.width, 1)
            for y, (before, after) in enumerate(zip_longest(self._seen, painted))
            if before != after
        ]
        self._seen = painted
        if changed:
            self.refresh(*changed)

    def _move(self, place: int) -> None:
        """Move the cursor to a place, and bring it into sight."""
        self._at = max(min(place, len(self.lines) - 1), 0)
        if self.lines:
            first = self._firsts[self._at]
            last = first + len(self.lines[self._at].more)
            self._top = min(max(self._top, last - self._room + 1), first)
        self._repaint()

    def _scroll(self, lines: int) -> None:
        self._is_untouched = False
        self._top = self._within(self._top + lines)
        self._repaint()

    def on_resize(self) -> None:
        self._top = self._within(self._top)
        self._move(self._at)
        self.refresh()

    # What the user does

    def _point(self, place: int) -> None:
        if self.lines:
            self._is_untouched = False
            self._move(place)
            self._when_pointed(self.pointed)

    def action_cursor(self, steps: int) -> None:
        if not 0 <= self._at + steps < len(self.lines):
            self._when_left(steps)
        self._point(self._at + steps)

    def action_page(self, pages: int) -> None:
        if self._rows:
            row = self._firsts[self._at] + pages * self._room
            self._point(self._rows[max(min(row, len(self._rows) - 1), 0)][0])

    def action_to(self, place: int) -> None:
        """Move the cursor to the first line (0) or the last (-1)."""
        self._point(place % max(len(self.lines), 1))

    def action_step(self, step: int) -> None:
        self._when_stepped(step)

    def show_beside(self, step: int) -> None:
        """Show what lies to the right (1) or left (-1) of what is seen."""
        widest = max((width_of(line.spans) for line in self.lines), default=0)
        self._left = max(min(self._left + 8 * step, widest + 1 - self.size.width), 0)
        self.refresh()

    def action_choose(self) -> None:
        if self.lines:
            self._when_chosen(self.pointed)
        else:
            self._when_empty()

    def on_click(self, event: events.Click) -> None:
        """Move the cursor; a second click chooses. On the scroll bar: scroll there."""
        y = event.y - self._above
        column = event.x + self._left
        if y < 0:
            self._when_sorted(column)
        elif event.x == self.size.width - 1 and self._has_bar:
            self._scroll(y * len(self._rows) // self._room - self._room // 2 - self._top)
        elif self._top + y < len(self._rows):
            self._point(self._rows[self._top + y][0])
            if self._when_clicked(column) or event.chain == 2:
                self.action_choose()


@lru_cache(4096)
def _readable(base: Style, own: Style) -> Style:
    """Return a style on a base; its colour, where it is one of its own, can be read there."""
    style = base + own
    ink, back = style.color, style.bgcolor
    if ink is None or back is None or ink.triplet is None or back.triplet is None:
        return style
    legible = readable(ink.triplet.hex, back.triplet.hex)
    return style if legible == ink.triplet.hex else style + Style(color=legible)
