"""The table of the library's games, whose columns fit the screen."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.widgets import DataTable

from hextui.analysis.game_positions import game_positions
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.library.answers import GameRow
from hextui.records.formats import read_record
from hextui.records.record_text import printable
from hextui.text import Names
from hextui.ui.drawing.whole_words import within
from hextui.words.reviews import mistake_moves

if TYPE_CHECKING:
    from hextui.library.library import Library

MISTAKE = "mistake"
COLUMNS = {
    "black": 12, "white": 12, "winner": 10, MISTAKE: 11, "date": 11, "event": 11, "size": 6,
    "plies": 6, "id": 8,
}  # fmt: skip
"""The smallest widths of the columns, by the name of their order in the library, if it has one."""
ORDERS = tuple(order for order in COLUMNS if order != MISTAKE)
_WHOLE_MISTAKE = 19  # "23. a10 to 27. b12" and a space
_WHOLE_RESULT = 27  # "White won, Black resigned" and a space
# dropped without room, the first one first
_DROPPED = ("id", "size", "plies", "date", "event", MISTAKE)
_OFTEN_EMPTY = frozenset(("black", "white", "date", "event", MISTAKE))
_WIDENED = ("black", "white", "event")
_WIDEST = 40


class GameTable(DataTable[Text]):
    """Lists games; each column shows one of the orders that games can be sorted by.

    Enter and a double click call ``choose`` with a game, or ``complain`` without one; a click moves
    the cursor.
    """

    BINDINGS = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
    ]

    def __init__(
        self, names: Names, choose: Callable[[GameRow], None], complain: Callable[[], None]
    ) -> None:
        super().__init__(cursor_type="row", zebra_stripes=True, cell_padding=0)
        self._names = names
        self._choose = choose
        self._complain = complain
        self._widths: dict[str, int] = {}
        self._sorted_by = ""
        self._mistakes = False
        self.games: list[GameRow] = []

    def show(self, games: Sequence[GameRow], sorted_by: str, mistakes: bool = False) -> None:
        """Show these games instead; the column that they are sorted by is always shown.

        ``mistakes``: each is about one of a player's mistakes.
        """
        self.clear()
        if mistakes is not self._mistakes:
            self._mistakes = mistakes
            self._widths = {}
        self.games = []
        self._sorted_by = sorted_by
        self.extend(games)

    def extend(self, games: Sequence[GameRow]) -> None:
        self.games += games
        if not self._fit():
            self._add(games)

    def on_resize(self, event: events.Resize) -> None:
        self._fit()

    def _fit(self) -> bool:
        """Fit the columns to the width and the games; return whether all rows were added anew."""
        used = {self._sorted_by}
        for game in self.games:
            used |= {"black", "white"} if game.is_named else {"event"}
            used |= {order for order in ("date", "event", MISTAKE) if getattr(game, order)}
        unused = _OFTEN_EMPTY - used if self.games else frozenset()
        widths = fitting(self.screen.size.width - 1, unused)  # the scroll bar takes one column
        if widths == self._widths:
            return False
        self._widths = widths
        row = self.cursor_row
        self.clear(columns=True)
        for order, width in widths.items():
            title = order if self._mistakes and order == MISTAKE else heading(order, self._names)
            self.add_column(title, width=width, key=order)
        self._add(self.games)
        self.move_cursor(row=row)
        return True

    def _add(self, games: Sequence[GameRow]) -> None:
        for game in games:
            self.add_row(*_row(game, self._widths, self._names), key=f"{game.id} {game.ply}")

    def action_select_cursor(self) -> None:
        if (game := self.selected_game) is not None:
            self._choose(game)
        else:
            self._complain()

    def on_click(self, event: events.Click) -> None:
        """Choose the game by a second click; the first one has pointed at it."""
        if event.chain == 2 and event.style.meta.get("row", -1) >= 0:
            self.action_select_cursor()

    @property
    def selected_game(self) -> GameRow | None:
        row = self.cursor_row
        return self.games[row] if 0 <= row < len(self.games) else None


def heading(order: str, names: Names) -> str:
    """Return the heading of the column of an order.

    For games without players, the column of the events shows the game and its file.
    """
    black, white = names.both
    titles = {"black": black, "white": white, "winner": "result", "event": "event/game"}
    titles[MISTAKE] = "decided by"
    return titles.get(order, order)


def fitting(room: int, unused: Collection[str] = ()) -> dict[str, int]:
    """Return the widths of the columns that have room; names and events take what is left.

    ``unused``: columns that have nothing to show.
    """
    columns = COLUMNS if "black" not in unused else {"event": 0, **COLUMNS}  # what names a game
    widths = {order: COLUMNS[order] for order in columns if order not in unused}
    for order in _DROPPED:
        if sum(widths.values()) > room:
            widths.pop(order, None)
    for order, whole in {"winner": _WHOLE_RESULT, MISTAKE: _WHOLE_MISTAKE}.items():
        if order in widths and sum(widths.values()) - widths[order] + whole <= room:
            widths[order] = whole
    _widen(widths, room)
    return widths


def _widen(widths: dict[str, int], room: int) -> None:
    """Give names and events in equal parts what the columns leave."""
    widened = [order for order in _WIDENED if order in widths]
    while sum(widths.values()) + len(widened) <= room and widths[widened[0]] < _WIDEST:
        for order in widened:
            widths[order] += 1


def _row(game: GameRow, widths: dict[str, int], names: Names) -> list[Text]:
    black, white = game.names
    event = game.event if game.is_named else " ".join(filter(None, (game.label, game.event)))
    result = names.result(game.winner, game.how)
    if len(result) >= widths["winner"]:
        result = names.result(game.winner) or game.how
    texts = {"black": black, "white": white, "winner": result, "date": game.date,
             "event": event, "size": str(game.board), "plies": str(game.plies),
             "id": str(game.id), MISTAKE: game.mistake}  # fmt: skip
    return [Text(within(printable(texts[order]), width - 1)) for order, width in widths.items()]


def decided_rows(
    games: Iterable[GameRow], library: "Library", store: ReviewStore
) -> Iterator[GameRow]:
    """Yield games, each with the last of its proved mistakes, which decided it."""
    for game in games:
        mistakes = [row.mistake for row, _ in _mistakes(game, library, store)]
        yield replace(game, mistake=mistakes[-1]) if mistakes else game


def mistake_rows(
    games: Iterable[GameRow], library: "Library", store: ReviewStore, player: str
) -> Iterator[GameRow]:
    """Yield a game, at the ply before it, for each proved mistake of a player, a part of a name."""
    for game in games:
        for row, color in _mistakes(game, library, store):
            name = game.black if color is Color.BLACK else game.white
            if player.casefold() in name.casefold():
                yield row


def _mistakes(
    game: GameRow, library: "Library", store: ReviewStore
) -> Iterator[tuple[GameRow, Color]]:
    """Yield the proved mistakes of a game and the colours of the players who made them."""
    text = library.text(game.id)
    if text is None:  # removed meanwhile
        return
    record = read_record(text)
    mistakes = store.mistakes(record)
    positions = game_positions(record, record.main_line()) if mistakes else ()
    for plies in mistakes:
        ply = plies[0] - 1
        yield replace(game, ply=ply, mistake=mistake_moves(record, plies)), positions[ply].player
