"""What one-ply evaluators share: both colours' path counts after every legal move.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.1.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from hextui.engine.board import Color
from hextui.engine.evaluators.base import After, Counts, Workbench
from hextui.engine.evaluators.chunks import in_chunks
from hextui.engine.kernels import one_ply
from hextui.engine.kernels.paths.room import CUT, LEVELS


def count_after_moves(bench: Workbench, k: int) -> Iterator[dict[int, After]]:
    """Yield the counts after every move by cell, more of them each time; the last has all.

    What was counted at this position for this k, or a larger one, is not counted again.
    Where the position looks the same when it is turned by 180 degrees, of two cells that change
    places one is counted and serves for both. Raises ValueError for a k that is not 0, 1 or 2.
    """
    if not 0 <= k < LEVELS:
        raise ValueError(f"k is 0, 1 or 2, not {k}")
    known = [found for level, found in bench.after_moves.items() if level >= k]
    if known:
        yield known[0]
        return
    orientation = bench.outlook(bench.position.to_move).orientation
    rotate = bench.board.rotate
    # as the side to move sees them: so it does not matter how the board is held
    cells = [orientation.cell_of[c] for c in orientation.position.empties]
    if orientation.symmetric:
        cells = cells[: (len(cells) + 1) // 2]  # the second half are the first one's images
    found: dict[int, After] = {}
    done = 0
    for chunk, counted in in_chunks(cells, lambda chunk: _count(bench, chunk, k)):
        found |= counted
        if orientation.symmetric:
            found |= {rotate(cell): after for cell, after in counted.items()}
        done += len(chunk)
        if done == len(cells):
            bench.after_moves[k] = found
        yield found


def _count(bench: Workbench, cells: Sequence[int], k: int) -> dict[int, After]:
    mover = bench.position.to_move
    own, other = bench.outlook(mover), bench.outlook(mover.opponent)
    results = np.zeros((len(cells), 2, one_ply.FIELDS), np.int64)
    one_ply.count_after_moves(
        own.search.handle,
        other.search.handle,
        bench.room.handle,
        np.stack([o.orientation.seen_at[list(cells)] for o in (own, other)], axis=1),
        k,
        results,
    )
    found = {}
    for cell, (mine, theirs) in zip(cells, results.tolist(), strict=True):
        pair = (_counts(mine), _counts(theirs))
        found[cell] = After(*pair) if mover is Color.BLACK else After(*pair[::-1])
    return found


def _counts(result: list[int]) -> Counts:
    distance = result[one_ply.DISTANCE]
    raw = result[one_ply.RAW : one_ply.RAW + 3]
    refused = result[one_ply.REFUSED : one_ply.REFUSED + 3]
    return Counts(
        None if distance == CUT else distance,
        (raw[0], raw[1], raw[2]),
        (raw[0] - refused[0], raw[1] - refused[1], raw[2] - refused[2]),
        bool(result[one_ply.EXACT]),
    )
