"""The learned judge of positions: likely moves and the chance to win, from a small network."""
