"""The board, or several beside each other: paints views and reports where the mouse was used."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.text import Text
from textual import events, on
from textual.binding import Binding
from textual.geometry import Offset, Region
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hextui.engine.board import Board
from hextui.records.board_view import BoardView
from hextui.records.record_text import harmless
from hextui.ui.app.keys import Action, Topic
from hextui.ui.drawing.geometry import OUTSIDE, BoardGeometry, View, Zoom, arrange, fitting, layout
from hextui.ui.drawing.painter import Look, draw_over, looks, paint_line, pixel_colors, style
from hextui.ui.drawing.palette import DARK, Palette, contrasting
from hextui.ui.drawing.whole_words import clauses_within, flowed, within
from hextui.ui.safety.graphics import TerminalGraphics

if TYPE_CHECKING:
    from hextui.ui.drawing.board_image import BoardImage, ImageLayout


_BESIDE_NOTE = 2  # columns between a board and the note at its right
_AROUND_NOTE = 3  # those and the last column of the widget
_LEAST_OF_NOTE = 10  # columns of a line of it, at least


@dataclass(frozen=True)
class BoardPicture:
    """What a board shows, its zoom and how it is turned, the colours, and the one around it."""

    view: BoardView
    zoom: Zoom = Zoom.COMPACT
    turned: View = View.NORMAL
    palette: Palette = DARK
    background: str = "#000000"

    @cached_property
    def geometry(self) -> BoardGeometry:
        return layout(self.view.position.board, self.zoom, self.turned)

    @cached_property
    def looks(self) -> tuple[Look, ...]:
        narrow = self.zoom is Zoom.COMPACT
        mirrored = self.turned.mirrored
        return looks(self.view, self.palette, self.background, narrow, mirrored)

    @cached_property
    def lines(self) -> dict[int, dict[int, int]]:
        return self.geometry.drawn_links(self.view.links, self.view.links_of)

    @cached_property
    def colors(self) -> tuple[str, ...]:
        return pixel_colors(self.looks)

    def changed(self, before: "BoardPicture") -> list[Region] | None:
        """Return the regions of cells and edges that look different; None if everything may."""
        kept = before.geometry == self.geometry and before.background == self.background
        if not kept or before.view.links != self.view.links:
            return None
        extents = (
            self.geometry.extents[owner]
            for owner, (old, new) in enumerate(zip(before.looks, self.looks, strict=True))
            if old != new
        )
        return [Region(xs.start, ys.start, len(xs), len(ys)) for xs, ys in extents]


def _cursor_action(direction: str, keys: str, step: tuple[int, int]) -> Action:
    return Action(
        id=direction,
        keys=keys,
        label=direction.capitalize(),
        tooltip=f"Move the cursor {direction}",
        topic=Topic.CURSOR,
        method="step",
        arguments=step,
    )


CURSOR = (
    _cursor_action("up", "up,k", (-1, 0)),
    _cursor_action("down", "down,j", (1, 0)),
    _cursor_action("left", "left,h", (0, -1)),
    _cursor_action("right", "right,l", (0, 1)),
)
"""What the keys do while the board has the focus: down and right by so many cells."""


def _ignore(*_: int) -> None:
    """Do nothing."""


class BoardWidget(Widget, can_focus=True):
    """A board that fills its container at the largest zoom that fits, or at ``zoom``.

    It may show several views of one position, each on a board of its own. What it shows is given by
    `show`; the widget keeps no state of the game.
    """

    BINDINGS = [
        Binding(
            key=action.keys,
            action=f"{action.method}{action.arguments}",
            description=action.label,
            tooltip=action.tooltip,
            id=action.id,
        )
        for action in CURSOR
    ]
    DEFAULT_CSS = """
    BoardWidget { width: 1fr; height: 1fr; }
    """

    zoom: reactive[Zoom | None] = reactive(None)
    turned: reactive[View] = reactive(View.NORMAL)
    palette: reactive[Palette] = reactive(DARK)
    graphics: reactive[TerminalGraphics | None] = reactive(None)
    """How the board is shown as a picture; None: as characters."""
    covered: reactive[bool] = reactive(False)
    """Whether another screen is over it: half blocks stand for pictures, which would cover that."""
    captions: reactive[tuple[str, ...]] = reactive(())
    """The lines above several boards."""
    note: reactive[Text | None] = reactive(None)
    """A text that follows the slant of a board at the left of the widget, drawn with characters."""

    def __init__(
        self,
        view: BoardView,
        point: Callable[[int], object] = _ignore,
        click: Callable[[int, int], object] = _ignore,
        drag: Callable[[int], object] = _ignore,
        wheel: Callable[[int], object] = _ignore,
        id: str | None = None,
    ) -> None:
        """``point`` is called with the cell that the keys move the cursor to; ``click`` with the
        cell and the button that was pressed (1 left, 2 middle, 3 right); ``drag`` with another
        cell on which the left one was released; ``wheel`` with 1 for down and -1 for up.

        Messages would come after keys that wait already, which may play or bring another board.
        """
        super().__init__(id=id)
        self._point = point
        self._click = click
        self._drag = drag
        self._wheel = wheel
        self._pressed = OUTSIDE
        self._pictures: tuple[BoardPicture, ...] = (BoardPicture(view),)
        self.images: tuple[BoardImage, ...] = ()
        """The pictures, if they are wanted and large enough; else characters show the boards."""
        self._origin = Offset()
        self._arranged = arrange(self.geometry.extent, 1, 0)
        self._note_lines: dict[int, Strip] = {}

    @property
    def view(self) -> BoardView:
        return self._pictures[0].view

    @property
    def views(self) -> list[BoardView]:
        return [picture.view for picture in self._pictures]

    @property
    def geometry(self) -> BoardGeometry:
        return self._pictures[0].geometry

    def show(self, *views: BoardView) -> None:
        """Show other views; only cells and edges that changed are painted again."""
        before = self._pictures
        if len(views) != len(before) or views[0].position.board != self.view.position.board:
            self._layout_boards(views)
            return
        back = self._background
        given = zip(before, views, strict=True)
        self._pictures = tuple(replace(old, view=view, background=back) for old, view in given)
        if self.images:
            changed: list[Region] | None = list(self._draw())
        elif self._follow_cursor():
            changed = None
        else:
            changed = self._changed_regions(before)

        if changed is None:
            self._repaint()
        elif changed:
            self.refresh(*changed)

    def _changed_regions(self, before: Sequence[BoardPicture]) -> list[Region] | None:
        """Return where the boards look different than before; None if that may be anywhere."""
        changed = []
        for old, picture, origin in zip(before, self._pictures, self._origins, strict=True):
            regions = picture.changed(old)
            if regions is None:
                return None
            changed += [region.translate(origin) for region in regions]
        return changed

    def width_at(self, zoom: Zoom) -> int:
        """Return the columns of the board at this size."""
        return layout(self.view.position.board, zoom, self.turned).width

    def cell_under(self, x: int, y: int) -> int:
        """Return the cell at an offset inside the widget, or OUTSIDE (-1)."""
        hits = (self._layout.hit(x - left, y - top) for left, top in self._origins)
        return next((cell for cell in hits if cell != OUTSIDE), OUTSIDE)

    def render_line(self, y: int) -> Strip:
        """Return one line, which Textual keeps: of all boards, with the background between."""
        color = self._pictures[0].background
        back = style(color, color, False)
        start = min(self._origin[0], 0)
        end = start  # of the strips so far
        strips = []
        for left, strip in self._strips(y):
            strips += [Strip.blank(left - end, back), strip]
            end = left + strip.cell_length
        line = Strip.join(strips)
        line = line.crop_extend(-start, self.size.width - start, back)
        for image, (left, top) in zip(self.images, self._origins, strict=False):
            if 0 <= y - top < image.layout.height and not self.covered:
                over = image.over_blocks(y - top, self.region.x + left)
                line = Strip([*line, *over], self.size.width)
        return line

    def _strips(self, y: int) -> Iterator[tuple[int, Strip]]:
        """Yield what boards and captions show on a line, from left to right, and where."""
        width, height, _ = self._layout.extent
        placed = zip(self._pictures, self._origins, strict=True)
        for number, (picture, (left, top)) in enumerate(placed):
            line = y - top
            if 0 <= line < height and self.images:
                yield left, Strip(self.images[number].blocks(line), width)
            elif 0 <= line < height:
                span = self.geometry.spans[line]
                yield left + span.start, _board_line(picture, line).crop(span.start, span.stop)
                if line in self._note_lines:
                    yield left + span.stop + _BESIDE_NOTE, self._note_lines[line]
            elif line == -1 and number < len(self.captions):
                strip = self._caption(number)
                first = range(width) if self.images else self.geometry.spans[0]
                middle = left + (first.start + first.stop) // 2
                yield max(middle - strip.cell_length // 2, 0), strip

    def _caption(self, number: int) -> Strip:
        """Return the line above a board, as much of it as has room."""
        _, _, pitch = self._layout.extent
        room = pitch - 2
        text = harmless(self.captions[number])
        text = clauses_within(text, room) or within(text, room)
        back = self._pictures[number].background
        return Strip([Segment(text, style(contrasting(back), back, True))])

    def _fit_note(self) -> None:
        """Wrap the note to what each line of the board leaves of the widget."""
        self._note_lines = {}
        if self.note is None or self.images:
            return
        back = self._background
        columns = [room - _AROUND_NOTE for room in self.geometry.corner(self.size.width)]
        rooms = [(line, room) for line, room in enumerate(columns) if room >= _LEAST_OF_NOTE]
        texts = flowed(self.note, [room for _, room in rooms])
        for (line, _), text in zip(rooms, texts, strict=False):
            text.style = style(contrasting(back), back, False)
            self._note_lines[line] = Strip(text.render(self.app.console))

    @property
    def _layout(self) -> "BoardGeometry | ImageLayout":
        return self.images[0].layout if self.images else self.geometry

    @property
    def _origins(self) -> list[Offset]:
        return [self._origin + origin for origin in self._arranged.origins]

    def action_step(self, down: int, right: int) -> None:
        """Move the cursor, or bring it to the middle of the board first."""
        cell = self.view.cursor
        if cell is None:
            cell = self.view.position.board.middle
        else:
            cell = self.geometry.step(cell, down, right)
        self._point(cell)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.is_mounted and self._pictures[0].background != self._background:
            self._repaint()

    def on_resize(self) -> None:
        self._layout_boards(self.views)

    watch_zoom = watch_turned = watch_graphics = on_resize

    def watch_note(self, before: Text | None, after: Text | None) -> None:
        """Draw the note; the board moves where it is the first or the last one."""
        if (before is None) != (after is None):
            self._layout_boards(self.views)
        else:
            self._fit_note()
            self.refresh()

    def watch_palette(self) -> None:
        self._repaint()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Report which cell was clicked, unless the board has been hidden since."""
        cell = self.cell_under(event.x, event.y)
        self._pressed = cell if event.button == 1 else OUTSIDE
        if cell != OUTSIDE and self.display:
            self._click(cell, event.button)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Report to which cell the mouse was taken from the one that was clicked."""
        cell = self.cell_under(event.x, event.y)
        pressed = self._pressed
        self._pressed = OUTSIDE
        if OUTSIDE not in (cell, pressed) and cell != pressed and self.display:
            self._drag(cell)

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def _turn_wheel(self, event: events.MouseEvent) -> None:
        event.stop()
        self._wheel(1 if isinstance(event, events.MouseScrollDown) else -1)

    @property
    def _background(self) -> str:
        return self.background_colors[1].hex6.lower()

    def _layout_boards(self, views: Sequence[BoardView]) -> None:
        """Choose zoom and places of boards for the size there is."""
        board = views[0].position.board
        self.images = self._new_images(board, len(views))
        zoom = self.zoom or next(iter(fitting(board, self.turned, *self.size)), Zoom.COMPACT)
        zoom = Zoom.HUGE if self.images else zoom  # the looks of cells with a border
        picture = replace(self._pictures[0], zoom=zoom, turned=self.turned)
        self._pictures = tuple(replace(picture, view=view) for view in views)
        self._arranged = arrange(self._layout.extent, len(views), self.size.width)
        self._origin = Offset(
            max((self.size.width - self._arranged.width) // 2, 0),
            max((self.size.height - self._arranged.height) // 2, 0),
        )
        if self.note is not None:
            self._origin = Offset(0, self._origin.y)
        self._follow_cursor()
        self._fit_note()
        self._repaint()

    def _new_images(self, board: Board, boards: int) -> "tuple[BoardImage, ...]":
        """Return what draws pictures of so many boards, if these are wanted and large enough."""
        if self.graphics is None:
            return ()
        from hextui.ui.drawing.board_image import BoardImage, image_layout

        geometry = layout(board, Zoom.HUGE, self.turned)
        place = image_layout(geometry, boards, *self.size, self.graphics)
        if not place.legible:
            return ()
        return tuple(BoardImage(place, self.graphics.protocol, n) for n in range(boards))

    def _draw(self) -> Iterator[Region]:
        """Draw what has changed on the pictures; yield the lines."""
        drawn = zip(self.images, self._pictures, self._origins, strict=True)
        for image, picture, (_, top) in drawn:
            under = picture.palette.shades[1]
            for line in image.draw(picture.view, picture.looks, under):
                yield Region(0, top + line, self.size.width, 1)

    def _follow_cursor(self) -> bool:
        """Scroll a board that is larger than the widget; return whether it moved.

        One with a note fits.
        """
        if self.view.cursor is None or self.images or self.note is not None:
            return False
        arranged, before = self._arranged, self._origin
        x, y = Offset(*self.geometry.centre(self.view.cursor)) + arranged.origins[0]
        self._origin = Offset(
            _scrolled(before.x, arranged.width, self.size.width, x, 6),
            _scrolled(before.y, arranged.height, self.size.height, y, 3),
        )
        return self._origin != before

    def _repaint(self) -> None:
        palette, back = self.palette, self._background
        old = self._pictures
        self._pictures = tuple(replace(each, palette=palette, background=back) for each in old)
        if self.images:
            list(self._draw())
        self.refresh()


def _board_line(picture: BoardPicture, line: int) -> Strip:
    """Return a line of a board drawn with characters, with the links that cross it."""
    strip = paint_line(picture.geometry.lines[line], picture.looks, picture.colors)
    if picture.view.links and line in picture.lines:
        ink = picture.palette.stones[picture.view.links_of - 1]
        strip = draw_over(strip, picture.lines[line], ink)
    return strip


def _scrolled(start: int, length: int, room: int, point: int, margin: int) -> int:
    """Return where something of ``length`` starts in ``room`` so that ``point`` is seen."""
    if length <= room:
        return (room - length) // 2
    start = min(max(start, margin - point), room - 1 - margin - point)
    return min(max(start, room - length), 0)
