"""The solver panel: the winner, the evidence for it on the board, and the search effort."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.style import Style

from hextui.engine.board import Color
from hextui.engine.position import Move
from hextui.engines.snapshot import Snapshot
from hextui.records.board_view import Connected
from hextui.text import Names, counted
from hextui.ui.drawing.palette import Palette
from hextui.ui.drawing.whole_words import within
from hextui.ui.panels.panel import LIST_KEYS, MUST_PLAY_WORDS, ListPanel, PanelInput, PanelText
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, TextLine

if TYPE_CHECKING:
    from hextui.engine.solver.solution import Solution

_INFINITE = 1_000_000_000  # proof numbers at least this large stand for infinity


@dataclass(frozen=True)
class SolverLine(TextLine):
    """A line of the list, what it highlights on the board, and what it plays."""

    connected: Connected | None = None
    line: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()


_DETAILS = "details"


class SolverPanel(ListPanel):
    """The solver's result, and a list: carrier, must-play region, the line, every move.

    The board highlights a move of the line with those before it, and a judged move with the cells
    that the winner needs after it. Enter plays up to there. The last line unfolds the details.
    """

    TITLE = "Solver"
    KEY = "f7"
    TEXT = PanelText(
        "who wins, with which moves, proved",
        (
            MUST_PLAY_WORDS,
            ("carrier", "The empty cells that the winner needs."),
            ("wins, loses", "Proved for the side to move."),
            ("undecided", "Not proved within the time limit."),
        ),
        (*LIST_KEYS, ("enter", "Play")),
        ("solve-on", "must-play"),
    )
    NOTE = "Nothing solved yet"
    IN_SCOPE = "proofs cover all moves"
    DEFAULT_CSS = """
    SolverPanel .note { text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._unfolded = False

    def fill(self, given: PanelInput) -> None:
        width = self.content_size.width
        lines = _about(given.snapshot, given.options.names)
        self.write(self.note, "\n".join(within(line, width) for line in lines))
        self._list()

    def _list(self) -> None:
        snapshot = self.given.snapshot
        lines = list[SolverLine]()
        if snapshot and snapshot.solution:
            lines += _result_lines(snapshot.solution, self.given.palette)
            sign = "-" if self._unfolded else "+"
            lines.append(SolverLine(_DETAILS, ((f"{sign} details", DIM),)))
            if self._unfolded:
                lines += _details(snapshot.solution)
        self.list.show(lines)

    def pointed(self, key: str) -> None:
        line: SolverLine = self.list.line
        self.post_message(self.Highlighted(self.of, line.connected, line.line))

    def chosen(self, key: str) -> None:
        line: SolverLine = self.list.line
        if key == _DETAILS:
            self._unfolded = not self._unfolded
            self._list()
        elif line.moves:
            self.post_message(self.Played(self.of, line.moves))


def _about(snapshot: Snapshot | None, names: Names) -> list[str]:
    """Return who wins, and how many moves are judged."""
    if snapshot is None:
        return ["Nothing solved yet"]
    solution = snapshot.solution
    if solution is None:
        return [_without_solution(snapshot, names)]
    lines = [_winner(solution, snapshot.final, names)]
    if solution.winner is not None:
        lines.append(_judged_moves(solution))
    return lines


def _without_solution(snapshot: Snapshot, names: Names) -> str:
    if snapshot.position.winner:
        return f"{names.player(snapshot.position.winner)} has won"
    return "Nothing solved here" if snapshot.final else "Nothing solved yet"


def _judged_moves(solution: "Solution") -> str:
    """Return how many moves win, lose and are undecided."""
    wins = len(solution.wins)
    losses = len(solution.losses)
    unknown = len(solution.unknown_moves)
    win = "wins" if wins == 1 else "win"
    lose = "loses" if losses == 1 else "lose"
    still = f", {unknown} undecided" if unknown else ""
    return f"{counted(wins, 'move')} {win}, {losses} {lose}{still}"


def _details(solution: "Solution") -> Iterator[SolverLine]:
    """Yield the search effort: nodes, time, table, proof numbers."""
    nodes = counted(solution.nodes, "node")
    seconds = f"{solution.seconds:.1f} s"
    if solution.source == "disk":
        texts = [f"solved before: {nodes}, {seconds}"]
    else:
        speed = solution.nodes / solution.seconds if solution.seconds else 0
        texts = [f"{nodes}, {speed:,.0f} a second"]
        texts.append(f"{seconds}, table {100 * solution.table_used:.0f}% used")
    if solution.winner is None:
        proof = _number_text(solution.proof_number)
        disproof = _number_text(solution.disproof_number)
        texts.append(f"proof number {proof}, disproof {disproof}")
    for place, text in enumerate(texts):
        yield SolverLine(f"{_DETAILS} {place}", ((f"  {text}", DIM),))


def _number_text(number: int) -> str:
    """Return a proof or disproof number."""
    return "inf" if number >= _INFINITE else f"{number:,}"


def _winner(solution: "Solution", final: bool, names: Names) -> str:
    mover = solution.position.to_move
    if solution.winner is None and final:
        return "No winner found in time; . continues"
    if solution.winner is None:
        return f"{names.player(mover)} to move: undecided"
    text = f"{names.player(solution.winner)} wins"
    if solution.position.swap_legal:
        verdict = "loses" if solution.winner is mover else "wins"
        text += f" if nobody swaps: swapping {verdict}"
    return text


def _result_lines(solution: "Solution", palette: Palette) -> Iterator[SolverLine]:
    mover = solution.position.to_move
    winner = solution.winner
    if winner is not None and solution.carrier:
        text = f"winning carrier: {counted(len(solution.carrier), 'cell')}"
        carrier = Connected(winner, frozenset(solution.carrier.numbers))
        yield SolverLine("carrier", ((text, PLAIN),), connected=carrier)
    region = solution.must_play
    if region and len(region) < len(solution.position.empties):
        text = f"must-play region: {counted(len(region), 'cell')}"
        painted = Connected(mover.opponent, frozenset(region.numbers))
        yield SolverLine("region", ((text, PLAIN),), connected=painted)
    for place, name in enumerate(solution.line, 1):
        line = solution.line.numbers[:place]
        color = palette.ink(mover if place % 2 else mover.opponent)
        spans = (
            (f"{'line' if place == 1 else '':<5}{place:>2} ", DIM),
            (name, Style(color=color, bold=True)),
        )
        moves = tuple(map(Move.play, line))
        yield SolverLine(f"line {place}", spans, line=line, moves=moves)
    yield from _judged(solution, mover, "wins")
    yield from _judged(solution, mover.opponent, "loses")


def _judged(solution: "Solution", owner: Color, word: str) -> Iterator[SolverLine]:
    """Yield the moves that ``owner`` wins after, with the cells needed for it."""
    name = solution.position.board.name
    wins = word == "wins"
    for cell, verdict in (solution.wins if wins else solution.losses).items():
        spans = (
            (f"{name(cell):<5}{word:<7}", BOLD if wins else PLAIN),
            (f"{verdict.reason}, {counted(len(verdict.carrier), 'cell')}", DIM),
        )
        painted = Connected(owner, verdict.carrier, key=cell)
        moves = (Move.play(cell),)
        yield SolverLine(f"{word} {cell}", spans, connected=painted, moves=moves)
