"""The analysis: boards, positions, connections, path counts, evaluators."""

import hextui.engine.numba_settings  # noqa: F401  (before anything imports numba)
