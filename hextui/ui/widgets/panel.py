"""What every panel beside the board is: filled by one method, and heard by four messages."""

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual.containers import Vertical
from textual.markup import escape
from textual.message import Message
from textual.widgets import Static

from hextui.analysis import Snapshot
from hextui.engine.position import Move, Position
from hextui.engine.verdicts import Verdicts
from hextui.records.tree import Node
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.overlays import Shown
from hextui.ui.drawing.palette import Palette
from hextui.ui.live.survey import Survey
from hextui.ui.panel_texts import PANEL_TEXTS
from hextui.ui.session import Session
from hextui.ui.thought_of import scope_words
from hextui.ui.whole_words import clauses_within

_AROUND_TITLE = 5  # columns: blanks beside the title and between title and caption
_DIMMED = 0.5  # opacity of what is stale


@dataclass(frozen=True)
class Sight:
    """What there is to show: the session, what is known of its position, what the user chose.

    ``verdicts``: what is proved of any position. ``survey``: what is known of the whole game.
    """

    session: Session
    snapshot: Snapshot | None
    shown: Shown
    palette: Palette
    verdicts: Verdicts
    survey: Survey | None = None


class Panel(Vertical):
    """A panel; its id is its title in lower case.

    A panel of the analysis is filled only when there is a snapshot of the position, and dimmed
    until then. Any other is filled on every change of the session; where OF_ANALYSIS is None, on
    every snapshot too. While the user has only some moves thought of, its caption says so: which
    moves, where it keeps to them, or IN_SCOPE.
    """

    TITLE: ClassVar[str] = ""
    OF_ANALYSIS: ClassVar[bool | None] = True
    IN_SCOPE: ClassVar[str | None] = None
    """What the caption is while only some moves are thought of: None as ever, '' which moves."""

    DEFAULT_CSS = """
    Panel { height: 1fr; }
    """

    @dataclass
    class OfPosition(Message):
        """What the user did with a line about a position; by now another one may be looked at."""

        of: Position | None

    @dataclass
    class Pointed(OfPosition):
        """The user moved to a move of the panel: the cursor goes there."""

        cell: int

    @dataclass
    class Played(OfPosition):
        """The user chose moves of the panel: they are played, or walked if the record has them."""

        moves: tuple[Move, ...]

    @dataclass
    class Went(Message):
        """The user moved to a node of the record: it is looked at."""

        node: Node

    @dataclass
    class Painted(OfPosition):
        """The user moved to a connection or a line of moves: the board paints it, or nothing."""

        connected: Connected | None = None
        line: tuple[int, ...] = ()

    def __init__(self) -> None:
        super().__init__(id=self.TITLE.lower())
        self._title = self.TITLE
        self._heading = ""
        self._scope_words = ""
        self._seen = False
        self._sight: Sight | None = None
        self._of: Position | None = None

    @property
    def of(self) -> Position | None:
        """The position that the lines of the panel are about."""
        return self._of

    def entitle(self, title: str) -> None:
        """Have this stand above the panel, with the panel's caption, as far as there is room."""
        self._title = title
        room = self.size.width - cell_len(title) - _AROUND_TITLE
        text = self._scope_words or PANEL_TEXTS[self.id or ""].caption
        caption = clauses_within(text, room) if room > 0 else ""
        beside = f"  [not bold]{escape(caption)}[/]" if caption else ""
        heading = f"{escape(title)}{beside}"
        if heading != self._heading:  # a new one has the whole panel painted
            self._heading = self.border_title = heading

    def on_resize(self) -> None:
        """Give the caption the room there is now."""
        self.entitle(self._title)

    def show(self, sight: Sight) -> None:
        """Show this: at once if the panel is on the screen, else when it comes there."""
        self._sight = sight
        self._fill_if_seen()

    def put(self, sight: Sight | None) -> None:
        """Have this ready to be shown, or nothing, instead of what was."""
        self._sight = sight

    def catch_up(self, stale: bool) -> bool:
        """Show what is ready, dimmed if it is stale; tell whether there was anything to do."""
        filling = self._seen and self._sight is not None
        dimming = self.OF_ANALYSIS is True and stale != self.dimmed
        self._fill_if_seen()
        if dimming:
            # no class of CSS: all rules would be looked up for all that is in the panel
            self.styles.opacity = _DIMMED if stale else 1
        return filling or dimming

    @property
    def dimmed(self) -> bool:
        """Whether the panel says that what it shows is stale."""
        return self.styles.opacity < 1

    def fill(self, sight: Sight) -> None:
        """Show this now. Only called while the panel is on the screen."""
        raise NotImplementedError

    def on_show(self) -> None:
        """Show what has come while the panel was not on the screen."""
        self._seen = True
        self._fill_if_seen()

    def on_hide(self) -> None:
        """Rest until the panel is on the screen again."""
        self._seen = False

    def _fill_if_seen(self) -> None:
        if self._seen and self._sight is not None:
            sight, self._sight = self._sight, None
            self._of = sight.session.position
            self._tell_scope(sight.snapshot)
            self.fill(sight)

    def _tell_scope(self, snapshot: Snapshot | None) -> None:
        """Have the caption say which moves were thought of for what is shown."""
        words = scope_words(snapshot.scope, snapshot.position) if snapshot else ""
        said = (self.IN_SCOPE or words) if words and self.IN_SCOPE is not None else ""
        if said != self._scope_words:
            self._scope_words = said
            self.entitle(self._title)


def say(note: Static, text: str) -> None:
    """Have a note of so many lines say this. It is painted again only where that is new."""
    if note.content != text:
        note.update(text, layout=False)
