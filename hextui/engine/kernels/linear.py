"""Systems of linear equations, solved in one thread.

A linear algebra library shares them out to threads, which wait for each other on a busy machine.
"""

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import kernel


@kernel
def solve_symmetric(matrix: NDArray[float64], right: NDArray[float64]) -> None:
    """Solve ``matrix`` x = ``right`` in place: ``right`` becomes x, the matrix is used up.

    float64[n, n], symmetric and positive definite, and float64[n], C contiguous. Only the upper
    half is read, and nothing outside the band of a row, from the diagonal to its last number.
    """
    size = len(right)
    end = np.empty(size, np.int64)  # one behind the last number of a row
    for i in range(size):
        end[i] = size
        while matrix[i, end[i] - 1] == 0.0:
            end[i] -= 1
    for k in range(size):
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, end[k]):
            if matrix[k, i] != 0.0:
                factor = matrix[k, i] * inverse
                for j in range(i, end[k]):
                    matrix[i, j] -= factor * matrix[k, j]
                right[i] -= factor * right[k]
                end[i] = max(end[i], end[k])
    for k in range(size - 1, -1, -1):
        total = right[k]
        for j in range(k + 1, end[k]):
            total -= matrix[k, j] * right[j]
        right[k] = total / matrix[k, k]
