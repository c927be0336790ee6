"""The table of moves as lines: verdicts first, then evaluators, as many columns as have room."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING

from rich.style import Style

from hextui.engine.board import Board
from hextui.engine.evaluators import class_of, scale_of
from hextui.engine.evaluators.base import per_cent_text
from hextui.engines.engine_config import engine_in
from hextui.ui.drawing.overlays import value_shares
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span, TextLine

if TYPE_CHECKING:
    from hextui.engine.ranking import Ranking
    from hextui.engines.snapshot import SearchReport

MOST_FIGURES = 10
"""Values that are the same in so many figures look the same."""
_BAR = 5  # columns of a bar
_GAP = 1  # columns before an evaluator's


@dataclass(frozen=True)
class MoveList:
    """What there is to list: rankings by evaluator, the one in focus, the record's move, proofs.

    ``verdicts`` says of the moves whose verdict is proved whether they win; ``good`` is the colour
    of those that do. ``late``: who is to be in focus once it ranks, '' if it does.
    """

    board: Board
    rankings: "Mapping[str, Ranking]"
    focus: str
    played: int | None
    verdicts: Mapping[int, bool]
    good: str
    report: "SearchReport | None" = None
    problem: str = ""
    late: str = ""

    def ordered(self) -> list[int]:
        """Return the moves: wins, what is not proved, losses, each by the evaluator in focus.

        Moves that it does not rank come behind those that it does.
        """
        rankings = (self.rankings[self.focus], *self.rankings.values())
        cells = (move.cell for ranking in rankings for move in ranking.moves)
        return sorted(dict.fromkeys(cells), key=lambda cell: _PROVED[self.verdicts.get(cell)])


_PROVED = {True: 0, None: 1, False: 2}


@dataclass(frozen=True)
class _Column:
    """A column: its heading and the spans of each line."""

    heading: str
    cells: Sequence[tuple[Span, ...]]

    @property
    def width(self) -> int:
        return len(self.heading)


def table(
    moves: MoveList, cells: Sequence[int], width: int
) -> tuple[tuple[Span, ...], list[TextLine]]:
    """Return the heading and a line for each move.

    What fits into ``width`` is shown: the moves, the verdicts if there are any, and the evaluator
    in focus always, if need be without its bars, others from left to right. No column is ever cut.
    """
    columns = [_names(moves, cells)]
    if moves.verdicts:
        columns.append(_verdicts(moves, cells))
    in_focus = moves.rankings[moves.focus]
    column = _values(in_focus, moves.focus, cells)
    if sum(one.width for one in columns) + column.width > width:
        column = _values(in_focus, moves.focus, cells, with_bars=False)
    columns.append(column)
    for column in _engine_columns(moves.report, cells) if moves.report else ():
        if sum(one.width for one in columns) + column.width <= width:
            columns.append(column)
    for name in (name for name in moves.rankings if name != moves.focus):
        column = _values(moves.rankings[name], name, cells)
        if sum(one.width for one in columns) + column.width > width:
            break
        columns.append(column)
    heading = tuple((column.heading, BOLD) for column in columns)
    lines = [
        TextLine(cell, tuple(span for column in columns for span in column.cells[row]))
        for row, cell in enumerate(cells)
    ]
    return heading, lines


def _names(moves: MoveList, cells: Sequence[int]) -> _Column:
    texts = [moves.board.name(cell) + " *" * (cell == moves.played) for cell in cells]
    wide = max(map(len, ("move", *texts))) + 1
    spans = [
        ((f"{text:<{wide}}", BOLD if cell == moves.played else PLAIN),)
        for cell, text in zip(cells, texts, strict=True)
    ]
    return _Column(f"{'move':<{wide}}", spans)


def _verdicts(moves: MoveList, cells: Sequence[int]) -> _Column:
    said = {True: ("wins", Style(color=moves.good, bold=True)), False: ("loses", DIM)}
    found = [
        said[moves.verdicts[cell]] if cell in moves.verdicts else ("", PLAIN) for cell in cells
    ]
    return _Column("verdict ", [((f"{text:<8}", style),) for text, style in found])


def _values(ranking: "Ranking", name: str, cells: Sequence[int], with_bars: bool = True) -> _Column:
    """Return an evaluator's column: a bar, the value in three figures, the rank."""
    bars = _BAR + 1 if with_bars else 0
    found = [ranking.by_cell.get(cell) for cell in cells]
    scale = scale_of(name)
    write = scale.text if scale else number
    read = [write(move.value) if move else "" for move in found]
    title = f"{short_name(name)} {scale.short}" if scale else short_name(name)
    wide = max(len(title) - bars, *map(len, read), 0)
    shares = value_shares(name, ranking.moves)
    spans = [
        (
            (" " * _GAP, PLAIN),
            (f"{bar(shares[move.cell]) if move and bars else '':<{bars}}", DIM),
            (f"{value:>{wide}}", PLAIN),
            (f"{move.rank if move else '':>4}", DIM),
        )
        for move, value in zip(found, read, strict=True)
    ]
    return _Column(f"{'':<{_GAP}}{title:<{bars + wide}}{'#':>4}", spans)


