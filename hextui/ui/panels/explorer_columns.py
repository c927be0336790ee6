"""Rows of the explorer, fitted to a width: moves in the library, games, the best line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rich.style import Style

from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.engine.retrograde import Value
from hextui.library.answers import ExploredMove, GameRow
from hextui.records.record_text import printable
from hextui.records.tree import Turn
from hextui.runs.proportions import proportion
from hextui.text import Names, counted
from hextui.ui.drawing.palette import Palette, contrasting
from hextui.ui.drawing.whole_words import within
from hextui.ui.widgets.columns import Columns
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span, TextLine

_BAR = 7  # columns of a result bar
_SHORT_VERDICTS = {
    "winning": "wins",
    "possibly winning": "wins?",
    "losing": "loses",
    "possibly losing": "loses?",
}
CONTRADICTING = "!"
"""Follows the verdict of a move that ends games with different winners."""
_COLUMNS = {
    "move": 7, "red": 8, "games": 7, "interval": 9, "verdict": 8, "swap": 6, "reply": 6, "rank": 6,
    "year": 5,
}  # fmt: skip
_OFTEN_EMPTY = ("swap", "year", "verdict", "reply")
_EVIDENCE = 20  # columns of "loses?, 1,234 games"
_DROPPED = ("year", "rank", "swap", "reply", "interval")  # without room, the first one first
_LESS_THAN_EVIDENCE = ("year", "rank")  # they make room for the verdict's evidence
_RESULT = 10  # columns of a result, "White won", and a blank
_PLIES = 4  # of which the blank makes room for the scroll bar
_DATE, _YEAR = 11, 5  # columns of a date and of its year, each with a blank
_VERSUS = " - "
_NAME = 16  # characters of a player's name, at most
_DATED, _WITH_YEAR = 52, 31  # columns from which a game's whole date, or its year, has room
_SHORT_SWAPS = {"swap-pieces": "swap", "swap-sides": "sides"}


@dataclass(frozen=True)
class ShownMove:
    """A move in the library, the turn of the record here, and the move's rank by an evaluator.

    ``won``: whether the move is proved to win or to lose; None if neither is proved.
    """

    move: ExploredMove
    turn: Turn | None
    rank: int | None
    palette: Palette
    won: bool | None = None

    @property
    def value(self) -> Value:
        """The value of the move: a proof outranks the games."""
        said = self.move.value
        return said if self.won is None else replace(said, winning=self.won, certain=True)

    @property
    def preference(self) -> tuple[float, ...]:
        """Sorts moves by their verdicts: wins, moves without a verdict, losses."""
        if not self.supported:
            return (0.5,)
        return self.value.preference

    @property
    def supported(self) -> bool:
        """Whether there is a verdict: a proof, or enough games that agree."""
        return self.won is not None or self.move.supported

    @property
    def evidence(self) -> str:
        """The verdict and its evidence: a proof, or the number of games that agree."""
        if not self.supported:
            return self.verdict
        if self.won is not None:
            return f"{self.verdict}, proved"
        if self.value.certain:
            return f"{self.verdict}, certain"
        return f"{self.verdict}, {counted(self.move.agreeing, 'game')}"

    @property
    def verdict(self) -> str:
        """The verdict, '' if neither a proof nor the games support one."""
        move = replace(self.move, value=self.value)
        word = _SHORT_VERDICTS[move.verdict] if self.supported else ""
        return f"{word}{CONTRADICTING}" if move.ended.contradicting else word

    @property
    def is_next(self) -> bool:
        """Whether the record's next turn is this move, or one equal to it by symmetry."""
        return self.turn is not None and self.turn.move in (self.move.played, *self.move.same)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The texts of the columns except that of the results."""
        move = self.move
        value = self.value
        name = short_name(move.played, move.board)
        refuted = move.best_reply if self.supported and not value.winning else None
        return {
            "move": f"{name} *" if self.is_next else name,
            "games": f"{move.games:,}",
            "interval": _interval(move),
            "swap": "" if move.swapped is None else f"{100 * move.swapped / move.games:.0f}%",
            "verdict": self.verdict,
            "reply": short_name(refuted, move.board) if refuted else "",
            "rank": f"#{self.rank}" if self.rank else "",
            "year": str(move.last_year or ""),
        }


def _interval(move: ExploredMove) -> str:
    """Return the 95% interval of the first player's share, in per cent; '' without results."""
    if not move.decided:
        return ""
    share = proportion(move.black_wins, move.decided)
    return f"{100 * share.low:.0f}-{100 * share.high:.0f}%"


def _known_first(value: float | None) -> tuple[float, ...]:
    """Return a sort key: the largest first, unknown values last."""
    return (value is None, -(value or 0))


ORDERS: dict[str, Callable[[ShownMove], tuple[float, ...]]] = {
    "games": lambda m: (-m.move.games,),
    "red": lambda m: _known_first(m.move.red_share),
    "swap": lambda m: _known_first(m.move.swapped and m.move.swapped / m.move.games),
    "verdict": lambda m: m.preference,
    "rank": lambda m: (m.rank is None, m.rank or 0),
    "year": lambda m: _known_first(m.move.last_year),
    "move": lambda m: (m.move.played.cell,),
}
"""By what moves are sorted, the first by default; a tie is as in the library: the best first."""


