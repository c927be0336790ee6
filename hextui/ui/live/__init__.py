"""What the screen asks of engine, library and whole games."""
