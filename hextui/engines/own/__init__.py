"""Our own engine: what it answers, and the process that it runs in."""
