"""Textual's compositor, which forgets nothing that it has to paint, and asks nobody in vain."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from textual._compositor import ChopsUpdate, Compositor, CompositorMap
from textual.geometry import Region
from textual.strip import Strip


class SureCompositor(Compositor):
    """Paints also what moves or goes while it is only asked where a widget is.

    Textual may lay out anew to answer that. What has gone by then, as a message does that was
    shown for a while, would stay on the terminal: the next layout finds nothing changed.
    """

    _changed: Iterable[Region] | None = None
    """What is being painted, while only what has changed is."""

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

    def render_partial_update(self) -> ChopsUpdate | None:
        """Paint what has changed, and have only those lines painted that are seen there.

        Textual asks all widgets that are on the screen for all their lines.
        """
        self._changed = self._dirty_regions.copy()
        try:
            return super().render_partial_update()
        finally:
            self._changed = None

    def _get_renders(
        self, crop: Region | None = None
    ) -> Iterable[tuple[Region, Region, list[Strip]]]:
        """Return the widgets to be painted from front to back: region, what is seen of it, lines.

        Of a widget of which only some lines have changed there are several regions.
        """
        if self._changed is None:
            return super()._get_renders(crop)
        return self._changed_lines(self._changed)

    def _changed_lines(
        self, changed: Iterable[Region]
    ) -> Iterator[tuple[Region, Region, list[Strip]]]:
        uncovered = list(changed)
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            here = [part for part in map(seen.intersection, uncovered) if part]
            for first, length in _runs({y for part in here for y in part.line_range}):
                lines = Region(seen.x, first, seen.width, length)
                yield lines, lines, widget.render_lines(lines.translate(-region.offset))
            uncovered = [part for part in uncovered if not seen.contains_region(part)]
            if not uncovered:
                break


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of following numbers: the first of each, and how many there are.

    >>> list(_runs({3, 1, 2, 7}))
    [(1, 3), (7, 1)]
    """
    for _, run in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]):
        numbers_of_run = [number for _, number in run]
        yield numbers_of_run[0], len(numbers_of_run)
