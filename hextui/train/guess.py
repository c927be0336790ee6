"""Guessing the moves of a game: which turns, how a guess is judged, points and summary.

A guess is compared with the game's move: by who is proved to win after either, or else by the win
probability after either, from searches of equally many visits. The solver's and the search's
limits are fixed counts of nodes, so a judgement depends on the position alone.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.position import Position, SwapRule
from hextui.engine.swap import first_stone_value
from hextui.engine.verdicts import KnownMoves, Verdicts
from hextui.engines.questions import Judge, Judged, Proved, WhoWins
from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.text import Names, is_part_of
from hextui.words.reviews import won_instead

SOLVER_NODES = 1500  # to compare a guess with the game's move: about half a second on 11x11
PROOF_NODES = 20_000  # where only a proved win is right
VISITS = 200  # of each search that compares moves
SEARCH = f"search:visits={VISITS}"
CLOSE = 0.05  # a smaller difference of win probabilities does not count
INSTRUCTIVE = 3  # moments that the summary names
_TRIED = 100  # games that are drawn at random until one fits
_LEAST_PLIES = 6  # of such a game


class Wanted(StrEnum):
    """What is asked for: the game's move, or another one where that was a mistake."""

    SAME = "the same move"
    WINNING = "a winning move"
    """The side to move is proved to win, and the game's move a proved mistake, or one of several
    moves of which one is; only a move that is proved to win is right."""
    BETTER = "a better move"
    """The game's move is estimated to be a mistake."""
    FIRST_STONE = "a fairer first stone"
    """The first stone was too strong or too weak under the swap rule. The search alone compares
    stones. A proof cannot: the opponent wins after each of them, by a swap or by a move."""


@dataclass(frozen=True)
class GuessTurn:
    """A turn to guess: a position of a game with the move made there.

    ``name``: of the game. ``proved``: the moves that are. ``best``: the move that an estimate
    prefers to a mistake, None if unknown.
    """

    record: Record
    name: str
    game_position: GamePosition
    proved: KnownMoves
    wanted: Wanted = Wanted.SAME
    best: int | None = None

    @property
    def mistake(self) -> bool:
        """Whether the game's move was a mistake, and another one is wanted."""
        return self.wanted is not Wanted.SAME

    @property
    def wants_better(self) -> bool:
        """Whether a move is right that is better than the game's, proved to win or not."""
        return self.wanted in (Wanted.BETTER, Wanted.FIRST_STONE)

    @property
    def position(self) -> Position:
        """The position to guess in."""
        return self.game_position.position

    @property
    def played(self) -> int:
        """The cell of the game's move."""
        assert self.game_position.cell is not None, "a turn to guess puts a stone"
        return self.game_position.cell

    def value(self, cell: int) -> "MoveValue":
        """Return what is known of a move without an engine; the cell is empty."""
        won = self.position.play(cell).winner is self.position.to_move
        return MoveValue(True if won else self.proved.by_cell.get(cell))

    def question(self, cell: int, value: "MoveValue") -> WhoWins | Judge | None:
        """Return what an engine is asked next about a move of this value; None if nothing."""
        after = self.position.play(cell)
        if value.wins is not None:
            return None
        if self.wanted is Wanted.FIRST_STONE:
            return Judge(after, (SEARCH,)) if value.rate is None else None
        needs_proof = self.wanted is Wanted.WINNING
        if not value.solved:
            return WhoWins(after, Limit(nodes=PROOF_NODES if needs_proof else SOLVER_NODES))
        return Judge(after, (SEARCH,)) if value.rate is None and not needs_proof else None

    def heard(self, value: "MoveValue", answer: Proved | Judged) -> "MoveValue":
        """Return the value of a move with an answer about the position after it."""
        heard = value.heard(answer, self.position.to_move)
        if self.wanted is not Wanted.FIRST_STONE:
            return heard
        if heard.wins is not None:
            return replace(heard, wins=False)  # the opponent swaps, or moves, and wins
        return replace(heard, rate=None if heard.rate is None else first_stone_value(heard.rate))

    def task(self, names: Names) -> str:
        """Return in words what is asked."""
        side = names.player(self.position.to_move)
        if self.wanted is Wanted.FIRST_STONE:
            other = names.player(self.position.to_move.opponent)
            return f"{side} to move, and {other} may swap. Where should the first stone have been?"
        if self.mistake:
            end = " and win" if self.wanted is Wanted.WINNING else ""
            return f"{side} to move{end}. What should you have played?"
        player = self.record.player(self.game_position.player) or side
        return f"{side} to move. What did {player} play?"


