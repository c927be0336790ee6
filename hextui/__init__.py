"""hextui: a workstation for analysing Hex, and the engine in it for programs of your own.

>>> import hextui
>>> position = hextui.position("5x5", "a5 c3")
>>> position.to_move
<Color.BLACK: 1>

``docs/api.md`` tells the whole front door. Nothing is loaded before it is used, and importing
changes nothing for the program that does it: no environment variables, no settings of Numba.
"""

from typing import TYPE_CHECKING

from hextui.version import __version__ as __version__

if TYPE_CHECKING:
    from hextui.api import (
        Board,
        Color,
        Position,
        Solver,
        check,
        connections,
        draw,
        lines,
        position,
        rank,
        read,
        solve,
        warm,
    )

__all__ = [
    "Board",
    "Color",
    "Position",
    "Solver",
    "check",
    "connections",
    "draw",
    "lines",
    "position",
    "rank",
    "read",
    "solve",
    "warm",
]

if not TYPE_CHECKING:  # else every name would seem to be there

    def __getattr__(name):  # PEP 562
        """Load a name of the front door when it is first used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from hextui import api

        value = globals()[name] = getattr(api, name)
        return value

    def __dir__():
        """Return the names of the front door too."""
        return sorted({*globals(), *__all__})
