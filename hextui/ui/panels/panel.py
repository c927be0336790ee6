"""The bases of all panels: one method fills a panel, messages report what the user does."""

import enum
import re
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from rich.cells import cell_len
from rich.style import Style
from textual.containers import Vertical
from textual.markup import escape
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from hextui.engine.board import Color
from hextui.engine.position import Move, Position
from hextui.engine.verdicts import Verdicts
from hextui.engines.snapshot import Snapshot
from hextui.library.answers import GameRow
from hextui.records.board_view import Connected
from hextui.records.tree import Node
from hextui.ui.drawing.overlays import DisplayOptions
from hextui.ui.drawing.palette import Palette
from hextui.ui.drawing.whole_words import clauses_within
from hextui.ui.live.game_review import LineReview
from hextui.ui.record.session import Session, scope_words
from hextui.ui.widgets.line_list import DIM, PLAIN, LineList, Span

_AROUND_TITLE = 5  # columns: blanks beside the title and between title and caption
_DIMMED = 0.5  # opacity of what is stale


LIST_KEYS = (("up down", "Move"),)
MUST_PLAY_WORDS = (
    "must-play region",
    "The cells where a winning move can be: every move outside loses.",
)
CONNECTION_WORDS = (
    ("connection", "Two ends joined by a virtual connection, full or semi."),
    ("full", "Holds even if the opponent moves first."),
    ("semi", "Holds if its owner moves first, at the key."),
    ("carrier", "The empty cells that the connection needs; no move elsewhere breaks it."),
    ("key", "The move that turns a semi connection into a full one."),
)


class Change(enum.Enum):
    """What has changed of what the screen shows."""

    SESSION = enum.auto()  # the position, its record, or the mode
    CURSOR = enum.auto()
    ANALYSIS = enum.auto()  # what is known of the position, or which part of it is shown
    GAME = enum.auto()  # what is known of the other positions of the game
    LIBRARY = enum.auto()  # the library's answer about the position
    COLORS = enum.auto()


@dataclass(frozen=True)
class PanelText:
    """The words of one panel.

    ``caption``: one line, of which the first clause stands alone where there is no room for all.
    ``words``: each with its explanation; ``{black}`` and ``{white}`` are the players. ``own``: keys
    that only the panel knows, each with what it does. ``actions``: ids of actions that matter here.
    """

    caption: str
    words: tuple[tuple[str, str], ...] = ()
    own: tuple[tuple[str, str], ...] = ()
    actions: tuple[str, ...] = ()


@dataclass(frozen=True)
class PanelInput:
    """What panels show: the session, the analysis of its position, and the display options.

    ``verdicts``: the proofs of all positions. ``survey``: the estimates for the whole game.
    """

    session: Session
    snapshot: Snapshot | None
    options: DisplayOptions
    palette: Palette
    verdicts: Verdicts
    survey: LineReview

    @property
    def winner(self) -> Color | None:
        """Who has won the position, or is proved to win it."""
        position = self.session.position
        proved = self.verdicts.of(position)
        return position.winner or (proved.winner if proved else None)

    @property
    def connections_of(self) -> Color:
        """Whose connections are listed: the known winner's, unless the others' are wanted."""
        winner = self.winner or Color.BLACK
        return winner.opponent if self.options.other_connections else winner


