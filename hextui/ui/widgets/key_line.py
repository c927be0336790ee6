"""The last line of the screen: keys that matter now, as many as there is room for."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.reactive import Reactive, reactive
from textual.widget import Widget

GAP = "  "


@dataclass(frozen=True)
class Hint:
    """A key as it is shown, what it does, and what a click on it calls ('': nothing)."""

    key: str
    label: str
    call: str = ""


class KeyLine(Widget):
    """Keys with what they do; a click does it. What has no room is left out whole."""

    auto_links: Reactive[bool] = Reactive(False)  # keys that can be clicked look like the others

    DEFAULT_CSS = """
    KeyLine { height: 1; padding: 0 1; background: $footer-background; color: $foreground; }
    """

    hints: reactive[tuple[Hint, ...]] = reactive(())
    """The most important first; the last one always has its place."""

    def render(self) -> Text:
        """Return the keys that have room."""
        style = key_style(self)
        texts = [hint_text(hint, style) for hint in self.hints]
        shown, last = texts[:-1], texts[-1:]
        while shown and _length([*shown, *last]) > self.content_size.width:
            shown.pop()
        return Text(GAP, no_wrap=True).join([*shown, *last])


def key_style(widget: Widget) -> Style:
    """Return the style of keys under the widget's theme, whose colours may be those of ANSI."""
    color = Color.parse(widget.app.theme_variables["footer-key-foreground"])
    return Style(color=color.rich_color, bold=True)


def hint_text(hint: Hint, key_style: Style) -> Text:
    """Return a key with what it does; a click on it does so."""
    text = Text.assemble((hint.key, key_style), f" {hint.label}")
    if hint.call:
        text.stylize(Style(meta={"@click": hint.call}))
    return text


def _length(texts: Sequence[Text]) -> int:
    return sum(text.cell_len for text in texts) + len(GAP) * (len(texts) - 1)
