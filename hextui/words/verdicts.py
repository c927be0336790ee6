"""The two lines at the top of the screen: how the game went, and who wins here and by what.

Each comes in several wordings, the fullest first, because terminals differ in size: the screen
shows the first one that has room, and never cuts a word.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.analysis.mistakes import LEAST_COST, Blunder, GameSummary, ProvedSpan
from hextui.engine.board import Color
from hextui.engine.position import SWAPS, Move, MoveKind, Position
from hextui.engine.swap import is_about_even
from hextui.engine.verdicts import ClaimedWinner, ClaimSource, KnownMoves, Verdict, VerdictKind
from hextui.records.tree import Turn
from hextui.text import Names, counted
from hextui.words.reviews import won_instead


class Tone(enum.Enum):
    """What a piece of text is about, which decides its colour."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    BLACK = "black"
    WHITE = "white"
    GOOD = "good"
    DOUBTFUL = "doubtful"


_TONES = {Color.BLACK: Tone.BLACK, Color.WHITE: Tone.WHITE}
PROVED_BY = {
    VerdictKind.CHAIN: "a chain",
    VerdictKind.CONNECTION: "a connection",
    VerdictKind.SOLVER: "the solver",
}
_CLAIMED_BY = {
    ClaimSource.RECORD: "the record",
    ClaimSource.REVIEW: "an earlier review",
    ClaimSource.ENGINE: "another engine",
}
Piece = tuple[str, Tone]
Sentence = tuple[Piece, ...]
Wording = tuple[str | Piece, ...]
"""A sentence before it is laid out; a str is plain."""


@dataclass(frozen=True)
class Preference:
    """The move that the evaluator or search ``by`` prefers: an estimate, not a proof.

    ``best``: a cell. ``win_probability``: the side to move's after it, 0 to 1, and ``swap`` if it
    swaps instead; None by an evaluator that has none, or where nobody may swap. ``visits``: of a
    search, 0 if unknown.
    """

    by: str
    best: int
    win_probability: float | None = None
    visits: int = 0
    swap: float | None = None

    @property
    def prefers_swap(self) -> bool:
        """Whether swapping is better than every stone."""
        if self.win_probability is None or self.swap is None:
            return False
        return self.swap > self.win_probability


@dataclass(frozen=True)
class Situation:
    """What is known of a position.

    ``wins``: the moves proved to win, as in `KnownMoves`. ``dispute``: two proofs that contradict
    each other. ``claims``: what files and other engines say, while nothing is proved.
    ``judged``: the preference of a search or evaluator where nothing is proved.
    ``played``: the next turn, ``tried`` in a variation of the record's own moves, ``ply`` its
    number, ``place`` its rank and the evaluator
    that ranks it, ``left`` the mover's win probability after it by the search in ``judged``,
    ``after`` the verdict after a turn without a stone.
    ``lost_by``: the last move of the mover, such as ``25. g7``, by which the win is proved to be
    gone. ``doing``: what the analysis does while nothing is known, in full and in a few words;
    ``busy``: more may be proved. ``among``: the number of moves in scope, None for all; proofs are
    about all. ``names``: what the players are called. ``win_probability_of``: the side whose win
    probability is given, None for the one to move.
    """

    position: Position
    verdict: Verdict | None
    moves: KnownMoves
    wins: tuple[int, ...] = ()
    dispute: tuple[Verdict, Verdict] | None = None
    claims: tuple[ClaimedWinner, ...] = ()
    judged: Preference | None = None
    played: Turn | None = None
    tried: bool = False
    ply: int = 0
    place: tuple[int, str] | None = None
    left: float | None = None
    after: Verdict | None = None
    lost_by: str = ""
    doing: Wording = ()
    busy: bool = False
    among: int | None = None
    names: Names = Names.RED_BLUE
    win_probability_of: Color | None = None

    @property
    def mover(self) -> Color:
        """The side to move."""
        return self.position.to_move

    @property
    def mover_wins(self) -> bool:
        """Whether the side to move is proved to win."""
        return self.verdict is not None and self.verdict.winner is self.mover

    @property
    def better(self) -> int | None:
        """A move that is proved to win where the record's is not known to, if there is one."""
        if not self.wins or self.played is None or self.position.first_stone_swappable:
            return None
        return None if self.played.move.cell in self.wins else self.wins[0]

    @property
    def best(self) -> Move | None:
        """The move that `here_ways` names first: proved to win, or preferred; None without one."""
        position, judged = self.position, self.judged
        if position.swap_legal:
            proved_swap = self.verdict is not None and not self.mover_wins
            if proved_swap or (self.verdict is None and judged and judged.prefers_swap):
                return Move(position.swap_rule.move)
        if self.wins and not position.first_stone_swappable:
            return Move.play(self.wins[0])
        return Move.play(judged.best) if judged else None

    @property
    def cost(self) -> int:
        """The win probability that the record's move loses, in per cent; 0 if none."""
        if self.judged is None or self.judged.win_probability is None:
            return 0
        now, left = self.judged.win_probability, self.left
        if self.judged.swap is not None:
            now = max(now, self.judged.swap)
            if self.swaps_next:
                left = self.judged.swap
        is_best = self.place is not None and self.place[0] == 1 and not self.judged.prefers_swap
        if left is None or is_best:
            return 0
        return max(round(100 * now) - round(100 * left), 0)

    @property
    def swaps_next(self) -> bool:
        """Whether the next turn is a swap."""
        return self.played is not None and self.played.move.kind in SWAPS


