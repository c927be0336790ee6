"""The lines around the board: title, activities, who wins, legend, status, keys; the keys of other
screens; and the container of boards and panels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.binding import Binding
from textual.containers import Container
from textual.geometry import Region, Size
from textual.reactive import Reactive, reactive
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from hextui.engine.board import Color
from hextui.engine.position import MoveKind
from hextui.records.record_text import printable
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.drawing.whole_words import clauses_within, within
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span, width_of
from hextui.words.verdicts import GameSituation, Situation, Tone, Wording, game_ways, here_ways


@dataclass(frozen=True)
class Hint:
    """A key as it is shown, what it does, and what a click on it calls ('': nothing)."""

    key: str
    label: str
    call: str = ""


class TextRows(Widget):
    """Rows of styled text that fit the widget; the rest is blank."""

    auto_links: Reactive[bool] = Reactive(False)  # keys that can be clicked look like the others

    def rows(self) -> Sequence[Sequence[Span]]:
        """Return the rows, none of them wider than the content."""
        raise NotImplementedError

    def render(self) -> Text:
        return Text("\n", no_wrap=True).join(Text.assemble(*row) for row in self.rows())


_TITLED = 24  # columns from which the title line names the program


class TitleLine(Widget):
    """The name of the record and who played it."""

    DEFAULT_CSS = """
    TitleLine { width: 1fr; height: 1; background: $panel; color: $text-muted; padding: 0 1; }
    """

    about: reactive[tuple[str, ...]] = reactive(())
    """What is known of the game, the most important first; what has no room is left out."""
    records: reactive[tuple[str, ...]] = reactive(())
    """The names of all open records."""
    place: reactive[int] = reactive(0)
    """The place among them of the one that is shown."""

    def render(self) -> Text:
        width = self.content_size.width
        line = Text("hextui  " if width >= _TITLED else "", "bold", no_wrap=True)
        for text in self._names():
            room = width - line.cell_len
            if text.cell_len > room and not text.style:
                break  # another record: its name, or nothing of it
            text.plain = within(text.plain, room)
            line.append_text(text)
        for fact in map(printable, self.about):
            if line.cell_len + 3 + cell_len(fact) > width:
                break
            line.append("   ").append(fact)
        return line

    def _names(self) -> list[Text]:
        """Return the names of the open records, the one that is shown first of all."""
        texts = [
            Text(f" {printable(name)} ").on(click=f"app.show_record({place})")
            for place, name in enumerate(self.records)
        ]
        if len(texts) < 2:  # there is nothing to choose
            return [Text(printable(name), "bold") for name in self.records]
        shown = texts.pop(self.place)
        shown.style = "bold reverse"
        return [shown, *texts]


_TITLE = 14  # columns that names leave to the title


class ActivityBar(Widget):
    """Entries beside each other; where they have no room only the chosen one has its name."""

    DEFAULT_CSS = """
    ActivityBar { width: auto; height: 1; background: $panel; color: $text-muted; }
    """

    chosen: reactive[str] = reactive("", layout=True)
    """The name of the highlighted entry."""

    def __init__(self, entries: Mapping[str, Hint]) -> None:
        super().__init__()
        self._entries = entries

    def render(self) -> Text:
        for gap in ("  ", " "):
            line = self._joined(gap, True)
            if self.app.size.width >= line.cell_len + _TITLE:
                return line
        return self._joined(" ", False)

    def _joined(self, gap: str, all_named: bool) -> Text:
        texts = []
        for name, hint in self._entries.items():
            is_chosen = name == self.chosen
            text = f"{hint.key} {hint.label}" if is_chosen or all_named else hint.key
            texts.append(Text(text, "bold reverse" if is_chosen else "").on(click=hint.call))
        return Text(gap, no_wrap=True).join(texts)


class LegendLine(TextRows):
    """Explains the colours and marks on the board."""

    DEFAULT_CSS = """
    LegendLine { height: 1; padding: 0 1; color: $text-muted; }
    """

    text: reactive[str] = reactive("")

    def rows(self) -> list[list[Span]]:
        """Return as many of its parts as there is room for, of a single one its first clauses."""
        return [[(parts_within(self.text, self.content_size.width), PLAIN)]]


def parts_within(text: str, columns: int) -> str:
    """Return the first parts of a text, two blanks apart, that have room; of one its first clauses
    or words.

    >>> parts_within("rank by resistance  dim: loses", 25)
    'rank by resistance'
    >>> parts_within("rank by resistance  dim: loses", 10)
    'rank by…'
    """
    parts = text.split("  ")
    while len(parts) > 1 and cell_len("  ".join(parts)) > columns:
        parts.pop()
    text = "  ".join(parts)
    return clauses_within(text, columns) or within(text, columns)


_GAP = "   "
BADGE = Style(bold=True, reverse=True)


@dataclass(frozen=True)
class Status:
    """What the status line says.

    ``parts``: from left to right, each with its rank: 0 is left out last. ``engine``: what the
    analysis is doing. ``stale``: the panels show another position. ``off``: the analysis is
    switched off.
    """

    parts: tuple[tuple[int, tuple[Span, ...]], ...] = ()
    engine: str = ""
    stale: bool = False
    off: bool = False


class MessageLine(Widget):
    """Shows in one line what was done, or why a key did nothing; the problem until the next key."""

    message: reactive[str] = reactive("")
    """What is shown in place of something else; '' when it has been read."""

    _message_timer: Timer | None = None
    _is_problem = False

    @property
    def message_room(self) -> int:
        """The columns that a message can take."""
        raise NotImplementedError

    def say(self, message: str, seconds: float) -> None:
        """Show what was done for some seconds, or until an action may change it."""
        self._replace(message)
        self._message_timer = self.set_timer(seconds, partial(setattr, self, "message", ""))

    def complain(self, message: str) -> None:
        """Show why something was not done, until the next key."""
        self._replace(message)
        self._is_problem = True

    def has_room(self, message: str) -> bool:
        """Return whether a message is shown whole."""
        return cell_len(message) <= self.message_room

    def next_key(self) -> None:
        """Remove a problem: a key was pressed after it."""
        if self._is_problem:
            self._replace("")

    def next_action(self) -> None:
        """Remove what was said: an action may change what it speaks of."""
        self._replace("")

    def _replace(self, message: str) -> None:
        if self._message_timer is not None:
            self._message_timer.stop()
        self.message = message
        self._is_problem = False


class StatusLine(TextRows, MessageLine):
    """Shows the position in the game, or what was done."""

    COMPONENT_CLASSES = {"lines--off"}
    DEFAULT_CSS = """
    StatusLine {
        height: 1;
        background: $panel;
        color: $foreground;
        padding: 0 1;
        & > .lines--off { color: $warning; text-style: bold; }
    }
    """

    status: reactive[Status] = reactive(Status())

    @property
    def message_room(self) -> int:
        """The columns beside the parts that are never left out."""
        least = _length([spans for rank, spans in self.status.parts if rank == 0])
        stale = width_of(self._stale)
        return max(self.content_size.width - least - len(_GAP) - stale, 0)

    @property
    def _stale(self) -> list[Span]:
        return [(" ", PLAIN), (" STALE ", BADGE)] if self.status.stale else []

    def rows(self) -> list[list[Span]]:
        """Return the line: no part of it is cut, what matters least is left out."""
        right = self._right()
        room = self.content_size.width - width_of(right)
        text, _ = right[0]
        parts = self._parts_within(room - len(_GAP) if text else room)

        left: list[Span] = []
        for spans in parts:
            if left:
                left.append((_GAP, PLAIN))
            left += spans
        blank = " " * max(room - width_of(left), 0)
        return [[*left, (blank, PLAIN), *right]]

    def _right(self) -> list[Span]:
        """Return the end of the line: a message or the state of the analysis, and STALE."""
        most = self.message_room
        text = self.message or self.status.engine
        text = clauses_within(text, most) or within(text, most)
        style = PLAIN
        if self.message:
            style = BOLD
        elif self.status.off:
            style = self.get_component_rich_style("lines--off")
        return [(text, style), *self._stale]

    def _parts_within(self, room: int) -> list[tuple[Span, ...]]:
        """Return the parts that have room; those that matter least are left out first."""
        parts = list(self.status.parts)
        while parts and _length([spans for _, spans in parts]) > room:
            parts.remove(max(reversed(parts), key=lambda part: part[0]))
        return [spans for _, spans in parts]


def _length(parts: Sequence[Sequence[Span]]) -> int:
    """Return the columns that parts of the line take, with what is between them."""
    return sum(map(width_of, parts)) + len(_GAP) * max(len(parts) - 1, 0)


class VerdictLines(TextRows):
    """Shows how the game went and how its present position stands, with the keys that matter."""

    COMPONENT_CLASSES = {"lines--good", "lines--doubtful", "lines--key"}
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
    situation: reactive[Situation | None] = reactive(None)
    keys: reactive[Mapping[str, Hint]] = reactive({})
    """The keys that work now, by the ids of their actions; those hidden are left out."""
    palette: reactive[Palette] = reactive(DARK)

    def rows(self) -> list[list[Span]]:
        game = self.game
        situation = self.situation
        if game is None or situation is None:
            return []
        return [
            self._row("GAME", game_ways(game), self._game_keys(game)),
            self._row("HERE", here_ways(situation), self._here_keys(situation)),
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

    def _here_keys(self, situation: Situation) -> list[Hint]:
        labels = {}
        if situation.position.winner is None:
            if situation.verdict is not None:
                labels["why"] = "why"
            if situation.better is not None:
                labels["add-better"] = f"add {situation.position.board.name(situation.better)}"
            elif situation.played is None and situation.best is not None:
                places_stone = situation.best.kind is MoveKind.PLAY
                name = situation.best.name(situation.position.board)
                labels["play-best"] = f"play {name}" if places_stone else "swap"
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
            room = self.content_size.width - width_of(keys) - len(title) - 2
            for wording in ways:
                spans = _spans(wording, styles)
                if (blank := room - width_of(spans)) >= 0:
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


def _spans(wording: Wording, styles: Mapping[Tone, Style]) -> list[Span]:
    spans: list[Span] = []
    for piece in wording:
        if isinstance(piece, str):
            spans.append((piece, PLAIN))
        else:
            text, tone = piece
            spans.append((text, styles[tone]))
    return spans


_KEY_GAP = "  "


class KeyLine(Widget):
    """Keys with what they do; a click does it. What has no room is left out whole."""

    auto_links: Reactive[bool] = Reactive(False)

    COMPONENT_CLASSES = {"keys--key"}
    DEFAULT_CSS = """
    KeyLine { height: 1; padding: 0 1; background: $footer-background; color: $foreground; }
    KeyLine > .keys--key { color: $footer-key-foreground; text-style: bold; }
    """

    hints: reactive[tuple[Hint, ...]] = reactive(())
    """The most important first; the last one always has its place."""

    def render(self) -> Text:
        shown = self._texts()
        while len(shown) > 1 and _joined(shown).cell_len > self.content_size.width:
            del shown[-2]
        return _joined(shown)

    def _texts(self) -> list[Text]:
        style = self.get_component_rich_style("keys--key", partial=True)
        texts = [Text.assemble((hint.key, style), f" {hint.label}") for hint in self.hints]
        for text, hint in zip(texts, self.hints, strict=True):
            if hint.call:
                text.on(click=hint.call)
        return texts


def _joined(texts: Sequence[Text]) -> Text:
    return Text(_KEY_GAP, no_wrap=True).join(texts)


class ScreenKeys(KeyLine, MessageLine):
    """Names the keys of the screen and of what has the focus, on as many lines as they need.

    A message stands in place of the first line.
    """

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
        bindings = {
            each.binding.action: each.binding
            for each in reversed(screen.active_bindings.values())
            if each.binding.show and each.enabled
        }
        own_first = list(reversed(bindings.values()))
        own_first.sort(key=_is_everywhere)
        self.hints = tuple(
            Hint(
                self.app.get_key_display(binding),
                binding.description,
                f"app.simulate_key({binding.key!r})",
            )
            for binding in own_first
        )

    @property
    def message_room(self) -> int:
        return self.content_size.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Text:
        lines = self._lines(self.content_size.width)
        if self.message:
            lines[0] = Text(within(self.message, self.content_size.width), "bold")
        return Text("\n", no_wrap=True).join(lines)

    def _lines(self, width: int) -> list[Text]:
        lines = [Text()]
        for text in self._texts():
            line = lines[-1]
            if not line:
                line.append_text(text)
            elif line.cell_len + len(_KEY_GAP) + text.cell_len <= width:
                line.append(_KEY_GAP).append_text(text)
            else:
                lines.append(text)
        return lines


def _is_everywhere(binding: Binding) -> bool:
    return binding.action.startswith("app.")


class PlacedWidgets(Container):
    """Shows each child that has a place there, and hides the others."""

    DEFAULT_CSS = """
    PlacedWidgets { height: 1fr; }
    PlacedWidgets > * { position: absolute; }
    """

    def place(self, places: Mapping[str, Region]) -> None:
        for child in self.children:
            place = places.get(child.id or "")
            child.display = place is not None
            if place is not None:
                child.styles.offset = place.offset
                child.styles.width, child.styles.height = place.size
