"""How board and panels share the main screen, and where the focus is."""

from dataclasses import replace

from textual.geometry import Size
from textual.widgets import Static

from hextui.ui.drawing.geometry import View, Zoom
from hextui.ui.layout import FULL, SMALLEST, Arrangement, arrangements, panel_count, side_by_side
from hextui.ui.main.session_screen import SessionScreen

_LINES_AROUND = 3  # title, status and footer


class ArrangingScreen(SessionScreen):
    """Arranges board and panels for the size of the terminal and the user's choice."""

    _arrangement = 0
    _wanted: Zoom | None = None

    @property
    def chosen_zoom(self) -> Zoom | None:
        """The zoom that the user chose; None where it follows the size of the terminal."""
        return self.board.zoom if self._arrangement else None

    @property
    def two_boards(self) -> bool:
        """Whether two boards are shown: if asked for, from 140 columns."""
        return self.shown.two_boards and self.size.width >= FULL

    def on_resize(self) -> None:
        """Share the new size between board and panels."""
        self.share_room()
        self.show_cursor()

    def share_room(self, zoom: Zoom | None = None, *, anew: bool = False) -> None:
        """Share the screen between board and panels.

        ``zoom``, if given, is taken as soon as there is room for it; ``anew`` forgets the
        user's choice.
        """
        self._wanted = zoom or self._wanted
        if anew:
            self._arrangement = 0
        choices = self._choices
        zooms = [choice.zoom for choice in choices]
        if self._wanted in zooms and self.size.height > _LINES_AROUND:
            self._arrangement = zooms.index(self._wanted)
            self._wanted = None
        choice = choices[self._arrangement % len(choices)]
        self.second_board.display = self.two_boards
        self.second_board.turned = self.board.turned
        self.board.display = choice.board_columns > 0 or not choice.panels
        for board in (self.board, self.second_board):
            board.zoom = choice.zoom
            board.styles.width = choice.board_columns
        self.panels.display = choice.panels
        self.panels.count = panel_count(self.size)
        small = self.size.width < SMALLEST.width or self.size.height < SMALLEST.height
        self.set_class(small, "-too-small")
        self.query_one("#too-small", Static).update(
            f"This terminal has {self.size.width} x {self.size.height} characters,\n"
            f"hextui needs {SMALLEST.width} x {SMALLEST.height}."
        )

    @property
    def _choices(self) -> tuple[Arrangement, ...]:
        """The ways to share the screen as it is."""
        body = Size(self.size.width, max(self.size.height - _LINES_AROUND, 0))
        arrange = side_by_side if self.two_boards else arrangements
        return arrange(self.session.board, self.board.turned, body)

    def action_zoom(self) -> None:
        """Share the screen in the next way."""
        self._arrangement += 1
        self.share_room()
        if not self.board.display:
            self.panels.focus_on(self.panels.newest)
        elif self.panels.focused and not self.panels.display:
            self.board.focus()

    def action_two_boards(self) -> None:
        """Show a second board, or one board again."""
        two = not self.shown.two_boards
        if two and self.size.width < FULL:
            self.complain(f"Two boards need a terminal of {FULL} columns")
            return
        self.shown = replace(self.shown, two_boards=two)
        self.share_room(anew=True)
        self.show_analysis()

    def action_turn_view(self) -> None:
        """Turn the view of the board."""
        views = list(View)
        self.board.turned = views[(views.index(self.board.turned) + 1) % len(views)]
        self.share_room()
        self.notify(f"View: {self.board.turned}", timeout=2)

    def show_panels(self) -> bool:
        """Show panels; False, and a word why, where they have no room."""
        if not self.panels.display:
            beside = [choice.panels for choice in self._choices]
            if True not in beside:
                self.complain("There is no room for panels beside two boards: 2 shows one")
                return False
            self._arrangement = beside.index(True)
            self.share_room()
        return True

    def action_panel(self, step: int) -> None:
        """Give the focus to the next panel; after the last one comes the board."""
        if not self.show_panels():
            return
        stops = [None, *self.panels.ids]
        stop = stops[(stops.index(self.panels.focused) + step) % len(stops)]
        if stop is None:
            self._focus_board()
        else:
            self.panels.bring(stop)
            self.panels.focus_on(stop)

    def action_focus_board(self) -> None:
        """Go back to the board, without what a panel painted on it."""
        self._focus_board()
        self.choose(connected=None, line=())

    def _focus_board(self) -> None:
        if not self.board.display:
            self.share_room(anew=True)
        self.board.focus()
