"""The moves panel: the verdict of each move, if proved, and its value by each evaluator."""

from hextui.engine.evaluators import improves, scale_of
from hextui.engine.position import Move
from hextui.ui.panels.panel import LIST_KEYS, ListPanel, PanelInput, PanelText
from hextui.ui.whole_words import within
from hextui.ui.widgets.frame import parts_within
from hextui.ui.widgets.line_list import DIM, TextLine
from hextui.ui.widgets.move_columns import MoveList, table

SHOWN_AT_FIRST = 30
_MORE = "more"


class MovesPanel(ListPanel):
    """One line a move: proved wins, open moves, losses, each ranked by the evaluator in focus.

    The best thirty moves and the record's are listed; the last line brings the rest.
    """

    TITLE = "Moves"
    KEY = "f2"
    TEXT = PanelText(
        "every move, proved wins first, then by rank",
        (
            ("wins, loses", "Proved with best play."),
            (
                "search",
                "Win probability by the tree search; until it has results, another one ranks.",
            ),
            ("bar", "The move's value beside that of the best one, by the evaluator in focus."),
            (
                "rank",
                "1 is the evaluator's best move. A search ranks by visits: the win probability of "
                "a move with few visits says little.",
            ),
            ("*", "The record's next move."),
            ("evaluator", "A formula that gives every move a value: an estimate, not a proof."),
            (
                "only 14 cells",
                "You marked the moves to consider (J); verdicts are about all moves.",
            ),
            ("visits", "How often a search, ours or another engine's, has visited the move."),
            ("policy", "The probability that another engine's network gives the move."),
        ),
        (*LIST_KEYS, ("enter", "Play")),
        ("next-evaluator", "choose-evaluators", "play-best"),
    )
    NOTE = "No values yet"
    IN_SCOPE = ""
    DEFAULT_CSS = """
    MovesPanel .note { height: 1; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._moves: MoveList | None = None
        self._all = False

    def fill(self, given: PanelInput) -> None:
        """Show the rankings; the first one sorts while that in focus is late."""
        snapshot, moves = given.snapshot, None
        if snapshot is not None:
            wanted = given.options.evaluator
            focus = snapshot.ranking_for(wanted)
            moves = MoveList(
                snapshot.position.board,
                snapshot.rankings,
                focus,
                given.session.next_cell,
                given.verdicts.moves(snapshot.position).by_cell,
                given.palette.good,
                snapshot.reports.get(focus),
                snapshot.problems.get(wanted, ""),
                "" if focus == wanted else wanted,
            )
        if moves and self._moves and moves.board != self._moves.board:
            self._all = False
        self._moves = moves
        self.fit()

    def fit(self) -> None:
        moves = self._moves
        if moves is None or moves.focus not in moves.rankings:
            self.write(".note", moves.problem if moves and moves.problem else self.NOTE)
            self.list.show(())
            return
        self.write(".note", self._note(moves))
        wanted = moves.ordered()
        cells = wanted if self._all else wanted[:SHOWN_AT_FIRST]
        if moves.played in wanted[len(cells) :]:
            cells = [*cells, moves.played]
        # the last column of the list is its scroll bar's
        heading, lines = table(moves, cells, self.content_size.width - 1)
        if len(cells) < len(wanted):
            lines.append(TextLine(_MORE, ((f"+{len(wanted) - len(cells)} more", DIM),)))
        self.list.show(lines, heading)

    def _note(self, moves: MoveList) -> str:
        """Return the evaluator in focus, what it says and its rank of the record's move.

        What has no room is left out; a problem of the evaluator is all there is to say.
        """
        if moves.problem:
            return within(moves.problem, self.content_size.width)
        ranking = moves.rankings[moves.focus]
        move = ranking.by_cell.get(-1 if moves.played is None else moves.played)
        scale = scale_of(moves.focus)
        unit = f" ({scale.short}: {scale.unit})" if scale and scale.short != "%" else ""
        order = ", ranked by visits" if improves(moves.focus) else ""
        until = f", until {moves.late} answers" if moves.late else ""
        parts = [
            moves.focus + ("" if ranking.exact else " (capped)") + unit + order + until,
            ranking.note,
            f"played {moves.board.name(move.cell)}, rank {move.rank}" if move else "",
        ]
        return parts_within("  ".join(filter(None, parts)), self.content_size.width)

    def pointed(self, key: int | str) -> None:
        if isinstance(key, int):
            self.post_message(self.Pointed(self.of, key))

    def chosen(self, key: int | str) -> None:
        """Play the move, or list all moves."""
        if isinstance(key, int):
            self.post_message(self.Played(self.of, (Move.play(key),)))
        else:
            self._all = True
            self.fit()
