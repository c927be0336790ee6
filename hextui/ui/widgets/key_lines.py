"""The keys at the bottom of a screen: one line on the main screen, as many as needed elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.geometry import Size
from textual.reactive import Reactive, reactive
from textual.screen import Screen
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
        shown = self._texts()
        while len(shown) > 1 and _joined(shown).cell_len > self.content_size.width:
            del shown[-2]
        return _joined(shown)

    def _texts(self) -> list[Text]:
        # the colours of the theme may be those of ANSI
        color = Color.parse(self.app.theme_variables["footer-key-foreground"])
        style = Style(color=color.rich_color, bold=True)
        texts = [Text.assemble((hint.key, style), f" {hint.label}") for hint in self.hints]
        for text, hint in zip(texts, self.hints, strict=True):
            if hint.call:
                text.on(click=hint.call)
        return texts


def _joined(texts: Sequence[Text]) -> Text:
    return Text(GAP, no_wrap=True).join(texts)


class ScreenKeys(KeyLine):
    """Names the keys of the screen and of what has the focus, on as many lines as they need."""

    DEFAULT_CSS = """
    ScreenKeys { dock: bottom; height: auto; }
    """

    hints: reactive[tuple[Hint, ...]] = reactive((), layout=True)

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        """Name the keys of what can be done now, one for each action."""
        if not self.is_attached or screen is not self.screen:
            return
        found = {
            each.binding.action: each.binding
            for each in reversed(screen.active_bindings.values())
            if each.binding.show and each.enabled
        }
        self.hints = tuple(
            Hint(
                self.app.get_key_display(binding),
                binding.description,
                f"app.simulate_key({binding.key!r})",
            )
            for binding in reversed(found.values())
        )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Text:
        return Text("\n", no_wrap=True).join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Text]:
        lines = [Text()]
        for text in self._texts():
            line = lines[-1]
            if not line:
                line.append_text(text)
            elif line.cell_len + len(GAP) + text.cell_len <= width:
                line.append(GAP).append_text(text)
            else:
                lines.append(text)
        return lines
