"""A board and the texts about it: beside it, in the corner at its right, or below it."""

from collections.abc import Iterable, Iterator

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from hextui.ui.app.layout import LEAST_COLUMNS, LINES_BELOW, TextPlace, place_texts
from hextui.ui.widgets.board_widget import BoardWidget

_GAP = 2  # columns between board and texts
_MOST = 46  # columns of texts


class BoardWithTexts(Container):
    """Draws the board as large as the texts allow.

    ``least``: the columns that the texts need beside a board larger than 2 x 1. ``in_corner``:
    they may also follow its slant.
    """

    DEFAULT_CSS = f"""
    BoardWithTexts {{
        layout: horizontal;
        height: 1fr;
        & > VerticalScroll {{ height: 1fr; padding: 1 0 0 1; scrollbar-size-vertical: 0; }}
        &.-corner > VerticalScroll {{ display: none; }}
        &.-below {{ layout: vertical; }}
        &.-below > VerticalScroll {{ width: 1fr; height: {LINES_BELOW}; padding: 0 1; }}
    }}
    """

    def __init__(
        self, board: BoardWidget, texts: Iterable[Static], least: int, *, in_corner: bool
    ) -> None:
        super().__init__()
        self._board = board
        self._texts = tuple(texts)
        self._least = least
        self._in_corner = in_corner

    def compose(self) -> ComposeResult:
        yield self._board
        with VerticalScroll(can_focus=False):
            yield from self._texts

    def on_resize(self) -> None:
        self.place_texts()

    def place_texts(self) -> None:
        """Give board and texts the places that suit the board and the room there is now."""
        board = self._board
        may_be_in_corner = self._in_corner and board.graphics is None
        zoom, place = place_texts(
            board.view.position.board,
            board.turned,
            self.size,
            self._least,
            in_corner=may_be_in_corner,
        )
        self.set_class(place is TextPlace.CORNER, "-corner")
        self.set_class(place is TextPlace.BELOW, "-below")
        if place is TextPlace.BESIDE:
            left = self.size.width - board.width_at(zoom) - _GAP
            self.query_one(VerticalScroll).styles.width = min(max(left, LEAST_COLUMNS), _MOST)
        else:
            self.query_one(VerticalScroll).styles.clear_rule("width")
        self.fit_texts()

    def fit_texts(self) -> None:
        """Show the texts as they are now, where the board draws them."""
        in_corner = self.has_class("-corner")
        self._board.note = Text("\n\n").join(self._shown()) if in_corner else None

    def _shown(self) -> Iterator[Text]:
        """Yield the texts that say something, in their styles."""
        for static in self._texts:
            content = static.content
            text = content.copy() if isinstance(content, Text) else Text(str(content))
            if text and static.display:
                text.stylize_before(static.rich_style)
                yield text
