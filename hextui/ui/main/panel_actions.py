"""Actions of the main screen: the activities, and going to panels."""

from hextui.ui.activities import Activity
from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts
from hextui.ui.panels.all_panels import PANELS


def _activity(activity: Activity, key: str, tooltip: str) -> Action[Parts]:
    return Action(
        f"activity-{activity}",
        key,
        activity.capitalize(),
        tooltip,
        Topic.ACTIVITY,
        lambda p: p.arranging.choose(activity),
    )


ACTIVITIES: tuple[Action[Parts], ...] = (
    _activity(Activity.REVIEW, "1", "Review a game: moves, mistakes, record and graph"),
    _activity(
        Activity.EXPLAIN, "2", "Explain a position: connections, must-play, proofs, a large board"
    ),
    _activity(Activity.COMPARE, "3", "Compare evaluators: two boards, agreement and moves"),
    _activity(Activity.EXPLORE, "4", "Explore what the games of the library played here"),
)
"""What arranges the screen; 5 is kept free."""

_PANEL_KEYS = {
    "moves": "f2",
    "mistakes": "f3",
    "record": "f4",
    "graph": "f5",
    "connections": "f6",
    "solver": "f7",
    "lines": "f8",
    "explorer": "f9",
    "agree": "f10",
    "explain": "f12",
}


def _panel(panel: str, title: str) -> Action[Parts]:
    return Action(
        f"panel-{panel}",
        _PANEL_KEYS[panel],
        f"Panel: {title}",
        f"Go to the panel {title}",
        Topic.PANELS,
        lambda p: p.arranging.go_to(panel),
    )


PANEL_ACTIONS: tuple[Action[Parts], ...] = (
    *(_panel(panel.TITLE.lower(), panel.TITLE) for panel in PANELS),
    Action(
        "maximise",
        "Z",
        "Maximise",
        "Show the focused panel or the board alone, or all again",
        Topic.PANELS,
        lambda p: p.arranging.maximise(),
    ),
    Action(
        "next-panel",
        "tab",
        "Next panel",
        "Go to the next panel on the screen",
        Topic.PANELS,
        lambda p: p.arranging.panel(1),
    ),
    Action(
        "previous-panel",
        "shift+tab",
        "Previous panel",
        "Go to the previous panel on the screen",
        Topic.PANELS,
        lambda p: p.arranging.panel(-1),
    ),
    Action(
        "board",
        "escape",
        "Board",
        "Return to the board; hide what a panel shows on it",
        Topic.PANELS,
        lambda p: p.arranging.focus_board(),
    ),
)
