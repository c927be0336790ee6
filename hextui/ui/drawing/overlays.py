"""From what is known to what the board shows: overlays, marks and the cursor."""

import enum
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from string import ascii_uppercase
from types import MappingProxyType
from typing import TYPE_CHECKING

from hextui.analysis.comparison import Difference
from hextui.analysis.estimates import BEST
from hextui.engine.board import Board, Color
from hextui.engine.evaluators import scale_of
from hextui.engine.position import MoveKind, Position
from hextui.engine.ranking import RankedMove, Ranking
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.engines.snapshot import Snapshot
from hextui.library.answers import Explored
from hextui.library.filters import ALL_GAMES, Filter
from hextui.records.board_view import BoardView, Connected, Mark
from hextui.records.markup import marks_of, signs_of
from hextui.settings.engine_config import engine_in
from hextui.text import Names
from hextui.ui.drawing.painter import CHECK, LOSES
from hextui.ui.live.background import LibraryAnswer, SwapMap
from hextui.ui.record.session import SearchMark, SearchMarks, Session

if TYPE_CHECKING:
    from hextui.engine.inferior import InferiorCells


def value_shares(evaluator: str, moves: Sequence[RankedMove]) -> dict[int, float]:
    """Return how good each move is, from 0 (the worst of these) to 1, by cell.

    Infinite values, which are proved wins and losses, are at the ends. A search ranks by visits:
    its first move need not have the best value.
    """
    finite = [move.value for move in moves if isfinite(move.value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 0.0)
    tells_chances = scale_of(evaluator) is not None or engine_in(evaluator) is not None
    rising = tells_chances or not moves or moves[0].value >= moves[-1].value

    def share(move: RankedMove) -> float:
        if not isfinite(move.value):
            return float((move.value > 0) == rising)
        from_low = (move.value - low) / (high - low) if high != low else 1.0
        return from_low if rising or high == low else 1 - from_low

    return {move.cell: share(move) for move in moves}


MARKED = 3
"""Moves that one evaluator ranks first together and that get its letter each."""
MOST_COLORED = 8
"""How many cells get a colour and a number: the best ones. More would hide the board."""


class Overlay(enum.StrEnum):
    """What colours the empty cells; the values stand in files of settings."""

    NONE = "none"
    EVALUATOR = "evaluator in focus"
    OWN = "contribution, own network"
    OPPONENT = "contribution, opponent's network"
    SOLVER = "solver verdicts: +1 wins, -1 loses"
    LIBRARY = "moves of the library, % of games"
    LETTERS = "best moves, one letter per evaluator"
    SWAP = "swap map"


_MOST_TINT = 0.5  # of a move with which one colour won every game: less than a stone
_LEAST_SWAP_TINT, _MOST_SWAP_TINT = 0.15, 0.8  # of a first move
_JUDGING = {Overlay.EVALUATOR, Overlay.SOLVER, Overlay.LIBRARY, Overlay.LETTERS}
"""Overlays that rate moves: proved wins and losses take precedence."""
_NAMES = {
    Overlay.NONE: "stones only",
    Overlay.EVALUATOR: "best moves of the evaluator in focus",
    Overlay.SOLVER: "proved wins and losses",
    Overlay.LIBRARY: "% of games, tinted by winner",
    Overlay.SWAP: "swap map: win probability of first moves",
}

ALL_NUMBERS = 1 << 16  # more moves than any game has


@dataclass(frozen=True)
class DisplayOptions:
    """What the user chose to see.

    ``last_overlay`` is the one before the present one. ``other_overlay``: in Explore that of all
    other activities, and in these that of Explore. ``boards``: how many the screen has.
    ``numbers``: how many of the last moves show their numbers; ``last_numbers``: the choice between
    none and all. ``win_probability_of``: whose are shown; None for the side to move.
    """

    overlay: Overlay = Overlay.EVALUATOR
    last_overlay: Overlay = Overlay.NONE
    other_overlay: Overlay = Overlay.LIBRARY
    evaluator: str = ""
    numbers: int = 0
    last_numbers: int = 5
    win_probability_of: Color | None = None
    contribution_k: int = 1
    must_play: bool = False
    inferior: bool = False
    connected: Connected | None = None
    line: tuple[int, ...] = ()
    library: LibraryAnswer | None = None
    library_filter: Filter = ALL_GAMES
    swap_map: SwapMap | None = None
    other_connections: bool = False
    boards: int = 1
    second_evaluator: str = ""
    names: Names = Names.RED_BLUE


@dataclass(frozen=True)
class Heat:
    """Values from 0 to 1 and texts of at most MOST_COLORED cells; ``by``: whose ranks they are."""

    values: dict[int, float] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    by: str = ""


def board_view(
    session: Session,
    shown: DisplayOptions,
    snapshot: Snapshot | None = None,
    verdicts: Mapping[int, bool] = MappingProxyType({}),
    differing: frozenset[int] = frozenset(),
) -> BoardView:
    """Return what the board shows of a session; the snapshot is of its position, or None.

    ``verdicts`` are True for cells where a move is proved to win, False where it loses;
    ``differing`` cells get a mark and, where ranks are shown, theirs.
    """
    position = session.position
    snapshot = snapshot or Snapshot(position)
    swap_map = swap_map_of(position, shown)
    heat = Heat()
    marks: dict[int, Mark] = {}
    if shown.connected:
        verdicts = {}  # values around a painted connection would hide it
    elif swap_map is not None:
        marks = swap_marks(position, swap_map)
        verdicts = swap_verdicts(position, swap_map)
    else:
        marks = _overlay_marks(shown, snapshot)
        verdicts = verdicts if shown.overlay in _JUDGING else {}
        heat = _heat(shown, snapshot, verdicts, differing)
    if shown.inferior and snapshot.inferior:
        marks |= inferior_marks(snapshot.inferior)

    before = session.node.ply - shown.numbers  # the last ply whose number is not shown
    numbers = {cell: number for cell, number in session.numbers().items() if number > before}
    view = BoardView(
        position,
        cursor=session.cursor,
        mode=session.mode,
        placing=session.placing,
        last_move=session.last_move,
        played=None if shown.overlay is Overlay.NONE else session.next_cell,
        tried=session.next_is_tried,
        line=shown.line,
        numbers=numbers,
        labels=heat.labels,
        heat=heat.values,
        ranked_by=heat.by,
        verdicts=verdicts,
        connected=shown.connected,
        must_play=_must_play(shown, snapshot),
        marks=marks,
        differing=differing,
        markup=signs_of(marks_of(session.node, session.board)),
    )
    return _narrowed(view, session.search_marks)


def _overlay_marks(shown: DisplayOptions, snapshot: Snapshot) -> dict[int, Mark]:
    """Return the marks of the overlays of library moves and of letters; no other has any."""
    if shown.overlay is Overlay.LETTERS:
        return letter_marks(snapshot.rankings)
    answer = shown.library
    is_library = shown.overlay is Overlay.LIBRARY
    if is_library and answer and answer.question.position == snapshot.position:
        return library_marks(answer.explored)
    return {}


def _must_play(shown: DisplayOptions, snapshot: Snapshot) -> frozenset[int]:
    """Return the must-play region if it is shown and leaves out an empty cell."""
    region = snapshot.must_play if shown.must_play else None
    if region is None or len(region) == len(snapshot.position.empties):
        return frozenset()
    return region


def _narrowed(view: BoardView, marks: SearchMarks) -> BoardView:
    """Return a view with the user's marks, unless they leave no move to consider."""
    position = view.position
    if marks.lacks_moves(position):
        return replace(view, unheeded=True)
    first = {cell: what is SearchMark.ALLOW for cell, what in marks.first(position).items()}
    region = marks.region
    outside = frozenset(position.empties).difference(region) if region else frozenset()
    return replace(view, outside=outside, first=first)


def swap_map_of(position: Position, shown: DisplayOptions) -> SwapMap | None:
    """Return the swap map if it is shown and this position is one of a first move."""
    swap_map = shown.swap_map
    if shown.overlay is not Overlay.SWAP or swap_map is None:
        return None
    fits = swap_map.board == position.board and is_about_swap(position)
    return swap_map if fits else None


def is_about_swap(position: Position) -> bool:
    """Return whether the next turn is the first move, or may swap it."""
    return position.swap_legal if any(position.stones) else position.to_move is Color.BLACK


def swap_marks(position: Position, swap_map: SwapMap) -> dict[int, Mark]:
    """Return win probabilities of first moves without a proof, in %, tinted by the favourite."""
    marks: dict[int, Mark] = {}
    for cell in position.empties:
        opening = swap_map.by_cell.get(cell)
        if opening is not None and not opening.proved:
            lead = 2 * opening.win_probability - 1
            tint = _LEAST_SWAP_TINT + (_MOST_SWAP_TINT - _LEAST_SWAP_TINT) * abs(lead)
            leader = Color.BLACK if opening.swap else Color.WHITE
            marks[cell] = Mark(f"{_per_cent(opening):2}", leader, tint)
    return marks


def swap_verdicts(position: Position, swap_map: SwapMap) -> dict[int, bool]:
    """Return whether first moves with a proof win if nobody swaps."""
    verdicts: dict[int, bool] = {}
    for cell in position.empties:
        opening = swap_map.by_cell.get(cell)
        if opening is not None and opening.proved:
            verdicts[cell] = opening.swap
    return verdicts


def swap_words(position: Position, swap_map: SwapMap | None, signs: str, names: Names) -> str:
    """Return the legend of the map, and whether to swap; ``signs`` mark what is proved."""
    if not is_about_swap(position):
        return "swap map: first moves only"
    if swap_map is None:
        return "swap map: searching"
    if not swap_map.openings:
        return f"swap map: {swap_map.note or 'searching'}"
    parts = []
    first = next((cell for cell, stone in enumerate(position.stones) if stone), None)
    if first is not None:
        parts.append(_advice(position.board.name(first), swap_map.by_cell.get(first)))
    parts += [f"{names.player(Color.BLACK)} wins, %", "over 50: swap", f"{signs}: proved"]
    if not swap_map.complete:
        parts.insert(1, f"{len(swap_map.openings)} of {swap_map.total} judged")
    if swap_map.note:
        parts.append(swap_map.note)
    return "  ".join(parts)


def _advice(name: str, opening: JudgedOpening | None) -> str:
    if opening is None:
        return f"{name}: not judged yet"
    then = "swap" if opening.swap else "play on"
    if opening.proved:
        return f"{name} {'wins' if opening.swap else 'loses'}, proved: {then}"
    return f"{name} wins {_per_cent(opening)}%: {then}"


def _per_cent(opening: JudgedOpening) -> int:
    """Return an estimate without a proof: never 0 or 100, and 50 only where swapping is no gain."""
    rounded = min(max(round(100 * opening.win_probability), 1), 99)
    return 51 if rounded == 50 and opening.swap else rounded


def legend(view: BoardView, shown: DisplayOptions, spelt: bool = False) -> str:
    """Return what the colours on a board mean, or its characters if it is ``spelt``; may be ''."""
    wins, loses = ("+", "-") if spelt else (CHECK, LOSES)
    if view.connected:
        parts = _connection_legend(view.connected, spelt)
        parts.append(_line_legend(view))
    else:
        # first what is hardest to guess: it fits wherever the board fits
        parts = [inferior_legend(view.marks)] if shown.inferior else []
        parts.append(_values_legend(view, shown, f"{wins} {loses}"))
    parts += _marks_legend(view)
    if view.connected or shown.overlay is not Overlay.SWAP:  # its own legend has the verdicts
        parts += _verdicts_legend(view, wins, loses)
    parts += _borders_legend(view, spelt)
    return "  ".join(filter(None, parts))


def _connection_legend(connected: Connected, spelt: bool) -> list[str]:
    """Return what the signs of a painted connection mean."""
    parts = []
    if connected.carrier:
        parts.append("++ carrier" if spelt else "tinted: carrier")
    if connected.ends:
        parts.append("** end" if spelt else "outlined: ends")
    if connected.key is not None:
        parts.append("@@ key")
    return parts


def _line_legend(view: BoardView) -> str:
    return "#1 #2 moves of the line" if view.line else ""


def _values_legend(view: BoardView, shown: DisplayOptions, signs: str) -> str:
    """Return what the values on empty cells are, or the moves of a line, or ''."""
    if shown.overlay is Overlay.SWAP:
        return swap_words(view.position, swap_map_of(view.position, shown), signs, shown.names)
    return _line_legend(view) or heat_source(view, shown)


def _marks_legend(view: BoardView) -> list[str]:
    """Return what the user's marks for the search mean."""
    parts = []
    if view.unheeded:
        parts.append("no marked cell is empty: all moves")
    if view.outside:
        parts.append("// outside region")
    if True in view.first.values():
        parts.append("== allowed")
    if False in view.first.values():
        parts.append("-- left out")
    return parts


def _verdicts_legend(view: BoardView, wins: str, loses: str) -> list[str]:
    """Return how moves that are proved to win and to lose are shown."""
    parts = []
    if True in view.verdicts.values():
        parts.append(f"{wins} wins")
    if False in view.verdicts.values():
        parts.append(f"{loses} loses")
    return parts


def _borders_legend(view: BoardView, spelt: bool) -> list[str]:
    """Return what the borders of cells mean."""
    parts = []
    if view.played is not None:
        parts.append("ring: tried" if view.tried else "ring: played")
    if view.differing:
        parts.append("grey: ranks differ most")
    if view.must_play:
        parts.append(":: must-play" if spelt else "amber: must-play")
    return parts


def heat_source(view: BoardView, shown: DisplayOptions) -> str:
    """Return what the values on a board are, or ''."""
    if shown.overlay is Overlay.EVALUATOR:
        return f"rank by {view.ranked_by}" if view.ranked_by else ""
    return overlay_name(shown) if shown.overlay is not Overlay.NONE else ""


def overlay_name(shown: DisplayOptions) -> str:
    """Return the name of the overlay, with the k of a contribution."""
    if shown.overlay in (Overlay.OWN, Overlay.OPPONENT):
        return f"{shown.overlay}, k = {shown.contribution_k}, %"
    return _NAMES.get(shown.overlay, str(shown.overlay))


def letter_marks(rankings: Mapping[str, Ranking]) -> dict[int, Mark]:
    """Return a letter for each evaluator on the moves that it ranks first.

    Of more than MARKED ties only the first is marked. ``+`` stands for all letters after the first.
    """
    letters: defaultdict[int, str] = defaultdict(str)
    for letter, ranking in zip(ascii_uppercase, rankings.values(), strict=False):
        first = [move.cell for move in ranking.moves if move.rank == 1]
        for cell in first if len(first) <= MARKED else first[:1]:
            letters[cell] += letter

    marks: dict[int, Mark] = {}
    for cell, text in letters.items():
        short = text if len(text) <= 2 else f"{text[0]}+"
        marks[cell] = Mark(short.ljust(2))
    return marks


def letter_heat(rankings: Mapping[str, Ranking]) -> Heat:
    """Return for each cell the share of evaluators that have it among their five best."""
    counts = Counter(move.cell for each in rankings.values() for move in each.moves[:BEST])
    return Heat({cell: count / len(rankings) for cell, count in _largest(counts)})


def _largest(values: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(values.items(), key=lambda item: (-item[1], item[0]))[:MOST_COLORED]


_INFERIOR = {
    "dead": ("xx",), "captured": ("cR", "cB"), "vulnerable": ("vu",), "dominated": ("dm",),
}  # fmt: skip


def inferior_legend(marks: Mapping[int, Mark]) -> str:
    """Return what the marks of inferior cells mean, as far as they are there.

    >>> inferior_legend({3: Mark("dm"), 5: Mark("cR"), 7: Mark("cB")})
    'cR cB captured  dm dominated'
    """
    on_board = {mark.text for mark in marks.values()}
    parts = []
    for kind, signs in _INFERIOR.items():
        if used := [sign for sign in signs if sign in on_board]:
            parts.append(" ".join((*used, kind)))
    return "  ".join(parts)


def inferior_marks(cells: "InferiorCells") -> dict[int, Mark]:
    """Return the marks that `inferior_legend` explains; captured cells have their owner's tint."""
    marks = dict.fromkeys(cells.dominated.numbers, Mark("dm"))
    marks |= dict.fromkeys(cells.vulnerable.numbers, Mark("vu"))
    for color, name in ((Color.BLACK, "cR"), (Color.WHITE, "cB")):
        marks |= dict.fromkeys(cells.captured[color].numbers, Mark(name, color, 0.5))
    return marks | dict.fromkeys(cells.dead.numbers, Mark("xx"))


def _heat(
    shown: DisplayOptions,
    snapshot: Snapshot,
    verdicts: Mapping[int, bool],
    differing: Collection[int],
) -> Heat:
    to_move = snapshot.position.to_move
    match shown.overlay:
        case Overlay.EVALUATOR:
            if ranking := snapshot.rankings.get(snapshot.ranking_for(shown.evaluator)):
                return ranking_heat(ranking, verdicts, differing)
        case Overlay.OWN | Overlay.OPPONENT:
            color = to_move if shown.overlay is Overlay.OWN else to_move.opponent
            if levels := snapshot.contribution.get(color):
                return contribution_heat(levels[shown.contribution_k])
        case Overlay.LETTERS:
            return letter_heat(snapshot.rankings)
    return Heat()


def ranking_heat(
    ranking: Ranking,
    verdicts: Mapping[int, bool] = MappingProxyType({}),
    differing: Collection[int] = (),
) -> Heat:
    """Return the heat of the best moves that are not proved to lose, labelled with their ranks.

    ``differing`` moves are labelled too. The heat is the mean of the rank, which distinguishes near
    values, and of the value between the worst and the best of these moves, which shows gaps. Ties
    are equally hot.
    """
    best = [move for move in ranking.moves if verdicts.get(move.cell, True)][:MOST_COLORED]
    first, last = (best[0].rank, best[-1].rank) if best else (1, 1)
    by_value = value_shares(ranking.evaluator, best)
    ranks = max(last - first, 1)
    values = {m.cell: (1 - (m.rank - first) / ranks + by_value[m.cell]) / 2 for m in best}

    labels: dict[int, str] = {}
    for move in (*best, *(ranking.by_cell[cell] for cell in differing if cell in ranking.by_cell)):
        labels[move.cell] = str(move.rank) if move.rank < 100 else ""
    return Heat(values, labels, ranking.evaluator if best else "")


def library_marks(explored: Explored) -> dict[int, Mark]:
    """Return the share of games of the most played moves, in per cent, tinted by who won more."""
    marks: dict[int, Mark] = {}
    for choice in sorted(explored.moves, key=lambda move: -move.games):
        percent = round(100 * choice.games / explored.games) if explored.games else 0
        label = f"{min(percent, 99):2}" if percent else "<1"
        red = 0.5 if choice.red_share is None else choice.red_share
        winner = Color.BLACK if red > 0.5 else Color.WHITE
        mark = Mark(label, winner if red != 0.5 else None, abs(2 * red - 1) * _MOST_TINT)
        for move in (choice.played, *choice.same):
            if move.kind is MoveKind.PLAY and len(marks) < MOST_COLORED:
                marks[move.cell] = mark
    return marks


def contribution_heat(contribution: Sequence[float]) -> Heat:
    """Return the heat of one k-contribution, labelled in percent of the largest."""
    largest = _largest({cell: value for cell, value in enumerate(contribution) if value > 0})
    top = largest[0][1] if largest else 1.0
    shares = {cell: value / top for cell, value in largest}
    labels = {cell: str(min(round(100 * share), 99)) for cell, share in shares.items()}
    return Heat(shares, labels)


def difference_words(board: Board, names: Sequence[str], differences: Iterable[Difference]) -> str:
    """Return the moves that evaluators rank most differently, with their ranks; '' without any."""
    moves = [f"{board.name(move.cell)} {'/'.join(map(str, move.ranks))}" for move in differences]
    return "  ".join(["ranks differ most:", *moves, "/".join(names)]) if moves else ""


def for_diagram(view: BoardView, shown: DisplayOptions) -> BoardView:
    """Return what a board shows for an exported diagram: all of its signs as labels, explained."""
    line = {cell: f"#{n}" for cell, n in view.line_numbers.items()}
    marks = {cell: mark.text.strip() for cell, mark in view.marks.items()}
    key = {} if view.connection.key is None else {view.connection.key: "@@"}
    return replace(
        view,
        labels={**view.labels, **marks, **key, **line},
        source=heat_source(view, shown),
        legend=legend(view, shown).replace("  ", ", "),
    )
