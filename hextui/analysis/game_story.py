"""The facts of a game's story: what is proved, in the order of play, and at which plies.

Each fact rests on positions of the game whose winner is proved. Nothing is known between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hextui.analysis.game_positions import GamePosition, leads_to
from hextui.analysis.mistakes import Blunder, GameSummary, OpeningKind, OpeningMistake, ProvedSpan
from hextui.engine.board import Color


@dataclass(frozen=True)
class ProvedPly:
    """A ply of the game, from 0, at which ``winner`` is proved to win; ``move`` is one that wins.

    ``move`` is None where the loser is to move, and where no winning move is known.
    """

    ply: int
    winner: Color
    move: int | None = None


@dataclass(frozen=True)
class StoryFact:
    """Something that is proved of a game, and the plies whose proofs show it.

    ``about``: a span, the proved mistake of the opening, or consecutive turning points.
    """

    about: ProvedSpan | OpeningMistake | tuple[Blunder, ...]
    plies: tuple[ProvedPly, ...]


TOGETHER = 3
"""The most turning points of one fact: more would make a sentence that nobody reads."""


def story_facts(positions: Sequence[GamePosition], summary: GameSummary) -> tuple[StoryFact, ...]:
    """Return what is proved of a game: the opening, the turning points, and who wins at the end.

    Before the first turning point stands the span that it ends; without a turning point, there is
    only the last span.
    """
    facts = [
        StoryFact(mistake, (_first_stone(mistake, positions),))
        for mistake in summary.mistakes
        if isinstance(mistake, OpeningMistake)
    ]
    points = summary.blunders
    if points:
        first = points[0].before.ply
        facts += [_span(span, positions) for span in summary.spans if span.last == first]
    for begin in range(0, len(points), TOGETHER):
        some = points[begin : begin + TOGETHER]
        plies = tuple(ply for point in some for ply in turning_plies(point))
        facts.append(StoryFact(some, plies))
    facts += [_span(span, positions) for span in summary.spans[-1:]]
    return tuple(facts)


def turning_plies(point: Blunder) -> tuple[ProvedPly, ProvedPly]:
    """Return the plies that prove a turning point: the last one won, and the first one lost."""
    before = ProvedPly(point.before.ply, point.color, next(iter(point.wins), None))
    return before, ProvedPly(point.after.ply, point.color.opponent)


def _first_stone(mistake: OpeningMistake, positions: Sequence[GamePosition]) -> ProvedPly:
    first = positions[0].position.to_move
    loses = mistake.kind is OpeningKind.SWAPPED
    return ProvedPly(positions[1].ply, first.opponent if loses else first)


def _span(span: ProvedSpan, positions: Sequence[GamePosition]) -> StoryFact:
    """Return a span and the plies that prove it; those after a move of the loser follow."""
    plies = []
    for before, game_position in pairwise([None, *positions]):
        assert game_position is not None
        if not span.first <= game_position.ply <= span.last:
            continue
        follows = (
            before is not None
            and before.ply >= span.first
            and before.position.to_move is not span.color
            and leads_to(before, game_position)
        )
        if not follows:
            plies.append(ProvedPly(game_position.ply, span.color))
    return StoryFact(span, tuple(plies))
