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
from hextui.ui.session import Session
from hextui.ui.thought_of import scope_words
from hextui.ui.whole_words import clauses_within

_AROUND_TITLE = 5  # columns: blanks beside the title and between title and caption
_DIMMED = 0.5  # opacity of what is stale


LIST_KEYS = (("up down", "Move"),)
CONNECTION_WORDS = (
    ("connection", "Two ends that the opponent cannot keep apart, whoever moves next."),
    ("full", "Holds even if the opponent moves first."),
    ("semi", "Holds if its owner moves first, at the key."),
    ("carrier", "The empty cells that the connection needs; it holds if they stay empty."),
    ("key", "The move that turns a semi connection into a full one."),
)


@dataclass(frozen=True)
class PanelText:
    """The words of one panel.

    ``caption`` is one line, whose first clause must do where there is no room for all; ``words``
    are explained one by one, with ``{black}`` and ``{white}`` for the players. ``own`` are keys
    that only the panel knows, each with what it does; ``actions`` are names of actions that matter
    here.
    """

    caption: str
    words: tuple[tuple[str, str], ...] = ()
    own: tuple[tuple[str, str], ...] = ()
    actions: tuple[str, ...] = ()


@dataclass(frozen=True)
class PanelInput:
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
    TEXT: ClassVar[PanelText] = PanelText("")
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
        self._stale = False
        self._given: PanelInput | None = None
        self._of: Position | None = None

    @property
    def of(self) -> Position | None:
        """The position that the lines of the panel are about."""
        return self._of

    def entitle(self, title: str) -> None:
        """Have this stand above the panel, with the panel's caption, as far as there is room."""
        self._title = title
        room = self.size.width - cell_len(title) - _AROUND_TITLE
        text = self._scope_words or self.TEXT.caption
        caption = clauses_within(text, room) if room > 0 else ""
        beside = f"  [not bold]{escape(caption)}[/]" if caption else ""
        heading = f"{escape(title)}{beside}"
        if heading != self._heading:  # a new one has the whole panel painted
            self._heading = self.border_title = heading

    def on_resize(self) -> None:
        """Give the caption the room there is now."""
        self.entitle(self._title)

    def show(self, given: PanelInput) -> None:
        """Show this: at once if the panel is on the screen, else when it comes there."""
        self._given = given
        self._fill_if_seen()

    def put(self, given: PanelInput | None) -> None:
        """Have this ready to be shown, or nothing, instead of what was."""
        self._given = given

    def catch_up(self, stale: bool) -> bool:
        """Show what is ready, dimmed if it is stale; tell whether there was anything to do."""
        self._stale = stale
        filling = self._seen and self._given is not None
        dimming = self._seen and self._is_to_dim
        self._show_now()
        return filling or dimming

    @property
    def dimmed(self) -> bool:
        """Whether the panel says that what it shows is stale."""
        return self.styles.opacity < 1

    def fill(self, given: PanelInput) -> None:
        """Show this now. Only called while the panel is on the screen."""
        raise NotImplementedError

    def on_show(self) -> None:
        """Show what has come while the panel was not on the screen."""
        self._seen = True
        self._show_now()

    def on_hide(self) -> None:
        """Rest until the panel is on the screen again."""
        self._seen = False

    def _show_now(self) -> None:
        """Show what is ready, dimmed or not, if the panel is on the screen."""
        self._fill_if_seen()
        if self._seen and self._is_to_dim:
            self._dim()

    @property
    def _is_to_dim(self) -> bool:
        """Whether the panel is dimmed and should not be, or the other way round."""
        return self.OF_ANALYSIS is True and self._stale != self.dimmed

    def _dim(self) -> None:
        # no class of CSS: all rules would be looked up for all that is in the panel
        self.styles.opacity = _DIMMED if self._stale else 1

    def _fill_if_seen(self) -> None:
        if self._seen and self._given is not None:
            given, self._given = self._given, None
            self._of = given.session.position
            self._tell_scope(given.snapshot)
            self.fill(given)

    def _tell_scope(self, snapshot: Snapshot | None) -> None:
        """Have the caption say which moves were thought of for what is shown."""
        words = scope_words(snapshot.scope, snapshot.position) if snapshot else ""
        said = (self.IN_SCOPE or words) if words and self.IN_SCOPE is not None else ""
        if said != self._scope_words:
            self._scope_words = said
            self.entitle(self._title)


def set_note(note: Static, text: str) -> None:
    """Have a note of so many lines say this. It is painted again only where that is new."""
    if note.content != text:
        note.update(text, layout=False)
