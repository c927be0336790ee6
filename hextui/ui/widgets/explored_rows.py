"""The lines of the explorer: moves on file, games and the best line, each fitted to a width."""

from dataclasses import dataclass

from rich.style import Style

from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.library.answers import ExploredMove, GameRow
from hextui.records.text import printable
from hextui.records.tree import Turn
from hextui.ui.drawing.palette import Palette, contrasting
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span, TextLine
from hextui.wording import counted, result_words

_BAR = 7  # columns of a result bar
_SHORT_VERDICTS = {
    "winning": "wins",
    "possibly winning": "wins?",
    "losing": "loses",
    "possibly losing": "loses?",
}
CONTRADICTING = "!"
"""Behind the verdict of a move with which games end that one colour won, and games the other."""
_COLUMNS = {
    "move": 7, "verdict": 8, "to": 5, "end": 4, "games": 6, "red won": 8, "rank": 6, "year": 4,
}  # fmt: skip
_DROPPED = ("year", "rank")  # where there is no room, the first one first
_RESULT = 9  # columns of a result: "White won"
_NAME = 16  # characters of a player's name, at most
_DATED = 52  # columns from which a game's whole date has room, not only the year
_SHORT_SWAPS = {"swap-pieces": "swap", "swap-sides": "sides"}


class MoveColumns:
    """The columns of the moves on file: all that have room, the others left out whole."""

    def __init__(self, width: int) -> None:
        self.widths = dict(_COLUMNS)
        for name in _DROPPED:
            if sum(self.widths.values()) > width:
                del self.widths[name]

    @property
    def heading(self) -> tuple[Span, ...]:
        """The heading."""
        return (("".join(f"{name:<{width}}" for name, width in self.widths.items()), BOLD),)

    def line(self, move: "ShownMove") -> TextLine:
        """Return the line of a move."""
        spans = move.spans
        return TextLine(move.move.move, tuple(s for name in self.widths for s in spans[name]))


@dataclass(frozen=True)
class ShownMove:
    """A move on file, whether the record plays it (``here``), and its rank by an evaluator."""

    board: Board
    move: ExploredMove
    turn: Turn | None
    rank: int | None
    palette: Palette

    @property
    def spans(self) -> dict[str, tuple[Span, ...]]:
        """The text of each column."""
        move = self.move
        here = self.turn is not None and self.turn.move in (move.move, *move.same)
        verdict = _SHORT_VERDICTS[move.verdict] + CONTRADICTING * move.ended.contradicting
        answer = short_name(move.refutation, self.board) if move.refutation else ""
        texts = {
            "move": (short_name(move.move, self.board) + " *" * here, BOLD if here else PLAIN),
            "verdict": (verdict, BOLD if move.value.certain else PLAIN),
            "to": (answer, PLAIN),
            "end": (str(move.value.moves), PLAIN),
            "games": (str(move.games), PLAIN),
            "rank": (f"#{self.rank}" if self.rank else "", DIM),
            "year": (str(move.last_year or ""), PLAIN),
        }
        found: dict[str, tuple[Span, ...]] = {
            name: ((f"{text:<{_COLUMNS[name]}}", style),) for name, (text, style) in texts.items()
        }
        bar = result_bar(move.black_wins, move.white_wins, self.palette)
        found["red won"] = (*bar, (" ", PLAIN))
        return found


def short_name(move: Move, board: Board) -> str:
    """Return a move's name, a swap in one word of five letters at most."""
    name = move.name(board)
    return _SHORT_SWAPS.get(name, name)


def best_line(position: Position, line: tuple[Move, ...], width: int) -> str:
    """Return the best line on file, as many of its moves as have room, and how many there are.

    >>> from hextui.engine.board import Board
    >>> moves = tuple(map(Move.play, range(9)))
    >>> best_line(Position.empty(Board(3, 3)), moves, 40)
    'Best line  a1 b1 c1 a2 b2 c2 a3 b3 c3'
    >>> best_line(Position.empty(Board(3, 3)), moves, 34)
    'Best line  a1 b1 c1 .. (9 moves)'
    """
    names = [short_name(move, position.board) for move in line]
    text = f"Best line  {' '.join(names)}"
    for kept in range(len(names), -1, -1):
        if len(text) <= width:
            break
        shown = [*names[:kept], "..", f"({counted(len(names), 'move')})"]
        text = f"Best line  {' '.join(shown)}"
    return text if names else ""


def result_bar(black: int, white: int, palette: Palette) -> tuple[Span, ...]:
    """Return how many in a hundred decided games Red won, on the colours of both in proportion."""
    if black + white == 0:
        return ((" " * _BAR, PLAIN),)
    text = f"{100 * black / (black + white):.0f}%".center(_BAR)
    split = round(_BAR * black / (black + white))
    red, blue = (Style(color=contrasting(color), bgcolor=color) for color in palette.stones)
    return ((text[:split], red), (text[split:], blue))


class GameColumns:
    """The columns of a list of games: result and plies always, as much else as has room."""

    def __init__(self, width: int) -> None:
        self._date = 10 if width >= _DATED else 4
        others = 1 + self._date + 1 + _RESULT + 1 + 4  # and a column for the scroll bar
        self._name = max(4, min((width - others - 3) // 2, _NAME))

    @property
    def heading(self) -> tuple[Span, ...]:
        """The heading."""
        date = "date" if self._date > 4 else "year"
        return ((self._row("players", date, "result", "ply"), BOLD),)

    def line(self, game: GameRow) -> TextLine:
        """Return the line of a game."""
        names = (printable(name)[: self._name] for name in game.names)
        date, result = printable(game.date), printable(result_words(game.winner) or game.how)
        text = self._row(" - ".join(names), date, result, str(game.plies))
        return TextLine(game, ((text, PLAIN),))

    def _row(self, players: str, date: str, result: str, plies: str) -> str:
        date = f"{date[: self._date]:<{self._date}}"
        return f"{players:<{2 * self._name + 3}} {date} {result[:_RESULT]:<{_RESULT}} {plies}"
