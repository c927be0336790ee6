"""Training: puzzles, their schedule, and guessing the moves of a game."""