@dataclass(frozen=True)
class GameSituation:
    """What is known of a whole game.

    ``summary``: what is proved of it. ``progress``: of the analysis that runs, in per cent; None
    while none does. ``moves``: how many the game has. ``names``: what the players are called.
    """

    summary: GameSummary
    progress: int | None = None
    moves: int = 0
    names: Names = Names.RED_BLUE

    @property
    def blunders(self) -> tuple[Blunder, ...]:
        """The turning points: the proved blunders after the opening, in the order of play."""
        return self.summary.blunders


def game_ways(game: GameSituation) -> Sequence[Wording]:
    """Return the wordings of the line about a game, the fullest first.

    Only what is proved counts. Shorter ones leave out the earlier turning points.
    """
    if not game.moves:
        return [("No moves yet.",)]
    running = "" if game.progress is None else f" Analysing, {game.progress}%."
    if not game.blunders:
        return _span_ways(game, running)
    ways: list[Wording] = []
    for first in range(len(game.blunders)):
        points = game.blunders[first:]
        told = turning_points(game.summary, points, game.names)
        earlier = len(game.summary.mistakes) - len(points)
        more = f" {counted(earlier, 'earlier proved mistake')}." if earlier else ""
        ways += [(*told, more + running), (*told, more), told, _point_list(points, game.names)]
    moves = game.blunders[-1].moves
    short: Wording = (f"{moves[0].ply}-{moves[-1].ply}", " lost a win (proved).")
    return [*ways, (_named(game.blunders[-1]), " lost a win (proved)."), short]


def _span_ways(game: GameSituation, running: str) -> Sequence[Wording]:
    """Return who wins at which plies, where no turning point is proved."""
    summary = game.summary
    none = " No proved mistake." if summary.finished and not summary.mistakes else running
    if not summary.spans:
        return [(none.strip() or "Not analysed yet.",)]
    span = summary.spans[-1]
    label = "Proved: " if summary.finished else "Proved so far: "
    player = game.names.player(span.color), _TONES[span.color]
    wins_plies: Wording = (player, f" wins {span_plies(span, summary.last_ply)}")
    return [(label, *wins_plies, ".", none), (label, *wins_plies, "."), (*wins_plies, " (proved).")]


def span_plies(span: ProvedSpan, last_ply: int, unit: str = "") -> str:
    """Return the plies of a span in a game that ends at ``last_ply``.

    >>> span_plies(ProvedSpan(Color.BLACK, 9, 12), 30, "ply ")
    'from ply 9 to 12'
    >>> span_plies(ProvedSpan(Color.BLACK, 9, 12), 12)
    'from 9 on'
    """
    if span.last == last_ply:
        return f"from {unit}{span.first} on"
    if span.first == span.last:
        return f"at {unit}{span.first}"
    return f"from {unit}{span.first} to {span.last}"


def turning_points(
    summary: GameSummary, points: Sequence[Blunder], names: Names, instead: bool = False
) -> Wording:
    """Return the sentence about consecutive turning points of a game, from the first loser's view.

    ``instead``: with the moves that would have won.
    """
    loser = points[0].color
    pieces: list[str | Piece] = [(names.player(loser), _TONES[loser]), " "]
    before: Color | None = None
    for place, point in enumerate(points, start=1):
        is_last = point is summary.blunders[-1]
        good = " for good" if is_last and summary.is_settled else ""
        again = " again" if point.color is before else ""  # a pass or a swap was between
        it = "the win" if place == 1 else "it"
        does = f"lost {it}{again}{good} with " if point.color is loser else ""
        pieces += [does or f"had it back{again}{good} after ", _named(point)]
        if instead and point.wins:
            pieces.append(_won_instead(point))
        pieces.append(_after_clause(place, len(points), aside=instead))
        before = point.color
    return tuple(pieces)


