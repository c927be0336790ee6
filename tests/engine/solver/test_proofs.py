"""The store of proofs: blocks are passed over only if nothing in them can fit."""

import numpy as np
import pytest

from hextui.engine.kernels.solver.proofs import some_may_fit
from hextui.engine.kernels.views import make_handle


@pytest.mark.parametrize("width", [1, 2, 3])
def test_blocks_that_may_hold_a_proof_that_fits(width: int) -> None:
    rng = np.random.default_rng(width)
    ints = np.zeros(1, np.int32)
    count, size = 40, 4
    outcomes = set()
    for _ in range(50):
        # dense enough that a word fits in some proofs and not in others
        store = rng.integers(0, 1 << 63, (2, 2 * width + 1, count), np.uint64)
        store &= rng.integers(0, 1 << 63, store.shape, np.uint64)
        store &= rng.integers(0, 1 << 63, store.shape, np.uint64) & np.uint64(0x00FF_0000_0000_0FFF)
        have, against = store[1, :, 0], store[1, :, 1] & np.uint64(0xFFF)
        words = np.concatenate((have[:width], against[:width]))
        room = make_handle(ints, words, width)
        for winner in range(2):
            stones, carriers = store[winner, :width], store[winner, width : 2 * width]
            wrong = (stones | carriers) & against[:width, None]
            missing = np.bitwise_count(stones & ~have[:width, None])
            fits = (wrong == 0) & (missing <= 1)
            for place in range(0, count, size):
                first = winner * (2 * width + 1) * count + place
                found = some_may_fit(room, store.reshape(-1), first, size, 0, width)
                block = fits[:, place : place + size]
                assert found == block.any(axis=1).all()
                outcomes.add(bool(found))
    assert outcomes == {False, True}
