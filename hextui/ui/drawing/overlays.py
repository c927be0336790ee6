"""From what is known to what the board shows: overlays, marks and the cursor."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from string import ascii_uppercase
from typing import TYPE_CHECKING

from hextui.analysis import Snapshot
from hextui.analysis.judgements import BEST
from hextui.engine.board import Color
from hextui.engine.position import MoveKind
from hextui.library.answers import ALL_GAMES, Filter
from hextui.records.markup import marks_of, signs_of
from hextui.ui.drawing.board_view import BoardView, Connected, Mark
from hextui.ui.session import Session

if TYPE_CHECKING:
    from hextui.engine.inferior_cells import InferiorCells
    from hextui.engine.ranking import Ranking
    from hextui.engine.solver.solution import Solution
    from hextui.library.answers import Explored
    from hextui.ui.live.librarian import LibraryAnswer

MARKED = 3
"""Moves that one evaluator ranks first together and that get its letter each."""
HEATED = 30
"""Moves of an evaluator that are coloured: the best ones, as many as its table lists at first."""


class Overlay(enum.StrEnum):
    """What colours the empty cells."""

    NONE = "none"
    EVALUATOR = "evaluator in focus"
    OWN = "contribution, own network"
    OPPONENT = "contribution, opponent's network"
    SOLVER = "solver verdicts: +1 wins, -1 loses"
    LIBRARY = "moves in the library"
    LETTERS = "best moves, a letter an evaluator"


@dataclass(frozen=True)
class Shown:
    """What the user chose to see: on the board, and of which colour the connections are."""

    overlay: Overlay = Overlay.EVALUATOR
    evaluator: str = ""
    numbers: bool = False
    contribution_k: int = 1
    must_play: bool = False
    inferior: bool = False
    connected: Connected | None = None
    line: tuple[int, ...] = ()
    library: "LibraryAnswer | None" = None
    library_filter: Filter = ALL_GAMES
    connections_of: Color = Color.BLACK
    two_boards: bool = False
    second_evaluator: str = ""


@dataclass(frozen=True)
class Heat:
    """Values from 0 to 1 and texts of cells."""

    values: dict[int, float] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)


def board_view(session: Session, shown: Shown, snapshot: Snapshot | None = None) -> BoardView:
    """Return what the board shows of a session; the snapshot is of its position, or None."""
    view = BoardView(
        session.position,
        cursor=session.cursor,
        mode=session.mode,
        placing=session.placing,
        last_move=session.last_move,
        numbers=session.numbers() if shown.numbers else {},
        connected=shown.connected,
        line=shown.line,
        markup=signs_of(marks_of(session.node, session.board)),
    )
    # A painted connection is what the user looks at: values around it would hide it.
    if not shown.connected:
        heat = _library_heat(session, shown) or (snapshot and _heat(shown, snapshot)) or Heat()
        view = replace(view, heat=heat.values, labels=heat.labels)
    if snapshot is None:
        return view
    return replace(view, must_play=_must_play(shown, snapshot), marks=_marks(shown, snapshot))


def _library_heat(session: Session, shown: Shown) -> Heat | None:
    answer = shown.library if shown.overlay is Overlay.LIBRARY else None
    if answer is None or answer.question.position != session.position:
        return None
    return library_heat(answer.explored)


def legend(shown: Shown, snapshot: Snapshot | None) -> str:
    """Return in words what colours and marks the empty cells of the board; '' if nothing does."""
    if shown.connected:
        return "++ carrier  ** end" + ("  @@ key" if shown.connected.key is not None else "")
    parts = []
    if shown.line:
        parts.append("#1 #2 moves of the line")
    elif shown.overlay is Overlay.EVALUATOR:
        ranked = snapshot is not None and shown.evaluator in snapshot.rankings
        parts.append(f"rank by {shown.evaluator}" if ranked else "")
    elif shown.overlay is Overlay.LIBRARY or (snapshot and shown.overlay is not Overlay.NONE):
        parts.append(overlay_name(shown))
    if shown.must_play and snapshot and _must_play(shown, snapshot):
        parts.append(":: must-play")
    if shown.inferior and snapshot and snapshot.inferior:
        parts.append("xx dead  cR cB captured  vu  dm")
    return "  ".join(part for part in parts if part)


def overlay_name(shown: Shown) -> str:
    """Return the name of the overlay, with the k of a contribution."""
    if shown.overlay in (Overlay.OWN, Overlay.OPPONENT):
        return f"{shown.overlay}, k = {shown.contribution_k}, %"
    return str(shown.overlay)


def step(current: Overlay, steps: int) -> Overlay:
    """Return the overlay so many places on, in a circle."""
    members = list(Overlay)
    return members[(members.index(current) + steps) % len(members)]


def _must_play(shown: Shown, snapshot: Snapshot) -> frozenset[int]:
    """Return the region if it is asked for and says anything: without a threat it is all cells."""
    region = snapshot.must_play
    if not shown.must_play or not region or len(region) == len(snapshot.position.empties):
        return frozenset()
    return region


def _marks(shown: Shown, snapshot: Snapshot) -> dict[int, Mark]:
    marks: dict[int, Mark] = {}
    if shown.connected:
        return marks
    if shown.inferior and snapshot.inferior:
        marks |= inferior_marks(snapshot.inferior)
    if shown.overlay is Overlay.LETTERS:
        marks |= letter_marks(snapshot.rankings)
    if shown.overlay is Overlay.SOLVER and snapshot.solution:
        marks |= verdict_marks(snapshot.solution)
    return marks


def letter_marks(rankings: "Mapping[str, Ranking]") -> dict[int, Mark]:
    """Return a letter an evaluator, in the order of the rankings, on the moves it ranks first.

    Of many equal ones only the first is marked. A cell shows two letters; ``+`` says that there
    are more.
    """
    letters: dict[int, str] = {}
    for letter, ranking in zip(ascii_uppercase, rankings.values(), strict=False):
        first = [move.cell for move in ranking.moves if move.rank == 1]
        for cell in first if len(first) <= MARKED else first[:1]:
            letters[cell] = letters.get(cell, "") + letter
    return {
        cell: Mark(text.ljust(2) if len(text) <= 2 else f"{text[0]}+")
        for cell, text in letters.items()
    }


def letter_heat(rankings: "Mapping[str, Ranking]") -> Heat:
    """Return for each cell the share of evaluators that have it among their five best."""
    heat = Heat()
    for ranking in rankings.values():
        for move in ranking.moves[:BEST]:
            heat.values[move.cell] = heat.values.get(move.cell, 0.0) + 1 / len(rankings)
    return heat


def verdict_marks(solution: "Solution") -> dict[int, Mark]:
    """Return the marks of the moves whose verdict is known, tinted in their winner's colour."""
    mover = solution.position.to_move
    marks = dict.fromkeys(solution.losing_moves, Mark("-1", mover.opponent, 0.2))
    return marks | dict.fromkeys(solution.winning_moves, Mark("+1", mover, 0.7))


