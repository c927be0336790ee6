"""Training of the network that evaluates positions, from games to the weights that ship.

Needs the extra ``training``. The program does not import it: `hextui.engine.neural` reads the
weights with numpy alone.
"""
