"""The analysis: boards, positions, connections, path counts, evaluators."""
