"""Dialogs: a line of text, a choice, the fields of a game, evaluators, what the board shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from hextui.engine.evaluators import class_of, evaluator, listed_names
from hextui.engine.evaluators.onnx_policy import OnnxPolicy
from hextui.engine.search.lines import LITERAL
from hextui.records.game_info import FIELDS, read_info
from hextui.records.record_text import printable
from hextui.settings.engine_config import engine_in
from hextui.text import Names, is_part_of
from hextui.ui.app.keys import EVERYWHERE
from hextui.ui.drawing.overlays import DisplayOptions, Overlay, overlay_name
from hextui.ui.textual_fixes import BaseScreen

T = TypeVar("T")
_MOST_OFFERED = 200  # texts listed at once
_NO_PLAYER = "No game of the library names its players. In the library (L), M marks games as yours."


class Dialog(ModalScreen[T | None], BaseScreen[T | None], Generic[T]):
    """A box in the middle of the screen; Escape closes it and returns None.

    Its lower border shows ``ACCEPT``, if any, and ``CANCEL``; a click runs the action.
    """

    ACCEPT = ""
    CANCEL = "Escape cancels"

    BINDINGS = [("escape", "dismiss", "Cancel"), *EVERYWHERE]
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


class OfferDialog(LineDialog[T]):
    """Asks for one line, and lists the texts offered that contain what is typed."""

    BINDINGS = [
        ("up", "move('cursor_up')", "Up"),
        ("down", "move('cursor_down')", "Down"),
        ("pageup", "move('page_up')", "Page up"),
        ("pagedown", "move('page_down')", "Page down"),
    ]
    DEFAULT_CSS = """
    OfferDialog OptionList { height: auto; max-height: 10; background: transparent; border: none; }
    """

    def __init__(
        self,
        title: str,
        hint: str,
        read_line: Callable[[str], T],
        value: str = "",
        *,
        offered: Sequence[str],
        heading: str,
        suggester: Suggester | None = None,
    ) -> None:
        super().__init__(title, hint, read_line, value, suggester)
        self._offered = offered
        self._heading = heading

    def option_text(self, text: str) -> Text:
        """Return how a text that is offered is listed."""
        return Text(printable(text), no_wrap=True, overflow="ellipsis")

    def body(self) -> ComposeResult:
        yield from super().body()
        listed = OptionList(compact=True)
        listed.can_focus = False  # the input keeps the focus
        yield Static(self._heading, id="heading", classes="hint", markup=False)
        yield listed

    def on_mount(self) -> None:
        self._offer("")

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._offer(event.value.strip())

    def _offer(self, typed: str) -> None:
        offered = [text for text in self._offered if is_part_of(typed, text)]
        listed = self.query_one(OptionList)
        listed.clear_options()
        for place, text in enumerate(offered[:_MOST_OFFERED]):
            listed.add_option(Option(self.option_text(text), str(place)))
        self._listed = offered
        listed.display = self.query_one("#heading").display = bool(offered)

    def action_move(self, action: str) -> None:
        getattr(self.query_one(OptionList), f"action_{action}")()

    @on(OptionList.OptionSelected)
    def _choose(self) -> None:
        self.submit()

    @property
    def wanted(self) -> str:
        """The text with the cursor, or else what is typed."""
        option = self.query_one(OptionList).highlighted_option
        if option is not None and option.id is not None:
            return self._listed[int(option.id)]
        return self.query_one(Input).value.strip()

    def read(self) -> T:
        return self._read_line(self.wanted)


class PlayerDialog(OfferDialog[str]):
    """Asks for a player of the library's games: a name, or a part of one that some name has.

    ``players`` reads the names in a thread, while the user types; raises ValueError.
    """

    def __init__(self, title: str, players: Callable[[], Sequence[str]], value: str = "") -> None:
        hint = "A name in the games of the library, or a part of it."
        heading = "Players of the library:"
        super().__init__(title, hint, self._read_player, value, offered=(), heading=heading)
        self._players = players
        self._is_read = self._submits = False

    def on_mount(self) -> None:
        self._read_players()

    @work(thread=True)
    def _read_players(self) -> None:
        try:
            self.call_later(self._take, self._players(), "")
        except ValueError as error:
            self.call_later(self._take, (), str(error))

    def _take(self, players: Sequence[str], problem: str) -> None:
        self._offered = players
        self._is_read = True
        self._offer(self.query_one(Input).value.strip())
        if problem or not players:
            self.complain(problem or _NO_PLAYER)
        elif self._submits:
            self.submit()

    def submit(self) -> None:
        self._submits = not self._is_read
        if self._is_read:
            super().submit()

    def _read_player(self, text: str) -> str:
        if not text:
            raise ValueError("a name is needed")
        if not any(is_part_of(text, name) for name in self._offered):
            raise ValueError(f"No game of the library has a player {text!r}")
        return text


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
            if event.character and event.character.lower() == choice.key.lower():
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

    def __init__(self, info: Mapping[str, str], names: Names = Names.RED_BLUE) -> None:
        super().__init__("Game information")
        self._info = info
        self._names = names

    def body(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            for field in FIELDS:
                with Horizontal():
                    yield Label(self._names.fill(field.label), markup=False)
                    yield Input(self._info[field.name], id=field.name, compact=True)
        yield Static(classes="error", markup=False)

    def read(self) -> dict[str, str]:
        """Return the texts, which have been checked."""
        texts = {field.name: self.query_one(f"#{field.name}", Input).value for field in FIELDS}
        read_info(self._info, texts, self._names)
        return texts


def about(name: str) -> str:
    """Describe an evaluator in a few words; return '' for a name that is none.

    >>> about("k-paths:1"), about("resistance:plain")
    ('paths of up to d + 1 links', 'current in both circuits')
    """
    if engine_in(name) is not None:
        return "attached engine"
    if name.endswith(LITERAL):
        return "literal: without proofs"
    try:
        return evaluator(name).about
    except ValueError:
        if name == OnnxPolicy.method:  # its file is asked for with the options
            return OnnxPolicy.about
        return ""


class NameList(OptionList):
    """A list in which Enter or a click chooses a line."""

    BINDINGS = [
        Binding("down,j", "cursor_down", "Down", show=False),
        Binding("up,k", "cursor_up", "Up", show=False),
    ]
    DEFAULT_CSS = """
    NameList {
        height: auto; max-height: 75vh; text-wrap: nowrap; text-overflow: ellipsis;
        &, &:focus { border: none; padding: 0; }
    }
    """


class CheckList(NameList):
    """Evaluators with check marks: Space or a click checks one, Enter accepts."""

    BINDINGS = [("space", "select", "Toggle"), ("enter", "screen.accept", "Done")]

    def __init__(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        self.checked = set(chosen)
        super().__init__(*(Option(self._line(name), name) for name in names), markup=False)

    @on(OptionList.OptionSelected)
    def _check(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        name = event.option_id or ""
        self.checked ^= {name}
        self.replace_option_prompt(name, self._line(name))

    def add(self, name: str | None) -> None:
        """Check an evaluator, which may be new, and point at it."""
        if name is None:
            return
        self.checked.add(name)
        if all(option.id != name for option in self.options):
            self.add_option(Option(self._line(name), name))
        self.replace_option_prompt(name, self._line(name))
        self.highlighted = self.get_option_index(name)

    def _line(self, name: str) -> str:
        mark = "[x]" if name in self.checked else "[ ]"
        return f"{mark} {name:<23} {about(name)}"


class EvaluatorDialog(FormDialog[tuple[str, ...]]):
    """Asks which evaluators, ``engines`` among them, rank moves; keeps the order chosen before."""

    ACCEPT = "Enter accepts"
    BINDINGS = [("o", "options", "Options")]

    def __init__(self, chosen: Sequence[str], engines: Sequence[str] = ()) -> None:
        super().__init__("Evaluators")
        self._chosen = tuple(chosen)
        self._names = tuple(dict.fromkeys((*listed_names(), OnnxPolicy.method, *engines, *chosen)))

    def body(self) -> ComposeResult:
        yield CheckList(self._names, self._chosen)
        yield Static("Space or a click toggles an evaluator, o sets its options.", classes="hint")
        yield Static(classes="error", markup=False)

    def action_options(self) -> None:
        """Ask for the options of the evaluator at the cursor, with a sentence on each."""
        listed = self.query_one(CheckList)
        line = listed.highlighted_option
        evaluator_class = class_of(line.id or "") if line else None
        if line is None or evaluator_class is None or not evaluator_class.options():
            self.complain("It has no options.")
            return
        method = evaluator_class.method
        hint = "\n".join(f"{option:<9}{text}" for option, text in evaluator_class.options().items())
        hint += "\n\nSeparate options by commas; write numbers as in seed=7."
        given = (line.id or "").partition(":")[2]
        ask = LineDialog(f"Options of {method}", hint, partial(_with_options, method), given)
        self.app.push_screen(ask, listed.add)

    def read(self) -> tuple[str, ...]:
        listed = self.query_one(CheckList)
        if not listed.checked:
            raise ValueError("Check at least one.")
        if OnnxPolicy.method in listed.checked:
            raise ValueError("Press o on onnx to name the network's file.")
        in_order = dict.fromkeys((*self._chosen, *(option.id or "" for option in listed.options)))
        return tuple(name for name in in_order if name in listed.checked)


def _with_options(method: str, text: str) -> str:
    return evaluator(f"{method}:{text}").name


class ListDialog(ChoiceDialog):
    """Asks for one of several answers in a list, by key, Enter or a click."""

    DEFAULT_CSS = """
    ListDialog > Vertical { width: 64; }
    """

    def __init__(self, title: str, hint: str, choices: Sequence[Choice], place: int) -> None:
        """``place``: that of the answer with the cursor."""
        super().__init__(title, hint, choices)
        self._place = place

    def body(self) -> ComposeResult:
        options = NameList(*(Option(row.label, row.result) for row in self._choices), markup=False)
        options.highlighted = self._place
        yield options
        yield Static(self._question, classes="hint")

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)


class LineEvaluatorDialog(ListDialog):
    """Asks which evaluator, ``engines`` among them, searches lines; returns its name."""

    def __init__(self, chosen: str, engines: Sequence[str] = ()) -> None:
        offered = (*listed_names(), f"blocking{LITERAL}", *engines, *filter(None, [chosen]))
        names = list(dict.fromkeys(offered))
        rows = [Choice("", f"{name:<23} {about(name)}", name) for name in names]
        place = names.index(chosen) if chosen in names else 0
        super().__init__("Evaluator of lines", "Enter or a click chooses.", rows, place)


class OverlayDialog(ListDialog):
    """Asks what the board shows; returns an `Overlay`'s value, ``must-play`` or ``inferior``."""

    def __init__(self, shown: DisplayOptions) -> None:
        hint = "A key, Enter or a click chooses. O returns to the previous overlay."
        rows = []
        for number, overlay in enumerate(Overlay, start=1):
            mark = "(x)" if overlay is shown.overlay else "( )"
            name = overlay_name(replace(shown, overlay=overlay))
            rows.append(Choice(str(number), f"{number}  {mark} {name}", str(overlay)))
        must_play = f"M  {_box(shown.must_play)} must-play region"
        inferior = f"I  {_box(shown.inferior)} inferior cells"
        rows.append(Choice("M", must_play, "must-play"))
        rows.append(Choice("I", inferior, "inferior"))
        super().__init__("What the board shows", hint, rows, list(Overlay).index(shown.overlay))


def _box(is_checked: bool) -> str:
    return "[x]" if is_checked else "[ ]"
