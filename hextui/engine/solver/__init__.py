"""Who wins, with which moves, and why."""
