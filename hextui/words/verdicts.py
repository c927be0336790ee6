"""A verdict in words: who wins, what to play, and what the record's next move changes.

Each text comes in several wordings, the fullest first, because terminals differ in size: the
screen shows the first one that has room, and never cuts a word.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from hextui.analysis.mistakes import LEAST_COST
from hextui.engine.board import Color
from hextui.engine.position import MoveKind, Position
from hextui.engine.verdicts import KnownMoves, Verdict, VerdictKind
from hextui.records.tree import Turn
from hextui.words.names import Names, counted


class Tone(enum.Enum):
    """What a piece of text is about, which decides its colour."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    BLACK = "black"
    WHITE = "white"
    GOOD = "good"
    DOUBTFUL = "doubtful"


PROVED_BY = {
    VerdictKind.CHAIN: "a chain",
    VerdictKind.CONNECTION: "a connection",
    VerdictKind.SOLVER: "the solver",
    VerdictKind.LIBRARY: "the library",
    VerdictKind.ENGINE: "another engine",
}
Piece = tuple[str, Tone]
Sentence = tuple[Piece, ...]
Wording = tuple[str | Piece, ...]
"""A sentence before it is laid out; a str is plain."""


@dataclass(frozen=True)
class Preference:
    """The move that the evaluator or search ``by`` prefers: an estimate, not a proof.

    ``winrate``: the side to move's, 0 to 1; None by an evaluator that has none.
    """

    by: str
    best: int
    winrate: float | None = None


@dataclass(frozen=True)
class Situation:
    """What is known of a position.

    ``wins``: the moves proved to win, as in `KnownMoves`. ``dispute``: two proofs that contradict
    each other. ``judged``: the preference of a search where nothing is proved, ``focused`` that of
    the evaluator in focus, if it is another one. ``played``: the record's next turn, ``ply`` its
    number, ``place`` its rank and the evaluator that ranks it, ``left`` the mover's win rate after
    it by the search in ``judged``, ``after`` the verdict after a turn without a stone.
    ``lost_by``: the last move of the mover, such as ``25. g7``, by which the win is proved to be
    gone. ``doing``: what the analysis does while nothing is known, in full and in a few words;
    ``busy``: more may be proved. ``among``: the number of moves in scope, None for all; proofs are
    about all. ``names``: what the players are called.
    """

    position: Position
    verdict: Verdict | None
    moves: KnownMoves
    wins: tuple[int, ...] = ()
    dispute: tuple[Verdict, Verdict] | None = None
    judged: Preference | None = None
    focused: Preference | None = None
    played: Turn | None = None
    ply: int = 0
    place: tuple[int, str] | None = None
    left: float | None = None
    after: Verdict | None = None
    lost_by: str = ""
    doing: tuple[str, ...] = ()
    busy: bool = False
    among: int | None = None
    names: Names = Names.RED_BLUE

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
        if not self.wins or self.played is None:
            return None
        return None if self.played.move.cell in self.wins else self.wins[0]

    @property
    def cost(self) -> int:
        """The win rate that the record's move loses, in per cent as on the screen; 0 if none."""
        now = self.judged.winrate if self.judged else None
        is_best = self.place is not None and self.place[0] == 1
        if now is None or self.left is None or is_best:
            return 0
        return max(round(100 * now) - round(100 * self.left), 0)


def verdict_ways(situation: Situation) -> Sequence[Wording]:
    """Return who wins and what to play, the fullest wording first."""
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
    wins = (_side(situation.verdict.winner, situation), ("\N{NO-BREAK SPACE}wins", Tone.STRONG))
    if situation.mover_wins:
        return _winning_ways(situation, situation.verdict, wins)
    every = f" Every move of {situation.names.player(situation.mover)} loses."
    return [
        *((*wins, how, ".", every) for how in _how(situation.verdict)),
        (*wins, " by every move."),
    ]


def played_ways(situation: Situation) -> Sequence[Wording]:
    """Return what the record's next move changes; an empty wording if there is none."""
    turn = situation.played
    if turn is None or situation.position.winner is not None:
        return [()]
    kind, won = turn.move.kind, situation.mover_wins
    if kind is MoveKind.RESIGN:
        says = (" resigns in a won position.", Tone.DOUBTFUL) if won else " resigns."
        return [(_side(turn.color, situation), says)]
    swapped = kind in (MoveKind.SWAP_PIECES, MoveKind.SWAP_SIDES)
    name = "swap" if swapped else turn.move.name(situation.position.board)
    move = f"{situation.ply}.\N{NO-BREAK SPACE}{name}"
    long, short = (("Played: ", Tone.DIM), move), (move,)
    wins = _is_won_by(situation, turn, swapped)
    if wins is None:
        return _open_ways(situation, long, short)
    if wins:
        return [(*way, ", ", ("wins", Tone.GOOD), ".") for way in (long, short)]
    if won:
        away = ("gives the win away", Tone.DOUBTFUL)
        return [(*long, ", ", away, "."), (*short, " ", away, ".")]
    if situation.verdict is not None:
        full = (*long, ", loses like every other move.")
        return [full, (*short, ", loses.")]
    return [(*way, ", loses (proved).") for way in (long, short)]


