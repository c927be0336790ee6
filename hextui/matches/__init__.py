"""Games between players: matches, resumable runs of many games, intervals, reports."""
