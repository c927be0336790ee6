"""The explorer panel: the moves that games of the library played here, and their results."""

from textual.binding import Binding
from textual.widgets import Static

from hextui.engine.position import Move, MoveKind, Position
from hextui.library.answers import Explored
from hextui.library.filters import filter_text
from hextui.text import Names, counted
from hextui.ui.drawing.whole_words import within
from hextui.ui.live.background import LibraryAnswer, LibraryQuestion
from hextui.ui.panels.explorer_columns import (
    CONTRADICTING,
    ORDERS,
    GameColumns,
    MoveColumns,
    ShownMove,
    best_line,
)
from hextui.ui.panels.panel import LIST_KEYS, Change, Panel, PanelInput, PanelText
from hextui.ui.widgets.line_list import LineList

_DIM = 0.15  # seconds until an older answer is dimmed: most answers come sooner


class ExplorerPanel(Panel):
    """The moves in the library with their results, and the games that reached the position.

    A thread queries the library; until it answers, the panel keeps the last answer, dimmed.
    """

    TITLE = "Explorer"
    KEY = "f9"
    TEXT = PanelText(
        "played here, in the games of your library",
        (
            ("{black}", "The share of the games with the move that {black} won."),
            ("games", "How many games played the move here."),
            ("95% CI", "The 95% interval of that share."),
            ("verdict", "Proved (bold: here), or `?`: five games or more agree."),
            ("reply", "The reply that refutes a losing move."),
            ("swap", "The share of those games in which this first move was swapped."),
        ),
        (*LIST_KEYS, ("enter", "Play, or open the game"), ("s", "Sort")),
        ("filter-library", "library"),
    )
    SHOWS = frozenset({Change.SESSION, Change.ANALYSIS, Change.LIBRARY})
    BINDINGS = [
        Binding("slash", "screen.do('filter-library')", "Filter", id="explorer.filter"),
        Binding(
            key="s",
            action="sort",
            description="Sort",
            id="explorer.sort",
            tooltip="By the next column",
        ),
    ]
    DEFAULT_CSS = """
    ExplorerPanel #explored-line { display: none; }
    ExplorerPanel.-line #explored-line { display: block; }
    ExplorerPanel Static { height: 1; color: $text-muted; text-wrap: nowrap; }
    ExplorerPanel Static { text-overflow: ellipsis; }
    ExplorerPanel #explored-moves { height: 3fr; }
    ExplorerPanel #explored-games { height: 2fr; }
    ExplorerPanel.-waiting LineList { opacity: 50%; }
    """

    def __init__(self) -> None:
        self.head = Static(id="explored-head", markup=False)
        self.best_line = Static(id="explored-line", markup=False)
        self.moves = LineList(
            point=self._point,
            choose=lambda move: self.post_message(self.Played(self.of, (move,))),
            leave=self._leave,
            sort=self._sort_by_heading,
            empty=self._refuse,
            id="explored-moves",
        )
        self.games = LineList(
            choose=lambda game: self.post_message(self.GameChosen(game)),
            leave=self._leave,
            empty=self._refuse,
            id="explored-games",
        )
        super().__init__(self.head, self.best_line, self.moves, self.games)
        self._asked: LibraryQuestion | None = None
        self._answer: LibraryAnswer | None = None
        self._moves: tuple[ShownMove, ...] = ()
        self._order = next(iter(ORDERS))

    @property
    def of(self) -> Position | None:
        return self._answer.question.position if self._answer else None

    def begin(self) -> None:
        self.moves.start_again()
        self.games.start_again()

    def fill(self, given: PanelInput) -> None:
        """Show the answer for the position, or query the library."""
        answer = given.options.library
        self._asked = LibraryQuestion(given.session.position, given.options.library_filter)
        if answer is not None and answer.question == self._asked:
            self._answer = answer
            self._moves = _shown_moves(answer, given)
            self._dim_old_answer()
            self._say(_heading(answer, given.options.names))
            self.fit()
            return
        if self._answer is None:
            self.fit()  # the headings
        self._say("Searching the library ...")
        self.set_timer(_DIM, self._dim_old_answer)
        self.post_message(self.AnswerWanted())

    def fit(self) -> None:
        names = self.given.options.names
        if self._answer is not None:
            line = _best_line(self._answer, self.size.width, names)
            self.write(self.best_line, line)
            self.set_class(bool(line), "-line")
        self._show_moves()
        rows = self._answer.games if self._answer else ()
        columns = GameColumns(self.games.size.width, rows, names)
        self.games.show([columns.line(game) for game in rows], columns.heading)

    def _show_moves(self) -> None:
        columns = self._columns
        shown = sorted(self._moves, key=ORDERS[self._order])
        self.moves.show([columns.line(move) for move in shown], columns.heading)

    @property
    def _columns(self) -> MoveColumns:
        names = self.given.options.names
        return MoveColumns(self.moves.room, self._order, self._moves, names)

    def _dim_old_answer(self) -> None:
        answered = self._answer.question if self._answer else None
        self.set_class(answered != self._asked, "-waiting")

    def _say(self, text: str) -> None:
        self.write(self.head, within(text, self.head.size.width or self.size.width))

    def _refuse(self) -> None:
        self.post_message(self.Refused("No game of the library is listed here"))

    def action_sort(self) -> None:
        if not self._moves:
            self._refuse()
            return
        orders = [name for name in ORDERS if name in self._columns.widths]
        place = orders.index(self._order) if self._order in orders else -1
        self._sort_by(orders[(place + 1) % len(orders)])

    def _sort_by_heading(self, column: int) -> None:
        self._sort_by(self._columns.order_at(column) or self._order)

    def _sort_by(self, order: str) -> None:
        self._order = order
        self._show_moves()

    def _point(self, move: Move) -> None:
        if move.kind is MoveKind.PLAY:
            self.post_message(self.Pointed(self.of, move.cell))

    def _leave(self, step: int) -> None:
        after = self.games if step > 0 else self.moves
        if after.lines and not after.has_focus:
            after.focus()


