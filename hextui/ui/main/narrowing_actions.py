"""Actions of the main screen: mark which moves searches think of."""

from hextui.ui.drawing.board_view import Mode
from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts
from hextui.ui.thought_of import Thought

NARROWING: tuple[Action[Parts], ...] = (
    Action(
        "region",
        "J",
        "Region",
        "Mark a region, moves to allow or to avoid for searches and engines, or end marking",
        Topic.NARROWING,
        lambda p: p.narrowing.toggle_mode(),
    ),
    Action(
        "region-cell",
        "r",
        "In the region",
        "Marking: put the cell at the cursor in the region or take it out, and choose that",
        Topic.NARROWING,
        lambda p: p.narrowing.mark(Thought.REGION),
        mode=Mode.REGION,
    ),
    Action(
        "allow-move",
        "t",
        "Only this",
        "Marking: only moves so marked are thought of first, at this position",
        Topic.NARROWING,
        lambda p: p.narrowing.mark(Thought.ALLOW),
        mode=Mode.REGION,
    ),
    Action(
        "avoid-move",
        "x",
        "Not this",
        "Marking: the move at the cursor is not thought of first, at this position",
        Topic.NARROWING,
        lambda p: p.narrowing.mark(Thought.AVOID),
        mode=Mode.REGION,
    ),
    Action(
        "region-box",
        "b",
        "Box",
        "Marking: do the same with the rectangle from the last cell to the cursor",
        Topic.NARROWING,
        lambda p: p.narrowing.box(),
        mode=Mode.REGION,
    ),
    Action(
        "all-moves",
        "asterisk",
        "All moves again",
        "Take all marks away: all moves are thought of",
        Topic.NARROWING,
        lambda p: p.narrowing.all_moves(),
    ),
)