def contradiction(first: Verdict, second: Verdict, names: Names) -> str:
    """Return the sentence about two contradicting proofs."""
    one, other = names.player(first.winner), names.player(second.winner)
    both = f"by {_source(first)} {one} wins, by {_source(second)} {other}"
    return f"Two proofs contradict each other: {both}"


def hint(situation: Situation) -> Sentence:
    """Return what the keys do on the card; () without a verdict."""
    if situation.verdict is None or situation.position.winner is not None:
        return ()
    better = situation.better
    name = "" if better is None else situation.position.board.name(better)
    add = f" v: add {name} as a variation." if name else ""
    return (("Enter: why." + add, Tone.DIM),)


def fitted(situation: Situation, width: int, height: int) -> list[Sentence]:
    """Return the fullest wordings that fit into so many columns and lines, and a hint below."""
    verdicts, moves = verdict_ways(situation), played_ways(situation)
    ways = [(one, two) for one in range(len(verdicts)) for two in range(len(moves))]
    for one, two in sorted(ways, key=lambda way: (sum(way), way)):
        first, second = wrapped(verdicts[one], width), wrapped(moves[two], width)
        if first is None or second is None or len(first) + len(second) > height:
            continue
        lines, keys = first + second, wrapped(hint(situation), width)
        return lines + keys if keys and len(lines) + len(keys) <= height else lines
    return (wrapped(verdicts[-1], width) or [])[:height]


def wrapped(sentence: Wording, width: int) -> list[Sentence] | None:
    """Return a sentence in lines, without cutting words; None if one is too long."""
    lines: list[list[Piece]] = []
    room = 0
    for word in _words(sentence):
        length = sum(len(text) for text, _ in word)
        if length > width:
            return None
        if lines and length < room:
            lines[-1] += [(" ", Tone.PLAIN), *word]
            room -= length + 1
        else:
            lines.append(word)
            room = width - length
    return [tuple((text.replace("\xa0", " "), tone) for text, tone in line) for line in lines]


def _words(sentence: Wording) -> list[list[Piece]]:
    words: list[list[Piece]] = [[]]
    for part in sentence:
        text, tone = (part, Tone.PLAIN) if isinstance(part, str) else part
        first, *others = text.split(" ")
        words[-1].append((first, tone))
        words += [[(other, tone)] for other in others]
    return [found for word in words if (found := [piece for piece in word if piece[0]])]


def ordinal(number: int) -> str:
    """Return an ordinal number.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 102, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '102nd', '113th']
    """
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _winning_ways(situation: Situation, verdict: Verdict, wins: Wording) -> Sequence[Wording]:
    names = [situation.position.board.name(cell) for cell in situation.wins]
    how, short_how = _how(verdict)
    if not names:
        return [(*wins, how, ". Winning move not known."), (*wins, how, ".")]
    if len(names) == len(situation.position.empties):
        return [(*wins, how, ". Any move wins."), (*wins, " by any move.")]
    left = len(situation.moves.unknown)
    rest = f"; {_others(left)} not decided." if left else "; every other move loses."
    ways: list[Wording] = [
        (*wins, how, ". Play ", *_alternatives(names, 6), rest),
        (*wins, short_how, ". Play ", *_alternatives(names, 6), rest),
        (*wins, short_how, ". Play ", *_alternatives(names, 3), "."),
    ]
    ways += [(*wins, ": ", *_alternatives(names, most), ".") for most in (6, 3, 2, 1)]
    return ways


def _swap_ways(situation: Situation, verdict: Verdict) -> Sequence[Wording]:
    """Return whether to swap; the verdict is about play in which nobody swaps."""
    how, short = _how(verdict)
    wins = (_side(verdict.winner, situation), " wins")
    advice, since, so = "Swap", ": if nobody does, ", ": else "
    play: Wording = ()
    if situation.mover_wins:
        advice, since, so = "Do not swap", ": playing on, ", ": "
        if names := [situation.position.board.name(cell) for cell in situation.wins]:
            play = (" Play ", *_alternatives(names, 6), ".")
    do = (advice, Tone.GOOD)
    return [(do, since, *wins, how, ".", *play), (do, so, *wins, short, "."), (do, so, *wins, ".")]


