"""Actions of the main screen: play and edit."""

from hextui.ui.keys import Action, Topic
from hextui.ui.main.parts import Parts

PLAY: tuple[Action[Parts], ...] = (
    Action(
        "play",
        "enter",
        "Play",
        "Play a move at the cursor; in setup mode place the chosen stone",
        Topic.PLAY,
        lambda p: p.playing.play(),
    ),
    Action("swap", "s", "Swap", "Swap, as the second move", Topic.PLAY, lambda p: p.playing.swap()),
    Action("pass", "P", "Pass", "Pass the turn", Topic.PLAY, lambda p: p.playing.pass_turn()),
    Action(
        "resign",
        "R",
        "Resign",
        "Resign for the side to move",
        Topic.PLAY,
        lambda p: p.playing.resign(),
    ),
    Action(
        "undo",
        "u",
        "Undo",
        "Take the last edit of the record back",
        Topic.PLAY,
        lambda p: p.editing.undo(),
    ),
    Action(
        "redo",
        "ctrl+y",
        "Redo",
        "Make the last undone edit again",
        Topic.PLAY,
        lambda p: p.editing.redo(),
    ),
    Action(
        "comment",
        "c",
        "Comment",
        "Write a comment on this position",
        Topic.PLAY,
        lambda p: p.annotating.comment(),
    ),
    Action(
        "promote",
        "ctrl+up",
        "Promote variation",
        "Move this variation one place up",
        Topic.PLAY,
        lambda p: p.editing.promote(),
    ),
    Action(
        "main-line",
        "B",
        "Make main line",
        "Make the line up to here the main line",
        Topic.PLAY,
        lambda p: p.editing.main_line(),
    ),
    Action(
        "mark",
        "K",
        "Mark or label",
        "Put a mark or a label on the cell at the cursor, or take it away",
        Topic.PLAY,
        lambda p: p.annotating.mark(),
    ),
    Action(
        "glyph",
        "exclamation_mark",
        "Glyph",
        "Give the move the next glyph: ! !! !? ?! ? ?? or none",
        Topic.PLAY,
        lambda p: p.annotating.glyph(),
    ),
    Action(
        "delete",
        "delete",
        "Delete from here",
        "Remove this node and all that follows it",
        Topic.PLAY,
        lambda p: p.editing.delete(),
    ),
)
