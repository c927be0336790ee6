"""Every action of the main screen: its name, its keys, what it is called and what it does.

Bindings, help and command palette are made from this list; each topic has a file of its own. A
name is what users write in their settings file; it never changes. Letters are bound without
priority, so that a focused input gets them first.
"""

from typing import Any

from hextui.ui.keys import Action
from hextui.ui.main.analysis_actions import ANALYSIS
from hextui.ui.main.file_actions import FILE
from hextui.ui.main.narrowing_actions import NARROWING
from hextui.ui.main.panel_actions import ACTIVITIES, PANEL_ACTIONS
from hextui.ui.main.parts import Parts
from hextui.ui.main.play_actions import PLAY
from hextui.ui.main.setup_actions import setup_actions
from hextui.ui.main.view_actions import VIEW
from hextui.ui.main.walk_actions import WALK
from hextui.ui.widgets.board_widget import CURSOR
from hextui.words.names import Names


def screen_actions(names: Names = Names.RED_BLUE) -> tuple[Action[Parts], ...]:
    """Return the actions of the main screen, with what the players are called."""
    return (
        *WALK,
        *PLAY,
        *setup_actions(names),
        *ANALYSIS,
        *NARROWING,
        *ACTIVITIES,
        *PANEL_ACTIONS,
        *VIEW,
        *FILE,
    )


def all_actions(names: Names = Names.RED_BLUE) -> tuple[Action[Any], ...]:
    """Return these, and what the keys do on the board."""
    return (*CURSOR, *screen_actions(names))
