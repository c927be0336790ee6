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
        "Mark a region, moves to allow or moves to leave out of searches, or end marking",
        Topic.NARROWING,
        lambda p: p.narrowing.toggle_mode(),
    ),
    Action(
        "region-cell",
        "r",
        "Region cell",
        "Marking: add the cell at the cursor to the region or remove it; Enter then does the same",
        Topic.NARROWING,
        lambda p: p.narrowing.mark(Thought.REGION),
        mode=Mode.REGION,
    ),
    Action(
        "allow-move",
        "t",
        "Allow move",
        "Marking: allow the move at the cursor; no others are considered first here",
        Topic.NARROWING,
        lambda p: p.narrowing.mark(Thought.ALLOW),
        mode=Mode.REGION,
    ),
    Action(
        "avoid-move",
        "x",
        "Leave out",
        "Marking: leave out the move at the cursor as a first move here",
        Topic.NARROWING,
        lambda p: p.narrowing.mark(Thought.AVOID),
        mode=Mode.REGION,
    ),
    Action(
        "region-box",
        "b",
        "Box",
        "Marking: the same for the rectangle from the last cell to the cursor",
        Topic.NARROWING,
        lambda p: p.narrowing.box(),
        mode=Mode.REGION,
    ),
    Action(
        "all-moves",
        "asterisk",
        "Remove marks",
        "Remove all marks: all moves are considered",
        Topic.NARROWING,
        lambda p: p.narrowing.all_moves(),
    ),
)
