"""Makes the games that the tutorial imports: our own evaluators play each other on 7x7.

Run: ``python -m tests.make_tutorial_games``
"""

from itertools import permutations
from pathlib import Path

import hextui
from hextui.engine.board import Board
from hextui.matches.match import ScheduledGame, record_of
from hextui.records.codecs.sgf import write_sgf

OPENINGS = ("a3", "g2")
PLAYERS = ("resistance", "shortest-path", "k-paths:1")
TARGET = Path(hextui.__file__).parent / "samples" / "games.sgf"


def main() -> None:
    """Play each pair in both colours from each opening."""
    texts = []
    for opening in OPENINGS:
        for black, white in permutations(PLAYERS, 2):
            game = ScheduledGame(Board(7, 7), black, white, 0, (opening,)).play()
            record = record_of(game)
            record.root.properties["EV"] = ("Games of the tutorial",)
            texts.append(write_sgf(record))
    TARGET.write_text("".join(texts))


if __name__ == "__main__":
    main()
