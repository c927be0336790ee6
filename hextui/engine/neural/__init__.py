"""The learned judge of positions: likely moves and the win probability, from a small network."""