class Panel(Vertical):
    """A panel; its id is its title in lower case.

    It is filled on the changes that it SHOWS. One that shows the analysis and not the session is
    dimmed as long as nothing is known of the position. While the analysis considers only some
    moves, the caption names them, or is IN_SCOPE.
    """

    TITLE = ""
    KEY = ""
    """The key that goes to the panel."""
    TEXT = PanelText("")
    SHOWS = frozenset({Change.ANALYSIS})
    IN_SCOPE: str | None = None
    """The caption while only some moves are considered: None: TEXT.caption, '': those moves."""

    DEFAULT_CSS = """
    Panel { height: 1fr; }
    """

    @dataclass
    class Request(Message):
        """The user, or the panel, wants something of the screen, which notes that it has heard."""

        heard: bool = field(default=False, init=False)

    @dataclass
    class ActionWanted(Request):
        """The user wants what the action of this id does."""

        action: str

    @dataclass
    class OfPosition(Request):
        """The user acted on a line about a position, which may no longer be the current one."""

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
    class NodeChosen(Request):
        """The user moved to a node of the record: it becomes the current one."""

        node: Node

    @dataclass
    class Highlighted(OfPosition):
        """The user moved to a connection or a line, which the board highlights, or off it."""

        connected: Connected | None = None
        line: tuple[int, ...] = ()

    @dataclass
    class CommentWritten(Request):
        """The user has ended writing."""

    @dataclass
    class WinnerProved(Request):
        """The winner of a position is proved; ``key`` is the move by which it wins, if it moves.

        ``carrier``: the empty cells that the proof needs.
        """

        position: Position
        winner: Color
        key: int | None
        carrier: frozenset[int]

    @dataclass
    class AnswerWanted(Request):
        """The library is to be queried: the panel is on the screen and has no answer yet."""

    @dataclass
    class Refused(Request):
        """What the user wants cannot be done: why."""

        why: str

    @dataclass
    class GameChosen(Request):
        """A game is to be opened at the ply where it reached the position."""

        game: GameRow

    def __init__(self, *children: Widget) -> None:
        super().__init__(*children, id=self.TITLE.lower())
        self._title = self.TITLE
        self._heading = ""
        self._scope_words = ""
        self._is_shown = False
        self._stale = False
        self._waiting: PanelInput | None = None
        self._given: PanelInput | None = None
        self._of: Position | None = None

    @property
    def given(self) -> PanelInput:
        assert self._given is not None
        return self._given

    @property
    def of(self) -> Position | None:
        """The position that the lines of the panel are about."""
        return self._of

    def set_title(self, title: str) -> None:
        """Set the title; as much of the caption as has room follows it."""
        self._title = title
        room = self.size.width - cell_len(title) - _AROUND_TITLE
        text = self._scope_words or self.TEXT.caption
        caption = clauses_within(text, room) if room > 0 else ""
        beside = f"  [not bold]{escape(caption)}[/]" if caption else ""
        heading = f"{escape(title)}{beside}"
        if heading != self._heading:  # a new title repaints the whole panel
            self._heading = self.border_title = heading

    def on_mount(self) -> None:
        """Take the focus itself if nothing in it does."""
        self.can_focus = not any(child.can_focus for child in self.query("*"))

    def on_resize(self) -> None:
        """Give the caption the room there is now, and what was filled."""
        self.set_title(self._title)
        if self._given is not None:
            self.fit()

    def queue(self, given: PanelInput | None) -> None:
        """Replace the pending input; None discards it."""
        self._waiting = given

    def catch_up(self, stale: bool) -> bool:
        """Show the waiting input, dimmed if stale; return whether there was anything to do."""
        self._stale = stale
        return self._is_shown and self._show_waiting()

    def fill(self, given: PanelInput) -> None:
        """Show input now. Called only while the panel is on the screen."""
        raise NotImplementedError

    def fit(self) -> None:
        """Fit what was filled to the size there is now."""

    def begin(self) -> None:
        """Prepare for another position: its lists start at their tops."""

    def on_show(self) -> None:
        """Show input that came while the panel was hidden."""
        self._is_shown = True
        self._show_waiting()

    def on_hide(self) -> None:
        self._is_shown = False

    def _show_waiting(self) -> bool:
        """Show the waiting input, dimmed if stale; return whether there was anything to do."""
        given = self._waiting
        self._waiting = None
        if given is not None:
            if self._of != given.session.position:
                self.begin()
            self._given = given
            self._of = given.session.position
            self._show_scope(given.snapshot)
            self.fill(given)
        to_dim = Change.SESSION not in self.SHOWS and self._stale != self.dimmed
        if to_dim:
            # a CSS class would make Textual match all rules for every widget in the panel
            self.styles.opacity = _DIMMED if self._stale else 1
        return to_dim or given is not None

    @property
    def dimmed(self) -> bool:
        return self.styles.opacity < 1

    def _show_scope(self, snapshot: Snapshot | None) -> None:
        """Name in the caption the moves that the analysis considered."""
        words = scope_words(snapshot.scope, snapshot.position) if snapshot else ""
        self._scope_words = ""
        if words and self.IN_SCOPE is not None:
            self._scope_words = self.IN_SCOPE or words
        self.set_title(self._title)

    def write(self, static: Static, text: str) -> None:
        """Set the text of a Static whose height is fixed; an equal text is not painted again."""
        if static.content != text:
            static.update(text, layout=False)


class ListPanel(Panel):
    """A panel with a note above a list.

    The methods at its end are called with what the user does in the list.
    """

    NOTE = ""
    """The note before the first input."""
    RANKED = False
    """Whether the list is a ranking, in which a line may drop."""
    DEFAULT_CSS = """
    ListPanel .note { height: 2; color: $text-muted; }
    """

    def __init__(self, *below: Widget) -> None:
        self.note = Static(self.NOTE, classes="note", markup=False)
        self.list = LineList(
            point=self.pointed,
            choose=self.chosen,
            step=self.stepped,
            click=self.clicked,
            empty=self._refuse,
            ranked=self.RANKED,
        )
        super().__init__(self.note, self.list, *below)

    def begin(self) -> None:
        self.list.start_again()

    def _refuse(self) -> None:
        self.post_message(self.Refused(f"Nothing is listed under {self.TITLE} yet"))

    def tree_rows(
        self, depth: int, is_open: bool | None, sentence: str, style: Style = PLAIN, rule: str = ""
    ) -> tuple[tuple[Span, ...], ...]:
        """Return the rows of a line of a tree: a sign, a sentence and, if it has room, a rule.

        The sign shows whether the line ``is_open``; None: nothing is below it. The names of the
        players in the sentence have their colours.
        """
        sign = "  "
        if is_open is not None:
            sign = "- " if is_open else "+ "
        indent = "  " * depth
        room = self.list.room - len(indent) - len(sign)
        lines = wrap(sentence, max(room, 1), break_on_hyphens=False)

        rows: list[tuple[Span, ...]] = []
        for number, line in enumerate(lines):
            start = indent + "  " if number else indent + sign
            rows.append(((start, DIM), *self._colored(line, style)))
        if rule and len(lines[-1]) + len(rule) <= room:
            rows[-1] += ((rule, DIM),)
        return tuple(rows)

    def _colored(self, text: str, style: Style) -> list[Span]:
        """Return a text with the names of the players in their colours."""
        palette, names = self.given.palette, self.given.options.names
        inks = {name: palette.ink(color) for name, color in zip(names.both, Color, strict=True)}
        players = rf"\b({'|'.join(map(re.escape, inks))})\b"
        pieces = [piece for piece in re.split(players, text) if piece]
        return [(piece, style + Style(color=inks.get(piece))) for piece in pieces]

    def pointed(self, key: Any) -> None:
        """Follow the cursor to the line with this key."""

    def chosen(self, key: Any) -> None:
        """Do what Enter does on the line with this key."""

    def stepped(self, step: int) -> None:
        """Do what Right (1) and Left (-1) do on the line with the cursor."""
        self.list.show_beside(step)

    def clicked(self, column: int) -> bool:
        """Take a click on the line with the cursor; return whether it chooses the line."""
        return False
