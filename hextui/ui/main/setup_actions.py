"""Actions of the main screen: place stones in setup mode."""

from hextui.engine.board import EMPTY, Color
from hextui.ui.drawing.board_view import Mode
from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts
from hextui.words.names import Names


def setup_actions(names: Names) -> tuple[Action[Parts], ...]:
    """Return the actions; a player's stones are placed by the first letter of the name."""
    red, blue = names.both
    return (
        Action(
            "setup",
            "i",
            "Setup mode",
            "Place stones freely, or return to playing moves",
            Topic.SETUP,
            lambda p: p.editing.toggle_setup(),
        ),
        Action(
            "place-black",
            red[0].lower(),
            f"Place {red}",
            f"Setup mode: put a stone of {red} at the cursor, and choose {red}",
            Topic.SETUP,
            lambda p: p.playing.place(Color.BLACK),
            mode=Mode.SETUP,
        ),
        Action(
            "place-white",
            blue[0].lower(),
            f"Place {blue}",
            f"Setup mode: put a stone of {blue} at the cursor, and choose {blue}",
            Topic.SETUP,
            lambda p: p.playing.place(Color.WHITE),
            mode=Mode.SETUP,
        ),
        Action(
            "place-empty",
            "x",
            "No stone",
            "Setup mode: empty the cell at the cursor, and choose emptying",
            Topic.SETUP,
            lambda p: p.playing.place(EMPTY),
            mode=Mode.SETUP,
        ),
        Action(
            "change-side",
            "t",
            "Side to move",
            "Setup mode: give the other side the move",
            Topic.SETUP,
            lambda p: p.editing.change_side(),
            mode=Mode.SETUP,
        ),
    )
