"""The two lines at the top of the screen: how the game went, and who wins here and by what."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.reactive import reactive

from hextui.engine.board import Color
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.widgets.frame import TextRows
from hextui.ui.widgets.key_lines import Hint
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span
from hextui.words.verdicts import GameSituation, Situation, Tone, Wording, game_ways, here_ways

_GAP = "   "


class VerdictLines(TextRows):
    """Shows how the game went and how its present position stands, with the keys that matter."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--good", "lines--doubtful", "lines--key"}
    DEFAULT_CSS = """
    VerdictLines {
        height: 2;
        padding: 0 1;
        & > .lines--good { color: $success; text-style: bold; }
        & > .lines--doubtful { color: $warning; text-style: bold; }
        & > .lines--key { color: $footer-key-foreground; text-style: bold; }
    }
    """

    game: reactive[GameSituation | None] = reactive(None)
    here: reactive[Situation | None] = reactive(None)
    keys: reactive[Mapping[str, Hint]] = reactive({})
    """The keys that work now, by the ids of their actions; those hidden are left out."""
    palette: reactive[Palette] = reactive(DARK)

    def rows(self) -> list[list[Span]]:
        game, here = self.game, self.here
        if game is None or here is None:
            return []
        return [
            self._row("GAME", game_ways(game), self._game_keys(game)),
            self._row("HERE", here_ways(here), self._here_keys(here)),
        ]

    def _game_keys(self, game: GameSituation) -> list[Hint]:
        labels = {}
        if game.progress is not None:
            labels["whole-game"] = "stop"
        elif game.blunders:
            labels["worst-move"] = "worst mistake"
        elif game.moves and not game.summary.finished:
            labels["whole-game"] = "analyse"
        return self._labelled(labels)

    def _here_keys(self, here: Situation) -> list[Hint]:
        labels = {}
        if here.position.winner is None:
            if here.verdict is not None:
                labels["why"] = "why"
            if here.better is not None:
                labels["add-better"] = f"add {here.position.board.name(here.better)}"
            elif here.played is None and here.best is not None:
                labels["play-best"] = f"play {here.position.board.name(here.best)}"
        return self._labelled(labels)

    def _labelled(self, labels: Mapping[str, str]) -> list[Hint]:
        return [
            Hint(self.keys[name].key, label, self.keys[name].call)
            for name, label in labels.items()
            if name in self.keys
        ]

    def _row(self, title: str, ways: Sequence[Wording], hints: list[Hint]) -> list[Span]:
        """Return a line: the fullest wording that has room beside the keys."""
        styles = self._styles()
        key_style = self.get_component_rich_style("lines--key", partial=True)
        while True:
            keys: list[Span] = []
            for hint in hints:
                click = Style.from_meta({"@click": hint.call})
                keys += [(_GAP, PLAIN), (hint.key, key_style + click), (f" {hint.label}", click)]
            room = self.content_size.width - _length(keys) - len(title) - 2
            for way in ways:
                spans = [
                    (piece, PLAIN) if isinstance(piece, str) else (piece[0], styles[piece[1]])
                    for piece in way
                ]
                if (blank := room - _length(spans)) >= 0:
                    return [(f"{title}  ", DIM), *spans, (" " * blank, PLAIN), *keys]
            if not hints:
                return [(title, DIM)]
            hints = hints[:-1]

    def _styles(self) -> dict[Tone, Style]:
        made = {
            tone: self.get_component_rich_style(f"lines--{tone.value}", partial=True)
            for tone in (Tone.GOOD, Tone.DOUBTFUL)
        }
        for tone, color in ((Tone.BLACK, Color.BLACK), (Tone.WHITE, Color.WHITE)):
            made[tone] = Style(color=self.palette.ink(color), bold=True)
        return made | {Tone.PLAIN: PLAIN, Tone.STRONG: BOLD, Tone.DIM: DIM}


def _length(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ in spans)
