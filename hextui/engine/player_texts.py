"""Texts with places for the players' names: ``{black}`` and ``{white}``."""

from hextui.engine.board import Color


def named(text: str, black: str, white: str) -> str:
    """Return a text with the players' names in it.

    >>> named("{white} minimises E", "Red", "Blue")
    'Blue minimises E'
    """
    return text.format(black=black, white=white)


def player(color: Color) -> str:
    """Return what stands for a player's name in a text."""
    return f"{{{color}}}"
