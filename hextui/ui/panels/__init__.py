"""The panels beside the board: one file each, with its title, words, keys and messages."""
