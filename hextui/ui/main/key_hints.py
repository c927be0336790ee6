"""Which keys are named below the screen: by mode, and by what has the focus."""

from collections.abc import Iterable

from textual.binding import Keymap

from hextui.ui.drawing.board_view import Mode
from hextui.ui.keys import Action
from hextui.ui.main.parts import Parts
from hextui.ui.panels.all_panels import PANEL_TEXTS
from hextui.ui.widgets.key_lines import Hint

ON_THE_BOARD = (
    "next",
    "previous",
    "play",
    "next-panel",
    "worst-move",
    "why",
    "overlays",
    "maximise",
    "analysis",
    "undo",
    "zoom",
    "quit",
)
IN_SETUP = ("place-black", "place-white", "place-empty", "change-side", "setup", "undo")
IN_REGION = ("region-cell", "allow-move", "avoid-move", "region-box", "all-moves", "region")
EVERYWHERE = "help"
_IN_MODE = {Mode.PLAY: ON_THE_BOARD, Mode.SETUP: IN_SETUP, Mode.REGION: IN_REGION}
_SHORT = {"next-panel": "Panel", "why": "Why"}
"""Labels that leave room for others."""


def hints(
    actions: Iterable[Action[Parts]], keymap: Keymap, mode: Mode, panel: str | None
) -> tuple[Hint, ...]:
    """Return the keys to name, the most important first, and the help last."""
    by_id = {action.id: action for action in actions}

    def of(name: str, label: str = "") -> Hint:
        action = by_id[name]
        label = label or _SHORT.get(name, action.label)
        return Hint(action.keys_in(keymap)[0], label, f"screen.{action.call}")

    palette = Hint("^p", "All by name", "app.command_palette")
    if panel is not None:
        text = PANEL_TEXTS[panel]
        own = [Hint(key, label) for key, label in text.own]
        named = [of(name) for name in text.actions]
        around = [of("maximise"), of("board")]
        return (*own, *named, *around, palette, of(EVERYWHERE, "Words and keys"))
    names = _IN_MODE[mode]
    first, rest = names[:7], names[7:]
    return (*map(of, first), palette, *map(of, rest), of(EVERYWHERE, "All keys"))
