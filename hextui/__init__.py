"""hextui: a workstation for analysing Hex, and the engine in it for programs of your own.

>>> import hextui
>>> position = hextui.position("5x5", "a5 c3")
>>> position.to_move
<Color.BLACK: 1>

``docs/api.md`` describes the public API. Nothing is loaded before it is used, and importing changes
nothing for the host program: no environment variables, no settings of Numba.
"""

from typing import TYPE_CHECKING

from hextui.version import __version__ as __version__

if TYPE_CHECKING:
    from hextui.api.evaluation import *
    from hextui.api.game_records import *
    from hextui.api.positions import *
    from hextui.api.winners import *

__all__ = [
    "Board", "Cells", "Color", "Position", "Proof", "ProofError", "Puzzle", "Record",
    "RecordError", "Solution", "Solver", "best_move", "check", "connections", "draw",
    "evaluators", "explain", "inferior", "lines", "must_play", "network", "open_engine",
    "open_library", "position", "puzzles", "rank", "read", "report", "solve", "warm", "write",
]  # fmt: skip

if not TYPE_CHECKING:  # else every name would seem to be there

    def __getattr__(name):  # PEP 562
        """Load a name of the public API when it is first used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        for part in ("positions", "game_records", "winners", "evaluation"):  # the lightest first
            home = import_module(f"hextui.api.{part}")
            if name in home.__all__:
                value = globals()[name] = getattr(home, name)
                return value

    def __dir__():
        """Return the names of the public API too."""
        return sorted({*globals(), *__all__})
