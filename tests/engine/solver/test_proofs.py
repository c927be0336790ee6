"""The store of proofs: which fit a position, as they are or turned, and what they say of it."""

import random
from typing import Any

import numba
import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import cells_of
from hextui.engine.kernels.memory import Handle, make_handle
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.layout import header_of
from hextui.engine.kernels.solver.proofs import (
    BLOCK,
    LOST,
    NOTHING,
    THREATENED,
    WON,
    deduce,
    make_store,
    some_may_fit,
    write_proof,
)
from hextui.engine.position import Position
from hextui.engine.solver.search import SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width

BOARD = Board(6, 6)
WIDTH = serving_width(BOARD, Kernels.SOLVER)


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
        memory = make_handle(ints, words, width)
        for winner in range(2):
            stones, carriers = store[winner, :width], store[winner, width : 2 * width]
            wrong = (stones | carriers) & against[:width, None]
            missing = np.bitwise_count(stones & ~have[:width, None])
            fits = (wrong == 0) & (missing <= 1)
            for place in range(0, count, size):
                first = winner * (2 * width + 1) * count + place
                found = some_may_fit(memory, store.reshape(-1), first, size, 0, width)
                block = fits[:, place : place + size]
                assert found == block.any(axis=1).all()
                outcomes.add(bool(found))
    assert outcomes == {False, True}


@numba.njit
def write_to(memory: Handle, proofs: Any, entry: int) -> None:
    """Write the proof whose stones are in SIDES and whose carrier is in QUOTED."""
    header = header_of(memory)
    write_proof(memory, proofs, entry, header.sides, header.quoted)


@numba.njit
def deduce_at_root(memory: Handle, proofs: Any) -> tuple[int, int]:
    """Try the proofs on level 0."""
    header = header_of(memory)
    W = len(memory) - 2
    block = header.sets + at.HASHES
    left, used = block + at.S_LEFT * W, block + at.S_USED * W
    return deduce(memory, proofs, 0, left, used, block + at.S_CARRIER * W)


def read_set(worker: Worker, which: int) -> set[int]:
    start = int(worker.header["sets"]) + at.HASHES + which * WIDTH
    return set(cells_of(int.from_bytes(worker.words[start : start + WIDTH].tobytes(), "little")))


def write_set(worker: Worker, start: int, cells: set[int]) -> None:
    number = sum(1 << cell for cell in cells)
    worker.words[start : start + WIDTH] = np.frombuffer(number.to_bytes(8 * WIDTH, "little"), "<u8")


def random_proof(rng: random.Random, kinds: list[int], winner: Color) -> tuple[set[int], set[int]]:
    """Return stones and a carrier that come near to the position, turned half of the times."""
    own = [cell for cell in range(BOARD.cells) if kinds[cell] == winner]
    empty = [cell for cell in range(BOARD.cells) if kinds[cell] == 0]
    others = [cell for cell in range(BOARD.cells) if kinds[cell] == winner.opponent]
    stones = {*rng.sample(own, min(3, len(own))), *rng.sample(empty, rng.choice((0, 1, 1, 2)))}
    carrier = {*rng.sample(empty + own, 6)} - stones
    if rng.random() < 0.2:
        carrier |= set(rng.sample(others, 1))
    if rng.random() < 0.5:
        return {BOARD.rotate(cell) for cell in stones}, {BOARD.rotate(cell) for cell in carrier}
    return stones, carrier


def fitting(
    kinds: list[int], winner: Color, stones: set[int], carrier: set[int]
) -> list[tuple[set[int], set[int]]]:
    """Return the empty cells that a proof needs and the stones that it lacks, where it fits."""
    own = {cell for cell in range(BOARD.cells) if kinds[cell] == winner}
    found = []
    for turned in (False, True):
        held, needed = stones, carrier
        if turned:
            held, needed = {BOARD.rotate(c) for c in held}, {BOARD.rotate(c) for c in needed}
        if all(kinds[cell] != winner.opponent for cell in held | needed) and len(held - own) < 2:
            found.append(((held | needed) - own, held - own))
    return found


def test_proofs_fit_as_they_are_and_turned() -> None:
    rng = random.Random(5)
    outcomes = set()
    proofs_of = (2 * WIDTH + 1) * BLOCK
    for _ in range(150):
        kinds = rng.choices((0, 1, 2), (8, 3, 3), k=BOARD.cells)
        mover = rng.choice((Color.BLACK, Color.WHITE))
        position = Position(BOARD, bytes(kinds), mover)
        worker = Worker(BOARD, SolverSettings(fill=False), 0, WIDTH)
        worker.set_root(position)
        proofs = make_store(WIDTH, 8 * 2 * proofs_of)
        wins, losses, threats = [], [], []
        winners = rng.choices((Color.BLACK, Color.WHITE), k=2)
        for place, winner in enumerate(winners):
            place *= winners[0] == winner  # each colour's ring is filled from its start
            stones, carrier = random_proof(rng, kinds, winner)
            write_set(worker, worker.header["sides"], stones)
            write_set(worker, worker.header["quoted"], carrier)
            write_to(worker.memory, proofs, (winner - 1) * proofs_of + place)
            for needed, missing in fitting(kinds, winner, stones, carrier):
                if winner is mover:
                    wins.append((needed, missing))
                else:
                    (threats if missing else losses).append(needed)
        left = set(position.empties)
        write_set(worker, worker.header["sets"] + at.HASHES + at.S_LEFT * WIDTH, left)
        outcome, key = deduce_at_root(worker.memory, proofs)
        outcomes.add(outcome)
        if outcome == WON:
            assert (read_set(worker, at.S_CARRIER), {key} - {-1}) in wins
        elif outcome == LOST:
            assert read_set(worker, at.S_CARRIER) in losses
        else:
            assert not wins
            assert not losses
            cut = left.intersection(*threats)
            assert read_set(worker, at.S_LEFT) == cut
            assert (outcome == THREATENED) == (cut != left)
    assert outcomes == {NOTHING, WON, LOST, THREATENED}
