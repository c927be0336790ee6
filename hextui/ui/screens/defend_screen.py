"""A proved win to hold: a game for its winner against the longest resistance."""

from hextui.engine.board import Color
from hextui.ui.screens.play_screen import PlayScreen


class DefendScreen(PlayScreen):
    """Plays the winner's side of a proof; returns the session if the user keeps the game."""

    LOST = "That gave the win away (proved). u takes it back."
    LEAVES = "Leave? Escape returns to the explanation; v keeps the game. Any move plays on."
    AT_THE_END = "Escape returns to the explanation; v keeps the game."

    @property
    def heading(self) -> str:
        """The title."""
        return f"Hold the win of {self.names.player(self._color)}: the solver resists longest"

    def outcome(self, winner: Color) -> str:
        """Return whether the win was held."""
        return "You held the win" if winner is self._color else "The win is lost"
