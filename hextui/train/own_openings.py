"""The positions that a player meets most, and how good an own move there is.

A position counts once for each game, in any orientation. A move is right where it is proved to win,
or where a search finds no move that is clearly better.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.engine.limit import Limit, TooCostlyError, check_analysed
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.position import Position, SwapRule
from hextui.engines.questions import Judge, Judged, Proved, WhoWins
from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.text import Names, counted, is_part_of
from hextui.train.guess import CLOSE, SEARCH, SOLVER_NODES, VISITS, MoveValue
from hextui.train.puzzle import Puzzle

PLIES = 12
"""Plies of a game in which its opening positions are."""
LEAST_GAMES = 2
"""Games that have such a position, at least."""
_UNKNOWN = MoveValue()
_NAMED = 4  # moves of the player that words name


@dataclass(frozen=True)
class OwnOpening:
    """A position that a player met, as in the newest game, and in how many games.

    ``played``: the cells of the player's moves there, and in how many games, most games first.
    """

    position: Position
    games: int
    played: Mapping[int, int]

    @property
    def puzzle(self) -> Puzzle:
        """The position to be asked; the moves that are right are not known."""
        return Puzzle(self.position, name=f"met in {counted(self.games, 'game')}")

    def task(self, names: Names) -> str:
        """Return in words what is asked."""
        side = names.player(self.position.to_move)
        return f"{side} to move, as in {counted(self.games, 'game')} of yours. What do you play?"

    @property
    def played_words(self) -> str:
        """What the player played in how many games."""
        name = self.position.board.name
        usual = Counter(self.played).most_common(_NAMED)
        moves = [f"{name(cell)} in {count}" for cell, count in usual]
        others = self.games - sum(count for _, count in usual)
        if others:
            moves.append(f"others in {others}")
        return f"You played {', '.join(moves)} of {counted(self.games, 'game')}."


def own_openings(library: Library, player: str) -> list[OwnOpening]:
    """Return the positions that a player met in several games, those of most games first.

    ``player`` is a part of a name. The first move of a game is left out, and where a swap is open.
    Raises LibraryError.
    """
    shown: dict[bytes, tuple[Orientation, Position]] = {}
    played: dict[bytes, Counter[int]] = {}
    for row in library.games(Filter(player=player), order="id", descending=True):
        record = read_record(library.text(row.id) or "")
        for game_position in _own_positions(record, player):
            position = game_position.position.without_swap
            orientation = canonical(position)
            key = orientation.position.key
            shown.setdefault(key, (orientation, position))
            assert game_position.cell is not None, "a stone was played there"
            cell = _canonical_cell(orientation, game_position.cell)
            played.setdefault(key, Counter())[cell] += 1
    positions = []
    for key, (orientation, position) in shown.items():
        moves = {orientation.cell_of[cell]: n for cell, n in played[key].most_common()}
        positions.append(OwnOpening(position, played[key].total(), moves))
    met = [each for each in positions if each.games >= LEAST_GAMES]
    return sorted(met, key=lambda each: -each.games)


def _own_positions(record: Record, player: str) -> Iterator[GamePosition]:
    """Yield the early positions of a game in which a player put a stone and nobody may swap."""
    try:
        check_analysed(record.board)
    except TooCostlyError:
        return
    for game_position in game_positions(record, record.main_line()[: PLIES + 1]):
        own = is_part_of(player, record.player(game_position.player))
        is_free = game_position.position.swap_rule is SwapRule.NONE
        if own and is_free and game_position.cell is not None and 0 < game_position.ply < PLIES:
            yield game_position


def _canonical_cell(orientation: Orientation, cell: int) -> int:
    """Return where a cell is in the canonical orientation; one of both if that is symmetric."""
    place = int(orientation.seen_at[cell])
    if orientation.symmetric:
        return min(place, orientation.position.board.rotate(place))
    return place


@dataclass(frozen=True)
class OpeningTry:
    """A move tried in a position, and what is known of it and of the move that the search prefers.

    It is judged once `asked` is None; until then, an engine's answers are added by `heard`.
    """

    position: Position
    cell: int
    preferred: int | None = None
    mine: MoveValue = _UNKNOWN
    best: MoveValue = _UNKNOWN

    @property
    def asked(self) -> WhoWins | Judge | None:
        """The question that an engine is asked next; None once the move is judged."""
        if self.preferred is None:
            return Judge(self.position, (SEARCH,))
        return self._about(self.preferred, self.best) or self._about(self.cell, self.mine)

    def _about(self, cell: int, value: MoveValue) -> WhoWins | Judge | None:
        """Return what is asked about a move of this value: first the solver, then the search."""
        after = self.position.play(cell)
        if value.wins is not None or value.rate is not None:
            return None
        return (
            Judge(after, (SEARCH,)) if value.solved else WhoWins(after, Limit(nodes=SOLVER_NODES))
        )

    def heard(self, answer: Proved | Judged) -> "OpeningTry":
        """Return the try with an answer to the question in `asked`."""
        assert self.asked is not None, "an engine was asked"
        if self.preferred is None:
            assert isinstance(answer, Judged), "the search was asked"
            return self._preferring(answer)
        mover = self.position.to_move
        judged = self
        if self.asked.position == self.position.play(self.preferred):
            judged = replace(judged, best=self.best.heard(answer, mover))
        if self.asked.position == self.position.play(self.cell):
            judged = replace(judged, mine=self.mine.heard(answer, mover))
        return judged

    def _preferring(self, judged: Judged) -> "OpeningTry":
        """Return the try with the move that a search prefers; one proved to win comes first."""
        cells = [cell for cell, won in judged.proved.items() if won]
        ranking = judged.rankings.get(SEARCH)
        if ranking is not None:
            cells += [move.cell for move in ranking.moves]
        cells.append(self.cell)  # where connections prove the winner, nothing is searched
        return replace(self, preferred=cells[0])

    @property
    def right(self) -> bool | None:
        """Whether the move is proved to win, or no clearly better one is known; None if unknown.

        A move that is proved to lose is wrong.
        """
        mine = self.mine.win_probability
        best = self.best.win_probability
        if self.mine.wins is not None:
            return self.mine.wins
        if mine is None or best is None:
            return None
        return mine >= best - CLOSE

    @property
    def words(self) -> str:
        """Return how the move is judged, and what the search prefers; estimates are named so."""
        name = self.position.board.name
        verdict = {True: "Right", False: "No", None: "Not judged"}[self.right]
        lines = [f"{verdict}: {name(self.cell)} {_value_words(self.mine)}."]
        if self.preferred is not None and self.preferred != self.cell:
            lines.append(f"Search prefers {name(self.preferred)}: {_value_words(self.best)}.")
        if self.mine.wins is None and self.mine.rate is not None:
            lines.append(f"{VISITS} visits each; within {CLOSE:.0%} counts as right.")
        return " ".join(lines)


def _value_words(value: MoveValue) -> str:
    if value.win_probability is None:
        return "is not judged"
    if value.wins is not None:
        return str(value)
    return f"{value.rate:.0%} (estimate)"
