"""The parts of the main screen, each of which does one kind of thing to the desk."""

from dataclasses import dataclass
from typing import Protocol

from hextui.ui.main.analysing import Analysing
from hextui.ui.main.annotating import Annotating
from hextui.ui.main.arranging import Arranging
from hextui.ui.main.attaching import Attaching
from hextui.ui.main.copying import Copying
from hextui.ui.main.editing import Editing
from hextui.ui.main.exploring import Exploring
from hextui.ui.main.filing import Filing
from hextui.ui.main.narrowing import Narrowing
from hextui.ui.main.playing import Playing
from hextui.ui.main.puzzling import Puzzling
from hextui.ui.main.surveying import Surveying
from hextui.ui.main.swapping import Swapping
from hextui.ui.main.walking import Walking
from hextui.ui.open_records import OpenRecords


class Program(Protocol):
    """What is not the main screen's alone: the application."""

    @property
    def records(self) -> OpenRecords:
        """The open records."""
        ...

    @property
    def filing(self) -> Filing:
        """What opens others."""
        ...

    def next_theme(self) -> None:
        """Take the next of the themes made for the board."""
        ...

    async def show_help(self) -> None:
        """Show all keys."""
        ...

    async def leave(self) -> None:
        """End the program; edits that are not saved are asked about first."""
        ...

    def action_redraw(self) -> None:
        """Repaint the whole terminal."""
        ...


@dataclass(frozen=True)
class Parts:
    """All parts; what an action calls is a method of one of them."""

    program: Program
    walking: Walking
    playing: Playing
    puzzling: Puzzling
    editing: Editing
    annotating: Annotating
    analysing: Analysing
    narrowing: Narrowing
    attaching: Attaching
    surveying: Surveying
    exploring: Exploring
    swapping: Swapping
    arranging: Arranging
    copying: Copying
