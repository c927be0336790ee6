"""Textual's compositor, which forgets nothing that it has to paint, and asks nobody in vain."""

from textual._compositor import ChopsUpdate, Compositor, CompositorMap
from textual.geometry import Region
from textual.widget import Widget


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

    def render_partial_update(self) -> ChopsUpdate | None:
        """Paint what has changed, and have only those widgets painted that are seen there.

        Textual asks all that are on the screen for all their lines.
        """
        everything, self._cuts = self.visible_widgets, self.cuts  # those of all widgets
        self._visible_widgets = self._seen_in(self._dirty_regions)
        try:
            return super().render_partial_update()
        finally:
            self._visible_widgets = everything

    def _seen_in(self, regions: set[Region]) -> dict[Widget, tuple[Region, Region]]:
        """Return the widgets that are seen in any of these regions, from front to back."""
        found = {}
        uncovered = list(regions)
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            if any(map(seen.overlaps, uncovered)):
                found[widget] = region, clip
                uncovered = [part for part in uncovered if not seen.contains_region(part)]
            if not uncovered:
                break
        return found
