"""Programs that answer questions about positions: our own engine in a process of its own."""
