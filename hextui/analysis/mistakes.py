"""Mistakes of a game: proved ones, first moves under the swap rule, and losses of win probability.

A move is a blunder only if its player is proved to win before it and to lose after it, in play in
which nobody swaps. Where only a later position is proved lost, the blunder is one of several moves,
and which one is open. Losses of win probability and low ranks are estimates, never proofs; where a
proof says that a move changed nothing, it lost nothing. `review_entries` lists all of them.
"""

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, leads_to
from hextui.engine.board import Color
from hextui.engine.evaluators import improves
from hextui.engine.ranking import Quality
from hextui.engine.swap import first_stone_value, swap_value, wants_swap
from hextui.engines.snapshot import VerdictKind
from hextui.settings.engine_config import engine_in

PROVED = "proved"
"""What mistakes rest on that are not the estimates of an evaluator."""


class Severity(enum.StrEnum):
    """How bad a mistake is, by the glyph that annotators use for it."""

    BLUNDER = "??"
    """Proved to give a win away."""
    MISTAKE = "?"
    INACCURACY = "?!"


@dataclass(frozen=True)
class PlayedMove:
    """A stone of the game: the number of its ply, from 1, and its cell."""

    ply: int
    cell: int


@dataclass(frozen=True)
class Blunder:
    """A win that ``color`` had at ``before`` and its opponent has at ``after``.

    ``moves``: the moves of ``color`` between them, one of which gave the win away; a single one is
    proved to be the blunder. ``wins``: the moves proved to win at ``before``; ``all_wins``: all
    others are proved to lose.
    """

    color: Color
    before: GamePosition
    after: GamePosition
    moves: tuple[PlayedMove, ...]
    wins: tuple[int, ...]
    all_wins: bool
    by = PROVED
    severity = Severity.BLUNDER

    @property
    def player(self) -> Color:
        """The colour, at the end of the game, of the player who blundered."""
        mover = self.before.position.to_move
        return self.before.player if mover is self.color else self.before.player.opponent


def blunders(positions: Sequence[GamePosition], estimates: Estimates) -> tuple[Blunder, ...]:
    """Return the blunders in the order of play; never a first move that can be swapped."""
    mistakes = []
    for line in without_swaps(positions):
        proved = [played for played in line if estimates.verdict(played.position)]
        for before, after in pairwise(proved):
            color = _proved_winner(before, estimates)
            if _proved_winner(after, estimates) is color:
                continue
            proved_moves = estimates.verdicts.moves(before.position)
            blunder = Blunder(
                color=color,
                before=before,
                after=after,
                moves=_moves_of(color, line[line.index(before) : line.index(after)]),
                wins=tuple(proved_moves.wins),
                all_wins=proved_moves.complete,
            )
            mistakes.append(blunder)
    return tuple(mistakes)


def _proved_winner(game_position: GamePosition, estimates: Estimates) -> Color:
    verdict = estimates.verdict(game_position.position)
    assert verdict is not None
    return verdict.winner


def _moves_of(color: Color, line: Sequence[GamePosition]) -> tuple[PlayedMove, ...]:
    """Return the stones that a colour puts in a line of play."""
    moves = []
    for game_position in line:
        if game_position.position.to_move is color and game_position.cell is not None:
            moves.append(PlayedMove(game_position.ply + 1, game_position.cell))
    return tuple(moves)


def without_swaps(positions: Sequence[GamePosition]) -> Iterator[Sequence[GamePosition]]:
    """Yield the stretches of a game between first moves that can be swapped, swaps and passes."""
    begun = 0
    for place, (before, following) in enumerate(pairwise(positions), start=1):
        if not leads_to(before, following) or following.position.swap_legal:
            yield positions[begun:place]
            begun = place
    yield positions[begun:]


def undecided_moves(
    positions: Sequence[GamePosition], estimates: Estimates
) -> Iterator[GamePosition]:
    """Yield the positions whose move may have lost something: no proof says it changed nothing."""
    for game_position, following in pairwise(positions):
        if game_position.cell is None or following.position.swap_legal:
            continue
        mover = game_position.position.to_move
        now = estimates.verdict(game_position.position)
        then = estimates.verdict(following.position)
        lost_already = now is not None and now.winner is not mover
        wins_still = then is not None and then.winner is mover
        if not lost_already and not wins_still:
            yield game_position


class MistakeKind(enum.StrEnum):
    """The kinds of proved mistakes; the first that applies counts."""

    OPENING = "opening"
    """The first move was too strong, or swapping was right and not done, or the reverse."""
    SEVERAL = "several"
    """One of several moves; which one is not known."""
    MISSED_WIN = "missed win"
    """A connection would have won, and the move gave it up."""
    MUST_PLAY = "must-play"
    """The opponent's winning connection was there before, and the move is outside its carrier."""
    GIVEN_BACK = "given back"
    """The opponent had blundered by the move before."""
    OTHER = "other"


