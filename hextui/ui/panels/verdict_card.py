"""The verdict card: who wins, what to play, what the record's move makes of it, in words."""

from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.reactive import reactive

from hextui.engine.board import Color
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.panels.panel import Panel, PanelText
from hextui.ui.widgets.frame import TextRows
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span
from hextui.words.verdicts import Situation, Tone, fitted


class VerdictCard(TextRows, can_focus=True):
    """Shows who wins the position on the board; it is never about another one."""

    TEXT = PanelText(
        "who wins, what to play, what the record's move makes of it",
        (
            ("proved", "Certain, whatever either side plays."),
            ("70% by search", "Win probability of the side to move: an estimate."),
            ("prefers", "The best move by search and by the evaluator in focus: estimates."),
            ("played", "The record's next move, and what it changes."),
        ),
        (("enter", "Why"), ("v", "Add the better move")),
        ("why", "solve-on", "play-best"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.do('why')", "Why"),
        Binding("v", "better", "Add the better move"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"card--good", "card--doubtful"}
    DEFAULT_CSS = """
    VerdictCard {
        padding: 0 1;
        & > .card--good { color: $success; text-style: bold; }
        & > .card--doubtful { color: $warning; text-style: bold; }
        &:focus { background: $foreground 12%; }
    }
    """

    situation: reactive[Situation | None] = reactive(None)
    palette: reactive[Palette] = reactive(DARK)

    def rows(self) -> list[list[Span]]:
        if self.situation is None:
            return []
        styles = self._styles()
        lines = fitted(self.situation, *self.content_size)
        return [[(text, styles[tone]) for text, tone in line] for line in lines]

    def action_better(self) -> None:
        situation = self.situation
        if situation is not None and situation.better is not None:
            self.post_message(Panel.BetterMoveWanted(situation.position, situation.better))

    def _styles(self) -> dict[Tone, Style]:
        made = {
            tone: self.get_component_rich_style(f"card--{tone.value}", partial=True)
            for tone in (Tone.GOOD, Tone.DOUBTFUL)
        }
        for tone, color in ((Tone.BLACK, Color.BLACK), (Tone.WHITE, Color.WHITE)):
            made[tone] = Style(color=self.palette.ink(color), bold=True)
        return made | {Tone.PLAIN: PLAIN, Tone.STRONG: BOLD, Tone.DIM: DIM}
