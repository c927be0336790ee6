"""The library's games in a list: their columns, and the mistakes that decided them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hextui.analysis.game_positions import game_positions
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.library.answers import GameRow
from hextui.library.filters import ALL_GAMES, Filter, filter_text
from hextui.records.formats import read_record
from hextui.records.record_text import printable
from hextui.text import Names, counted, is_part_of
from hextui.ui.widgets.columns import Columns
from hextui.ui.widgets.line_list import TextLine
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
_OFTEN_EMPTY = ("black", "white", "date", "event", MISTAKE)
_WIDENED = ("black", "white", "event")
_WIDEST = 40


class Listing(NamedTuple):
    """Which games the library lists, in which order, and the row of the cursor.

    ``mine``: a player's mistakes in them.
    """

    mine: bool = False
    chosen: Filter = ALL_GAMES
    order: str = "id"
    descending: bool = True
    row: int = 0


class LibraryColumns(Columns):
    """The columns of the library's games that have room; names and events take what is left.

    Those that no game has anything for are left out, except that of the order.
    """

    def __init__(
        self, width: int, games: Sequence[GameRow], listing: Listing, names: Names
    ) -> None:
        self._names = names
        titles = {column: heading(column, names) for column in COLUMNS}
        if listing.mine:
            titles[MISTAKE] = MISTAKE
        super().__init__(COLUMNS, titles, listing.order)
        used = _used(games) | {listing.order}
        if games and "black" not in used:
            self.widths = {"event": 0, **COLUMNS}  # what names a game
        for column in _OFTEN_EMPTY:
            if games and column not in used:
                del self.widths[column]
        self.drop(_DROPPED, width)
        self._widen(width)

    def _widen(self, room: int) -> None:
        """Give whole results and mistakes their room, then names and events in equal parts."""
        for column, whole in {"winner": _WHOLE_RESULT, MISTAKE: _WHOLE_MISTAKE}.items():
            if column in self.widths and self.width - self.widths[column] + whole <= room:
                self.widths[column] = whole
        widened = [column for column in _WIDENED if column in self.widths]
        while self.width + len(widened) <= room and self.widths[widened[0]] < _WIDEST:
            for column in widened:
                self.widths[column] += 1

    def line(self, game: GameRow) -> TextLine:
        names = self._names
        black, white = game.names
        event = game.event if game.is_named else " ".join(filter(None, (game.label, game.event)))
        result = names.result(game.winner, game.how)
        if len(result) >= self.widths["winner"]:
            result = names.result(game.winner) or game.how
        texts = {"black": black, "white": white, "winner": result, "date": game.date,
                 "event": event, "size": str(game.board), "plies": str(game.plies),
                 "id": str(game.id), MISTAKE: game.mistake}  # fmt: skip
        return self.fitted(game, {name: printable(texts[name]) for name in self.widths})


def _used(games: Iterable[GameRow]) -> set[str]:
    """Return which of the columns that are often empty have something to show."""
    used: set[str] = set()
    for game in games:
        used |= {"black", "white"} if game.is_named else {"event"}
        used |= {order for order in ("date", "event", MISTAKE) if getattr(game, order)}
    return used


def heading(order: str, names: Names) -> str:
    """Return the heading of the column of an order.

    For games without players, the column of the events shows the game and its file.
    """
    black, white = names.both
    titles = {"black": black, "white": white, "winner": "result", "event": "event/game"}
    titles[MISTAKE] = "decided by"
    return titles.get(order, order)


def head_text(listing: Listing, count: int, player: str, names: Names) -> str:
    """Return what is listed: how many games, or mistakes of a player, of which, in which order."""
    what = f"Library  {counted(count, 'game')}"
    if listing.mine:
        what = f"My mistakes  {counted(count, 'mistake')} of {player}"
    words = f"  {filter_text(listing.chosen, names)}" if listing.chosen else ""
    way = "descending" if listing.descending else "ascending"
    return f"{what}{words}  by {heading(listing.order, names)}, {way}"


def nothing_text(listing: Listing, player: str, names: Names, searches: bool) -> str:
    """Return why nothing is listed, and what to do; ``searches``: the user is typing."""
    does = "Ctrl+U clears the search" if searches else "Backspace lists all games"
    if listing.mine:
        return f"No proved mistake of {player} yet. {does}."
    if listing.chosen:
        return f"No game matches {filter_text(listing.chosen, names)}. {does}."
    return "The library is empty: i imports games."


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
            if is_part_of(player, name):
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
