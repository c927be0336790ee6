"""Makes the sample game of the package: two of our own evaluators play each other.

The weaker one wins, so there is a mistake to be found; what the analysis finds is in the record.

Run: ``python -m tests.make_sample`` (a minute or two, for the solver)
"""

from pathlib import Path

import hextui
from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.mistakes import blunders
from hextui.analysis.whole_game import analyse_game
from hextui.engine.board import Board
from hextui.matches.match import ScheduledGame, record_of
from hextui.records.writing import save
from hextui.text import Names
from hextui.ui.record.files import SAMPLE_PLY
from hextui.words.reviews import mistake_sentence

OPENING = "a2"
TOUR = (
    "n and p step, Enter plays, D goes to the worst mistake.",
    "1 to 4 choose an activity, Tab goes to the next panel, Z maximises it.",
    "? explains keys and words, Ctrl+P finds all, such as the tutorial.",
)
BLACK, WHITE = "shortest-path", "resistance"
JUDGE = "search"
SECONDS = 25.0  # of the solver


def main() -> None:
    board = Board(11, 11)
    game = ScheduledGame(board, BLACK, WHITE, 0, (OPENING,)).play()
    record = record_of(game)
    for name, value in (
        ("GN", "Sample: two evaluators of hextui"),
        ("C", f"Played by hextui itself, one ply ahead, after the opening {OPENING}."),
    ):
        record.set_properties({record.root: {name: [value]}})
    line, estimates = game_positions(record, record.main_line()), Estimates()
    for _ in analyse_game(line, [JUDGE], estimates, solve_seconds=SECONDS):
        pass
    results = stored_analysis.properties(line, [JUDGE], estimates)
    for values in results.values():
        del values[stored_analysis.SIGNED]  # signed with a key of this machine
    record.set_properties(results)
    for mistake in blunders(line, estimates):
        print(mistake_sentence(mistake, Names.RED_BLUE))
    middle = record.main_line()[SAMPLE_PLY]
    record.set_comment(middle, "\n".join(TOUR))
    save(record, Path(hextui.__file__).parent / "samples" / "sample.sgf")


if __name__ == "__main__":
    main()
