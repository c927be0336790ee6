"""Actions of the main screen: place stones in setup mode."""

from hextui.engine.board import EMPTY, Color
from hextui.ui.drawing.board_view import Mode
from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts
from hextui.wording import player_names

RED, BLUE = player_names()

SETUP: tuple[Action[Parts], ...] = (
    Action(
        "setup",
        "i",
        "Setup mode",
        "Place stones freely, or go back to playing moves",
        Topic.SETUP,
        lambda p: p.editing.toggle_setup(),
    ),
    Action(
        "place-black",
        RED[0].lower(),  # r and b, or b and w
        f"Place {RED}",
        f"Setup mode: put a stone of {RED} at the cursor, and choose {RED}",
        Topic.SETUP,
        lambda p: p.playing.place(Color.BLACK),
        mode=Mode.SETUP,
    ),
    Action(
        "place-white",
        BLUE[0].lower(),
        f"Place {BLUE}",
        f"Setup mode: put a stone of {BLUE} at the cursor, and choose {BLUE}",
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
