"""A proved win to hold: a game for its winner against the longest resistance."""

from hextui.engine.board import Color
from hextui.ui.screens.play_screen import PlayScreen


class DefendScreen(PlayScreen):
    """Plays the winner's side of a proof; nothing follows it but a review."""

    LOST = "That gave the win away (proved). u takes it back."
    LEAVE = "Return to the explanation"
    AT_THE_END = "Escape returns to the explanation; v keeps the game."
    SHOWS_MISTAKE = False

    @property
    def heading(self) -> str:
        """The title."""
        return f"Hold the win of {self.names.player(self._color)}: the solver resists longest"

    def outcome(self, winner: Color) -> str:
        """Return whether the win was held."""
        return "You held the win" if winner is self._color else "The win is lost"

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Offer no other game."""
        if action == "next":
            return "This is no game of a ladder: Escape returns to the explanation"
        return super().why_not(action, parameters)
