"""Actions of the main screen: walk through the record."""

from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts

WALK: tuple[Action[Parts], ...] = (
    Action(
        "next",
        "n",
        "Next",
        "Go to the next ply",
        Topic.WALK,
        lambda p: p.walking.walk(1),
    ),
    Action(
        "previous",
        "p",
        "Back",
        "Go to the previous ply",
        Topic.WALK,
        lambda p: p.walking.walk(-1),
    ),
    Action(
        "first",
        "home,g",
        "First ply",
        "Go to the start of the record",
        Topic.WALK,
        lambda p: p.walking.first(),
    ),
    Action(
        "last",
        "end,G",
        "Last ply",
        "Go to the end of the variation",
        Topic.WALK,
        lambda p: p.walking.last(),
    ),
    Action(
        "ten-on",
        "pagedown",
        "Ten plies forward",
        "Go ten plies forward",
        Topic.WALK,
        lambda p: p.walking.walk(10),
    ),
    Action(
        "ten-back",
        "pageup",
        "Ten plies back",
        "Go ten plies back",
        Topic.WALK,
        lambda p: p.walking.walk(-10),
    ),
    Action(
        "previous-variation",
        "left_square_bracket",
        "Previous variation",
        "Go to the previous variation of the nearest branch",
        Topic.WALK,
        lambda p: p.walking.variation(-1),
    ),
    Action(
        "next-variation",
        "right_square_bracket",
        "Next variation",
        "Go to the next variation of the nearest branch",
        Topic.WALK,
        lambda p: p.walking.variation(1),
    ),
)
