"""Makes the sample game of the package: two of our own evaluators play each other.

Run: ``python -m tests.make_sample``
"""

from pathlib import Path

import hextui
from hextui.commands.workstation import SAMPLE_PLY
from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.reading_back import save
from hextui.studies.match import play_game
from hextui.studies.match_report import record_of

OPENING = "a2"
TOUR = (
    "n and p walk, Enter plays, a looks for mistakes in the game.",
    "1 to 4 arrange the screen, Tab goes on, Z shows a panel alone.",
    "? explains keys and a panel's words, Ctrl+P finds all by name.",
)
BLACK, WHITE = "k-paths:1", "resistance"


def main() -> None:
    board = Board(11, 11)
    game = play_game(BLACK, WHITE, board, opening=[Move.parse(OPENING, board)])
    record = record_of(game)
    for name, value in (
        ("GN", "Sample: two evaluators of hextui"),
        ("C", f"Played by hextui itself, one ply ahead, after the opening {OPENING}."),
    ):
        record.set_property(record.root, name, [value])
    middle = record.main_line()[SAMPLE_PLY]
    record.set_comment(middle, "\n".join(TOUR))
    save(record, Path(hextui.__file__).parent / "samples" / "sample.sgf")


if __name__ == "__main__":
    main()
