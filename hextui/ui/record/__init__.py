"""The records that are open: editing, opening and saving them."""
