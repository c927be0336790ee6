"""Long work on processes or a cluster: tasks, resumable runs, their reports and intervals."""