def guess_turns(record: Record, name: str, side: Color, verdicts: Verdicts) -> list[GuessTurn]:
    """Return the turns of a player to guess; ``side``: the player's colour at the end of the game.

    Turns without a stone are left out, and those that a swap may answer or replace.
    """
    return [
        GuessTurn(record, name, turn_position, verdicts.moves(turn_position.position))
        for turn_position in game_positions(record, record.main_line())
        if turn_position.player is side
        and turn_position.cell is not None
        and turn_position.position.swap_rule is SwapRule.NONE
    ]


def random_turns(
    library: Library, reviews: ReviewStore, player: str, lots: random.Random
) -> list[GuessTurn]:
    """Return the turns of one side of a random game: the winner, or a player, a part of a name.

    There are none if no game of the library fits.
    """
    chosen = Filter(player=player or None)
    count = library.count(chosen)
    for place in lots.sample(range(count), min(count, _TRIED)):
        (row,) = library.games(chosen, limit=1, offset=place)
        side = row.winner
        if player:
            side = Color.BLACK if is_part_of(player, row.black) else Color.WHITE
        if side is not None and row.plies >= _LEAST_PLIES:
            record = read_record(library.text(row.id) or "")
            _, estimates = reviewed(record, reviews)
            return guess_turns(record, row.label, side, estimates.verdicts)
    return []


def reviewed(record: Record, reviews: ReviewStore) -> tuple[Sequence[GamePosition], Estimates]:
    """Return the positions of a game and what its stored review knows of them."""
    positions = game_positions(record, record.main_line())
    estimates = Estimates()
    reviews.read(positions, estimates)
    return positions, estimates


class GuessResult(StrEnum):
    """How a guess compares with the game's move."""

    SAME = "same"
    BETTER = "better"
    EQUAL = "equal"
    WORSE = "worse"
    OPEN = "not judged"


POINTS = {GuessResult.SAME: 2, GuessResult.BETTER: 2, GuessResult.EQUAL: 1}


@dataclass(frozen=True)
class MoveValue:
    """What is known of a move, for the player who makes it.

    ``wins``: whether it is proved to win. ``solved``: the solver was asked. ``rate``: the win
    probability by the search.
    """

    wins: bool | None = None
    solved: bool = False
    rate: float | None = None

    @property
    def win_probability(self) -> float | None:
        """By the proof, or else by the search; None if unknown."""
        return self.rate if self.wins is None else float(self.wins)

    def heard(self, answer: Proved | Judged, mover: Color) -> "MoveValue":
        """Return the value with an answer about the position after the move of ``mover``."""
        rate = None
        if isinstance(answer, Proved):
            winner = answer.winner
        else:
            winner = answer.verdict.winner if answer.verdict else None
            ranking = answer.rankings.get(SEARCH)
            rate = 1 - ranking.moves[0].value if ranking and ranking.moves else None
        return MoveValue(None if winner is None else winner is mover, True, rate)

    def __str__(self) -> str:
        if self.wins is None:
            return f"{self.rate:.0%} win probability"
        return f"{'wins' if self.wins else 'loses'} (proved)"


