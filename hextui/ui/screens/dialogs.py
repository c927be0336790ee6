"""Dialogs: a line of text, a choice, the fields of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Button, Input, Label, Static

from hextui.records.game_info import FIELDS, read_info
from hextui.ui.textual_fixes import BaseScreen
from hextui.words.names import Names

T = TypeVar("T")


class Dialog(ModalScreen[T | None], BaseScreen[T | None], Generic[T]):
    """A box in the middle of the screen; Escape closes it and returns None.

    Its lower border shows ``ACCEPT``, if any, and ``CANCEL``; a click runs the action.
    """

    ACCEPT: ClassVar[str] = ""
    CANCEL: ClassVar[str] = "Escape cancels"

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss", "Cancel")]
    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > Vertical {
        width: 64;
        max-width: 95%;
        height: auto;
        max-height: 95%;
        background: $surface;
        border: round $primary;
        border-title-style: bold;
        padding: 0 1;
    }
    Dialog .error { color: $error; height: auto; }
    Dialog .hint { color: $text-muted; height: auto; }
    Dialog VerticalScroll { height: auto; max-height: 18; }
    Dialog Horizontal { height: auto; align-horizontal: right; }
    Dialog Button { margin-left: 1; min-width: 8; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(self._title).markup
            box.border_subtitle = self.keys
            yield from self.body()

    @property
    def keys(self) -> str:
        """The keys that close the dialog, as links."""
        texts = {"accept": self.ACCEPT, "dismiss": self.CANCEL}
        links = (f"[@click=screen.{action}]{text}[/]" for action, text in texts.items() if text)
        return ", ".join(links)

    def body(self) -> ComposeResult:
        """Make the contents of the box."""
        raise NotImplementedError


class FormDialog(Dialog[T]):
    """Asks for texts; shows an error until one of them is changed."""

    ACCEPT = "Enter accepts"

    def read(self) -> T:
        """Return the result. Raises ValueError with one line that explains the error."""
        raise NotImplementedError

    def complain(self, problem: object) -> None:
        self.query_one(".error", Static).update(str(problem))

    @on(Input.Changed)
    def _clear_error(self) -> None:
        self.complain("")

    @on(Input.Submitted)
    def action_accept(self) -> None:
        self.submit()

    def submit(self) -> None:
        try:
            result = self.read()
        except ValueError as error:
            self.complain(error)
        else:
            self.dismiss(result)


class LineDialog(FormDialog[T]):
    """Asks for one line; ``read_line`` turns it into the result or raises ValueError."""

    def __init__(
        self,
        title: str,
        hint: str,
        read_line: Callable[[str], T],
        value: str = "",
        suggester: Suggester | None = None,
    ) -> None:
        super().__init__(title)
        self._hint = hint
        self._read_line = read_line
        self._value = value
        self._suggester = suggester

    def body(self) -> ComposeResult:
        yield Input(self._value, suggester=self._suggester)
        yield Static(self._hint, classes="hint", markup=False)
        yield Static(classes="error", markup=False)

    def read(self) -> T:
        return self._read_line(self.query_one(Input).value.strip())


class TextDialog(Dialog[None]):
    """Shows a text of any length."""

    CANCEL = "Escape closes"

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self._text = text

    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._text, id="text", markup=False)


class Choice(NamedTuple):
    """One answer: its key, its label, and the result that it stands for."""

    key: str
    label: str
    result: str


class ChoiceDialog(Dialog[str]):
    """Asks for one of several answers, by key or by button; returns its ``result``."""

    DEFAULT_CSS = """
    ChoiceDialog > Vertical { width: 70; }
    """

    def __init__(self, title: str, question: str, choices: Sequence[Choice]) -> None:
        super().__init__(title)
        self._question = question
        self._choices = choices

    def body(self) -> ComposeResult:
        yield Static(self._question, markup=False)
        with Horizontal():
            for choice in self._choices:
                yield Button(f"{choice.label} ({choice.key})", id=choice.result, compact=True)

    def on_key(self, event: events.Key) -> None:
        for choice in self._choices:
            if event.character == choice.key:
                event.stop()
                self.dismiss(choice.result)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id)


class GameInfoDialog(FormDialog[dict[str, str]]):
    """Asks for the fields of a game; returns all texts by the names of the fields."""

    CANCEL = "Tab: next line, Escape cancels"
    DEFAULT_CSS = """
    GameInfoDialog VerticalScroll { max-height: 16; }
    GameInfoDialog Horizontal { height: 1; align-horizontal: left; }
    GameInfoDialog Label { width: 15; }
    GameInfoDialog Input { width: 1fr; }
    """

    def __init__(self, known: Mapping[str, str], names: Names = Names.RED_BLUE) -> None:
        super().__init__("Game information")
        self._known = known
        self._names = names

    def body(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            for field in FIELDS:
                with Horizontal():
                    yield Label(self._names.fill(field.label), markup=False)
                    yield Input(self._known[field.name], id=field.name, compact=True)
        yield Static(classes="error", markup=False)

    def read(self) -> dict[str, str]:
        """Return the texts, which have been checked."""
        texts = {field.name: self.query_one(f"#{field.name}", Input).value for field in FIELDS}
        read_info(self._known, texts, self._names)
        return texts