def _won_instead(point: Blunder) -> str:
    board = point.before.position.board
    won = won_instead(list(map(board.name, point.wins)), point.all_wins)
    return f", where {won}" if len(point.moves) == 1 else f", before which {won}"


def _after_clause(place: int, count: int, aside: bool) -> str:
    """Return what follows a clause; ``aside``: clauses have commas of their own."""
    if place == count:
        return " (proved)."
    if place == count - 1:
        return " and " if count == 2 and not aside else ", and "
    return ", "


def _point_list(points: Sequence[Blunder], names: Names) -> Wording:
    """Return turning points as a list, for a narrow screen."""
    pieces: list[str | Piece] = []
    for point in points:
        side = names.player(point.color), _TONES[point.color]
        pieces += [", " if pieces else "Proved mistakes: ", side, " ", _named(point)]
    return (*pieces, ".")


def _named(point: Blunder) -> Piece:
    return point_moves(point), Tone.DOUBTFUL


def point_moves(point: Blunder) -> str:
    """Return the moves of a turning point, one of which gave a win away: ``25. e3 or 27. g4``."""
    board = point.before.position.board
    return " or ".join(f"{move.ply}. {board.name(move.cell)}" for move in point.moves)


def here_ways(situation: Situation) -> Sequence[Wording]:
    """Return the wordings of the line about a position, the fullest first.

    In narrower ones the record's next move goes first, then all moves but the best one.
    """
    verdict = verdict_ways(situation)
    played = played_ways(situation)
    whole = [
        (*verdict_way, " ", *played_way) for verdict_way in verdict[:2] for played_way in played
    ]
    return [*whole, *verdict]


def verdict_ways(situation: Situation) -> Sequence[Wording]:
    """Return who wins and what to play: in full, as usual, and shorter."""
    position = situation.position
    if position.winner is not None:
        return [(_side(position.winner, situation), " has won.")]
    if situation.dispute is not None:
        full = f"{contradiction(*situation.dispute, situation.names)}."
        return [((full, Tone.DOUBTFUL),), (("Two proofs contradict.", Tone.DOUBTFUL),)]
    if situation.verdict is None:
        return _judged_ways(situation)
    if position.swap_legal:
        return _swap_ways(situation, situation.verdict)
    ways = _proved_ways(situation, situation.verdict)
    if position.first_stone_swappable:
        return _first_stone_ways(situation, ways)
    return ways


def _proved_ways(situation: Situation, verdict: Verdict) -> Sequence[Wording]:
    """Return who is proved to win if nobody swaps."""
    wins = (_side(verdict.winner, situation), (" wins", Tone.STRONG))
    how = _how(verdict)
    if situation.mover_wins:
        return _winning_ways(situation, how, wins)
    every = f"; every move of {situation.names.player(situation.mover)} loses"
    return [(*wins, every, how, "."), (*wins, how, "."), (*wins, ".")]


def played_ways(situation: Situation) -> Sequence[Wording]:
    """Return what the next move changes, played or tried; none if there is no such move."""
    turn = situation.played
    if turn is None or situation.position.winner is not None:
        return []
    kind, won = turn.move.kind, situation.mover_wins
    if kind is MoveKind.RESIGN:
        says = (" resigns in a won position.", Tone.DOUBTFUL) if won else " resigns."
        return [(_side(turn.color, situation), says)]
    swapped = situation.swaps_next
    name = "swap" if swapped else turn.move.name(situation.position.board)
    move = f"{'Tried' if situation.tried else 'Played'} {situation.ply}. {name}"
    wins = _is_won_by(situation, turn, swapped)
    if wins is None:
        return _open_ways(situation, move)
    if wins:
        return [(move, ": ", ("wins", Tone.GOOD), ".")]
    return [(move, ": ", ("loses", Tone.DOUBTFUL if won else Tone.PLAIN), ".")]


def contradiction(first: Verdict, second: Verdict, names: Names) -> str:
    """Return the sentence about two contradicting proofs."""
    winner = names.player(first.winner)
    other = names.player(second.winner)
    both = f"{winner} wins by {PROVED_BY[first.kind]}, {other} by {PROVED_BY[second.kind]}"
    return f"Two proofs contradict each other: {both}"