INFERIOR_LEGEND = "xx dead, cR or cB captured, vu vulnerable, dm dominated"


def inferior_marks(cells: "InferiorCells") -> dict[int, Mark]:
    """Return the marks of `INFERIOR_LEGEND`; captured cells are tinted in their owner's colour."""
    marks = dict.fromkeys(cells.dominated, Mark("dm"))
    marks |= dict.fromkeys(cells.vulnerable, Mark("vu"))
    for color, name in ((Color.BLACK, "cR"), (Color.WHITE, "cB")):
        marks |= dict.fromkeys(cells.captured[color], Mark(name, color, 0.5))
    return marks | dict.fromkeys(cells.dead, Mark("xx"))


def _heat(shown: Shown, snapshot: Snapshot) -> Heat:
    to_move = snapshot.position.to_move
    match shown.overlay:
        case Overlay.EVALUATOR:
            ranking = snapshot.rankings.get(shown.evaluator)
            return ranking_heat(ranking) if ranking else Heat()
        case Overlay.OWN | Overlay.OPPONENT:
            color = to_move if shown.overlay is Overlay.OWN else Color(to_move).opponent
            levels = snapshot.contribution.get(color)
            return contribution_heat(levels[shown.contribution_k]) if levels else Heat()
        case Overlay.LETTERS:
            return letter_heat(snapshot.rankings)
        case Overlay.NONE | Overlay.LIBRARY | Overlay.SOLVER:
            return Heat()


def ranking_heat(ranking: "Ranking") -> Heat:
    """Return the heat of the best moves, labelled with their ranks.

    Half of it is the rank, which tells near values apart, and half the value in proportion
    between the best and the last of these moves, which shows gaps. Infinite values are at the
    ends; ties are equally hot.
    """
    best = ranking.moves[:HEATED]
    finite = [move.value for move in best if isfinite(move.value)]
    high, low = (finite[0], finite[-1]) if finite else (0.0, 0.0)
    last = best[-1].rank if best else 1
    heat = Heat()
    for move in best:
        by_rank = (last - move.rank) / (last - 1) if last > 1 else 1.0
        if not isfinite(move.value):
            by_value = 1.0 if move.value == best[0].value else 0.0
        else:
            by_value = (move.value - low) / (high - low) if high != low else 1.0
        heat.values[move.cell] = (by_rank + by_value) / 2
        heat.labels[move.cell] = str(move.rank)
    return heat


def library_heat(explored: "Explored") -> Heat:
    """Return the verdicts on the moves on file: ``W`` or ``L``, with ``?`` where only possibly."""
    heat = Heat()
    for found in explored.moves:
        value = found.value
        hot = (1.0 if value.certain else 0.75) if value.winning else 0.0 if value.certain else 0.25
        label = ("W" if value.winning else "L") + "?" * (not value.certain)
        for move in (found.move, *found.same):
            if move.kind is MoveKind.PLAY:
                heat.values[move.cell], heat.labels[move.cell] = hot, label
    return heat


def contribution_heat(contribution: Sequence[float]) -> Heat:
    """Return the heat of one k-contribution, labelled in percent of the largest."""
    top = max(contribution, default=0.0)
    heat = Heat()
    for cell, value in enumerate(contribution):
        if value > 0 and top > 0:
            heat.values[cell] = value / top
            heat.labels[cell] = str(min(round(100 * value / top), 99))
    return heat
