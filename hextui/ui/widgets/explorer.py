"""The explorer panel: what the games of the library played here, and how that went."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import DataTable, Static

from hextui.engine.position import MoveKind
from hextui.library.answers import ExploredMove, Filter, GameRow
from hextui.records.text import printable
from hextui.ui.files import read_size
from hextui.ui.librarian import Answer, Question
from hextui.ui.palette import Palette, contrasting
from hextui.ui.widgets.panel import Panel, Sight
from hextui.ui.widgets.tables import MoveTable

_BAR = 7  # columns of a result bar
_SHORT_VERDICTS = {
    "winning": "wins",
    "possibly winning": "wins?",
    "losing": "loses",
    "possibly losing": "loses?",
}
_NAME = 12  # characters of a player's name


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
    ExplorerPanel DataTable { background: transparent; }
    ExplorerPanel #explored-moves { height: 3fr; }
    ExplorerPanel #explored-games { height: 2fr; }
    ExplorerPanel.-waiting DataTable { opacity: 50%; }
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
        self._moves: dict[str, ExploredMove] = {}
        self._games: dict[str, GameRow] = {}

    def compose(self) -> ComposeResult:
        """Make the line of what is shown, the moves and the games."""
        yield Static("", markup=False)
        yield MoveTable(id="explored-moves", cursor_type="row", zebra_stripes=True, cell_padding=0)
        yield MoveTable(id="explored-games", cursor_type="row", cell_padding=0)

    def on_mount(self) -> None:
        """Make the columns."""
        moves, games = self.query(MoveTable)
        for name, width in (("move", 6), ("verdict", 7), ("end", 4), ("games", 6),
                            ("red won", _BAR + 1), ("rank", 5), ("year", 4)):  # fmt: skip
            moves.add_column(name, width=width)
        for name, width in (("players", 2 * _NAME + 3), ("date", 11), ("result", 7), ("plies", 5)):
            games.add_column(name, width=width)

    def fill(self, sight: Sight) -> None:
        """Show the answer for the position, or say that it is being looked for."""
        position, answer = sight.session.position, sight.shown.library
        asked = Question(position, sight.shown.library_filter)
        if answer is None or answer.question != asked:
            self._say("Looking in the library ...")
            self.add_class("-waiting")
            self.post_message(self.Wanted())
            return
        self.remove_class("-waiting")
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
        self._say(_heading(answer))
        moves, games = self.query(MoveTable)
        with self.app.batch_update(), self.prevent(DataTable.RowHighlighted):
            board = position.board
            self._moves = {move.move.name(board): move for move in answer.explored.moves}
            selected = moves.selected
            moves.clear()
            for name, move in self._moves.items():
                here = turn is not None and turn.move in (move.move, *move.same)
                rank = ranks.get(move.move.cell)
                moves.add_row(*_row(name, here, move, rank, sight.palette), key=name)
            if selected in self._moves:
                moves.move_cursor(row=moves.get_row_index(selected), scroll=False)
            games_before = self._games
            self._games = {str(game.id): game for game in answer.games}
            if self._games != games_before:
                games.clear()
                for key, game in self._games.items():
                    games.add_row(*_game(game), key=key)

    def _say(self, text: str) -> None:
        self.query_one(Static).update(text, layout=False)

    def action_filter(self) -> None:
        """Ask which games are to be counted."""
        self.post_message(self.FilterWanted())

    @on(DataTable.RowHighlighted, "#explored-moves")
    def _point(self, event: DataTable.RowHighlighted) -> None:
        event.stop()
        move = self._moves.get(event.row_key.value or "")
        if event.data_table.has_focus and move and move.move.kind is MoveKind.PLAY:
            self.post_message(self.Pointed(move.move.cell))

    @on(MoveTable.Chosen)
    def _choose(self, event: MoveTable.Chosen) -> None:
        event.stop()
        if event.key in self._moves:
            self.post_message(self.Played((self._moves[event.key].move,)))
        elif event.key in self._games:
            self.post_message(self.GameChosen(self._games[event.key]))


def _heading(answer: Answer) -> str:
    if answer.problem:
        return f"The library cannot be read: {answer.problem}"
    games = answer.explored.games
    count = f"{games} game{'s' * (games != 1)}" if games else "No game on file"
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


def _row(
    name: str, here: bool, move: ExploredMove, rank: int | None, palette: Palette
) -> tuple[Text, ...]:
    verdict = Text(_SHORT_VERDICTS[move.verdict], "bold" if move.value.certain else "")
    short = {"swap-pieces": "swap", "swap-sides": "sides"}.get(name, name)
    return (
        Text(short + " *" * here, "bold" * here),
        verdict,
        Text(str(move.value.moves)),
        Text(str(move.games)),
        result_bar(move.black_wins, move.white_wins, palette),
        Text(f"#{rank}" if rank else "", "dim"),
        Text(str(move.last_year or "")),
    )


def result_bar(black: int, white: int, palette: Palette) -> Text:
    """Return how many in a hundred decided games Red won, on the colours of both in proportion."""
    if black + white == 0:
        return Text()
    text = f"{100 * black / (black + white):.0f}%".center(_BAR)
    split = round(_BAR * black / (black + white))
    bar = Text(text)
    for begin, end, color in ((0, split, palette.stones[0]), (split, _BAR, palette.stones[1])):
        bar.stylize(Style(color=contrasting(color), bgcolor=color), begin, end)
    return bar


def _game(game: GameRow) -> tuple[Text, ...]:
    players = " - ".join(printable(name)[:_NAME] or "?" for name in (game.black, game.white))
    return (
        Text(players),
        Text(printable(game.date)[:10]),
        Text(printable(game.result)[:6]),
        Text(str(game.plies)),
    )
