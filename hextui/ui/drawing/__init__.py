"""How the board looks: pure, no widget."""
