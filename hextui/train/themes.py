"""The themes of puzzles, by fixed rules: the first that holds names the theme.

The rules look at the winning move, at what follows it, and at the virtual connections before and
after it; docs/training.md#themes says them in words.
"""

from hextui.engine.connections import ConnectionSettings, find_connections
from hextui.engine.solver.solution import Solution
from hextui.engine.solver.tactics import (
    has_two_threats,
    intrudes_on_bridge,
    ladder_in,
    template_made,
)
from hextui.train.puzzle import Theme

MOST_SQUEEZED = 4  # cells where the side to move must play
SETTINGS = ConnectionSettings(captured=True, templates=True, row_limit=1 << 18)


def theme_of(solution: Solution) -> Theme:
    """Return the theme of a puzzle by its solution, which has a winning move."""
    position = solution.position
    wins = list(solution.wins)
    if any(intrudes_on_bridge(position, win) for win in wins):
        return Theme.BRIDGE
    if ladder := ladder_in(position, solution.line.numbers):
        return Theme.LADDER if solution.line.numbers[0] in ladder else Theme.ESCAPE
    after = {win: find_connections(position.play(win), position.to_move, SETTINGS) for win in wins}
    if any(template_made(table, win) for win, table in after.items()):
        return Theme.TEMPLATE
    if len(solution.must_play) <= MOST_SQUEEZED:
        return Theme.SQUEEZE
    return Theme.DOUBLE if any(map(has_two_threats, after.values())) else Theme.QUIET
