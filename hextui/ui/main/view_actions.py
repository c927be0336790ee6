"""Actions of the main screen: look: the board and the panels."""

from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts

VIEW: tuple[Action[Parts], ...] = (
    Action(
        "zoom",
        "z",
        "Zoom",
        "Change the size of the board; large boards take the place of the panels",
        Topic.VIEW,
        lambda p: p.arranging.zoom(),
        footer=True,
    ),
    Action(
        "two-boards",
        "2",
        "Two boards",
        "Show the values of two evaluators on two boards, from 140 columns",
        Topic.VIEW,
        lambda p: p.arranging.two_boards(),
    ),
    Action(
        "second-evaluator",
        "y",
        "Evaluator of the second board",
        "Show the next evaluator on the second board",
        Topic.VIEW,
        lambda p: p.analysing.second_evaluator(),
    ),
    Action(
        "turn",
        "r",
        "Turn view",
        "Turn the view: 180 degrees, mirrored, both; names of cells stay",
        Topic.VIEW,
        lambda p: p.arranging.turn_view(),
    ),
    Action(
        "move-numbers",
        "m",
        "Move numbers",
        "Show or hide the numbers of the moves",
        Topic.VIEW,
        lambda p: p.analysing.move_numbers(),
    ),
    Action(
        "next-panel",
        "tab",
        "Next panel",
        "Go to the next panel",
        Topic.VIEW,
        lambda p: p.arranging.panel(1),
    ),
    Action(
        "previous-panel",
        "shift+tab",
        "Previous panel",
        "Go to the previous panel",
        Topic.VIEW,
        lambda p: p.arranging.panel(-1),
    ),
    Action(
        "board",
        "escape",
        "Board",
        "Go back to the board; hide what a panel had put on it",
        Topic.VIEW,
        lambda p: p.arranging.focus_board(),
    ),
    Action(
        "theme",
        "T",
        "Next theme",
        "Change the colours: dark, light, high contrast",
        Topic.VIEW,
        lambda p: p.program.next_theme(),
    ),
)
