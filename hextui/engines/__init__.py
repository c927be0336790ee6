"""Programs that answer questions about positions: our engine and attached ones, as processes."""
