"""``hextui ladder``: the user's results against the levels, and the rating."""

import argparse
from contextlib import closing

from hextui.commands.arguments import Parser
from hextui.commands.documents import print_document
from hextui.commands.output import complain, pass_on
from hextui.locations import games_file
from hextui.text import Names
from hextui.train.kept_games import GameStore, KeptGame
from hextui.train.ladder import Ladder, ladder_csv, ladder_json


def add_arguments(parser: Parser) -> None:
    """Add what the command takes."""
    group = parser.add_mutually_exclusive_group()
    parser.shared("--json", group=group)
    parser.flag("--csv", "one line for each game that is over", group=group)


def run(options: argparse.Namespace) -> int:
    """Print the ladder; return the exit code."""
    games = _games()
    if options.csv:
        pass_on(ladder_csv(games).encode())
    else:
        print_document(ladder_json(games), options, _text(Ladder.of(games), options.names))
    return 0


def _games() -> list[KeptGame]:
    if not games_file().is_file():
        return []
    with closing(GameStore()) as store:
        games = store.games()
        if problem := store.new_problem():
            complain(problem)
    return games


def _text(ladder: Ladder, names: Names) -> str:
    lines = [ladder.rating_words]
    for row in ladder.rows:
        color = names.player(row.color)
        lines.append(f"level {row.level}  {row.size:<6} {color:<5} {row.won} of {row.games} won")
    return "\n".join([*lines, f"Next: level {ladder.next_level}."])