def claimed_by(claim: ClaimedWinner) -> str:
    """Return what claims a winner: the name of an engine, or what file."""
    return claim.engine or _CLAIMED_BY[claim.source]


def ordinal(number: int) -> str:
    """Return an ordinal number.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 102, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '102nd', '113th']
    """
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _winning_ways(situation: Situation, how: Piece, wins: Wording) -> Sequence[Wording]:
    names = [situation.position.board.name(cell) for cell in situation.wins]
    if not names:
        return [(*wins, how, ". Winning move not known."), (*wins, how, ".")]
    if len(names) == len(situation.position.empties):
        return [(*wins, " with any move", how, ".")]
    left = len(situation.moves.unknown)
    rest = f"; {_others(left)} undecided" if left else "; every other move loses"
    full: Wording = (*wins, ": ", *_alternatives(names, 6), how, rest, ".")
    shorter = [(*wins, ": ", *_alternatives(names, most), how, ".") for most in (6, 3, 2)]
    best: Wording = (*wins, ": ", (names[0], Tone.GOOD))
    return [full, *shorter, (*best, how, "."), (*best, ".")]


def _swap_ways(situation: Situation, verdict: Verdict) -> Sequence[Wording]:
    """Return whether to swap; the verdict is about play in which nobody swaps."""
    how = _how(verdict)
    wins = (_side(verdict.winner, situation), " wins")
    advice = "Swap"
    since = ": if nobody does, "
    so = ": otherwise "
    play: Wording = ()
    if situation.mover_wins:
        advice = "Do not swap"
        since = ": playing on, "
        so = ": "
        if names := [situation.position.board.name(cell) for cell in situation.wins]:
            play = (" Play ", *_alternatives(names, 6), ".")
    do = (advice, Tone.GOOD)
    return [(do, since, *wins, how, ".", *play), (do, so, *wins, how, "."), (do, so, *wins, ".")]


def _first_stone_ways(situation: Situation, ways: Sequence[Wording]) -> Sequence[Wording]:
    """Return ways to say who wins, for a first stone that the other side may swap."""
    told = [("If nobody swaps, ", *way) for way in ways]
    if situation.judged is None:
        return told
    name = situation.position.board.name(situation.judged.best)
    fairest: Wording = (" Fairest first move: ", (name, Tone.STRONG), ".")
    return [*((*way, *fairest) for way in told), *told]


def swap_advice(win: float, swap: float, *, searched: bool = True) -> str:
    """Return whether to swap, by the win probabilities of the best stone and of the swap.

    >>> swap_advice(0.22, 0.78), swap_advice(0.63, 0.37), swap_advice(0.48, 0.52)
    ('should swap: 78%', 'should not swap: 63%', 'may swap, about even: 52%')
    """
    if is_about_even(swap, searched=searched):
        return f"may swap, about even: {swap:.0%}"
    return f"should swap: {swap:.0%}" if swap > win else f"should not swap: {win:.0%}"


def _judged_ways(situation: Situation) -> Sequence[Wording]:
    ways = _estimated_ways(situation)
    if not situation.claims:
        return ways
    claim = situation.claims[-1]
    player = _side(claim.winner, situation)
    claimed = (
        (f" Claimed by {claimed_by(claim)}, not proved: ", Tone.DIM),
        player,
        (" wins.", Tone.DIM),
    )
    return [(*ways[0], *claimed), *ways]


def _estimated_ways(situation: Situation) -> Sequence[Wording]:
    position, judged = situation.position, situation.judged
    if judged is None:
        return _ways_without_estimate(situation)
    among = "" if situation.among is None else f" of {counted(situation.among, 'cell')}"
    label = "Fairest first move" if position.first_stone_swappable else "Best"
    name = (position.board.name(judged.best), Tone.STRONG)
    best: Wording = (f"{label}{among}: ", name, ".")
    if judged.win_probability is None:
        return [*_preferring_ways(situation, judged, name, among), (f"{label}: ", name, ".")]
    if judged.swap is not None:
        return _estimated_swap_ways(situation, judged, best)
    whose = situation.win_probability_of or situation.mover
    win = judged.win_probability if whose is situation.mover else 1 - judged.win_probability
    side = _side(whose, situation)
    efforts = _efforts(judged)
    return [
        *((side, f" {win:.0%} ({effort}). ", *best) for effort in efforts),
        (f"{label}: ", name, "."),
    ]


