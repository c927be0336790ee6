"""Textual's compositor, which forgets nothing that it has to paint."""

from textual._compositor import Compositor, CompositorMap


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
