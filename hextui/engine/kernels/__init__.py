"""The compiled room: Numba functions on numpy arrays, nothing else lives here.

How they are compiled is told in compiling.py, where the code is kept in folders.py.
"""
