"""The ladder on the screen: results by level, size and colour, the rating, and its course."""

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.widgets import Static

from hextui.engines.levels import LEVELS
from hextui.locations import named_path
from hextui.records.record_text import RecordError
from hextui.records.saving import save_file
from hextui.runs.proportions import Interval
from hextui.text import Names
from hextui.train.kept_games import KeptGame
from hextui.train.ladder import Ladder, ladder_csv
from hextui.train.play_settings import player_words
from hextui.ui.panels.value_texts import bar
from hextui.ui.screens.dialogs import Choice, LineDialog, ListDialog
from hextui.ui.screens.message_screen import MessageScreen
from hextui.ui.widgets.frame import ScreenKeys

_SCALE = 4  # columns of the levels beside the curve
_NOTHING = "Play games against a level first"


class LadderScreen(MessageScreen[int | KeptGame]):
    """Shows the results against the levels; returns the level to play next or a game to review."""

    ABOUT = (
        "Your results against the levels. Games count that were played from the empty board to "
        "the end, without hints, remarks of the coach and taking back. The rating uses your newest "
        "30 games."
    )
    BINDINGS = [
        ("l", "play", "Play the level suggested"),
        ("g", "games", "Games"),
        ("x", "export", "Export as CSV"),
        ("escape", "dismiss", "Back"),
    ]
    DEFAULT_CSS = """
    LadderScreen #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    LadderScreen VerticalScroll { height: 1fr; padding: 1; }
    LadderScreen #table { height: auto; margin: 1 0; }
    """

    def __init__(self, games: Sequence[KeptGame], names: Names) -> None:
        super().__init__()
        self._games = [game for game in games if game.won is not None]
        self._names = names
        self._ladder = Ladder.of(games)

    def compose(self) -> ComposeResult:
        yield Static("Ladder", id="title", markup=False)
        with VerticalScroll():
            yield Static(self._ladder.words, id="rating", markup=False)
            yield Static("\n".join(self._rows()), id="table", markup=False)
            yield Static(id="curve", markup=False)
        yield ScreenKeys()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Leave out what needs a game while there is none."""
        return _NOTHING if action in ("export", "games") and not self._games else ""

    def _rows(self) -> list[str]:
        rows = self._ladder.rows
        if not rows:
            return []
        lines = [f"{'level':<7}{'size':<8}{'colour':<8}{'won':>7}"]
        for row in rows:
            color = self._names.player(row.color)
            won = f"{row.won}/{row.games}"
            share = bar(row.won / row.games)
            lines.append(f"{row.level:<7}{row.size:<8}{color:<8}{won:>7}  {share}")
        return lines

    @on(Resize)
    def _show_curve(self) -> None:
        columns = max(self.size.width - _SCALE - 3, 1)
        lines = curve(self._ladder.ratings[-columns:])
        self.query_one("#curve", Static).update("\n".join(lines))

    def action_play(self) -> None:
        self.dismiss(self._ladder.next_level)

    @work(group="dialogs")
    async def action_games(self) -> None:
        """List the games that are over, the newest first; one that is chosen is reviewed."""
        newest = list(reversed(self._games))
        rows = [Choice("", self._line(game), str(place)) for place, game in enumerate(newest)]
        dialog = ListDialog("Your games", "Enter or a click opens a game in Review.", rows, 0)
        place = await self.app.push_screen_wait(dialog)
        if place is not None:
            self.set_aside(newest[int(place)])

    def _line(self, game: KeptGame) -> str:
        begun = datetime.fromisoformat(game.begun).astimezone()
        opponent = player_words(game.settings.opponent)
        about = f"{game.settings.size!s:<6} {self._names.player(game.color):<6}"
        won = "won" if game.won else "lost"
        return f"{begun:%Y-%m-%d %H:%M}  {opponent:<10} {about} {won:<5} {game.ply} plies"

    @work(group="dialogs")
    async def action_export(self) -> None:
        """Write all games that are over to a file."""
        hint = "A CSV file: one line for each game that is over."
        dialog = LineDialog("Export the ladder", hint, _read_target, "ladder.csv")
        path = await self.app.push_screen_wait(dialog)
        if path is None:
            return
        try:
            save_file(path, ladder_csv(self._games))
        except RecordError as error:
            self.complain(error)
        else:
            self.message_line.say(f"Saved {path}", 4)


def _read_target(text: str) -> Path:
    path = named_path(text)
    if not text:
        raise ValueError("a file needs a name")
    if os.path.exists(path):
        raise ValueError(f"{text} exists already: choose another name")
    return path


def curve(ratings: Sequence[Interval]) -> list[str]:
    """Return lines that show ratings from left to right on the scale of the levels.

    >>> curve([Interval(2.2, 1.0, 3.1)])[-3:]
    ['  2 o', '  1 :', '     oldest to newest game; o rating, : 95% CI']
    """
    if not ratings:
        return []
    lines = []
    for level in range(len(LEVELS) + 1, 0, -1):
        signs = [_sign(rating, level) for rating in ratings]
        label = "" if level > len(LEVELS) else str(level)
        lines.append(f"{label:>{_SCALE - 1}} {''.join(signs)}".rstrip())
    return [*lines, "     oldest to newest game; o rating, : 95% CI"]


def _sign(rating: Interval, level: int) -> str:
    if max(round(rating.value), 1) == level:
        return "o"
    return ":" if round(rating.low) <= level <= round(rating.high) else " "
