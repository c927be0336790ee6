"""What is asked of engines about positions and games, and what is made of their answers."""
