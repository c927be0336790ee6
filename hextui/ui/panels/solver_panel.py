"""The solver panel: the winner, the evidence for it on the board, and the search effort."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.style import Style

from hextui.analysis import Snapshot
from hextui.engine.board import Color
from hextui.engine.position import Move
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.palette import Palette
from hextui.ui.panels.panel import LIST_KEYS, MUST_PLAY_WORDS, ListPanel, PanelInput, PanelText
from hextui.ui.whole_words import within
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span, TextLine
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.solver.solution import Solution

INFINITE = 2_000_000_000 // 2
"""Proof numbers at least this large stand for infinity."""


@dataclass(frozen=True)
class SolverItem:
    """A line of the list: its key, what it says, what it paints, and what it plays."""

    key: str
    spans: tuple[Span, ...]
    connected: Connected | None = None
    line: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()


_DETAILS = "details"


class SolverPanel(ListPanel):
    """The solver's result, and a list: carrier, must-play region, the line, every move.

    Moving through the list paints each on the board: a move of the line with those before it, a
    judged move with the cells that the winner needs after it. Enter plays up to there. The last
    line of the list unfolds the details: nodes, proof numbers, time, table.
    """

    TITLE = "Solver"
    KEY = "f7"
    TEXT = PanelText(
        "who wins, with which moves, proved",
        (
            MUST_PLAY_WORDS,
            ("carrier", "The empty cells that the winner needs."),
            ("wins, loses", "Proved for the side to move."),
            ("open", "Not decided within the time limit."),
        ),
        (*LIST_KEYS, ("enter", "Play")),
        ("solve-on", "must-play"),
    )
    NOTE = "Nothing solved yet"
    IN_SCOPE = "proofs are of all moves"
    DEFAULT_CSS = """
    SolverPanel .note { text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[str, SolverItem] = {}
        self._unfolded = False

    def fill(self, given: PanelInput) -> None:
        width = self.content_size.width
        lines = _about(given.snapshot, given.options.names)
        self.write(".note", "\n".join(within(line, width) for line in lines))
        self._list()

    def _list(self) -> None:
        """List the result, and the details if they are unfolded."""
        snapshot, found = self.given.snapshot, list[SolverItem]()
        if snapshot and snapshot.solution:
            found += _items(snapshot.solution, self.given.palette)
            sign = "-" if self._unfolded else "+"
            found.append(SolverItem(_DETAILS, ((f"{sign} details", DIM),)))
            if self._unfolded:
                found += _details(snapshot.solution)
        self._items = {item.key: item for item in found}
        self.list.show([TextLine(item.key, item.spans) for item in found])

    def pointed(self, key: str) -> None:
        item = self._items[key]
        self.post_message(self.Highlighted(self.of, item.connected, item.line))

    def chosen(self, key: str) -> None:
        item = self._items[key]
        if key == _DETAILS:
            self._unfolded = not self._unfolded
            self._list()
        elif item.moves:
            self.post_message(self.Played(self.of, item.moves))


def _about(snapshot: Snapshot | None, names: Names) -> list[str]:
    """Return who wins, and how many moves are judged."""
    solution = snapshot.solution if snapshot else None
    if snapshot is None or solution is None:
        if snapshot and snapshot.position.winner:
            return [f"{names.player(snapshot.position.winner)} has won"]
        return ["Nothing solved here" if snapshot and snapshot.final else "Nothing solved yet"]
    lines = [_winner(solution, snapshot.final, names)]
    if solution.winner is not None:
        wins, losses = len(solution.winning_moves), len(solution.losing_moves)
        unknown = len(solution.unknown_moves)
        win, lose = "wins" if wins == 1 else "win", "loses" if losses == 1 else "lose"
        still = f", {unknown} open" if unknown else ""
        lines.append(f"{counted(wins, 'move')} {win}, {losses} {lose}{still}")
    return lines


def _details(solution: "Solution") -> Iterator[SolverItem]:
    """Yield the search effort: nodes, time, table, proof numbers."""
    proof, disproof = _number(solution.proof_number), _number(solution.disproof_number)
    speed = solution.nodes / solution.seconds if solution.seconds else 0
    nodes, seconds = counted(solution.nodes, "node"), f"{solution.seconds:.1f} s"
    if solution.source == "disk":
        texts = [f"solved before: {nodes}, {seconds}"]
    else:
        texts = [f"{nodes}, {speed:,.0f} a second"]
        texts.append(f"{seconds}, table {100 * solution.table_used:.0f}% used")
    if solution.winner is None:
        texts.append(f"proof number {proof}, disproof {disproof}")
    for place, text in enumerate(texts):
        yield SolverItem(f"{_DETAILS} {place}", ((f"  {text}", DIM),))


def _winner(solution: "Solution", final: bool, names: Names) -> str:
    mover = solution.position.to_move
    if solution.winner is None:
        return (
            "No winner found in time; . continues"
            if final
            else f"{names.player(mover)} to move: open"
        )
    text = f"{names.player(solution.winner)} wins"
    if solution.position.swap_legal:
        verdict = "loses" if solution.winner is mover else "wins"
        text += f" if nobody swaps: swapping {verdict}"
    return text


def _number(number: int) -> str:
    return "inf" if number >= INFINITE else f"{number:,}"


def _items(solution: "Solution", palette: Palette) -> Iterator[SolverItem]:
    board, mover = solution.position.board, solution.position.to_move
    winner = solution.winner
    if winner is not None and solution.carrier:
        says = f"winning carrier: {counted(len(solution.carrier), 'cell')}"
        yield SolverItem("carrier", ((says, PLAIN),), Connected(winner, solution.carrier))
    region = solution.must_play
    if region and len(region) < len(solution.position.empties):
        says = f"must-play region: {counted(len(region), 'cell')}"
        yield SolverItem("region", ((says, PLAIN),), Connected(mover.opponent, region))
    color = mover
    for place, cell in enumerate(solution.line, 1):
        line = solution.line[:place]
        colored = Style(color=palette.ink(color), bold=True)
        spans = (
            (f"{'line' if place == 1 else '':<5}{place:>2} ", DIM),
            (board.name(cell), colored),
        )
        yield SolverItem(f"line {place}", spans, None, line, tuple(map(Move.play, line)))
        color = color.opponent
    yield from _judged(solution, mover, "wins")
    yield from _judged(solution, mover.opponent, "loses")


def _judged(solution: "Solution", owner: Color, says: str) -> Iterator[SolverItem]:
    """Yield the moves that ``owner`` wins after, with the cells needed for it."""
    name = solution.position.board.name
    moves = solution.winning_moves if says == "wins" else solution.losing_moves
    for cell, verdict in moves.items():
        spans = (
            (f"{name(cell):<5}", BOLD if says == "wins" else PLAIN),
            (f"{says:<7}", BOLD if says == "wins" else PLAIN),
            (f"{verdict.reason}, {counted(len(verdict.carrier), 'cell')}", DIM),
        )
        painted = Connected(owner, verdict.carrier, key=cell)
        yield SolverItem(f"{says} {cell}", spans, painted, (), (Move.play(cell),))
