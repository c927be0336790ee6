"""Actions of the main screen: how the board is seen."""

from hextui.ui.drawing.board_view import Mode
from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts

VIEW: tuple[Action[Parts], ...] = (
    Action(
        "zoom",
        "z",
        "Zoom",
        "Change the size of the board, or let it follow the terminal again",
        Topic.VIEW,
        lambda p: p.arranging.zoom(),
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
        "Turn the view: by 180 degrees, mirrored, or both; cell names stay",
        Topic.VIEW,
        lambda p: p.arranging.turn_view(),
        mode=Mode.PLAY,
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
        "theme",
        "T",
        "Next theme",
        "Change the colours: dark, light, high contrast",
        Topic.VIEW,
        lambda p: p.program.next_theme(),
    ),
)