def kind_of(blunder: Blunder, others: Sequence[Blunder], estimates: Estimates) -> MistakeKind:
    """Return the kind of a blunder; ``others`` are all blunders of its game."""
    if len(blunder.moves) > 1:
        return MistakeKind.SEVERAL
    if _connected(blunder.before, estimates):
        return MistakeKind.MISSED_WIN
    if _connected(blunder.after, estimates):
        return MistakeKind.MUST_PLAY
    if any(other.after is blunder.before and len(other.moves) == 1 for other in others):
        return MistakeKind.GIVEN_BACK
    return MistakeKind.OTHER


def _connected(game_position: GamePosition, estimates: Estimates) -> bool:
    verdict = estimates.verdict(game_position.position)
    return verdict is not None and verdict.kind in (VerdictKind.CHAIN, VerdictKind.CONNECTION)


LEAST_COST = 0.1
"""The least loss of win probability that counts: searches of a position differ by some 0.01."""
_POOR_COST = 0.25  # of the win probability


@dataclass(frozen=True)
class DoubtfulMove:
    """A move ``cell`` that the evaluator ``by`` takes for a mistake: ``best`` would be better."""

    by: str
    severity: Severity
    before: GamePosition
    cell: int
    best: int

    @property
    def color(self) -> Color:
        """The side that moved."""
        return self.before.position.to_move

    @property
    def player(self) -> Color:
        """The colour, at the end of the game, of the player who moved."""
        return self.before.player

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """The move, with the number of its ply."""
        return (PlayedMove(self.before.ply + 1, self.cell),)


@dataclass(frozen=True)
class CostlyMove(DoubtfulMove):
    """A move that lost win probability by a search: its player's before and after it, 0 to 1."""

    rate_before: float
    rate_after: float

    @property
    def cost(self) -> float:
        """The win probability that was lost."""
        return self.rate_before - self.rate_after


@dataclass(frozen=True)
class LowRank(DoubtfulMove):
    """A move that an evaluator ranks low."""

    quality: Quality


def _severity_of(cost: float) -> Severity:
    """Return how bad it is to lose so much win probability."""
    return Severity.MISTAKE if cost >= _POOR_COST else Severity.INACCURACY


def win_probability_left(
    game_position: GamePosition, following: GamePosition, estimates: Estimates, name: str
) -> float | None:
    """Return the win probability after a move, its player's, by the search ``name``, if known."""
    then = estimates.win_probability(following, name)
    return 1 - then if then is not None and leads_to(game_position, following) else None


def costly_moves(
    positions: Sequence[GamePosition], estimates: Estimates, name: str
) -> tuple[CostlyMove, ...]:
    """Return the moves that lost `LEAST_COST` of win probability or more, in the order of play."""
    following = dict(pairwise(positions))
    costly = []
    for game_position in undecided_moves(positions, estimates):
        now = estimates.of(game_position, name)
        left = win_probability_left(game_position, following[game_position], estimates, name)
        if now is None or now.winrate is None or left is None:
            continue
        if game_position.cell is None or game_position.cell == now.best[0]:
            continue
        cost = now.winrate - left
        if cost >= LEAST_COST:
            move = CostlyMove(
                by=name,
                severity=_severity_of(cost),
                before=game_position,
                cell=game_position.cell,
                best=now.best[0],
                rate_before=now.winrate,
                rate_after=left,
            )
            costly.append(move)
    return tuple(costly)


STRONG_Q = 0.85
"""The least mid Q of a first move that an evaluator regards as strong."""


class OpeningKind(enum.StrEnum):
    """What was wrong with the opening."""

    TOO_STRONG = "too strong"
    """The first stone wins, and was swapped; or it likely wins, so that swapping it is right."""
    TOO_WEAK = "too weak"
    """The first stone likely loses, so that playing on is right."""
    NOT_SWAPPED = "not swapped"
    """The first stone wins, or likely does, and was not swapped."""
    SWAPPED = "swapped"
    """The first stone loses, or likely does, and was swapped."""


@dataclass(frozen=True)
class OpeningMistake:
    """A mistake of ``color`` in the turn after ``before``; ``cell`` is that of the first stone.

    ``by``: the evaluator that estimates the first stone, or `PROVED` if its value is.
    ``win_probability``: of who owns the first stone by the search, if nobody swaps. ``player``: the
    colour of the player at fault at the end of the game.
    """

    kind: OpeningKind
    color: Color
    player: Color
    before: GamePosition
    cell: int
    by: str = PROVED
    win_probability: float | None = None

    @property
    def cost(self) -> float:
        """The win probability that was lost; a first stone of half of the games loses none."""
        if self.win_probability is None:
            return 0.0
        if self.kind in (OpeningKind.TOO_STRONG, OpeningKind.TOO_WEAK):
            return 0.5 - first_stone_value(self.win_probability)
        return abs(swap_value(self.win_probability) - self.win_probability)

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        if self.by == PROVED:
            return Severity.BLUNDER
        return _severity_of(self.cost)

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """The turn of the mistake, with the cell of the first stone."""
        return (PlayedMove(self.before.ply + 1, self.cell),)


