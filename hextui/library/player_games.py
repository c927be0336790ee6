"""The games of one player of the library, with what is counted of each.

A player is a whole name, as `game_names.folded` compares names. A player's colour is that at the
end of a game: who swaps sides plays the other one afterwards. Games that a player has against the
same name count for neither side; only their number is kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.library.filters import ALL_GAMES, Filter
from hextui.library.game_names import NamedGame
from hextui.library.library import Library
from hextui.library.position_graph import GraphGame
from hextui.library.position_keys import key_of
from hextui.runs.proportions import Interval, proportion
from hextui.text import either, folded

_NEAREST = 3  # names that are suggested


class UnknownPlayerError(ValueError):
    """A name that no player of the library has; the message says the nearest names in one line."""


@dataclass(frozen=True)
class PlayerScore:
    """Games of a player, and those won and lost; no result of the others is known."""

    games: int = 0
    wins: int = 0
    losses: int = 0

    @property
    def decided(self) -> int:
        """The games whose winner is known."""
        return self.wins + self.losses

    @property
    def interval(self) -> Interval:
        """The share of the decided games that were won, with its 95% interval (Wilson)."""
        return proportion(self.wins, self.decided)


@dataclass(frozen=True)
class PlayerGame:
    """A game as one of its players sees it.

    ``color``: the player's at the end. ``won``: None if unknown. ``opponent``: '' if unknown.
    ``rating``: the player's in this game. ``opened``: whether the player made the first move, None
    if the game does not begin on the empty board. ``swapped``: whether anybody swapped. ``keys``:
    the keys of its positions from the empty board on; without ``opened`` there are none.
    """

    id: int
    board: Board
    color: Color
    opponent: str
    won: bool | None
    date: str
    rating: int | None
    opened: bool | None
    swapped: bool
    keys: tuple[int, ...]


def score_of(games: Iterable[PlayerGame]) -> PlayerScore:
    """Return how many games there are, and how many were won and lost."""
    results = Counter(game.won for game in games)
    return PlayerScore(games=results.total(), wins=results[True], losses=results[False])


@dataclass(frozen=True)
class PlayerGames:
    """The games of a player, in the order of their ids.

    ``name``: as most games spell it. ``against_itself``: the games of this name on both sides.
    """

    name: str
    games: tuple[PlayerGame, ...]
    against_itself: int = 0

    @property
    def score(self) -> PlayerScore:
        """The score in all games."""
        return score_of(self.games)

    def against(self, opponent: str) -> "PlayerGames":
        """Return the games against the player of this whole name."""
        name = folded(opponent)
        games = tuple(game for game in self.games if folded(game.opponent) == name)
        return PlayerGames(self.name, games)


def player_games(library: Library, player: str, chosen: Filter = ALL_GAMES) -> PlayerGames:
    """Return the games of a player that a filter selects, whose colour is the player's.

    ``player``: the whole name. Raises UnknownPlayerError, LibraryError.
    """
    spellings = library.spellings(player)
    if not spellings:
        raise UnknownPlayerError(_unknown(player, library.players()))
    facts = replace(chosen, color=None, opponent=None)
    named = library.games_of_player(player, facts)
    numbers = [game.id for game in named]
    lines = {line.number: line for line in library.graph_games(numbers)}
    name = folded(player)
    games = []
    against_itself = 0
    for game in named:
        if folded(game.black) == folded(game.white):
            if folded(chosen.opponent or "") in name:
                against_itself += 1
            continue
        color = Color.BLACK if folded(game.black) == name else Color.WHITE
        games.append(_player_game(game, color, lines[game.id]))
    return PlayerGames(spellings[0], tuple(_chosen(games, chosen)), against_itself)


def _unknown(player: str, players: list[str]) -> str:
    """Return that nobody has a name, and the nearest names: those with it, then similar ones."""
    name = folded(player)
    by_folded = {folded(other): other for other in players}
    nearest = [other for other in by_folded if name in other][:_NEAREST]
    nearest += get_close_matches(name, by_folded, _NEAREST)
    names = [by_folded[other] for other in dict.fromkeys(nearest)]
    guess = f" (did you mean {either(names[:_NEAREST])}?)" if names else ""
    return f"no player of the library is called {player!r}{guess}"


def _chosen(games: Iterable[PlayerGame], chosen: Filter) -> Iterator[PlayerGame]:
    """Yield the games in which the player had a colour against an opponent, a part of a name."""
    part = folded(chosen.opponent or "")
    for game in games:
        if chosen.color in (None, game.color) and part in folded(game.opponent):
            yield game


def _player_game(game: NamedGame, color: Color, line: GraphGame) -> PlayerGame:
    board = Board(game.rows, game.columns)
    opponent = game.white
    rating = game.black_rating
    if color is Color.WHITE:
        opponent = game.black
        rating = game.white_rating
    opened = None
    won = None
    keys: tuple[int, ...] = ()
    if line.keys[0] == _empty_key(board) and line.positions.first_ply == 0:
        opened = _first_player(line.positions.movers) is color
        keys = tuple(line.keys)
    if line.winner is not None:
        won = line.winner is color
    return PlayerGame(
        id=game.id,
        board=board,
        color=color,
        opponent=opponent,
        won=won,
        date=game.date,
        rating=int(rating) if rating else None,
        opened=opened,
        swapped=bool(game.swapper),
        keys=keys,
    )


@cache
def _empty_key(board: Board) -> int:
    return key_of(Position.empty(board))


def _first_player(movers: bytes) -> Color:
    """Return the colour, at the end of a game, of who made the first move.

    ``movers``: the side to move at each position. It is the same twice where sides are swapped.
    """
    first = Color(movers[0])
    swapped_sides = len(movers) > 2 and movers[1] == movers[2]
    return first.opponent if swapped_sides else first
