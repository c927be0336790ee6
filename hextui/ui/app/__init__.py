"""The application: its main screen, what that shows, and what the user chooses."""
