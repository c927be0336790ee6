"""`best_move` step by step: the best move by looking at every line, of Hex and other games."""

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import ContentSwitcher, Static

from hextui.engine.position import Position
from hextui.engine.search.best_move import CallPlace, CallStep, GameState, Walk
from hextui.engine.search.small_games import EXAMPLES, GAMES, HexGame
from hextui.engines.engine import EngineError, OpenLane
from hextui.engines.questions import LookAhead, LookedAhead
from hextui.ui.drawing.board_view import BoardView
from hextui.ui.drawing.palette import Palette
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.screens.every_line_text import tell_call, tell_scores
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.key_lines import ScreenKeys
from hextui.words.names import Names, counted


class EveryLineScreen(BaseScreen[None]):
    """Steps through the calls of `best_move`. The record is not touched."""

    class Came(Message):
        """What is known of a state; ``problem`` says why no more will come."""

        def __init__(self, state: GameState, known: LookedAhead, problem: str = "") -> None:
            super().__init__()
            self.state = state
            self.known = known
            self.problem = problem

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,right,down,j,space", "step(1)", "Next", id="every-line.next"),
        Binding("p,left,up,k", "step(-1)", "Back", id="every-line.previous"),
        Binding("right_square_bracket,enter", "over(1)", "Over", id="every-line.over"),
        Binding("left_square_bracket", "over(-1)", "Back over", id="every-line.back-over"),
        Binding("home,g", "to(0)", "First", id="every-line.first", show=False),
        Binding("end,G", "to(-1)", "Last", id="every-line.last", show=False),
        Binding("o", "game", "Other game", id="every-line.game"),
        Binding("pagedown", "scroll(1)", "Text on", id="every-line.text-on", show=False),
        Binding("pageup", "scroll(-1)", "Text back", id="every-line.text-back", show=False),
        Binding("escape,q", "close", "Close", id="every-line.close"),
    ]
    DEFAULT_CSS = """
    EveryLineScreen #line-title { height: 1; background: $panel; padding: 0 1; }
    EveryLineScreen #line-title { text-style: bold; }
    EveryLineScreen Horizontal { height: 1fr; }
    EveryLineScreen ContentSwitcher { width: 1fr; height: 1fr; }
    EveryLineScreen #line-picture { content-align: center middle; width: 1fr; height: 1fr; }
    EveryLineScreen VerticalScroll { width: 40; height: 1fr; padding: 1 0 0 1; }
    """

    def __init__(
        self,
        position: Position,
        palette: Palette,
        open_lane: OpenLane,
        names: Names = Names.RED_BLUE,
    ) -> None:
        super().__init__()
        self._open_lane = open_lane
        self._names = names
        self._position = position
        self._palette = palette
        self._game = "hex"
        self._walk: Walk | None = None
        self._known: dict[GameState, LookedAhead] = {}
        self._asked: GameState | None = None  # about which the engine is asked
        self._left = False

    def compose(self) -> ComposeResult:
        """Make the title, the board or picture, and the text."""
        yield Static("", id="line-title", markup=False)
        with Horizontal():
            with ContentSwitcher(initial="line-board"):
                board = BoardWidget(BoardView(self._position), id="line-board")
                board.can_focus = False
                board.palette = self._palette
                yield board
                yield Static("", id="line-picture", markup=False)
            with VerticalScroll(can_focus=False):
                yield Static("", id="line-text", markup=False)
        yield ScreenKeys()

    def on_mount(self) -> None:
        """Look at the position of the record, or say why not."""
        try:
            self._begin("hex", HexGame.at(self._position))
        except ValueError as error:
            self._tell_title(f"{error}; o takes another game")

    def on_unmount(self) -> None:
        """Stop looking."""
        self._left = True

    def _begin(self, game: str, state: GameState) -> None:
        self._game, self._walk, self._known = game, Walk([CallPlace(state)]), {}
        self._show()

    def _show(self) -> None:
        """Show the place of the walk; ask for its call if it is not known."""
        walk = self._walk
        assert walk is not None
        state, place = walk.state, walk.places[-1]
        self._paint(state)
        known = self._known.get(walk.places[0].state)
        if known is None or known.call is None:
            so_far = known.positions if known else 0
            self._tell_title(f"{counted(so_far, 'position')} visited so far")
        else:
            self._tell_title(f"{counted(known.call_positions, 'position')} visited")
        call = walk.call
        if call is None:
            self._tell(f"Depth {walk.depth}\n\nLooking ...")
        else:
            lines = list(tell_call(place, call, walk.depth, self._names))
            here = self._known[state]
            if here.scores:
                lines += ["", *tell_scores(state, here.scores)]
            self._tell("\n".join(lines))
        if (known := self._known.get(state)) is None or known.scores is None:
            self._ask(state)

    def _paint(self, state: GameState) -> None:
        walk = self._walk
        assert walk is not None
        switcher = self.query_one(ContentSwitcher)
        if not isinstance(state, HexGame):
            switcher.current = "line-picture"
            self.query_one("#line-picture", Static).update(str(state))
            return
        switcher.current = "line-board"
        cursor = None
        if walk.call is not None and walk.call.asked:
            what, asked = walk.places[-1].step(walk.call)
            move = walk.call.best.move if what is CallStep.RETURN else None
            if what in (CallStep.ASK, CallStep.HEAR):
                move = walk.call.asked[asked - 1].move
            cursor = move if move is not None and move >= 0 else None
        self.query_one(BoardWidget).show(BoardView(state.position, cursor=cursor))

    def _ask(self, state: GameState) -> None:
        if self._asked != state:
            self._asked = state
            self._look(state)

    @work(thread=True, group="every-line")
    def _look(self, state: GameState) -> None:
        """Wait for the engine; another question ends this one."""
        lane = self._open_lane()
        known = LookedAhead(0)
        try:
            for known in lane.answers(
                LookAhead.at(state), lambda: self._left or self._asked != state
            ):
                self.post_message(self.Came(state, known))
        except EngineError as error:
            self.post_message(self.Came(state, known, str(error)))
        finally:
            lane.close()

    @on(Came)
    def _take(self, came: Came) -> None:
        if self._walk is None or came.state != self._asked:
            return
        if came.problem:
            self._tell_title(came.problem)
            return
        self._known[came.state] = came.known
        if came.known.call is not None:
            self._walk.calls[came.state] = came.known.call
        if came.known.scores is not None:
            self._asked = None
        self._show()

    def _tell_title(self, text: str) -> None:
        self.query_one("#line-title", Static).update(f"Every line, {self._game}: {text}")

    def _tell(self, text: str) -> None:
        self.query_one("#line-text", Static).update(text)

    def action_step(self, steps: int) -> None:
        """Go a step on or back, into the calls inside."""
        if self._walk is not None:
            self._walk.into(steps)
            self._show()

    def action_over(self, steps: int) -> None:
        """Go a step on or back in this call, or out of it."""
        if self._walk is not None:
            self._walk.over(steps)
            self._show()

    def action_to(self, at: int) -> None:
        """Go to the first step (0) or the last (-1) of the first call."""
        if self._walk is not None:
            self._walk.to(at)
            self._show()

    def action_scroll(self, pages: int) -> None:
        """Show what follows in the text, or what came before."""
        side = self.query_one(VerticalScroll)
        side.scroll_relative(y=pages * side.size.height, animate=False)

    @work(group="dialogs")
    async def action_game(self) -> None:
        """Ask for another game, or another state of one."""
        hint = "hex (the position of the record)"
        hint += "".join(f", or {name} {EXAMPLES[name]}" for name in GAMES)
        chosen = await self.app.push_screen_wait(
            LineDialog("Which game?", f"{hint}.", self._read, self._game)
        )
        if chosen is not None:
            self._begin(*chosen)

    def _read(self, text: str) -> tuple[str, GameState]:
        """Read a game and its state; raises ValueError with one line."""
        game, _, state = text.strip().partition(" ")
        if game == "hex" and not state:
            return game, HexGame.at(self._position)
        if game not in GAMES:
            raise ValueError(f"there is no game {game!r}; there are hex, {', '.join(GAMES)}")
        return game, GAMES[game].parse(state.strip() or EXAMPLES[game])

    def action_close(self) -> None:
        """Go back to the record."""
        self.dismiss(None)
