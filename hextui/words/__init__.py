"""English for facts: what people read about games, positions and proofs."""
