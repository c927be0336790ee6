"""The games that `best_move` plays besides Hex, by name.

docs/methods.md#exhaustive-search describes how to add one.
"""

from hextui.engine.search.nim import Nim
from hextui.engine.search.tic_tac_toe import TicTacToe

GAMES: dict[str, type[TicTacToe] | type[Nim]] = {"tic-tac-toe": TicTacToe, "nim": Nim}
"""Each class has ``parse``, which reads a state or raises ValueError."""
EXAMPLES = {"tic-tac-toe": "X.O/.X./..O", "nim": "1,2,3"}
"""How a state of each is written."""
