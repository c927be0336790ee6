"""A player of the library on the screen: results, openings, opponents, mistakes and ratings."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Static

from hextui.library.filters import ALL_GAMES, filter_text, player_filter
from hextui.records.record_text import printable
from hextui.text import Names, counted
from hextui.ui.drawing.whole_words import within
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.screens.library_reader import LibraryReader
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.screens.player_views import GameAt, PlayerView, PlayerViews, ViewRow
from hextui.ui.widgets.columns import Columns
from hextui.ui.widgets.frame import ActivityBar, Hint, ScreenKeys
from hextui.ui.widgets.line_list import LineList

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.library.player_games import PlayerGame, PlayerGames

SECTIONS = ("Results", "Openings", "Opponents", "Mistakes", "Rating")
_GAP = 2  # columns between two cells
_LEAST_NAME = 12  # columns of the first cell
_NO_ROW = "Nothing is listed"


@dataclass
class _Level:
    """A view, what makes it, and the place of its cursor."""

    make: Callable[[], PlayerView]
    view: PlayerView
    place: int = 0


class PlayerScreen(MessageScreen[GameAt]):
    """Lists what is counted of a player of the library; returns the game to open, at its ply.

    ``reviews``: the file of the user's reviews. ``player``: the whole name, or a part of it.
    """

    ABOUT = (
        "A player of the library. Openings are a tree: Enter goes deeper, Escape back. "
        "Mistakes are those of the games that are reviewed."
    )
    BINDINGS = [
        ("g", "games", "Games"),
        ("m", "mistakes", "Mistakes"),
        ("o", "open", "On the board"),
        ("slash", "filter", "Filter"),
        ("tab", "step(1)", "Next list"),
        Binding("shift+tab", "step(-1)", "List before", show=False),
        ("escape", "leave", "Back"),
        Binding("backspace", "back", "Back", show=False),
        *(Binding(f"{n + 1}", f"section({n})", SECTIONS[n], show=False) for n in range(5)),
    ]
    DEFAULT_CSS = """
    PlayerScreen #head { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap;
      text-style: bold; }
    PlayerScreen ActivityBar { width: 100%; padding: 0 1; }
    PlayerScreen #title { height: 1; padding: 0 1; text-wrap: nowrap; color: $text-muted; }
    """

    def __init__(self, path: Path, names: Names, reviews: Path | None, player: str) -> None:
        super().__init__()
        self._reader = LibraryReader(path, names, reviews)
        self._reviews = reviews
        self._names = names
        self._player = player
        self._chosen = ALL_GAMES
        self._views: PlayerViews | None = None
        self._section = 0
        self._levels: dict[int, list[_Level]] = {}
        self._read_last = object()
        self._list = LineList(
            point=lambda place: self._note(place),
            choose=lambda place: self._choose(place),
            step=self.action_step,
            empty=lambda: self.complain(_NO_ROW),
            striped=True,
        )

    def compose(self) -> ComposeResult:
        yield Static(printable(self._player), id="head", markup=False)
        hints = {}
        for number, section in enumerate(SECTIONS):
            hints[section] = Hint(str(number + 1), section, f"screen.section({number})")
        yield ActivityBar(hints)
        yield Static("Reading the games", id="title", markup=False)
        yield self._list
        yield ScreenKeys()

    def on_mount(self) -> None:
        self._list.focus()
        self.query_one(ActivityBar).chosen = SECTIONS[self._section]
        self._read()

    def on_unmount(self) -> None:
        """End what is read."""
        self._read_last = object()

    # Reading

    @work(exclusive=True, group="player")
    async def _read(self) -> None:
        """Read the games, and then the reviews; both in a thread."""
        from hextui.train.player_review import player_review

        self._read_last = token = object()
        try:
            player = await self._reader.use(self._games)
            self._views = PlayerViews(player, None, self._names)
            self._levels = {}
            self._show_head(player)
            self._show_section(self._section)
            games = self._while_wanted(player.games, token)
            review = partial(player_review, games=games, path=self._reviews)
            self._views.review = await self._reader.use(review)
        except ValueError as error:
            self.query_one("#title", Static).update(within(str(error), self.size.width - 2))
            self.complain(error)
            return
        for level in [level for levels in self._levels.values() for level in levels]:
            level.view = level.make()
        self._show()

    def _games(self, library: "Library") -> "PlayerGames":
        from hextui.library.player_games import player_games
        from hextui.text import folded

        name = self._player
        if not library.spellings(name):
            part = folded(name)
            name = next((other for other in library.players() if part in folded(other)), name)
        return player_games(library, name, self._chosen)

    def _while_wanted(self, games: "Iterable[PlayerGame]", token: object) -> "Iterator[PlayerGame]":
        for game in games:
            if self._read_last is not token:
                return
            yield game

    # What is shown

    @property
    def _level(self) -> _Level | None:
        levels = self._levels.get(self._section)
        return levels[-1] if levels else None

    @property
    def _row(self) -> ViewRow | None:
        """The row with the cursor."""
        level = self._level
        place: int | None = self._list.pointed
        return None if level is None or place is None else level.view.rows[place]

    def _show_head(self, player: "PlayerGames") -> None:
        score = player.score
        share = f", {score.interval.value:.0%} won" if score.decided else ""
        text = f"{printable(player.name)}  {counted(score.games, 'game')}{share}"
        if self._chosen:
            text += f"  {filter_text(self._chosen, self._names)}"
        head = self.query_one("#head", Static)
        head.update(within(text, head.content_size.width), layout=False)

    def _show_section(self, section: int) -> None:
        self._section = section
        self.query_one(ActivityBar).chosen = SECTIONS[section]
        views = self._views
        if views is None:
            return
        if section not in self._levels:
            first = (
                views.results,
                views.openings,
                views.opponents,
                views.all_mistakes,
                views.ratings,
            )[section]
            self._levels[section] = [_Level(first, first())]
        self._show()

    def _push(self, make: Callable[[], PlayerView]) -> None:
        self._levels[self._section].append(_Level(make, make()))
        self._show()

    def _show(self) -> None:
        """List the last view of the section, with the cursor where it was."""
        level = self._level
        if level is None:
            return
        view = level.view
        columns = _columns(view, self.size.width - 1)
        lines = []
        for place, row in enumerate(view.rows):
            cells = dict(zip(view.heads, row.cells, strict=True))
            lines.append(columns.fitted(place, {name: cells[name] for name in columns.widths}))
        place = level.place
        self._list.start_again()
        self._list.show(lines, columns.heading)
        if place:
            self._list.point_at(place)
        title = view.title if view.rows else f"{view.title}: {view.nothing}"
        line = self.query_one("#title", Static)
        line.update(within(title, line.content_size.width), layout=False)
        self.refresh_bindings()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the heading and the columns into the new size."""
        if self._views is not None:
            self._show_head(self._views.player)
        self._show()

    # What the user does

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Leave out what is about the games of a row that has none."""
        row = self._row
        needs_games = action in ("games", "mistakes", "open")
        return _NO_ROW if needs_games and (row is None or not row.games) else ""

    def _note(self, place: int) -> None:
        if self._level is not None:
            self._level.place = place
        self.refresh_bindings()

    def _choose(self, place: int) -> None:
        row = self._row
        if row is None:
            return
        if isinstance(row.leads_to, GameAt):
            self.set_aside(row.leads_to)
        elif row.leads_to is not None:
            self._push(row.leads_to)
        else:
            self.action_games()

    def action_games(self) -> None:
        """List the games that the row stands for."""
        if self._row is not None and self._views is not None:
            self._push(partial(self._views.games, self._row))

    def action_mistakes(self) -> None:
        """List the mistakes in these games."""
        if self._row is not None and self._views is not None:
            self._push(partial(self._views.mistakes, self._row))

    def action_open(self) -> None:
        """Open the newest of these games, at the position of the row."""
        if self._row is not None:
            self.set_aside(GameAt(self._row.games[-1].id, self._row.ply))

    def action_section(self, section: int) -> None:
        self._show_section(section)

    def action_step(self, step: int) -> None:
        self._show_section((self._section + step) % len(SECTIONS))

    def action_leave(self) -> None:
        """Go back to the view before; leave the screen from the first one."""
        if len(self._levels.get(self._section, [])) > 1:
            self.action_back()
        else:
            self.dismiss(None)

    def action_back(self) -> None:
        """Go back to the view before, if there is one."""
        levels = self._levels.get(self._section, [])
        if len(levels) > 1:
            levels.pop()
            self._show()

    @work(group="dialogs")
    async def action_filter(self) -> None:
        """Ask which of the games count."""
        hint = "Such as opponent=bob color=red date=2019.. size=11. Empty: all games."
        value = filter_text(self._chosen, self._names)
        dialog = LineDialog("Filter", hint, player_filter, value)
        chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None:
            self._chosen = chosen
            self._read()


def _columns(view: PlayerView, room: int) -> Columns:
    """Return the columns of a view: the first is cut, then the last are left out, for the room."""
    widths = {}
    for place, head in enumerate(view.heads):
        widest = max([cell_len(row.cells[place]) for row in view.rows], default=0)
        widths[head] = max(widest, cell_len(head)) + _GAP
    first = view.heads[0]
    over = sum(widths.values()) - room
    if over > 0:
        widths[first] = max(widths[first] - over, _LEAST_NAME)
    columns = Columns(widths, {})
    columns.drop(reversed(view.heads[1:]), room)
    return columns
