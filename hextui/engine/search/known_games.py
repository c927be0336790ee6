"""The games that `best_move` plays besides Hex, by name.

To add one, write a class of frozen states with the members of `GameState` and a static ``parse`` in
a file of its own (nim.py is a short example), list it here with an example state, and test it
against an oracle that shares no code with it.
"""

from hextui.engine.search.small_games import Nim, TicTacToe

GAMES: dict[str, type[TicTacToe] | type[Nim]] = {"tic-tac-toe": TicTacToe, "nim": Nim}
"""Each class has ``parse``, which reads a state or raises ValueError."""
EXAMPLES = {"tic-tac-toe": "X.O/.X./..O", "nim": "1,2,3"}
"""How a state of each is written."""
