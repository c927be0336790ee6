"""What lists have in common that paint their lines themselves: the scroll bar and the wheel."""

from collections.abc import Callable
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

_WHEEL = 3  # lines that a turn of the wheel scrolls


class PaintedList(Widget, can_focus=True):
    """Lines of which some are seen, from ``_top`` on."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--cursor", "lines--bar", "lines--thumb"}
    DEFAULT_CSS = """
    PaintedList {
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
        self._top = 0

    @property
    def _total(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    @property
    def _room(self) -> int:
        """How many lines can be seen at once."""
        return max(self.size.height, 1)

    @property
    def _has_bar(self) -> bool:
        return self._total > self._room

    def _within(self, top: int) -> int:
        """Return the nearest line to this one that can be the first seen."""
        return max(min(top, self._total - self._room), 0)

    def _beside_bar(self, paint: Callable[[int], Strip], y: int) -> Strip:
        """Return the line seen at ``y``, painted in the width there is, and a piece of the bar."""
        width = self.size.width
        if not self._has_bar:
            return paint(width)
        part = "lines--thumb" if y in self._thumb else "lines--bar"
        piece = Segment(" ", self.get_component_rich_style(part))
        return Strip([*paint(width - 1), piece], width)

    @property
    def _thumb(self) -> range:
        """Where the thumb of the scroll bar is, in lines; nowhere without a bar."""
        if not self._has_bar:
            return range(0)
        room, total = self._room, self._total
        length = max(room * room // total, 1)
        first = round((room - length) * self._top / (total - room))
        return range(first, first + length)

    def notify_style_update(self) -> None:
        """Paint in other colours."""
        super().notify_style_update()
        self.refresh()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        event.stop()
        self._scroll(_WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        event.stop()
        self._scroll(-_WHEEL)

    def _scroll(self, lines: int) -> None:
        self._top = self._within(self._top + lines)
        self.refresh()
