"""Textual's compositor, which forgets nothing that it has to paint, and asks nobody in vain."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from textual._compositor import Compositor, CompositorMap
from textual.geometry import Region

from hextui.ui.written_cells import LinePiece, PiecesUpdate

Span = tuple[int, int]
"""Columns of a line, from the first to before the second."""


class SureCompositor(Compositor):
    """Paints also what moves or goes while it is only asked where a widget is.

    Textual may lay out anew to answer that. What has gone by then, as a message does that was
    shown for a while, would stay on the terminal: the next layout finds nothing changed.
    """

    @property
    def full_map(self) -> CompositorMap:
        """Where all widgets are."""
        before = self._full_map
        after = super().full_map
        if after is not before:
            changed = (place for _, place in after.items() ^ before.items())
            regions = (place.clip.intersection(place.region) for place in changed)
            self._dirty_regions.update(region for region in regions if region)
        return after

    def render_partial_update(self) -> PiecesUpdate | None:  # type: ignore[override]
        """Paint what has changed, and have only those lines painted that are seen there.

        Textual asks all widgets that are on the screen for all their lines, and cuts all lines of
        the screen at the edges of all widgets.
        """
        regions = [region.intersection(self.size.region) for region in self._dirty_regions]
        self._dirty_regions.clear()
        uncovered: dict[int, list[Span]] = {}
        for y, start, end in self._regions_to_spans(filter(None, regions)):
            uncovered.setdefault(y, []).append((start, end))
        pieces = sorted(self._pieces(uncovered), key=lambda piece: piece[:2])
        return PiecesUpdate(pieces) if pieces else None

    def _pieces(self, uncovered: dict[int, list[Span]]) -> Iterator[LinePiece]:
        """Yield what the widgets show in these spans of lines, from front to back."""
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            (left, right), (top, bottom) = seen.column_span, (seen.y, seen.bottom)
            here: dict[int, list[Span]] = {}
            for y, spans in uncovered.items():
                if top <= y < bottom and (inside := list(_inside(spans, left, right))):
                    here[y] = inside
            for first, length in _runs(here):
                lines = Region(left, first, seen.width, length)
                strips = widget.render_lines(lines.translate(-region.offset))
                for y, strip in zip(lines.line_range, strips, strict=False):
                    for start, end in here[y]:
                        yield LinePiece(y, start, strip.crop(start - left, end - left))
            for y in here:
                uncovered[y] = list(_outside(uncovered[y], left, right))
                if not uncovered[y]:
                    del uncovered[y]
            if not uncovered:
                break


def _inside(spans: Iterable[Span], left: int, right: int) -> Iterator[Span]:
    """Yield what of these spans lies from one column on and before another.

    >>> list(_inside([(0, 5), (7, 9)], 3, 8))
    [(3, 5), (7, 8)]
    """
    for start, end in spans:
        if start < right and left < end:
            yield max(start, left), min(end, right)


def _outside(spans: Iterable[Span], left: int, right: int) -> Iterator[Span]:
    """Yield what of these spans lies before one column, or not before another.

    >>> list(_outside([(0, 5), (7, 9)], 3, 8))
    [(0, 3), (8, 9)]
    """
    for start, end in spans:
        if start < left:
            yield start, min(end, left)
        if end > right:
            yield max(start, right), end


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of following numbers: the first of each, and how many there are.

    >>> list(_runs({3, 1, 2, 7}))
    [(1, 3), (7, 1)]
    """
    for _, run in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]):
        numbers_of_run = [number for _, number in run]
        yield numbers_of_run[0], len(numbers_of_run)
