"""Ev: how likely an opponent who plays at random leaves one of four short paths open.

Source: https://github.com/GigaCronos/ai-hex-2025; see docs/methods.md#blocking. Ev(B, X) takes a
shortest winning path of X, in empty cells, own stones counting 0, and blocks one of its cells, four
times. With lengths L[0..3] on a board of tot cells, Ev = P[0], where P[i] = (tot - L[i]) / tot +
L[i] / tot * P[i + 1] and P[4] = 0. A finished chain has P = 1, no path P = 0. The score of X's move
is max(Ev(B, X), 1 - Ev(B, Y)) for the board B after it. Equally short paths and blocked cells are
drawn by lot, depending on the seed and the stones alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from hextui.engine.board import Color
from hextui.engine.evaluators.base import LOG_ODDS, SEED, Evaluator, Source
from hextui.engine.explanation import CellSet, Facts, Illustration, Note, Remark, Role, Shows, Term
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.blocking_room import BlockingRoom
    from hextui.engine.evaluators.workbench import Workbench


@dataclass(frozen=True)
class Blocking(Evaluator):
    """Ranks moves by their score.

    Of equally short paths, ``average`` takes the first in row order from the colour's last edge.
    """

    method = "blocking"
    short = "block"
    about = "survival of four short paths"
    scale = LOG_ODDS
    source = Source(
        authors="GigaCronos",
        year=2025,
        title="ai-hex-2025: minimax with heuristics",
        where="Ev(B, X), and the score of a move",
        link="https://github.com/GigaCronos/ai-hex-2025",
    )

    average: Annotated[bool, "Takes the mean over all choices of blocked cells."] = False
    samples: Annotated[int | None, "With average: the number of draws."] = None
    seed: Annotated[int, SEED] = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed is 0 to 2^63 - 1, not {self.seed}")
        if self.samples is not None and not (self.average and 0 < self.samples < 2**31):
            raise ValueError("samples are for the average, 1 or more")

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        from hextui.engine.evaluators.path_counts import in_chunks

        position = bench.position
        total = len(position.empties)
        if not total:
            yield Ranking(self.name, ())
        room = self._room(position)
        values: dict[int, float] = {}
        for chunk, scores in in_chunks(position.empties, room.scores):
            values |= zip(chunk, scores.tolist(), strict=True)
            yield rank_by_value(self.name, values, final=len(values) == total)

    def _room(self, position: Position) -> "BlockingRoom":
        from hextui.engine.evaluators.blocking_room import BlockingRoom

        return BlockingRoom(position, self.seed, self.average, self.samples or 0)

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        mover = bench.position.to_move
        after = bench.position.play(move)
        terms = [Term("tot", bench.board.cells)]
        pictures = []
        for color in (mover, mover.opponent):
            own_terms, shown = self._one_side(after, color)
            terms += own_terms
            pictures += shown
        notes = (Note(Remark.BLOCKED_CELLS),)
        return Facts(tuple(terms), tuple(pictures), notes, after=True)

    def _one_side(self, after: Position, color: Color) -> tuple[list[Term], list[Illustration]]:
        room = self._room(after)
        cells = after.board.cells
        whole = Term("Ev", room.value(color), color)
        paths = room.paths(color)
        if self.average:
            if not paths:
                return [whole], [Illustration(Shows.CUT_OFF, color)]
            way = CellSet(Role.WAY, paths[0].cells)
            picture = Illustration(Shows.FIRST_PATH, color, (way,))
            return [Term("L[0]", len(way.cells), color), whole], [picture]
        terms = []
        pictures = []
        blocked = list[int]()
        for number, path in enumerate(paths):
            length = len(path.cells)
            terms.append(Term(f"L[{number}]", length, color))
            shown = Illustration(
                Shows.OPEN_PATH,
                color=color,
                parts=(CellSet(Role.WAY, path.cells), CellSet(Role.BLOCKED, tuple(blocked))),
                number=number + 1,
                node=path.blocked,
                amount=Fraction(cells - length, cells),
            )
            pictures.append(shown)
            if path.blocked >= 0:
                blocked.append(path.blocked)
        if len(blocked) == len(paths):
            walls = CellSet(Role.BLOCKED, tuple(blocked))
            number = len(paths) + 1
            pictures.append(Illustration(Shows.NO_MORE_PATHS, color, (walls,), number=number))
        probability = Fraction(0)
        for number in range(len(paths) - 1, 0, -1):  # down to P[1]: Ev is P[0]
            hit = Fraction(len(paths[number].cells), cells)
            probability = 1 - hit + hit * probability
            terms.append(Term(f"P[{number}]", float(probability), color))
        return [*terms, whole], pictures
