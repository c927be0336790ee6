"""The bar above a screen that says what to do in the present step of the tutorial."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.geometry import Size
from textual.reactive import Reactive, reactive
from textual.widget import Widget

from hextui.ui.drawing.whole_words import flowed
from hextui.ui.widgets.frame import BADGE, Hint

_KEY = re.compile(r"\{([^}]*)\}")
_GAP = "  "


@dataclass(frozen=True)
class BarText:
    """What the bar says: the step and its number, sentences, the keys that lead on.

    ``sentences`` have their keys in braces. ``is_done``: the user has done the step.
    """

    heading: str = ""
    sentences: tuple[str, ...] = ()
    keys: tuple[Hint, ...] = ()
    is_done: bool = False


def with_keys(sentence: str, keys: Mapping[str, str]) -> str:
    """Return a sentence with keys in place of the ids of actions; other keys stay as they are.

    >>> with_keys("{next} steps on, {u} takes back", {"next": "n"})
    '{n} steps on, {u} takes back'
    """
    return _KEY.sub(lambda match: f"{{{keys.get(match[1], match[1])}}}", sentence)


def keys_in(sentence: str) -> list[str]:
    """Return what stands in braces, in order.

    >>> keys_in("{next} steps on, {u} takes back")
    ['next', 'u']
    """
    return _KEY.findall(sentence)


class TutorialBar(Widget):
    """Names the step, says in plain sentences what to do, and marks the step once it is done."""

    auto_links: Reactive[bool] = Reactive(False)
    can_focus = False
    COMPONENT_CLASSES = {"bar--key"}
    DEFAULT_CSS = """
    TutorialBar {
        dock: top;
        height: auto;
        background: $surface;
        color: $foreground;
        padding: 0 1;
        & > .bar--key { color: $footer-key-foreground; text-style: bold; }
    }
    """

    shown: reactive[BarText] = reactive(BarText(), layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the step needs."""
        return len(self.lines(width))

    def render(self) -> Text:
        """Return all lines."""
        return Text("\n", no_wrap=True).join(self.lines(self.content_size.width))

    def lines(self, width: int) -> list[Text]:
        """Return the heading with the keys, then each sentence on lines of its own."""
        key_style = self.get_component_rich_style("bar--key", partial=True)
        lines = [self._heading(width, key_style)]
        for sentence in self.shown.sentences:
            lines += flowed(_styled(sentence, key_style), [width] * len(sentence))
        return lines

    def _heading(self, width: int, key_style: Style) -> Text:
        shown = self.shown
        heading = Text.assemble((shown.heading, "bold"))
        if shown.is_done:
            heading.append(_GAP).append(" DONE ", BADGE)
        keys = _joined(shown.keys, key_style)
        room = width - heading.cell_len - keys.cell_len
        if room < len(_GAP):
            return flowed(heading, [width])[0]
        heading.pad_right(room)
        return heading.append_text(keys)


def _styled(sentence: str, key_style: Style) -> Text:
    """Return a sentence in which keys have their style, without the braces."""
    text = Text()
    for place, piece in enumerate(_KEY.split(sentence)):
        text.append(piece, key_style if place % 2 else None)
    return text


def _joined(keys: Sequence[Hint], key_style: Style) -> Text:
    """Return keys with what they do; a click does it."""
    texts = []
    for hint in keys:
        text = Text.assemble((hint.key, key_style), f" {hint.label}")
        texts.append(text.on(click=hint.call))
    return Text(_GAP).join(texts)