def _ways_without_estimate(situation: Situation) -> Sequence[Wording]:
    """Return what is being done, else that nothing is proved."""
    if situation.doing:
        return [(text,) for text in situation.doing]
    nothing = "Nothing proved yet." if situation.busy else "Nothing proved."
    if situation.position.swap_legal:
        nothing = f"{situation.names.player(situation.mover)} may swap. {nothing}"
    return [(nothing,)]


def _efforts(judged: Preference) -> Sequence[str]:
    """Return by whom an estimate is, with its visits if they are known, and without."""
    if not judged.visits:
        return [judged.by]
    return [f"{judged.by}, {counted(judged.visits, 'visit')}", judged.by]


def _preferring_ways(
    situation: Situation, judged: Preference, name: Piece, among: str
) -> Sequence[Wording]:
    """Return the preference of an evaluator without win probabilities."""
    prefers: Wording = (f"{judged.by} prefers ", name, f"{among}.")
    if not situation.position.swap_legal:
        return [prefers]
    return [(f"{situation.names.player(situation.mover)} may swap. ", *prefers), prefers]


def _estimated_swap_ways(
    situation: Situation, judged: Preference, best: Wording
) -> Sequence[Wording]:
    """Return whether to swap, as estimated, and the best move instead where it may be better."""
    win, swap = judged.win_probability, judged.swap
    assert win is not None
    assert swap is not None
    advice = swap_advice(win, swap, searched=judged.visits > 0)
    side = _side(situation.mover, situation)
    said: Wording = (side, f" {advice}")
    play: Wording = () if advice.startswith("should swap") else (" ", *best)
    whole = [(*said, f" ({effort}).", *play) for effort in _efforts(judged)]
    return [*whole, (*said, ".")]


def _left(situation: Situation) -> str:
    """Return the win probability after the record's move, of the side that is wanted."""
    left = situation.left or 0.0
    side = situation.win_probability_of
    if situation.swaps_next and situation.judged is not None:
        left = situation.judged.swap or 0.0
    if side in (None, situation.mover):
        return f"{left:.0%} left"
    return f"{situation.names.player(side)} {1 - left:.0%}"


def _open_ways(situation: Situation, move: str) -> Sequence[Wording]:
    if situation.mover_wins and not situation.position.first_stone_swappable:
        undecided = (move, ": undecided.")
        if not situation.lost_by:
            return [undecided]
        return [(move, f" or {situation.lost_by}: ", ("loses", Tone.DOUBTFUL), "."), undecided]
    if cost := situation.cost:
        loss = (f"-{cost}%", Tone.DOUBTFUL if cost >= 100 * LEAST_COST else Tone.PLAIN)
        return [(move, ": ", loss, f", {_left(situation)}."), (move, ": ", loss, ".")]
    if situation.position.first_stone_swappable:
        return [(move, ": can be swapped."), (move, ".")]
    if situation.place is None:
        return [(move, ".")]
    place, by = situation.place
    return [(move, f": {ordinal(place)} by {by}."), (move, f": {ordinal(place)}.")]


def _is_won_by(situation: Situation, turn: Turn, swapped: bool) -> bool | None:
    """Return whether the record's next turn wins for its player; None if that is not known."""
    if situation.position.first_stone_swappable:
        return None
    if turn.move.kind is MoveKind.PLAY:
        return (
            situation.moves.by_cell.get(turn.move.cell) if turn.color is situation.mover else None
        )
    if swapped:
        return None if situation.verdict is None else not situation.mover_wins
    return None if situation.after is None else situation.after.winner is situation.mover


def _how(verdict: Verdict) -> Piece:
    text = "proved" if verdict.kind is VerdictKind.SOLVER else "connected"
    return f" ({text})", Tone.DIM


def _others(count: int) -> str:
    return "1 other" if count == 1 else f"{count} others"


def _alternatives(names: Sequence[str], most: int) -> Wording:
    """Return moves as alternatives, the first ones of many: e8, c7 or 1 other."""
    items: list[str | Piece] = [(name, Tone.GOOD) for name in names[:most]]
    if (more := len(names) - most) > 0:
        items.append(_others(more))
    pieces: list[str | Piece] = []
    for place, item in enumerate(items, start=1):
        if place == 1:
            between = ""
        elif place == len(items):
            between = " or "
        else:
            between = ", "
        pieces += [between, item]
    return tuple(pieces)


def _side(color: Color, situation: Situation) -> Piece:
    return situation.names.player(color), _TONES[color]
