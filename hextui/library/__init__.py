"""The user's games in SQLite: import, explore, retrograde results."""