def _shown_moves(answer: LibraryAnswer, given: PanelInput) -> tuple[ShownMove, ...]:
    """Return the moves in the library, each with the record's turn, a rank and a proof, if any."""
    position = answer.question.position
    snapshot = given.snapshot
    ranks: dict[int, int] = {}
    if snapshot is not None and snapshot.position == position:
        ranking = snapshot.rankings.get(snapshot.ranking_for(given.options.evaluator))
        if ranking is not None:
            ranks = {move.cell: move.rank for move in ranking.moves}

    proved: dict[int, bool] = {}
    if any(position.stones):  # proofs of first moves assume that the opponent does not swap
        proved = given.verdicts.moves(position).by_cell

    played = given.session.next_node
    shown = []
    for move in answer.explored.moves:
        is_stone = move.played.kind is MoveKind.PLAY
        shown.append(
            ShownMove(
                move=move,
                turn=played.turn if played else None,
                rank=ranks.get(move.played.cell),
                palette=given.palette,
                won=proved.get(move.played.cell) if is_stone else None,
            )
        )
    return tuple(shown)


def _best_line(answer: LibraryAnswer, columns: int, names: Names) -> str:
    """Return the best line in the library, or else a hint on the filter or the results, or ''."""
    question, explored = answer.question, answer.explored
    if question.chosen and not explored.games:
        return "Press F and clear the line to count all games"
    ended = explored.ended
    line = best_line(question.position, explored.line, explored.line_games, columns)
    if line or not ended.contradicting:
        return line
    first, second = names.both
    return f"Contradicting: {first} won {ended.black_wins}, {second} won {ended.white_wins}"


def _heading(answer: LibraryAnswer, names: Names) -> str:
    if answer.problem:
        return f"The library cannot be read: {answer.problem}"
    explored = answer.explored
    text = counted(explored.games, "game") if explored.games else "No games here"
    chosen = answer.question.chosen
    if chosen:
        text += f", {filter_text(chosen, names)}"
    if explored.others:
        # a stone that was swapped, or set up, is another position than the first move
        swap = "decided" if answer.question.position.swap_legal else "open"
        text += f"; with the swap {swap}: {explored.others:,}"
    if explored.rare:
        text += f", {counted(explored.rare, 'move')} hidden"
    return text + _games_ended(explored)


def _games_ended(explored: Explored) -> str:
    """Return how many games end at the position, and whether results contradict."""
    ended = explored.ended
    if ended.games:
        end = "ends" if ended.games == 1 else "end"
        sign = CONTRADICTING if ended.contradicting else ""
        return f", {ended.games} {end} here{sign}"
    if any(move.ended.contradicting for move in explored.moves):
        return f" ({CONTRADICTING}: results contradict)"
    return ""
