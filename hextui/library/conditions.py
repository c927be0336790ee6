"""Filters as the games that have names: the dictionary answers all of them."""

from functools import reduce

import numpy as np

from hextui.engine.board import Color
from hextui.library.answers import storable
from hextui.library.filters import Filter, FilterRange
from hextui.library.game_names import GameNames
from hextui.library.visits import Numbers, distinct, in_both
from hextui.text import Names, folded


def games_named(chosen: Filter, names: GameNames, players: Names) -> list[Numbers]:
    """Return the ids of games for each name in a filter; those in all of these are meant.

    ``players`` calls the players in results.
    """
    parts = _games_of_facts(chosen, names)
    for word in folded(storable(chosen.words or "")).split():
        parts.append(names.with_word(word, players))
    if chosen.player or chosen.opponent:
        parts.append(_games_of_players(chosen, names))
    if chosen.event:
        parts.append(names.with_event(storable(chosen.event)))
    if isinstance(chosen.date, FilterRange):
        parts.append(names.in_dates(*chosen.date))
    elif chosen.date:
        parts.append(names.with_date(storable(chosen.date)))
    return parts


def _games_of_facts(chosen: Filter, names: GameNames) -> list[Numbers]:
    """Return the ids of games for board, ratings and swap."""
    parts = []
    if chosen.board is not None:
        parts.append(names.on_board(chosen.board))
    if chosen.rating is not None:
        parts.append(reduce(in_both, (names.rated(*chosen.rating, color) for color in Color)))
    if chosen.swap is not None:
        parts.append(names.swapped(tuple(Color) if chosen.swap else (0,)))
    if chosen.swapper:
        parts.append(_games_of_swapper(chosen.swapper, names))
    return parts


def _games_of_players(chosen: Filter, names: GameNames) -> Numbers:
    """Return the games where the player had a colour, any if none is asked for, and the opponent.

    The latter had the other colour.
    """
    colors = tuple(Color) if chosen.color is None else (chosen.color,)
    if chosen.player and not chosen.opponent:
        return names.with_player(storable(chosen.player), *colors)
    sides = []
    for color in colors:
        both = ((color, chosen.player), (color.opponent, chosen.opponent))
        games = [names.with_player(storable(part), side) for side, part in both if part]
        sides.append(reduce(in_both, games))
    return distinct(np.concatenate(sides))


def _games_of_swapper(player: str, names: GameNames) -> Numbers:
    """Return the games that were swapped by a player with this in the name."""
    sides = []
    for color in Color:
        played = names.with_player(storable(player), color)
        sides.append(in_both(played, names.swapped((color,))))
    return distinct(np.concatenate(sides))
