"""What the kept reviews say about the games of a player of the library."""

import os
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from hextui.analysis.player_mistakes import PlayerMistake, mistakes_in_game
from hextui.analysis.stored_analysis import ReviewStore
from hextui.library.library import Library
from hextui.library.player_games import PlayerGame
from hextui.records.codecs.sgf import read_sgf


@dataclass(frozen=True)
class PlayerReview:
    """The games of a player that have a review, by their ids, and the mistakes in them."""

    games: frozenset[int] = frozenset()
    mistakes: tuple[PlayerMistake, ...] = ()

    def of(self, games: Iterable[PlayerGame]) -> "PlayerReview":
        """Return what it says about some of the games."""
        ids = self.games & {game.id for game in games}
        own = tuple(mistake for mistake in self.mistakes if mistake.game in ids)
        return PlayerReview(ids, own)

    def from_ply(self, ply: int) -> "PlayerReview":
        """Return it with only the mistakes in moves after so many plies."""
        late = tuple(mistake for mistake in self.mistakes if mistake.before >= ply)
        return PlayerReview(self.games, late)


def player_review(library: Library, games: Iterable[PlayerGame], path: Path | None) -> PlayerReview:
    """Return what the reviews in a file say about a player's games, in their order.

    Without the file there are none. Raises LibraryError.
    """
    if path is None or not os.path.isfile(path):
        return PlayerReview()
    reviewed = set()
    mistakes: list[PlayerMistake] = []
    with closing(ReviewStore(path)) as reviews:
        for game in games:
            text = library.text(game.id)
            if text is None:  # removed meanwhile
                continue
            own = mistakes_in_game(game.id, read_sgf(text), game.color, reviews)
            if own is not None:
                reviewed.add(game.id)
                mistakes += own
    return PlayerReview(frozenset(reviewed), tuple(mistakes))
