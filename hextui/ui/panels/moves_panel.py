"""The moves panel: the verdict of each move, if proved, and its value by each evaluator."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product, takewhile

from rich.style import Style

from hextui.engine.board import Board
from hextui.engine.evaluators import improves, scale_of
from hextui.engine.position import SWAPS, Position
from hextui.engine.ranking import SWAP, RankedMove, Ranking
from hextui.engine.swap import move_of
from hextui.engine.verdicts import Verdicts
from hextui.engines.snapshot import SearchReport, Snapshot
from hextui.text import counts_text
from hextui.ui.drawing.overlays import value_shares
from hextui.ui.drawing.whole_words import within
from hextui.ui.panels.panel import LIST_KEYS, ListPanel, PanelInput, PanelText
from hextui.ui.panels.value_texts import BAR, bar, number, percent, short_count, short_name
from hextui.ui.widgets.frame import parts_within
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span, TextLine

SHOWN_AT_FIRST = 30
_MORE = "more"
_PROVED = {True: 0, None: 1, False: 2}  # the order of moves that win, are open, lose
_GAP = " "  # before an evaluator's columns
_RANK = 4  # columns of a rank


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
                "Win probability by the tree search. Until it has results, another evaluator's "
                "ranking is shown.",
            ),
            ("bar", "The move's value beside that of the best one, by the evaluator in focus."),
            (
                "rank",
                "1 is the evaluator's best move. A search ranks by visits: the win probability of "
                "a move with few visits says little.",
            ),
            ("*", "The record's next move."),
            ("evaluator", "A method that gives every move a value: an estimate, not a proof."),
            ("only 14 cells", "You marked the moves to consider (J); verdicts cover all moves."),
            ("visits", "How often a search, ours or another engine's, has visited the move."),
            ("policy", "The probability that another engine's network gives the move."),
        ),
        (*LIST_KEYS, ("enter", "Play")),
        ("next-evaluator", "choose-evaluators", "play-best"),
    )
    NOTE = "No values yet"
    IN_SCOPE = ""
    RANKED = True
    DEFAULT_CSS = """
    MovesPanel .note { height: 1; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._all = False
        self._board: Board | None = None
        self._played: int | None = None
        self._word = "played"

    def fill(self, given: PanelInput) -> None:
        """Show the rankings; the first one sorts while that in focus is late."""
        board = given.session.board
        if board != self._board:
            self._board = board
            self._all = False
        self._played = given.session.next_cell
        following = given.session.next_node
        if following and following.turn and following.turn.move.kind in SWAPS:
            self._played = SWAP
        self._word = "tried" if given.session.next_is_tried else "played"
        self.fit()

    def fit(self) -> None:
        snapshot = self.given.snapshot
        if snapshot is None:
            self._show_nothing(self.NOTE)
            return

        wanted = self.given.options.evaluator
        problem = snapshot.problems.get(wanted, "")
        focus = snapshot.ranking_for(wanted)
        if focus not in snapshot.rankings:
            self._show_nothing(problem or self.NOTE)
            return

        width = self.content_size.width
        note = within(problem, width) or parts_within(self._note(snapshot, focus), width)
        self.write(self.note, note)
        self._show_moves(snapshot, focus)

    def _show_nothing(self, note: str) -> None:
        self.write(self.note, note)
        self.list.show(())

    def _show_moves(self, snapshot: Snapshot, focus: str) -> None:
        verdicts = _verdicts_of(snapshot.position, self.given.verdicts)
        ordered = _ordered_moves(snapshot, focus, verdicts)
        cells = ordered if self._all else ordered[:SHOWN_AT_FIRST]
        if self._played in ordered[len(cells) :]:
            cells = [*cells, self._played]

        columns = self._columns(snapshot, focus, verdicts, cells)
        lines = []
        for row, cell in enumerate(cells):
            spans = tuple(span for column in columns for span in column.rows[row])
            lines.append(TextLine(cell, spans))
        if len(cells) < len(ordered):
            lines.append(TextLine(_MORE, ((f"+{len(ordered) - len(cells)} more", DIM),)))
        self.list.show(lines, tuple((column.heading, BOLD) for column in columns))

    def _note(self, snapshot: Snapshot, focus: str) -> str:
        """Return the evaluator in focus, its note and its rank of the record's move."""
        ranking = snapshot.rankings[focus]
        parts = [self._evaluator_in_focus(ranking, focus), ranking.note]
        move = ranking.by_cell.get(-1 if self._played is None else self._played)
        if move is not None:
            name = snapshot.position.board.name(move.cell)
            parts.append(f"{self._word} {name}, rank {move.rank}")
        return "  ".join(filter(None, parts))

    def _evaluator_in_focus(self, ranking: Ranking, focus: str) -> str:
        """Return the name of the evaluator in focus, with what its values are and its order."""
        text = focus
        if not ranking.exact:
            text += " (capped)"

        scale = scale_of(focus)
        if scale and scale.short != "%":
            text += f" ({scale.short}: {scale.unit})"
        if improves(focus):
            text += ", ranked by visits"

        if counts := max((move.counts for move in ranking.moves), key=len, default=()):
            red, blue = self.given.options.names.both
            paths = " n_0..." if len(counts) > 1 else ""
            text += f", d{paths} of {blue}/{red}"

        wanted = self.given.options.evaluator
        if focus != wanted:
            text += f", until {wanted} answers"
        return text

    def _columns(
        self, snapshot: Snapshot, focus: str, verdicts: Mapping[int, bool], cells: Sequence[int]
    ) -> "list[_Column]":
        """Return the columns that have room; none is ever cut.

        Always the moves, the verdicts if there are any, and the evaluator in focus in the widest
        form that fits; of the others two together, then as many as fit from left to right.
        """
        room = self.list.room
        columns = [_names(snapshot.position, self._played, cells)]
        if verdicts:
            columns.append(_verdicts(verdicts, self.given.palette.good, cells))

        def fits(added: _Column) -> bool:
            return _width([*columns, added]) <= room

        for column in self._forms_of(focus, snapshot, cells):
            if fits(column):
                break
        columns.append(column)  # the narrowest form if none fits

        report = snapshot.reports.get(focus)
        if report is not None:
            for column in _engine_columns(report, cells):
                if fits(column):
                    columns.append(column)

        left = room - _width(columns)
        return [*columns, *self._columns_of_others(focus, snapshot, cells, left)]

    def _columns_of_others(
        self, focus: str, snapshot: Snapshot, cells: Sequence[int], room: int
    ) -> "list[_Column]":
        """Return the columns of evaluators out of focus: two together if they fit, then others."""
        others = _others(focus, snapshot)
        pair = [self._named_forms(name, snapshot, cells) for name in others[:2]]
        fitting = (forms for forms in zip(*pair, strict=False) if _width(forms) <= room)
        columns = list(next(fitting, ()))
        for name in others[len(columns) :]:
            widest = next(self._forms_of(name, snapshot, cells))
            if _width([*columns, widest]) > room:
                break
            columns.append(widest)
        return columns

    def _named_forms(
        self, name: str, snapshot: Snapshot, cells: Sequence[int]
    ) -> "Iterator[_Column]":
        """Yield the forms of an evaluator's column that name it."""
        forms = self._forms_of(name, snapshot, cells)
        return takewhile(lambda column: short_name(name) in column.heading, forms)

    def _forms_of(self, name: str, snapshot: Snapshot, cells: Sequence[int]) -> "Iterator[_Column]":
        """Yield the column of an evaluator, also of one that has not answered, ever narrower."""
        ranking = snapshot.rankings.get(name, Ranking(name, ()))
        return _forms(ranking, name, cells, self._side_of(name), _problem_of(name, snapshot))

    def _side_of(self, name: str) -> "_Side":
        """Return whose win probabilities a search's column shows."""
        snapshot, options = self.given.snapshot, self.given.options
        side = options.win_probability_of
        report = snapshot.reports.get(name) if snapshot else None
        if snapshot is None or side is None or report is None or report.winrate is None:
            return _Side()
        return _Side(options.names.player(side), side is not snapshot.position.to_move)

    def pointed(self, key: int | str) -> None:
        if isinstance(key, int) and key != SWAP:
            self.post_message(self.Pointed(self.of, key))

    def chosen(self, key: int | str) -> None:
        if isinstance(key, int):
            self.post_message(self.Played(self.of, (move_of(self.given.session.position, key),)))
        else:
            self._all = True
            self.fit()


@dataclass(frozen=True)
class _Side:
    """Whose win probabilities are shown: a player, or '' for the side to move.

    ``flipped``: whether the player is not the side to move.
    """

    player: str = ""
    flipped: bool = False


@dataclass(frozen=True)
class _Column:
    """A column: its heading, as wide as the column, and the spans of each row."""

    heading: str
    rows: Sequence[tuple[Span, ...]]


def _width(columns: Iterable[_Column]) -> int:
    return sum(len(column.heading) for column in columns)


def _verdicts_of(position: Position, proofs: Verdicts) -> dict[int, bool]:
    """Return whether moves are proved to win; a swap does where playing on loses."""
    verdicts = proofs.moves(position).by_cell
    proof = proofs.of(position)
    if position.swap_legal and proof is not None:
        verdicts[SWAP] = proof.winner is not position.to_move
    return verdicts


def _ordered_moves(snapshot: Snapshot, focus: str, verdicts: Mapping[int, bool]) -> list[int]:
    """Return the ranked moves: proved wins, open moves, losses; each by the evaluator in focus.

    Moves that it does not rank come behind those that it does.
    """
    rankings = (snapshot.rankings[focus], *snapshot.rankings.values())
    ranked = dict.fromkeys(move.cell for ranking in rankings for move in ranking.rows)
    ordered = list(ranked)
    if not snapshot.position.first_stone_swappable:  # a win there is for who swaps
        ordered.sort(key=lambda cell: _PROVED[verdicts.get(cell)])
    return ordered


def _others(focus: str, snapshot: Snapshot) -> list[str]:
    """Return the evaluators out of focus; the first contribution is the second at the latest."""
    ranked = [name for name in snapshot.evaluators if name in snapshot.rankings]
    named = dict.fromkeys((*ranked, *snapshot.rankings, *snapshot.problems))
    others = [name for name in named if name != focus]
    contribution = next((name for name in others[1:] if name.startswith("contribution")), None)
    if contribution is not None:
        others.remove(contribution)
        others.insert(1, contribution)
    return others


def _names(position: Position, played: int | None, cells: Sequence[int]) -> _Column:
    texts = []
    for cell in cells:
        name = "swap" if cell == SWAP else position.board.name(cell)
        texts.append(f"{name} *" if cell == played else name)
    wide = max(map(len, ("move", *texts))) + 1
    spans = []
    for cell, text in zip(cells, texts, strict=True):
        style = BOLD if cell == played else PLAIN
        spans.append(((f"{text:<{wide}}", style),))
    return _Column(f"{'move':<{wide}}", spans)


def _verdicts(verdicts: Mapping[int, bool], good: str, cells: Sequence[int]) -> _Column:
    words = {True: ("wins", Style(color=good, bold=True)), False: ("loses", DIM), None: ("", PLAIN)}
    spans = []
    for cell in cells:
        text, style = words[verdicts.get(cell)]
        spans.append(((f"{text:<7}", style),))
    return _Column("verdict", spans)


def _problem_of(name: str, snapshot: Snapshot) -> str:
    """Return what the heading adds for an engine that has exited or cannot answer, else ''."""
    if name in snapshot.exited:
        return " exited"
    if name not in snapshot.problems:
        return ""
    return " stopped" if name in snapshot.rankings else " no answer"


def _forms(
    ranking: Ranking, name: str, cells: Sequence[int], side: _Side, problem: str
) -> Iterator[_Column]:
    """Yield an evaluator's column, then ever narrower forms: without bars, unit, name, ranks.

    ``problem`` follows the name as long as there is room for it.
    """
    scale = scale_of(name)
    short = short_name(name) + problem
    whose = f" {side.player}" if side.player else ""
    title = f"{short} {scale.short}{whose}" if scale else short
    shortest = side.player or "value"
    # of an E_k, d and the paths, else just d and n_0: most values look the same in three figures
    counts = next((len(move.counts) for move in ranking.moves if move.counts), 0)
    parts = (counts, 2) if counts else (0,)

    form = partial(_values, ranking, name, cells, flipped=side.flipped)
    yield form(title, bars=BAR + 1, of_rank=_RANK, parts=parts[0])
    for heading, part in product((title, short + whose, shortest), parts):
        yield form(heading, parts=part)
    yield form(shortest, ranked=False)


def _values(
    ranking: Ranking,
    name: str,
    cells: Sequence[int],
    title: str,
    bars: int = 0,
    of_rank: int = 0,
    ranked: bool = True,
    parts: int = 0,
    flipped: bool = False,
) -> _Column:
    """Return an evaluator's column: a bar, the value in three figures, the rank if ``ranked``.

    ``bars`` and ``of_rank``: the columns of bars, and of ranks at least. ``parts``: so many of the
    counts of a value stand for it. ``flipped``: the win probability is the other side's.
    """
    rows = {move.cell: move for move in ranking.rows}
    moves = [rows.get(cell) for cell in cells]
    values = [_value_text(move, name, parts, flipped) for move in moves]
    ranks = [_rank_text(move, ranked) for move in moves]
    of_rank = max(of_rank, len(max(ranks, key=len, default="")) + 1)
    wide = max(len(title) - bars, *map(len, values), 0)

    shares = value_shares(name, ranking.rows)
    spans = []
    for move, value, rank in zip(moves, values, ranks, strict=True):
        blocks = bar(shares[move.cell]) if move and bars else ""
        spans.append(
            (
                (_GAP, PLAIN),
                (f"{blocks:<{bars}}", DIM),
                (f"{value:>{wide}}", PLAIN),
                (f"{rank:>{of_rank}}", DIM),
            )
        )

    number_sign = "#" if ranked else ""
    return _Column(f"{_GAP}{title:<{bars + wide}}{number_sign:>{of_rank}}", spans)


def _rank_text(move: RankedMove | None, ranked: bool) -> str:
    return str(move.rank) if move and ranked else ""


def _value_text(move: RankedMove | None, name: str, parts: int, flipped: bool) -> str:
    """Return a move's value by an evaluator, or its counts; '' where the move is not ranked."""
    if move is None:
        return ""
    if counts := counts_text(move.counts[:parts]):
        return counts
    value = 1 - move.value if flipped else move.value
    scale = scale_of(name)
    return scale.text(value) if scale else number(value)


def _engine_columns(report: SearchReport, cells: Sequence[int]) -> Iterator[_Column]:
    """Yield the columns of a search's visits and policy, if it reports them."""
    listed = [move for move in report.moves if move.cell in cells]
    visits = {move.cell: short_count(move.visits) for move in listed if move.visits}
    if visits:
        yield _engine_column("visits", visits, cells)

    policy = {move.cell: percent(move.prior) for move in listed if move.prior is not None}
    if policy:
        yield _engine_column("policy", policy, cells)


def _engine_column(title: str, by_cell: Mapping[int, str], cells: Sequence[int]) -> _Column:
    texts = [by_cell.get(cell, "") for cell in cells]
    wide = max(len(title), *map(len, texts))
    spans = [((f"{_GAP}{text:>{wide}}", PLAIN),) for text in texts]
    return _Column(f"{_GAP}{title:>{wide}}", spans)
