"""Painting what changed on the screen, and no more.

Textual's compositor paints every line that changed from edge to edge of the screen, and asks all
widgets in the box around all changes for all their lines. With the title and the status line
among the changes that is the whole screen, for a few lines of the board: 3 to 9 ms after each key.
"""

from itertools import pairwise
from typing import Any

from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget


class LeanCompositor(Compositor):
    """Asks for the lines that changed only the widgets that are seen there."""

    @property
    def changed(self) -> set[Widget]:
        """The widgets on the screen that ask to be painted."""
        return {widget for widget in self.visible_widgets if widget._repaint_regions}

    def update_widgets(self, widgets: set[Widget]) -> None:
        """Note what these widgets want painted; hidden ones are no reason to lay all out anew."""
        super().update_widgets(widgets & self.visible_widgets.keys())

    def render_partial_update(self) -> ChopsUpdate | None:
        """Return what changed since the last update, None if nothing did."""
        screen = self.size.region
        changed = [region.intersection(screen) for region in self._dirty_regions]
        self._dirty_regions.clear()
        spans = list(self._regions_to_spans(changed))
        if not spans:
            return None
        strips = self._seen(self._pieces(spans))
        ends = [[x + strip.cell_length for x, strip in line.items()] for line in strips]
        return ChopsUpdate(strips, spans, ends)

    def _pieces(self, spans: list[tuple[int, int, int]]) -> dict[int, list[tuple[int, int]]]:
        """Cut spans (line, start, end) where widgets start and end; return pieces by line."""
        pieces: dict[int, list[tuple[int, int]]] = {}
        for y, start, end in spans:
            cuts = [start, *(cut for cut in self.cuts[y] if start < cut < end), end]
            pieces.setdefault(y, []).extend(pairwise(cuts))
        return pieces

    def _seen(self, pieces: dict[int, list[tuple[int, int]]]) -> list[dict[int, Strip]]:
        """Return what is seen of each piece, by line and by where it starts."""
        seen: list[dict[int, Strip]] = [{} for _ in range(self.size.height)]
        for widget, (region, clip) in self.visible_widgets.items():  # from front to back
            place = region.intersection(clip)
            left, right = place.column_span
            own = {
                y: [piece for piece in pieces[y] if left <= piece[0] and piece[1] <= right]
                for y in pieces.keys() & place.line_range
            }
            lines = [y for y in own if own[y]]
            if not lines:
                continue
            first = min(lines)
            crop = Region(left, first, place.width, max(lines) - first + 1)
            strips = widget.render_lines(crop.translate(-region.offset))
            for y in lines:
                strip = strips[y - first]
                for piece in own[y]:
                    seen[y][piece[0]] = strip.crop(piece[0] - left, piece[1] - left)
                pieces[y] = [piece for piece in pieces[y] if piece not in own[y]]
                if not pieces[y]:
                    del pieces[y]
            if not pieces:
                break
        return [dict(sorted(line.items())) for line in seen]


def paint(screen: Screen[Any]) -> None:
    """Paint what has changed on a screen that has a `LeanCompositor`.

    Textual would have each widget tell the screen first, and then wait for a timer: time in which
    other work gets in.
    """
    compositor = screen._compositor
    assert isinstance(compositor, LeanCompositor)
    if screen.is_current and not screen._layout_required:
        compositor.update_widgets(compositor.changed)
        screen._compositor_refresh()
