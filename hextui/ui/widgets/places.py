"""A container whose widgets stand where they are told, by their ids."""

from collections.abc import Mapping

from textual.containers import Container
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget


class _Standing(Layout):
    """Puts each child at the place that its parent has for it."""

    name = "standing"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Return a placement for each child that has a place."""
        assert isinstance(parent, Standing)
        return [
            WidgetPlacement(place, NULL_OFFSET, NULL_SPACING, child)
            for child in children
            if (place := parent.places.get(child.id or ""))
        ]


_STANDING = _Standing()


class Standing(Container):
    """Shows the children that have a place, there, and no others."""

    DEFAULT_CSS = """
    Standing { height: 1fr; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.places: Mapping[str, Region] = {}

    @property
    def layout(self) -> Layout:
        """The layout: no style has a name for this one."""
        return _STANDING

    def stand(self, places: Mapping[str, Region]) -> None:
        """Put the children at these places, by their ids."""
        if places == self.places:
            return
        self.places = places
        for child in self.children:
            child.display = child.id in places
        self.refresh(layout=True)
