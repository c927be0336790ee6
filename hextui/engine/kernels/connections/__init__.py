"""The connection search, compiled: memory, rules, updates and undo."""
