"""What each command of the command line does: JSON documents, and the same for people."""
