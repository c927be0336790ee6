"""Asks what is to be opened: a file, a link, or one of the files last used."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from hextui.records.errors import RecordError
from hextui.records.fetching import SECONDS, is_game_link
from hextui.records.text import printable
from hextui.ui import files
from hextui.ui.completion import PathSuggester
from hextui.ui.fetched import fetched_session
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.session import Session

_HINT = (
    "A file (the right arrow completes it), or a link of hexworld.org, littlegolem.net or "
    "playhex.org."
)


class OpenDialog(LineDialog[Session]):
    """Asks for a file or a link; below stand the files last used that have what is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move('cursor_up')", "Up", show=False, id="open.up"),
        Binding("down", "move('cursor_down')", "Down", show=False, id="open.down"),
    ]
    DEFAULT_CSS = """
    OpenDialog OptionList { height: auto; max-height: 10; background: transparent; border: none; }
    """

    def __init__(self, recent: Sequence[str]) -> None:
        super().__init__(
            "Open a record", _HINT, files.open_session, suggester=PathSuggester(recent)
        )
        self._recent = recent
        self._offered: list[str] = []

    def compose(self) -> ComposeResult:
        """Make the box, with the files last used below the line."""
        with Vertical() as box:
            self.frame(box)
            yield from self.line()
            table = OptionList(compact=True)
            table.can_focus = False  # the keys come by way of the input
            yield Static("Files last used:", id="last-used", classes="hint")
            yield table

    def on_mount(self) -> None:
        """Offer all files."""
        self._offer("")

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._offer(event.value.strip())

    def _offer(self, typed: str) -> None:
        self._offered = [name for name in self._recent if typed.casefold() in name.casefold()]
        table = self.query_one(OptionList)
        table.clear_options()
        table.add_options([Option(_told(Path(name)), name) for name in self._offered])
        table.display = self.query_one("#last-used").display = bool(self._offered)

    def action_move(self, action: str) -> None:
        """Move the cursor of the list."""
        getattr(self.query_one(OptionList), f"action_{action}")()

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        super().submit(event.option_id or "")

    def submit(self, text: str) -> None:
        """Open the file with the cursor, else what was typed."""
        at = self.query_one(OptionList).highlighted
        wanted = text if at is None else self._offered[at]
        if is_game_link(wanted):
            self.run_worker(self._fetch(wanted), exclusive=True)
        else:
            super().submit(wanted)

    async def _fetch(self, link: str) -> None:
        """Close the dialog with the game of another site, or say what went wrong."""
        hint, problem = self.query_one(".hint", Static), self.query_one(".error", Static)
        problem.update("")
        hint.update(f"The game is being fetched: {SECONDS:g} seconds at most.")
        try:
            session = await fetched_session(link)
        except RecordError as error:
            hint.update(_HINT)
            problem.update(str(error))
        else:
            self.dismiss(session)


def _told(path: Path) -> Text:
    """Return a file's name first: its folder is cut if there is no room."""
    name = Text(printable(path.name), no_wrap=True, overflow="ellipsis")
    return name.append(f"  {printable(str(path.parent))}", "dim")
