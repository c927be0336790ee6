"""Kernels: functions over numpy arrays, compiled by numba (docs/kernels.md)."""
