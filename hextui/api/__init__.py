"""What ``import hextui`` offers to a program or a notebook; see docs/api.md."""
