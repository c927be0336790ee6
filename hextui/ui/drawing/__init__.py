"""How the board and the graph look: pure, no widget."""