def opening_mistakes(
    positions: Sequence[GamePosition], estimates: Estimates, name: str = ""
) -> tuple[OpeningMistake, ...]:
    """Return what was wrong with the opening: proved, or else by the evaluator ``name``, if any.

    The player who may swap takes a first stone that wins and leaves one that loses. By a search the
    best first stone wins half of the games; other evaluators recognise only strong ones, by their
    rank. None also without the swap rule, and where the game ends before the second turn.
    """
    if len(positions) < 3:
        return ()
    first = positions[0]
    second = positions[1]
    if first.cell is None or not second.position.swap_legal:
        return ()
    is_proved = estimates.verdict(second.position) is not None
    mistakes = []
    for kind in _kinds_of_opening(first, second, estimates, name):
        erring = first if kind in (OpeningKind.TOO_STRONG, OpeningKind.TOO_WEAK) else second
        mistake = OpeningMistake(
            kind=kind,
            color=erring.position.to_move,
            player=erring.player,
            before=erring,
            cell=first.cell,
            by=PROVED if is_proved else name,
            win_probability=None if is_proved else _first_stone_wins(second, estimates, name),
        )
        mistakes.append(mistake)
    return tuple(mistakes)


def _kinds_of_opening(
    first: GamePosition, second: GamePosition, estimates: Estimates, name: str
) -> Iterator[OpeningKind]:
    """Yield what was wrong, of the first stone and then of the answer to it."""
    swapped = second.cell is None
    verdict = estimates.verdict(second.position)
    if verdict is not None:
        yield from _kinds_by_verdict(verdict.winner is first.position.to_move, swapped)
        return
    win = _first_stone_wins(second, estimates, name)
    if win is not None:
        yield from _kinds_by_search(win, swapped)
        return
    quality = None if improves(name) else estimates.quality(first, name)
    if quality is not None and quality.mid_q >= STRONG_Q:
        yield OpeningKind.TOO_STRONG if swapped else OpeningKind.NOT_SWAPPED


def _kinds_by_verdict(strong: bool, swapped: bool) -> Iterator[OpeningKind]:
    """Yield what was wrong with a first stone that is proved to win, if ``strong``, or to lose."""
    if strong:
        yield OpeningKind.TOO_STRONG if swapped else OpeningKind.NOT_SWAPPED
    elif swapped:
        yield OpeningKind.SWAPPED


def _kinds_by_search(win: float, swapped: bool) -> Iterator[OpeningKind]:
    """Yield what was wrong with a first stone that wins with this probability."""
    if abs(win - 0.5) < LEAST_COST:
        return
    strong = wants_swap(swap_value(win))
    yield OpeningKind.TOO_STRONG if strong else OpeningKind.TOO_WEAK
    if strong and not swapped:
        yield OpeningKind.NOT_SWAPPED
    elif swapped and not strong:
        yield OpeningKind.SWAPPED


def _first_stone_wins(second: GamePosition, estimates: Estimates, name: str) -> float | None:
    """Return the win probability of who owns the first stone, by the search ``name``, if known."""
    judged = estimates.of(second, name) if improves(name) else None
    return None if judged is None or judged.winrate is None else swap_value(judged.winrate)


@dataclass(frozen=True)
class ProvedSpan:
    """Plies ``first`` to ``last``, at each of which ``color`` is proved to win."""

    color: Color
    first: int
    last: int


def proved_spans(positions: Sequence[GamePosition], estimates: Estimates) -> tuple[ProvedSpan, ...]:
    """Return the longest spans of a game in its order, as if nobody swaps.

    Plies up to a first move that can be swapped do not count.
    """
    swappable = [
        place for place, game_position in enumerate(positions) if game_position.position.swap_legal
    ]
    begin = swappable[0] + 1 if swappable else 0
    spans: list[ProvedSpan] = []
    goes_on: ProvedSpan | None = None
    for game_position in positions[begin:]:
        verdict = estimates.verdict(game_position.position)
        if verdict is None:
            goes_on = None
            continue
        if goes_on is not None and goes_on.color is verdict.winner:
            spans.pop()
            goes_on = replace(goes_on, last=game_position.ply)
        else:
            goes_on = ProvedSpan(verdict.winner, game_position.ply, game_position.ply)
        spans.append(goes_on)
    return tuple(spans)