def _judged_ways(situation: Situation) -> Sequence[Wording]:
    may = (
        f"{situation.names.player(situation.mover)} may swap. "
        if situation.position.swap_legal
        else ""
    )
    proved = f"{may}Nothing proved{' yet' if situation.busy else ''}. "
    if situation.judged is None:
        return [(text,) for text in situation.doing or (proved.strip(),)]
    best = (situation.position.board.name(situation.judged.best), Tone.STRONG)
    among = "" if situation.among is None else f"of {counted(situation.among, 'cell')} "
    prefers = f"{among.capitalize()}{situation.judged.by} prefers "
    if (winrate := situation.judged.winrate) is not None:
        share = f"\N{NO-BREAK SPACE}{winrate:.0%} by {situation.judged.by}. Best {among}"
        told = (_side(situation.mover, situation), share, best, ".")
        return [(proved, *told), told]
    return [
        *_both_prefer(situation, proved, best, among.capitalize()),
        (proved, prefers, best, "."),
        (prefers, best, "."),
        (f"Preferred {among}".strip() + ": ", best, "."),
    ]


def _both_prefer(situation: Situation, proved: str, best: Piece, among: str) -> Sequence[Wording]:
    """Return what the search and the evaluator in focus prefer, if both are known."""
    searched, focused = situation.judged, situation.focused
    if searched is None or focused is None:
        return []
    if focused.best == searched.best:
        both = f"{among}{searched.by} and {focused.by} prefer "
        return [(proved, both, best, ".")]
    other = (situation.position.board.name(focused.best), Tone.STRONG)
    by, also = f"{among}{searched.by} prefers ", f", {focused.by} "
    return [(proved, by, best, also, other, ".")]


def _open_ways(situation: Situation, long: Wording, short: Wording) -> Sequence[Wording]:
    if situation.mover_wins:
        ways = [(*way, ", not decided.") for way in (long, short)]
        if not situation.lost_by:
            return ways
        gone = (f"gives the win away here or by {situation.lost_by}", Tone.DOUBTFUL)
        return [*((*way, ", ", gone, ".") for way in (long, short)), ways[-1]]
    if not any(situation.position.stones) and situation.played is not None:
        return [(*long, ", which can be swapped."), (*short, ".")]
    if cost := situation.cost:
        dear = cost >= 100 * LEAST_COST
        loss = (f"-{cost}%", Tone.DOUBTFUL if dear else Tone.PLAIN)
        return [
            (*long, ", win rate ", loss, f": {situation.left:.0%} left."),
            (*short, ", win rate ", loss, "."),
            (*short, ", ", loss, "."),
        ]
    if situation.place is None:
        return [(*long, "."), (*short, ".")]
    place, by = situation.place
    return [
        (*long, f", {ordinal(place)} by {by}."),
        (*short, f", {ordinal(place)} by {by}."),
        (*short, f", {ordinal(place)}."),
    ]


def _is_won_by(situation: Situation, turn: Turn, swapped: bool) -> bool | None:
    """Return whether the record's next turn wins for its player; None if that is not known."""
    if turn.move.kind is MoveKind.PLAY:
        return situation.moves.wins_by(turn.move.cell) if turn.color is situation.mover else None
    if swapped:
        return None if situation.verdict is None else not situation.mover_wins
    return None if situation.after is None else situation.after.winner is situation.mover


def _how(verdict: Verdict) -> tuple[Piece, Piece]:
    match verdict.kind:
        case VerdictKind.CHAIN | VerdictKind.CONNECTION:
            text = short = "connected"
        case VerdictKind.SOLVER:
            text = f"proved{_seconds(verdict.seconds)}"
            short = "proved"
        case _:
            text = short = f"proved by {_source(verdict)}"
    return (f" ({text})", Tone.DIM), (f" ({short})", Tone.DIM)


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f", {seconds:.1f}\N{NO-BREAK SPACE}s" if seconds >= 0.1 else ", <0.1\N{NO-BREAK SPACE}s"


def _source(verdict: Verdict) -> str:
    return verdict.by or PROVED_BY[verdict.kind]


def _others(count: int) -> str:
    return "1 other" if count == 1 else f"{count} others"


def _alternatives(names: Sequence[str], most: int) -> Wording:
    """Return moves as alternatives, the first ones of many: e8, c7 or 1 other."""
    items: list[str | Piece] = [(name, Tone.GOOD) for name in names[:most]]
    if (more := len(names) - most) > 0:
        items.append(_others(more))
    pieces: list[str | Piece] = []
    for place, item in enumerate(items, start=1):
        between = "" if place == 1 else " or " if place == len(items) else ", "
        pieces += [between, item]
    return tuple(pieces)


def _side(color: Color, situation: Situation) -> Piece:
    return situation.names.player(color), Tone.BLACK if color is Color.BLACK else Tone.WHITE
