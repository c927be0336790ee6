"""The solver's kernels; their code has its own folder (see kernels/folders.py)."""