@dataclass(frozen=True)
class GameSummary:
    """What is proved of a game.

    ``spans``: who wins at which plies (`proved_spans`), up to the game's ``last_ply``; nothing is
    known of the plies between them. ``mistakes``: the proved ones, in the order of play, that of
    the opening first; a blunder with several ``moves`` is one of them, and its single move or its
    ``wins`` are proved. ``finished``: the game is analysed and the solver's budget is spent; until
    then estimates are provisional and a mistake may be missing.
    """

    spans: tuple[ProvedSpan, ...]
    mistakes: tuple[Blunder | OpeningMistake, ...]
    finished: bool
    last_ply: int = 0

    @property
    def blunders(self) -> tuple[Blunder, ...]:
        """The proved blunders after the opening, in the order of play: the turning points."""
        return tuple(mistake for mistake in self.mistakes if isinstance(mistake, Blunder))

    @property
    def is_settled(self) -> bool:
        """Whether the last blunder's opponent is proved to win at every ply from then on."""
        span = self.spans[-1]
        begins = self.blunders[-1].after.ply
        return span.first <= begins and span.last == self.last_ply


def game_summary(
    positions: Sequence[GamePosition], estimates: Estimates, budget: float
) -> GameSummary:
    """Return what is proved of a game; ``budget``: the solver's, in seconds of CPU time."""
    mistakes: list[Blunder | OpeningMistake] = [*opening_mistakes(positions, estimates)]
    mistakes += blunders(positions, estimates)
    spent = estimates.spent(positions) >= budget
    finished = spent and all(estimates.complete(game_position, ()) for game_position in positions)
    spans = proved_spans(positions, estimates)
    return GameSummary(spans, tuple(mistakes), finished, positions[-1].ply)


JUDGED = 3
"""The most estimated mistakes of a side that are listed."""
_POOR_Q, _DOUBTFUL_Q = 0.6, 0.85
ReviewEntry = Blunder | OpeningMistake | CostlyMove | LowRank
"""A mistake of ``color`` in ``moves``, or in one of them; ``before`` is the position before."""


def review_entries(
    positions: Sequence[GamePosition], estimates: Estimates, name: str
) -> tuple[ReviewEntry, ...]:
    """Return the mistakes of a game: the proved ones, the last first, then those by ``name``."""
    openings = opening_mistakes(positions, estimates, name)
    both: tuple[Blunder | OpeningMistake, ...] = (*openings, *blunders(positions, estimates))
    proved = [mistake for mistake in both if mistake.by == PROVED]
    listed_plies = {move.ply for mistake in both for move in mistake.moves}
    doubtful_moves = _doubtful_moves(positions, estimates, name)
    unlisted = [move for move in doubtful_moves if move.moves[0].ply not in listed_plies]
    estimated: list[CostlyMove | LowRank | OpeningMistake] = [*_worst_of_each_side(unlisted)]
    estimated += [opening for opening in openings if opening.by != PROVED]
    return (*reversed(proved), *sorted(estimated, key=_cost, reverse=True))


def _worst_of_each_side(
    doubtful_moves: Iterable[CostlyMove | LowRank],
) -> list[CostlyMove | LowRank]:
    """Return the first moves of each side, `JUDGED` at most, in the same order."""
    counts: Counter[Color] = Counter()
    listed = []
    for move in doubtful_moves:
        if counts[move.color] < JUDGED:
            listed.append(move)
            counts[move.color] += 1
    return listed


def _cost(entry: CostlyMove | LowRank | OpeningMistake) -> float:
    """Return the win probability lost; 0 where an evaluator has none, whose order stays."""
    return 0.0 if isinstance(entry, LowRank) else entry.cost


def _doubtful_moves(
    positions: Sequence[GamePosition], estimates: Estimates, name: str
) -> Sequence[CostlyMove | LowRank]:
    """Return the moves ranked low by an evaluator, or that lost win probability, worst first."""
    if engine_in(name) is not None or improves(name):
        return sorted(costly_moves(positions, estimates, name), key=lambda lost: -lost.cost)
    doubtful = []
    for game_position in undecided_moves(positions, estimates):
        judged = estimates.of(game_position, name)
        quality = estimates.quality(game_position, name)
        if judged and quality and quality.rank > 1 and quality.mid_q < _DOUBTFUL_Q:
            assert game_position.cell is not None, "it has a rank"
            move = LowRank(
                by=name,
                severity=Severity.MISTAKE if quality.mid_q < _POOR_Q else Severity.INACCURACY,
                before=game_position,
                cell=game_position.cell,
                best=judged.best[0],
                quality=quality,
            )
            doubtful.append(move)
    return sorted(doubtful, key=lambda low: low.quality.mid_q)
