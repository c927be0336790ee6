"""Texts with places for the players' names, as they are shown."""

from hextui.engine.board import Color
from hextui.engine.player_texts import named
from hextui.wording import player_name


def people(text: str) -> str:
    """Return a text with the players' names."""
    return named(text, player_name(Color.BLACK), player_name(Color.WHITE))
