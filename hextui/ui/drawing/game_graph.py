"""The graph of a game as lines of text: values over the plies, and how moves are ranked.

Columns are stretches of plies, the same in all parts. The curve shows the value of the best move
by the evaluator in focus, at each ply from the view of the side to move: so one curve a player.
Below it a strip an evaluator shows where the moves made are ranked, Black's in the upper half of
the line and White's in the lower: the brighter, the worse.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite, log

from rich.style import Style
from rich.text import Text

from hextui.analysis.stations import Station
from hextui.engine.board import Color
from hextui.ui.drawing.palette import Palette, blend, contrasting, heat_color
from hextui.ui.live.survey import Survey
from hextui.ui.widgets.moves_panel import heading_of
from hextui.wording import player_name

LABEL = 10  # columns before the plot
LEAST_CURVE = 4  # lines
UPPER_HALF = "▀"
# ratios with balance at 1, seen best as logarithms
_RATIOS = ("k-paths", "shortest-path")


@dataclass(frozen=True)
class Plan:
    """Which plies stand in which column of the plot: ``plies`` in each ``width`` columns."""

    last: int
    plies: int
    width: int

    @staticmethod
    def of(stations: Sequence[Station], columns: int) -> "Plan":
        """Return the plan for a plot of so many columns; a group has at least two plies."""
        last = stations[-1].ply if stations else 0
        groups = max(columns, 1)
        plies = max(2, 2 * ceil((last + 1) / (2 * groups)))
        return Plan(last, plies, max(1, min(3, groups // ceil((last + 1) / plies))))

    @property
    def columns(self) -> int:
        """The columns that are used."""
        return ceil((self.last + 1) / self.plies) * self.width

    def column(self, ply: int) -> int:
        """Return the first column of a ply."""
        return ply // self.plies * self.width

    def first_ply(self, column: int) -> int:
        """Return the first ply of a column, the last group's at most."""
        return min(max(column, 0) // self.width, self.last // self.plies) * self.plies


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
        """Return the lines, at most ``height``."""
        names = self.survey.names
        strips = len(names)
        table = 0
        curve = self.height - 3 - strips
        if curve - strips - 1 >= LEAST_CURVE + 1:
            table = strips + 1
            curve -= table
        if curve < LEAST_CURVE:
            curve = 0
        lines = [self._title()]
        lines += self._curve(min(curve, 16)) if curve else []
        lines.append(self._axis())
        lines += [self._strip(name) for name in names]
        lines.append(self._here())
        lines += self._table() if table else []
        return lines[: self.height]

    def _title(self) -> Text:
        text = Text(self.focus, "bold", no_wrap=True, overflow="ellipsis")
        text.append("  best move")
        for color in Color:
            text.append(f"  {player_name(color)}", Style(color=self._ink(color), bold=True))
        progress = self.survey.progress
        if progress is not None:
            text = Text(f"{progress.label} {progress.done} of {progress.total}  ", "bold") + text
        return text

    def _ink(self, color: Color) -> str:
        return self.palette.ink(color)

    # The curve

    def _curve(self, rows: int) -> list[Text]:
        """Return the curve with its scale, two pixels a line."""
        scale = self._scale()
        pixels: dict[tuple[int, int], set[Color]] = {}
        plan, height = self.plan, 2 * rows
        for color in Color:
            before: int | None = None
            for column in range(0, plan.columns, plan.width):
                value = self._value(column, color)
                if value is None:
                    continue
                at = min(int((1 - scale.place(value)) * height), height - 1)
                start = at if before is None else before
                for y in range(min(at, start), max(at, start) + 1):
                    pixels.setdefault((column, y), set()).add(color)
                for x in range(column + 1, column + plan.width):
                    pixels.setdefault((x, at), set()).add(color)
                before = at
        labels = scale.labels(rows)
        return [
            Text(labels.get(row, "").rjust(LABEL - 1) + " ", "dim", no_wrap=True)
            + self._pixel_line(pixels, row, row == scale.balance_row(rows))
            for row in range(rows)
        ]

    def _value(self, column: int, color: Color) -> float | None:
        """Return the last known value of a column's plies at which this colour is to move."""
        plan, found = self.plan, None
        first = plan.first_ply(column)
        for station in self.survey.stations:
            if first <= station.ply < first + plan.plies and station.position.to_move is color:
                judged = self.survey.judgements.of(station, self.focus)
                found = judged.value if judged else found
        return found

    def _scale(self) -> "Axis":
        judged = [self.survey.judgements.of(s, self.focus) for s in self.survey.stations]
        values = [found.value for found in judged if found and isfinite(found.value)]
        if self.focus.startswith(_RATIOS):
            top = max([2.0, *(max(v, 1 / v) for v in values if v > 0)])
            return Axis(-log(top), log(top), lambda v: log(v) if v > 0 else -inf, (top, 1 / top))
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        return Axis(low, high, lambda v: v, (high, low))

    def _pixel_line(
        self, pixels: dict[tuple[int, int], set[Color]], row: int, balance: bool
    ) -> Text:
        text = Text()
        ground = self.palette.shades[1 if balance else 0]
        here = self.plan.column(self.ply)
        for x in range(self.plan.columns):
            back = self.palette.shades[2] if here <= x < here + self.plan.width else ground
            upper, lower = pixels.get((x, 2 * row)), pixels.get((x, 2 * row + 1))
            colors = (self._pixel(upper, back), self._pixel(lower, back))
            text.append(UPPER_HALF, Style(color=colors[0], bgcolor=colors[1]))
        return text

    def _pixel(self, colors: set[Color] | None, back: str) -> str:
        if not colors:
            return back
        if len(colors) == 2:
            return self.palette.mark
        return self._ink(next(iter(colors)))

    # Below the curve

    def _axis(self) -> Text:
        """Return the line of the plies: where one is, and on which of them who is proved to win."""
        plan = self.plan
        text = Text(f"{'ply':>{LABEL - 5}}{self.ply:>4} ", "dim", no_wrap=True)
        winners: dict[int, Color] = {}
        for station in self.survey.stations:
            verdict = self.survey.judgements.verdict(station.position)
            if verdict:
                winners.setdefault(plan.column(station.ply), verdict.winner)
        here = plan.column(self.ply)
        for column in range(0, plan.columns, plan.width):
            winner = winners.get(column)
            back = self.palette.bands[winner - 1] if winner else self.palette.shades[2]
            mark = "^" if column == here else "()<>"[2 * (winner - 1)] if winner else " "
            style = Style(color=contrasting(back), bgcolor=back, bold=True)
            text.append(mark.ljust(plan.width), style)
        return text

    def _strip(self, name: str) -> Text:
        """Return how an evaluator ranks the moves made; of several in a column, the worst."""
        plan = self.plan
        worst: dict[tuple[int, Color], float] = {}
        for station in self.survey.stations:
            quality = self.survey.judgements.quality(station, name)
            if quality is not None:
                key = (plan.column(station.ply), station.position.to_move)
                worst[key] = max(worst.get(key, 0.0), 1 - quality.mid_q)
        label = heading_of(name).ljust(LABEL)
        text = Text(label, "bold" if name == self.focus else "", no_wrap=True)
        for column in range(0, plan.columns, plan.width):
            halves = (self._heat(worst.get((column, color))) for color in Color)
            upper, lower = halves
            text.append(UPPER_HALF * plan.width, Style(color=upper, bgcolor=lower))
        return text

    def _heat(self, badness: float | None) -> str:
        if badness is None:
            return self.palette.shades[0]
        return blend(self.palette.shades[2], heat_color(self.palette, 1.0), badness**0.5)

    def _here(self) -> Text:
        """Return what the evaluator in focus says of the ply looked at."""
        station = next((s for s in self.survey.stations if s.ply == self.ply), None)
        judged = self.survey.judgements.of(station, self.focus) if station else None
        if station is None or judged is None:
            known = self.survey.known
            hint = "not analysed yet" if known else "not analysed yet: a analyses the game"
            return Text(hint, "dim", no_wrap=True, overflow="ellipsis")
        name = station.position.board.name
        text = f"best {name(judged.best[0])} {judged.value:.4g}"
        quality = self.survey.judgements.quality(station, self.focus)
        if station.cell is not None and quality is not None:
            text += f", played {name(station.cell)} {quality.rank} of {quality.candidates}"
        return Text(text, no_wrap=True, overflow="ellipsis")

    def _table(self) -> list[Text]:
        """Return the players' mean Q and their shares of moves of rank 1 and 5 or better."""
        from hextui.analysis.game_report import game_report

        report = game_report(self.survey.stations, self.survey.names, self.survey.judgements)
        head = "".join(f"{player_name(color):>5}{'1st':>4}{'5':>4}" for color in Color)
        lines = [Text(f"{'mean Q':<{LABEL - 2}}{head}", "dim", no_wrap=True)]
        for name, players in report.players.items():
            text = Text(heading_of(name)[: LABEL - 2].ljust(LABEL - 2), no_wrap=True)
            for found in players.values():
                text.append(
                    f"{share(found.mid_q):>5}{share(found.top_1):>4}{share(found.top_5):>4}"
                )
            lines.append(text)
        return lines


@dataclass(frozen=True)
class Axis:
    """A scale from ``low`` to ``high`` after ``transform``; ``ends`` are its values, top first."""

    low: float
    high: float
    transform: Callable[[float], float]
    ends: tuple[float, float]

    def place(self, value: float) -> float:
        """Return where a value is, 0 at the bottom to 1 at the top; beyond the ends at them."""
        at = (self.transform(value) - self.low) / (self.high - self.low)
        return min(max(at, 0.0), 1.0)

    @property
    def _balanced(self) -> bool:
        return self.low == -self.high

    def labels(self, rows: int) -> dict[int, str]:
        """Return the labels of the first, the last and the balance line."""
        found = {0: f"{self.ends[0]:.3g}", rows - 1: f"{self.ends[1]:.3g}"}
        return found | ({self.balance_row(rows): "1"} if self._balanced else {})

    def balance_row(self, rows: int) -> int:
        """Return the line of balance, -1 where there is none."""
        return rows // 2 if self._balanced else -1


def share(value: float | None) -> str:
    """Return a share in hundredths, without the nought: ``.95``, ``1.0``, ``-`` if unknown.

    >>> share(0.954), share(1.0), share(0.999), share(None)
    ('.95', '1.0', '1.0', '-')
    """
    if value is None:
        return "-"
    text = f"{value:.2f}"
    return "1.0" if text == "1.00" else text[1:]
