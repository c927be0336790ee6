"""The graph of a game as lines of text: one curve, Red's side up and Blue's down.

Where a winner is proved the curve stands at the end of its side and is solid; elsewhere it is
pale, and as high as the winner's side is ahead by resistance. An engine that tells win rates has a
dotted curve before it: at the top Red is certain to win, at the even line it is one in two. Above
stand the mistakes, below the plies, and what is known of the ply looked at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from operator import itemgetter

from rich.style import Style
from rich.text import Text

from hextui.analysis.levels import Level
from hextui.analysis.stations import Station
from hextui.engine.board import Color
from hextui.engines.attached.engine_names import engine_in
from hextui.ui.drawing.painter import style
from hextui.ui.drawing.palette import Palette, blend, contrasting
from hextui.ui.live.survey import Survey
from hextui.wording import player_name

LABEL = 6  # columns before the plot
MOST_CURVE = 15  # lines
_LEAST_CURVE = 3
_WIDEST = 6  # columns of a ply
_PALE = 0.45  # how much of its colour a judged stretch has
UPPER_HALF = "▀"
EVEN = "─"
RATE = "•"
_LEGEND = {True: "solid = proved", False: "pale = resistance"}  # of proved levels, and judged


@dataclass(frozen=True)
class Plan:
    """Which plies, from 0 to ``last``, stand in which of the ``columns`` of the plot.

    A ply has some columns, or a column has some plies.
    """

    last: int
    columns: int

    @staticmethod
    def of(stations: Sequence[Station], columns: int) -> "Plan":
        """Return the plan for a plot of at most so many columns."""
        last = stations[-1].ply if stations else 0
        return Plan(last, max(1, min(columns, _WIDEST * (last + 1))))

    def column(self, ply: int) -> int:
        """Return the first column of a ply."""
        return ply * self.columns // (self.last + 1)

    def plies(self, column: int) -> range:
        """Return the plies of a column; beyond the last column those of the last."""
        column, count = min(max(column, 0), self.columns - 1), self.last + 1
        first = ceil(column * count / self.columns)
        if first > self.last or self.column(first) > column:
            first -= 1
        return range(first, max(first + 1, ceil((column + 1) * count / self.columns)))


@dataclass(frozen=True)
class Graph:
    """What is drawn, for whom, and how large."""

    survey: Survey
    focus: str
    ply: int
    palette: Palette
    width: int
    height: int

    @property
    def plan(self) -> Plan:
        """Where the plies are."""
        return Plan.of(self.survey.stations, self.width - LABEL)

    def lines(self) -> list[Text]:
        """Return the lines, at most ``height``: what there is no room for is left out whole."""
        beside = min(max(self.height - _LEAST_CURVE, 1), 3)
        rows = min(self.height - beside, MOST_CURVE)
        rows -= 1 - rows % 2  # the even line stands in the middle
        curve = self._curve(rows) if rows >= _LEAST_CURVE else []
        above, below = [self._marks()][: beside - 1], [self._words()][: max(beside - 2, 0)]
        return [*above, *curve, self._axis(), *below][: self.height]

    # The lines

    def _marks(self) -> Text:
        """Return each mistake's mark at its column, with the move's name where there is room."""
        plan, room = self.plan, self.width - LABEL
        line, taken = Text(" " * (LABEL + room), no_wrap=True), [False] * room
        for entry in self.survey.mistakes(self.focus):
            column = plan.column(min(entry.moves[0].ply, plan.last))
            for text in (f"{entry.mark} {entry.name}", entry.mark, entry.mark[:1]):
                start = min(column, room - len(text))
                around = slice(max(start - 1, 0), start + len(text) + 1)
                if start < 0 or any(taken[around]):
                    continue
                taken[start : start + len(text)] = [True] * len(text)
                look = Style(color=self.palette.ink(entry.color), bold=entry.mark == "??")
                at = LABEL + start
                line = line[:at] + Text(text, look) + line[at + len(text) :]
                break
        line.no_wrap = True
        return line

    def _curve(self, rows: int) -> list[Text]:
        """Return the curve, two pixels a line, filled from the even line on."""
        columns = (self._column(column) for column in range(self.plan.columns))
        runs = [(column, len(list(run))) for column, run in groupby(columns)]
        red, blue = map(player_name, Color)
        labels = {0: red, rows // 2: "even", rows - 1: blue}
        lines = []
        for row in range(rows):
            text = Text(f"{labels[row]:<{LABEL}}" if row in labels else " " * LABEL, no_wrap=True)
            if row in (0, rows - 1):
                text.stylize(self.palette.ink(Color.BLACK if row == 0 else Color.WHITE), 0, LABEL)
            # A run of like characters is one piece: each piece costs as much as it is painted.
            pieces = [(self._piece(row, rows, *column), width) for column, width in runs]
            for (character, look), like in groupby(pieces, key=itemgetter(0)):
                text.append(character * sum(width for _, width in like), look)
            lines.append(text)
        return lines

    def _column(self, column: int) -> tuple[Level | None, float | None, str]:
        """Return what is known of the last of a column's plies of which anything is, and ground.

        That is who is ahead, and Red's win rate.
        """
        plies = self.plan.plies(column)
        known = (self.survey.levels[ply] for ply in reversed(plies) if ply in self.survey.levels)
        _, rates = self._rates
        told = (rates[ply] for ply in reversed(plies) if ply in rates)
        ground = self.palette.shades[2 if self.ply in plies else 0]
        return next(known, None), next(told, None), ground

    @property
    def _rates(self) -> tuple[str, dict[int, float]]:
        return self.survey.win_rates(self.focus)

    def _piece(
        self, row: int, rows: int, level: Level | None, rate: float | None, back: str
    ) -> tuple[str, Style]:
        """Return the character of a column in a line, and how it looks."""
        if rate is not None and row == round((1 - rate) * (rows - 1)):
            ground = self._pixel(level, 2 * row, rows, back)
            return RATE, style(contrasting(ground), ground, True)
        upper, lower = (self._pixel(level, y, rows, back) for y in (2 * row, 2 * row + 1))
        if row == rows // 2 and upper == lower:
            return EVEN, style(self.palette.coordinates, back, False)
        return UPPER_HALF, style(upper, lower, False)

    def _pixel(self, level: Level | None, y: int, middle: int, back: str) -> str:
        """Return the colour at height ``y`` from the top, the even line being above ``middle``."""
        if level is None:
            return back
        away = middle - y if level.color is Color.BLACK else y - middle + 1
        if not 0 < away <= max(round(level.share * middle), level.share > 0):
            return back
        ink = self.palette.ink(level.color)
        return ink if level.proved else blend(self.palette.shades[0], ink, _PALE)

    def _axis(self) -> Text:
        """Return the numbers of plies, as many as stand apart, and that of the ply looked at."""
        plan = self.plan
        room = plan.columns + len(str(plan.last))
        cells = [" "] * max(min(room, self.width - LABEL), 0)
        for ply in (self.ply, *_ticks(plan)):
            number = str(ply)
            at = min(plan.column(ply), len(cells) - len(number))
            around = cells[max(at - 1, 0) : at + len(number) + 1]
            if at >= 0 and not "".join(around).strip():
                cells[at : at + len(number)] = number
        text = Text("ply".ljust(LABEL) + "".join(cells), "dim", no_wrap=True)
        number = str(self.ply)
        at = LABEL + min(plan.column(self.ply), max(len(cells) - len(number), 0))
        text.stylize("bold not dim", at, at + len(number))
        return text

    def _words(self) -> Text:
        """Return the progress, or what is known of the ply looked at, and the legend."""
        progress, known = self.survey.progress, bool(self.survey.levels)
        name, rates = self._rates
        parts = [self._told(name, rates)] if name else []
        parts += [self._here()] if known else []
        if progress is not None:
            parts.insert(0, f"{progress.label}: {progress.done} of {progress.total}")
        elif not known and not name:
            parts.append("not analysed yet: a analyses the game")
        parts += [self._legend()] if known else []
        text = ""
        for part in parts:
            longer = f"{text}   {part}" if text else part
            if len(longer) <= self.width:
                text = longer
        return Text(text, "dim", no_wrap=True)

    def _legend(self) -> str:
        """Return what the ways of drawing mean, as far as they are drawn."""
        drawn = {level.proved for level in self.survey.levels.values()}
        return "  ".join(words for proved, words in _LEGEND.items() if proved in drawn)

    def _told(self, name: str, rates: dict[int, float]) -> str:
        """Return whose the dotted curve is, and what it says of the ply looked at."""
        rate = rates.get(self.ply)
        said = "" if rate is None else f" {player_name(Color.BLACK)} {100 * rate:.0f}%"
        return f"{RATE} {engine_in(name) or name}{said}"

    def _here(self) -> str:
        level = self.survey.levels.get(self.ply)
        if level is None:
            return f"ply {self.ply}: unknown"
        side = player_name(level.color)
        what = "wins, proved" if level.proved else "is ahead"
        return f"ply {self.ply}: {side} {what}"


def _ticks(plan: Plan) -> Iterator[int]:
    """Yield the plies that are named: from 0 on in even steps, at least five columns apart."""
    steps = (1, 2, 5, 10, 20, 50, 100)
    step = next((s for s in steps if s * plan.columns >= 5 * (plan.last + 1)), steps[-1])
    yield from range(0, plan.last + 1, step)
