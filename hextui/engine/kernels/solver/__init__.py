"""The compiled part of the strong solver.

Its code is kept in a folder of its own, so that work on the solver does not recompile the rest.
"""
