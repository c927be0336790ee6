"""The must-play panel: threats and their intersection, and the tries of the readable solver."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engines.engine import OpenLane, ask_engine
from hextui.records.board_view import Connected
from hextui.ui.panels.panel import (
    LIST_KEYS,
    MUST_PLAY_WORDS,
    Change,
    ListPanel,
    PanelInput,
    PanelText,
)
from hextui.ui.widgets.line_list import BOLD, PLAIN, TextLine

if TYPE_CHECKING:  # what no first screen shows
    from hextui.engine.solver.mustplay import TryResult
    from hextui.engines.questions import Tried

MOST_CELLS = 49  # of a board on which the tries are followed, if it has more empty cells than
# the readable solver takes
SECONDS = 5.0  # of the tries of a position
PAUSE = 0.5  # seconds that a position is shown before they begin: they are plain Python in the
# engine's process, and would double the time of the first live answers


@dataclass(frozen=True)
class MustPlayLine(TextLine):
    """A line of the list, and the cells that it highlights on the board."""

    connected: Connected | None = None


class MustPlayPanel(ListPanel):
    """Follows must-play reasoning in the current position.

    Listed are the opponent's threats, the region common to their carriers, then the moves that the
    readable solver has tried, each with the answers tried to it, and at the end the winset.
    ``open_lane`` opens a lane to the engine. ``order``: of the cells, see `cell_order`.
    """

    TITLE = "Must-play"
    KEY = "W"
    TEXT = PanelText(
        "threats, their intersection, the moves tried",
        (
            MUST_PLAY_WORDS,
            ("threat", "A semi connection of the opponent's edges, with its carrier."),
            ("intersection", "What all threats have in common: the must-play region."),
            ("try", "A move that the readable solver has tried, and what beats it."),
            ("winset", "The empty cells that the winner needs."),
        ),
        (*LIST_KEYS, ("enter", "Steps")),
        ("trace", "must-play"),
    )
    NOTE = "No threats known yet"
    SHOWS = frozenset({Change.SESSION, Change.ANALYSIS})
    IN_SCOPE = "proofs cover all moves"
    open_lane: OpenLane

    def __init__(self) -> None:
        super().__init__()
        self.order = "centre"  # the default of the solver, which no first screen imports
        self._asked: tuple[Position, str] | None = None
        self._number = 0  # of the newest question: answers to earlier ones are dropped
        self._tried: Tried | None = None
        self._problem = ""

    def begin(self) -> None:
        super().begin()
        self._drop()

    def on_hide(self) -> None:
        super().on_hide()
        self._drop()

    def on_unmount(self) -> None:
        self._drop()

    def choose_order(self, order: str) -> None:
        """Try the cells in this order from now on."""
        if order != self.order:
            self.order = order
            self._drop()
            if self._given is not None and self._is_shown:
                self.fill(self._given)

    def fill(self, given: PanelInput) -> None:
        self._ask(given.session.position)
        self.fit()

    def fit(self) -> None:
        self.write(self.note, f"{self._state}\norder: {self.order}")
        self.list.show(list(self._lines()))

    def pointed(self, key: object) -> None:
        line: MustPlayLine = self.list.line
        self.post_message(self.Highlighted(self.of, line.connected))

    def chosen(self, key: object) -> None:
        self.post_message(self.ActionWanted("trace"))

    def _drop(self) -> None:
        """Stop the solver, and forget what it has tried."""
        self._number += 1
        self._asked = self._tried = None
        self._problem = ""

    def _ask(self, position: Position) -> None:
        """Let the tries of a position begin, once; not of a position that is too large."""
        if self._asked == (position, self.order):
            return
        self._drop()
        self._asked = (position, self.order)
        if self._why_not(position):
            return
        self.set_timer(PAUSE, partial(self._begin_tries, position, self._number))

    def _begin_tries(self, position: Position, number: int) -> None:
        """Ask for the tries of a position, unless another question came since."""
        from hextui.engines.questions import Tries

        if number != self._number:
            return
        question = Tries(position.without_swap, self.order, SECONDS)
        hear = partial(self.call_later, self._hear, number)
        stop = lambda: self._number != number  # noqa: E731
        work = partial(ask_engine, self.open_lane, question, stop, hear)
        self.run_worker(work, group="tries", thread=True)

    def _hear(self, number: int, answer: "Tried | None", problem: str) -> None:
        if number == self._number and self._given is not None:
            self._tried = answer or self._tried
            self._problem = problem
            self.fit()

    def _why_not(self, position: Position) -> str:
        """Return why a position has no tries, '' if it has."""
        from hextui.engine.solver.mustplay import REMEMBERED_EMPTIES

        if position.winner is not None:
            return "The game is over"
        if position.board.cells > MOST_CELLS and len(position.empties) > REMEMBERED_EMPTIES:
            return "Moves are tried on boards of up to 49 cells"
        return ""

    @property
    def _state(self) -> str:
        """How far the solver is."""
        position, tried = self.given.session.position, self._tried
        if problem := self._why_not(position) or self._problem:
            return problem
        if tried is None:
            return "Trying moves"
        visited = f"{tried.calls:,} visited"
        if tried.winner is not None:
            return f"{self._player(tried.winner)} wins; {visited}"
        if tried.ended:
            return f"Not solved in {SECONDS:.0f} s; {visited}"
        names = " ".join(map(position.board.name, tried.trying))
        return f"{visited}; trying {names}"

    def _player(self, color: Color) -> str:
        return self.given.options.names.player(color)

    def _lines(self) -> Iterator[MustPlayLine]:
        yield from self._threats()
        tried = self._tried
        if tried is None:
            return
        for place, result in enumerate(tried.tries):
            yield self._try(result, place)
        if tried.winner is not None:
            text = f"{self._player(tried.winner)}'s winset: {self._cells(tried.winset)}"
            connected = Connected(tried.winner, tried.winset)
            yield self._line("winset", 0, text, connected, is_bold=True)

    def _threats(self) -> Iterator[MustPlayLine]:
        """Yield the opponent's threats and what they have in common, if there are any."""
        snapshot, position = self.given.snapshot, self.given.session.position
        if snapshot is None or not snapshot.threats:
            return
        opponent = position.to_move.opponent
        for threat in snapshot.threats:
            key = f"at {threat.key}, " if threat.key else ""
            text = f"{self._player(opponent)} threatens {key}carrier {self._cells(threat.cells)}"
            yield self._line(f"threat {threat.id}", 0, text, Connected(opponent, threat.cells))
        region = snapshot.must_play or frozenset()
        text = f"intersection: {self._cells(region)}"
        yield self._line("region", 0, text, Connected(opponent, region), is_bold=True)

    def _try(self, result: "TryResult", place: int) -> MustPlayLine:
        """Return a move that was tried: by what it wins, or which answer beats it."""
        name = self.given.session.board.name
        mover = self.given.session.position.to_move
        if result.depth % 2:
            mover = mover.opponent
        move = name(result.move)
        needs = self._cells(result.winset)
        owner = mover
        if not result.ended:
            text = f"{self._player(mover)} {move}, not decided"
            return self._line(f"try {place}", result.depth, text, None)
        if result.reply is None:
            text = f"{self._player(mover)} {move} wins: needs {needs}"
        else:
            owner = mover.opponent
            reply = name(result.reply)
            text = f"{self._player(mover)} {move} loses to {reply}: needs {needs}"
        return self._line(f"try {place}", result.depth, text, Connected(owner, result.winset))

    def _cells(self, cells: frozenset[int]) -> str:
        return " ".join(map(self.given.session.board.name, sorted(cells))) or "none"

    def _line(
        self, key: str, depth: int, text: str, connected: Connected | None, *, is_bold: bool = False
    ) -> MustPlayLine:
        style = BOLD if is_bold else PLAIN
        first, *more = self.tree_rows(depth, None, text, style)
        return MustPlayLine(key, first, tuple(more), connected)
