"""The widgets of the screen, one a file."""
