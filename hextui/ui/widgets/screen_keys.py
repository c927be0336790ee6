"""The last lines of a whole screen: all its keys, on as many lines as they need."""

from rich.text import Text
from textual.geometry import Size
from textual.reactive import Reactive, reactive
from textual.screen import Screen
from textual.widget import Widget

from hextui.ui.widgets.key_line import GAP, Hint, hint_text, key_style


class ScreenKeys(Widget):
    """Names the keys of the screen and of what has the focus; a click does what a key does."""

    auto_links: Reactive[bool] = Reactive(False)  # see KeyLine

    DEFAULT_CSS = """
    ScreenKeys {
        dock: bottom; height: auto; padding: 0 1;
        background: $footer-background; color: $foreground;
    }
    """

    hints: reactive[tuple[Hint, ...]] = reactive((), layout=True)

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self.hints = self._named()

    def _named(self) -> tuple[Hint, ...]:
        """Return the keys of what can be done now, one for each action."""
        active = self.screen.active_bindings
        found = {
            each.binding.action: each.binding
            for each in reversed(active.values())
            if each.binding.show and each.enabled
        }
        return tuple(
            Hint(
                self.app.get_key_display(binding),
                binding.description,
                f"app.simulate_key({binding.key!r})",
            )
            for binding in reversed(found.values())
        )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the keys need."""
        return len(self._lines(width))

    def render(self) -> Text:
        """Return the keys."""
        return Text("\n", no_wrap=True).join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Text]:
        look = key_style(self)
        lines = [Text()]
        for hint in self.hints:
            text, line = hint_text(hint, look), lines[-1]
            if not line:
                line.append_text(text)
            elif line.cell_len + len(GAP) + text.cell_len <= width:
                line.append(GAP).append_text(text)
            else:
                lines.append(text)
        return lines