def _engine_columns(report: "SearchReport", cells: Sequence[int]) -> Iterator[_Column]:
    """Yield the columns of an engine's visits and policy, if it tells them."""
    moves = {move.cell: move for move in report.moves}
    found = [moves.get(cell) for cell in cells]
    columns = {
        "visits": [short_count(move.visits) if move and move.visits else "" for move in found],
        "policy": ["" if not move or move.prior is None else percent(move.prior) for move in found],
    }
    for title, texts in columns.items():
        if any(texts):
            wide = max(len(title), *map(len, texts))
            spans = [((f"{'':<{_GAP}}{text:>{wide}}", PLAIN),) for text in texts]
            yield _Column(f"{'':<{_GAP}}{title:>{wide}}", spans)


def bar(share: float) -> str:
    """Return a bar of up to five columns, in halves.

    >>> bar(1.0), bar(0.5), bar(0.0)
    ('█████', '██▌', '')
    """
    halves = round(2 * _BAR * share)
    return "█" * (halves // 2) + "▌" * (halves % 2)


def short_name(name: str) -> str:
    """Return a short form of an evaluator's name.

    >>> short_name("contribution-own:2"), short_name("engine(katahex)")
    ('own:2', 'katahex')
    >>> short_name("minimax(k-paths:1)")
    'mm(paths:1)'
    """
    if (engine := engine_in(name)) is not None:
        return engine
    outer, bracket, inner = name.partition("(")
    if bracket and inner.endswith(")"):
        return f"{'mm' if outer == 'minimax' else outer}({short_name(inner[:-1])})"
    found = class_of(name)
    return found.short + name.removeprefix(found.method) if found else name


@lru_cache(64)
def figures(values: tuple[float, ...]) -> int:
    """Return how many figures tell all different finite values apart: 3 to MOST_FIGURES.

    >>> figures((0.99998, 0.99996, 0.5))
    5
    """
    ordered = sorted({value for value in values if isfinite(value)})
    wanted = 3
    for low, high in pairwise(ordered):
        while wanted < MOST_FIGURES and f"{low:.{wanted}g}" == f"{high:.{wanted}g}":
            wanted += 1
    return wanted


def number(value: float, figures: int = 3) -> str:
    """Return a value in so many figures; ``inf`` and ``-inf`` for infinite ones.

    >>> number(0.98765), number(12.3456), number(123456), number(float("-inf"))
    ('0.988', '12.3', '1.23e+05', '-inf')
    """
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return f"{value:#.{figures}g}".removesuffix(".")


def percent(share: float) -> str:
    """Return a share of 1 in per cent.

    >>> percent(0.5916), percent(0.0071), percent(0.0001), percent(1.0)
    ('59.2%', '0.7%', '<0.1%', '100%')
    """
    return f"{per_cent_text(share)}%"


def short_count(count: int) -> str:
    """Return how many there are in at most five characters.

    >>> short_count(999), short_count(12_345), short_count(99_950), short_count(4_560_000)
    ('999', '12.3k', '100k', '4.6m')
    """
    if count < 1000:
        return str(count)
    thousands = count / 1000
    if thousands < 999.5:
        return f"{thousands:.1f}k" if thousands < 99.95 else f"{thousands:.0f}k"
    return f"{thousands / 1000:.1f}m"
