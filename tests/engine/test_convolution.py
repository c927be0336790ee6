"""The convolution of the network: against plain sums, in registers of either width."""

from typing import Any

import numba
import numpy as np
import pytest

from hextui.engine.kernels import neural as convolution


@pytest.mark.parametrize("lanes", [8, 16])
def test_it_adds_up_the_seven_cells(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, channels = convolution.VECTORS, 8 if lanes == 16 else 4
    monkeypatch.setattr(convolution, "LANES", lanes)
    monkeypatch.setattr(convolution, "CHANNELS", channels)
    monkeypatch.setattr(convolution, "AT_ONCE", vectors * lanes)
    plain: Any = convolution.add_convolution
    add_convolution: Any = numba.njit(plain.py_func)
    rng, stride, inner = np.random.default_rng(1), 5, 2 * vectors * lanes
    x = rng.normal(size=(3, inner + 2 * stride)).astype(np.float32)
    weights = rng.normal(size=(16, 3, 7)).astype(np.float32)
    before = rng.normal(size=(16, inner + 2 * stride)).astype(np.float32)
    after = before.copy()
    add_convolution(x, weights, after, stride)
    steps = (-stride, 1 - stride, -1, 0, 1, stride - 1, stride)
    seen = np.stack([x[:, stride + s : stride + s + inner] for s in steps], axis=-1)
    expected = before.astype(float)
    expected[:, stride:-stride] += np.einsum("oik,ipk->op", weights.astype(float), seen)
    assert np.abs(after - expected).max() < 1e-5
    assert (after[:, :stride] == before[:, :stride]).all()
    assert (after[:, -stride:] == before[:, -stride:]).all()
