"""The results of a player of the library: by colour, board, opening and opponent, and ratings."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, Position
from hextui.library.player_games import PlayerGame, PlayerScore, score_of
from hextui.library.position_keys import moves_to
from hextui.text import folded

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class OpeningScore:
    """A first move, those that are the same by symmetry, and the score of the games with it.

    ``opened``: whether the player made it. ``swapped``: whether it was swapped.
    """

    board: Board
    opened: bool
    first: Move
    same: tuple[Move, ...]
    swapped: bool
    score: PlayerScore


@dataclass(frozen=True)
class OpponentScore:
    """An opponent, '' for those unknown, and the score against this one."""

    name: str
    score: PlayerScore


@dataclass(frozen=True)
class DatedRating:
    """A player's rating in a game of some date."""

    date: str
    rating: int
    game: int


def by_color(games: Sequence[PlayerGame]) -> dict[Color, PlayerScore]:
    """Return the score with each colour, as it was at the end of each game."""
    grouped = _grouped(games, lambda game: game.color)
    return {color: score_of(grouped.get(color, ())) for color in Color}


def by_board(games: Sequence[PlayerGame]) -> dict[Board, PlayerScore]:
    """Return the score on each board, that of most games first."""
    grouped = _grouped(games, lambda game: game.board)
    boards = sorted(grouped, key=lambda board: (-len(grouped[board]), board.rows, board.columns))
    return {board: score_of(grouped[board]) for board in boards}


def by_opening(games: Sequence[PlayerGame]) -> list[OpeningScore]:
    """Return the score by first move, who made it and whether it was swapped, most games first.

    First moves that are the same by symmetry count together. Games that do not begin on the empty
    board, and those without a move that counts, are left out.
    """
    with_move = [game for game in games if len(game.keys) > 1]
    first_keys: dict[Board, set[int]] = {}
    for game in with_move:
        first_keys.setdefault(game.board, set()).add(game.keys[1])
    ways = {board: moves_to(Position.empty(board), keys) for board, keys in first_keys.items()}
    groups = _grouped(with_move, lambda game: (game.board, game.opened, game.keys[1], game.swapped))
    openings = []
    for (board, opened, key, swapped), played in groups.items():
        first, *same = ways[board][key]
        opening = OpeningScore(
            board=board,
            opened=bool(opened),
            first=first,
            same=tuple(same),
            swapped=swapped,
            score=score_of(played),
        )
        openings.append(opening)
    return sorted(openings, key=_order)


def _order(opening: OpeningScore) -> tuple[int, bool, int, int, int, bool]:
    board = opening.board
    place = (board.rows, board.columns, opening.first.cell, opening.swapped)
    return (-opening.score.games, not opening.opened, *place)


def opponents(games: Sequence[PlayerGame]) -> list[OpponentScore]:
    """Return the score against each opponent, that of most games first.

    Names are compared folded; each is spelled as in most of these games.
    """
    scores = []
    for played in _grouped(games, lambda game: folded(game.opponent)).values():
        spellings = Counter(game.opponent for game in played)
        name = min(spellings, key=lambda text: (-spellings[text], text))
        scores.append(OpponentScore(name, score_of(played)))
    return sorted(scores, key=lambda opponent: (-opponent.score.games, folded(opponent.name)))


def ratings(games: Iterable[PlayerGame]) -> list[DatedRating]:
    """Return the player's ratings in the games that have one and a date, in order."""
    dated = []
    for game in games:
        if game.rating is not None and game.date:
            dated.append(DatedRating(game.date, game.rating, game.id))
    return sorted(dated, key=lambda rating: (rating.date, rating.game))


def _grouped(
    games: Iterable[PlayerGame], key: Callable[[PlayerGame], Key]
) -> dict[Key, list[PlayerGame]]:
    groups: dict[Key, list[PlayerGame]] = {}
    for game in games:
        groups.setdefault(key(game), []).append(game)
    return groups
