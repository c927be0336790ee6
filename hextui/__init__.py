"""hextui: a terminal workstation for analysing Hex."""

import os

__version__ = "0.1.0"

# Our systems of equations are small: threads of the linear algebra take longer than the work,
# many times so on a busy machine. It must be said before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
