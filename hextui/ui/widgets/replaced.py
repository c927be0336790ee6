"""Lists whose lines are replaced while a click on one of them is on its way.

Textual tells such a list the number of the line, which by then is another one or none.
"""

from typing import Self

from rich.text import Text
from textual import events
from textual.widgets import DataTable, OptionList


class Replaced:
    """Takes no click that is older than its lines.

    No widget: Textual takes style and events from the first base that is one.
    """

    _since = 0.0  # by the clock of events

    def replace_lines(self) -> None:
        """Note that other lines come now."""
        self._since = events.Event().time

    def is_late(self, event: events.Event) -> bool:
        """Whether an event was meant for lines that are gone."""
        return event.time < self._since

    def on_click(self, event: events.Click) -> None:
        """Leave to Textual the clicks on lines that are still there."""
        if self.is_late(event):
            event.stop()
            event.prevent_default()


class OptionLines(Replaced, OptionList):
    """A list of options."""

    def clear_options(self) -> Self:
        """Remove all options."""
        self.replace_lines()
        return super().clear_options()

    def action_page_up(self) -> None:
        """Go one page up, once the option has a line on the screen."""
        if self._has_line:
            super().action_page_up()

    def action_page_down(self) -> None:
        """Go one page down, once the option has a line on the screen."""
        if self._has_line:
            super().action_page_down()

    @property
    def _has_line(self) -> bool:
        """Whether it is known where the option under the cursor lies."""
        return (self.highlighted or 0) in self._index_to_line


class TableLines(Replaced, DataTable[Text]):
    """A table of texts."""

    def clear(self, columns: bool = False) -> Self:
        """Remove all rows, or all columns too."""
        self.replace_lines()
        return super().clear(columns)