@dataclass(frozen=True)
class Guess:
    """A guessed cell, its value ``mine``, and that of the game's move.

    It is judged once `asked` is None; until then, an engine's answers are added by `heard`.
    """

    turn: GuessTurn
    cell: int
    mine: MoveValue
    game: MoveValue

    @classmethod
    def at(cls, turn: GuessTurn, cell: int, game: MoveValue | None = None) -> "Guess":
        """Return a guess; ``game``: what an engine has found of the game's move before."""
        if turn.wanted is Wanted.WINNING and cell != turn.played:  # the game's move counts as one
            game = MoveValue(False)
        return cls(turn, cell, turn.value(cell), game or turn.value(turn.played))

    @property
    def asked(self) -> WhoWins | Judge | None:
        """The question that an engine is asked next; None once the guess is judged."""
        turn = self.turn
        of_mine = turn.question(self.cell, self.mine)
        if self.cell == turn.played:
            return of_mine if turn.wanted is Wanted.WINNING else None
        return of_mine or turn.question(turn.played, self.game)

    def heard(self, answer: Proved | Judged) -> "Guess":
        """Return the guess with an answer to the question in `asked`."""
        position = self.turn.position
        assert self.asked is not None, "an engine was asked"
        if self.asked.position == position.play(self.cell):
            return replace(self, mine=self.turn.heard(self.mine, answer))
        return replace(self, game=self.turn.heard(self.game, answer))

    @property
    def gain(self) -> float | None:
        """The win probability gained over the game's move; None if one is not known."""
        mine, game = self.mine.win_probability, self.game.win_probability
        return None if mine is None or game is None else mine - game

    @property
    def result(self) -> GuessResult:
        """How the guess compares with the game's move."""
        if self.cell == self.turn.played:
            return GuessResult.SAME
        if self.gain is None:
            return GuessResult.OPEN
        if abs(self.gain) < CLOSE:
            return GuessResult.EQUAL
        return GuessResult.BETTER if self.gain > 0 else GuessResult.WORSE

    @property
    def gives_win_away(self) -> bool:
        """Whether the guess is proved to lose where another move is proved to win."""
        won = (
            self.turn.wanted is Wanted.WINNING
            or bool(self.turn.proved.wins)
            or self.game.wins is True
        )
        return won and self.mine.wins is False

    @property
    def is_missed(self) -> bool:
        """Whether a better move than a mistake was wanted, and judged not to be found."""
        is_open = self.asked is not None or self.result is GuessResult.OPEN
        return self.turn.mistake and self.points == 0 and not is_open

    @property
    def lost(self) -> float:
        """The win probability lost against the best move known: 1 if a win is given away."""
        return 1.0 if self.gives_win_away else max(-(self.gain or 0.0), 0.0)

    @property
    def points(self) -> int:
        """2 for the game's move or a better one, 1 for an equal one; 0 if a win is given away.

        At a mistake 2 for a better one, else 0.
        """
        if self.turn.wants_better:
            is_right = self.mine.wins is True or self.result is GuessResult.BETTER
            return 2 if is_right else 0
        return 0 if self.gives_win_away else POINTS.get(self.result, 0)

    def words(self) -> str:
        """Return the judgement, and which move was right, in words."""
        turn, moves = self.turn, self.turn.proved
        name = turn.position.board.name
        said = self._mistake_words if turn.mistake else ""
        said = said or self._comparison
        if not moves.wins and turn.best is not None and self.points == 0:
            return f"{said}; {name(turn.best)} is best (estimate)."
        if self.mine.wins or not moves.wins:
            return f"{said}."
        return f"{said}; {won_instead(list(map(name, moves.wins)), moves.complete)} (proved)."

    @property
    def _mistake_words(self) -> str:
        """The judgement at a mistake, '' where a comparison says it."""
        name = self.turn.position.board.name
        mine = name(self.cell)
        game = name(self.turn.played)
        if self.turn.wanted is Wanted.WINNING and self.mine.wins is not None:
            return f"{'Right' if self.mine.wins else 'No'}: {mine} {self.mine}; {game} was played"
        if self.turn.wants_better and self.cell == self.turn.played:
            return f"No: {mine} was played"
        return ""

    @property
    def _comparison(self) -> str:
        """How the guess compares with the game's move."""
        name = self.turn.position.board.name
        mine = name(self.cell)
        game = name(self.turn.played)
        if self.result is GuessResult.SAME:
            return f"{mine} is the game's move{', but loses (proved)' * self.gives_win_away}"
        if self.result is GuessResult.OPEN:
            return f"{mine} is not judged; {game} was played"
        how = "as good as" if self.result is GuessResult.EQUAL else f"{self.result} than"
        return f"{mine} is {how} {game}: {mine} {self.mine}, {game} {self.game}"

    def moment(self) -> str:
        """Return what was guessed at which move and what that cost, in words."""
        lost = f"loses {self.lost:.0%}"
        if self.gives_win_away:
            lost = "gives the win away (proved)"
        elif self.lost < CLOSE:
            lost = "is not better"
        return (
            f"{self.turn.game_position.ply + 1}. {self.turn.position.board.name(self.cell)} {lost}"
        )


def score(guesses: Sequence[Guess]) -> str:
    """Return the points and how the guesses compare, in words."""
    if guesses and guesses[0].turn.mistake:
        return f"{sum(guess.points > 0 for guess in guesses)} of {len(guesses)} found"
    kinds = Counter(guess.result for guess in guesses)
    counts = ", ".join(f"{kinds[kind]} {kind}" for kind in GuessResult if kinds[kind])
    points = sum(guess.points for guess in guesses)
    return f"{points} of {2 * len(guesses)} points: {counts}"


def instructive(guesses: Sequence[Guess]) -> list[Guess]:
    """Return the guesses that lost most, or found no better move, at most three: proved first."""
    lost = [guess for guess in guesses if guess.lost >= CLOSE or guess.is_missed]
    return sorted(lost, key=lambda guess: (not guess.gives_win_away, -guess.lost))[:INSTRUCTIVE]