class MoveColumns(Columns):
    """The columns of the moves in the library: those with room, and with text for any of ``moves``.

    ``order``: one of ORDERS.
    """

    def __init__(
        self, width: int, order: str, moves: Sequence[ShownMove], names: Names = Names.RED_BLUE
    ) -> None:
        super().__init__(_COLUMNS, {"interval": "95% CI", "red": f"{names.both[0]} won"}, order)
        for name in _OFTEN_EMPTY:
            if not any(move.texts[name] for move in moves):
                del self.widths[name]
        self._shows_evidence = self._evidence_fits(width)
        if self._shows_evidence:
            self.widths["verdict"] = _EVIDENCE
        self.drop(_DROPPED, width)
        if self.width - 1 > width:  # all but the blank at the end
            self.widths.pop("verdict", None)

    def _evidence_fits(self, width: int) -> bool:
        """Return whether verdicts are shown, and have room for their evidence."""
        if "verdict" not in self.widths:
            return False
        widths = self.widths | {"verdict": _EVIDENCE}
        needed = sum(widths[name] for name in widths if name not in _LESS_THAN_EVIDENCE)
        return needed <= width

    def order_at(self, column: int) -> str | None:
        """Return the order of the column clicked, if there is one."""
        name = self.name_at(column)
        return {"interval": "red", "reply": None}.get(name or "", name)

    def line(self, move: ShownMove) -> TextLine:
        texts = dict(move.texts)
        if self._shows_evidence:
            texts["verdict"] = move.evidence
        cells: dict[str, Sequence[Span]] = {
            name: ((text, _style_of(name, move)),) for name, text in texts.items()
        }
        bar = result_bar(move.move.black_wins, move.move.white_wins, move.palette)
        cells["red"] = (*bar, ("", PLAIN))
        return self.fitted(move.move.played, cells)


def _style_of(name: str, move: ShownMove) -> Style:
    """Return the style of a move's text in a column: what is less certain is dim."""
    match name:
        case "move":
            return BOLD if move.is_next else PLAIN
        case "interval" | "rank":
            return DIM
        case "verdict" if move.won is not None:
            return BOLD
        case "verdict" | "reply":
            return PLAIN if move.value.certain else DIM
    return PLAIN


def short_name(move: Move, board: Board) -> str:
    """Return a move's name, a swap in one word of five letters at most."""
    name = move.name(board)
    return _SHORT_SWAPS.get(name, name)


def best_line(position: Position, line: tuple[Move, ...], games: int, width: int) -> str:
    """Return as many moves of the best line as have room, how many there are, and its games.

    >>> from hextui.engine.board import Board
    >>> moves = tuple(map(Move.play, range(9)))
    >>> best_line(Position.empty(Board(3, 3)), moves, 1, 50)
    'Best line (1 game)  a1 b1 c1 a2 b2 c2 a3 b3 c3'
    >>> best_line(Position.empty(Board(3, 3)), moves, 12, 45)
    'Best line (12 games)  a1 b1 c1 .. (9 moves)'
    """
    names = [short_name(move, position.board) for move in line]
    label = f"Best line ({counted(games, 'game')})  "
    text = label + " ".join(names)
    for kept in range(len(names), -1, -1):
        if len(text) <= width:
            break
        shown = [*names[:kept], "..", f"({counted(len(names), 'move')})"]
        text = label + " ".join(shown)
    return text if names else ""


def result_bar(black: int, white: int, palette: Palette) -> tuple[Span, ...]:
    """Return how many in a hundred decided games Red won, on the colours of both in proportion."""
    if black + white == 0:
        return ((" " * _BAR, PLAIN),)
    text = f"{100 * black / (black + white):.0f}%".center(_BAR)
    split = round(_BAR * black / (black + white))
    red, blue = (Style(color=contrasting(color), bgcolor=color) for color in palette.stones)
    return ((text[:split], red), (text[split:], blue))


class GameColumns(Columns):
    """The columns of a list of games: players, result and plies always, dates if there is room.

    Dates have none where no game has one.
    """

    def __init__(self, width: int, games: Sequence[GameRow], names: Names = Names.RED_BLUE) -> None:
        self._names = names
        date = _DATE if width >= _DATED else _YEAR
        if width < _WITH_YEAR or not any(game.date for game in games):
            date = 0
        others = date + _RESULT + _PLIES
        self._name = max(4, min((width - others - len(_VERSUS) - 1) // 2, _NAME))
        players = 2 * self._name + len(_VERSUS) + 1
        widths = {"game": players, "date": date, "result": _RESULT, "plies": _PLIES}
        titles = {"date": "date" if date > _YEAR else "year", "plies": "ply"}
        super().__init__({name: wide for name, wide in widths.items() if wide}, titles)

    def line(self, game: GameRow) -> TextLine:
        players = game.label
        if game.is_named:
            players = _VERSUS.join(within(printable(name), self._name) for name in game.names)
        date = game.date[: self.widths.get("date", 1) - 1]
        result = self._names.result(game.winner) or game.how
        texts = {"game": players, "date": date, "result": result, "plies": str(game.plies)}
        return self.fitted(game, {name: printable(text) for name, text in texts.items()})
