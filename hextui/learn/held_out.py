"""Which games are held out: never learned from, only measured on."""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass

from hextui.learn.game_lines import TrainingGame


@dataclass(frozen=True)
class HeldOut:
    """Games whose number ``every`` divides and whose winner's rating is ``rating`` or more."""

    every: int = 10
    rating: int = 1900

    def __contains__(self, game: TrainingGame) -> bool:
        return game.number % self.every == 0 and game.winner_rating >= self.rating


def split(
    games: Iterable[TrainingGame], held_out: HeldOut
) -> tuple[list[TrainingGame], list[TrainingGame]]:
    """Return the games to learn from, and those held out.

    Of games equal in any symmetry one stays; it is held out if one of them is.
    """
    first: dict[tuple[int, ...], TrainingGame] = {}
    for game in games:
        key = game.symmetric_key
        if key not in first or (game in held_out and first[key] not in held_out):
            first[key] = game
    learned = [game for game in first.values() if game not in held_out]
    return learned, [game for game in first.values() if game in held_out]


def split_in_three(
    games: Iterable[TrainingGame], held_out: HeldOut
) -> tuple[list[TrainingGame], list[TrainingGame], list[TrainingGame]]:
    """Return the games to learn from, those to calibrate by, and those held out.

    A network is surer of games that it learned from, so as many others as are held out make
    chances mean what they say.
    """
    others, kept = split(games, held_out)
    learned: list[TrainingGame] = []
    calibrating: list[TrainingGame] = []
    for game in others:
        strong = game.winner_rating >= held_out.rating
        apart = strong and game.number % held_out.every == held_out.every // 2
        (calibrating if apart else learned).append(game)
    return learned, calibrating, kept


def add_held_out(parser: argparse.ArgumentParser, what: str, usual: HeldOut | None = None) -> None:
    """Add an option that chooses which games are held out; ``what`` says what that is for."""
    usual = usual or HeldOut()
    parser.add_argument(
        "--held-out",
        type=int,
        nargs=2,
        metavar=("EVERY", "RATING"),
        default=(usual.every, usual.rating),
        help=what,
    )
