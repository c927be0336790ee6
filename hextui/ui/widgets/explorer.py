"""The explorer panel: what the games of the library played here, and how that went."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from hextui.engine.board import Board
from hextui.engine.position import Move, MoveKind, Position
from hextui.library.answers import ExploredMove, Filter, GameRow
from hextui.records.text import printable
from hextui.records.tree import Turn
from hextui.ui.drawing.palette import Palette, contrasting
from hextui.ui.files import read_size
from hextui.ui.live.librarian import LibraryAnswer, LibraryQuestion
from hextui.ui.widgets.lines import BOLD, DIM, PLAIN, LineList, Span, TextLine
from hextui.ui.widgets.panel import Panel, Sight
from hextui.wording import counted

_BAR = 7  # columns of a result bar
_SHORT_VERDICTS = {
    "winning": "wins",
    "possibly winning": "wins?",
    "losing": "loses",
    "possibly losing": "loses?",
}
_NAME = 16  # characters of a player's name, at most
_DATED = 52  # columns from which a game's whole date has room, not only the year
_DIM = 0.15  # seconds that an older answer waits to be dimmed: most answers come sooner
_MOVES_TITLES = f"{'move':<7}{'verdict':<8}{'end':<4}{'games':<7}{'red won':<8}rank  year"
_MOVES_HEADING = ((_MOVES_TITLES, BOLD),)


class ExplorerPanel(Panel):
    """The moves on file with their results, and the games that came here.

    What is shown comes from a thread; until it does, the panel keeps the last answer, dimmed.
    """

    TITLE = "Explorer"
    OF_ANALYSIS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", id="explorer.filter"),
    ]
    DEFAULT_CSS = """
    ExplorerPanel Static { height: 1; color: $text-muted; text-wrap: nowrap; }
    ExplorerPanel Static { text-overflow: ellipsis; }
    ExplorerPanel #explored-moves { height: 3fr; }
    ExplorerPanel #explored-games { height: 2fr; }
    ExplorerPanel.-waiting LineList { opacity: 50%; }
    """

    @dataclass
    class Wanted(Message):
        """The panel is on the screen, and there is no answer for the position yet."""

    @dataclass
    class FilterWanted(Message):
        """The user wants other games to be counted."""

    @dataclass
    class GameChosen(Message):
        """A game is to be opened at the ply where it came here."""

        game: GameRow

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[object, ...] = ()
        self._asked: LibraryQuestion | None = None
        self._answered: LibraryQuestion | None = None
        self._games: tuple[GameRow, ...] = ()

    @property
    def of(self) -> Position | None:
        """The position that was answered about last."""
        return self._answered.position if self._answered else None

    def compose(self) -> ComposeResult:
        """Make the line of what is shown, the moves and the games."""
        yield Static("", markup=False)
        yield LineList(id="explored-moves")
        yield LineList(id="explored-games")

    def fill(self, sight: Sight) -> None:
        """Show the answer for the position, or say that it is being looked for."""
        position, answer = sight.session.position, sight.shown.library
        asked = LibraryQuestion(position, sight.shown.library_filter)
        self._asked = asked
        if answer is None or answer.question != asked:
            self._say("Looking in the library ...")
            self.set_timer(_DIM, self._dim)
            self.post_message(self.Wanted())
            return
        self._answered = asked
        self._dim()
        self._say(_heading(answer))
        snapshot = sight.snapshot
        if snapshot is not None and snapshot.position != position:
            snapshot = None
        ranking = snapshot.rankings.get(sight.shown.evaluator) if snapshot else None
        ranks = {move.cell: move.rank for move in ranking.moves} if ranking else {}
        played = sight.session.next_node
        turn = played.turn if played else None
        shown = (answer, ranks, sight.palette, turn)
        if shown == self._shown:
            return
        self._shown = shown
        self.query_one("#explored-moves", LineList).show(
            [
                _move_line(position.board, move, turn, ranks.get(move.move.cell), sight.palette)
                for move in answer.explored.moves
            ],
            _MOVES_HEADING,
        )
        self._games = answer.games
        self._show_games()

    def on_resize(self) -> None:
        """Fit the columns of the games to the width."""
        self._show_games()

    def _show_games(self) -> None:
        games = self.query_one("#explored-games", LineList)
        columns = _GameColumns(games.size.width)
        games.show([columns.line(game) for game in self._games], columns.heading)

    def _dim(self) -> None:
        """Dim what is still the answer to another question."""
        self.set_class(self._answered != self._asked, "-waiting")

    def _say(self, text: str) -> None:
        self.query_one(Static).update(text, layout=False)

    def action_filter(self) -> None:
        """Ask which games are to be counted."""
        self.post_message(self.FilterWanted())

    @on(LineList.Pointed)
    def _point(self, event: LineList.Pointed) -> None:
        event.stop()
        late = event.late
        if isinstance(event.key, Move) and event.key.kind is MoveKind.PLAY and not late:
            self.post_message(self.Pointed(self.of, event.key.cell))

    @on(LineList.Passed)
    def _go_on(self, event: LineList.Passed) -> None:
        """Go from the last move to the games, and back."""
        event.stop()
        moves, games = self.query(LineList)
        after = games if event.step > 0 else moves
        if after.lines and not after.has_focus:
            after.focus()

    @on(LineList.Chosen)
    def _choose(self, event: LineList.Chosen) -> None:
        event.stop()
        if isinstance(event.key, Move) and not event.late:
            self.post_message(self.Played(self.of, (event.key,)))
        elif isinstance(event.key, GameRow):
            self.post_message(self.GameChosen(event.key))


def _heading(answer: LibraryAnswer) -> str:
    if answer.problem:
        return f"The library cannot be read: {answer.problem}"
    games = answer.explored.games
    count = counted(games, "game") if games else "No game on file"
    return f"{count}, {filter_text(answer.question.chosen)}" if answer.question.chosen else count


def filter_text(chosen: Filter) -> str:
    """Return a filter as one types it: ``player=ann event=cup date=2019``."""
    named = (("player", chosen.player), ("event", chosen.event), ("date", chosen.date))
    words = [f"{name}={value}" for name, value in named if value]
    if chosen.board is not None:
        words.append(f"size={chosen.board}")
    return " ".join(words)


def read_filter(text: str) -> Filter:
    """Read what `filter_text` writes; words without a name belong to the last one, or a player.

    Raises ValueError for a name that is none.
    """
    values: dict[str, list[str]] = {}
    name = "player"
    for word in text.split():
        before, equals, value = word.partition("=")
        if equals:
            name = before.lower()
            if name not in ("player", "event", "date", "size"):
                raise ValueError(f"{before!r} is none of player, event, date, size")
            values[name] = [value]
        else:
            values.setdefault(name, []).append(word)
    words = {name: " ".join(words) for name, words in values.items()}
    board = read_size(words["size"]) if words.get("size") else None
    return Filter(
        words.get("player") or None, words.get("event") or None, words.get("date") or None, board
    )


def _move_line(
    board: Board, move: ExploredMove, turn: Turn | None, rank: int | None, palette: Palette
) -> TextLine:
    here = turn is not None and turn.move in (move.move, *move.same)
    name = move.move.name(board)
    name = {"swap-pieces": "swap", "swap-sides": "sides"}.get(name, name) + " *" * here
    first: tuple[Span, ...] = (
        (f"{name:<7}", BOLD if here else PLAIN),
        (f"{_SHORT_VERDICTS[move.verdict]:<8}", BOLD if move.value.certain else PLAIN),
        (f"{move.value.moves:<3} {move.games:<6} ", PLAIN),
    )
    last: tuple[Span, ...] = (
        (f" {f'#{rank}' if rank else '':<5} ", DIM),
        (str(move.last_year or ""), PLAIN),
    )
    return TextLine(move.move, first + result_bar(move.black_wins, move.white_wins, palette) + last)


def result_bar(black: int, white: int, palette: Palette) -> tuple[Span, ...]:
    """Return how many in a hundred decided games Red won, on the colours of both in proportion."""
    if black + white == 0:
        return ((" " * _BAR, PLAIN),)
    text = f"{100 * black / (black + white):.0f}%".center(_BAR)
    split = round(_BAR * black / (black + white))
    red, blue = (Style(color=contrasting(color), bgcolor=color) for color in palette.stones)
    return ((text[:split], red), (text[split:], blue))


class _GameColumns:
    """The columns of a list of games: result and plies always, as much else as has room."""

    def __init__(self, width: int) -> None:
        self._date = 10 if width >= _DATED else 4
        others = 1 + self._date + 1 + 6 + 1 + 4  # and a column for the scroll bar
        self._name = max(4, min((width - others - 3) // 2, _NAME))

    @property
    def heading(self) -> tuple[Span, ...]:
        """The heading."""
        date = "date" if self._date > 4 else "year"
        return ((self._row("players", date, "result", "ply"), BOLD),)

    def line(self, game: GameRow) -> TextLine:
        """Return the line of a game."""
        names = (printable(name)[: self._name] for name in game.names)
        date, result = printable(game.date), printable(game.result)
        text = self._row(" - ".join(names), date, result, str(game.plies))
        return TextLine(game, ((text, PLAIN),))

    def _row(self, players: str, date: str, result: str, plies: str) -> str:
        date = f"{date[: self._date]:<{self._date}}"
        return f"{players:<{2 * self._name + 3}} {date} {result[:6]:<6} {plies}"
