"""The four shortest winning paths of Ev, each blocked after it was found, for every move.

Source: docs/methods.md#blocking. A row of the board is one word, bit ``c`` is column ``c``; a set
of cells is such rows from 1 on, between two empty ones. White's rows are the board's columns.
"""

from typing import Any

from numpy import int64, uint64

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.memory import Handle, int_view, lowest, places, popcount, word_view

PATHS = 4
MAX_SIDE = 19

# the board as Black sees it, as White does, and both turned by 180 degrees
SIDES = 4

PATH_SIZE = 2 * (MAX_SIDE * MAX_SIDE + 1)
STRIDE = MAX_SIDE + 2

# ``ints``
(
    ROWS,  # of each of the SIDES
    CELLS,
    RANDOM,  # 1: a path is chosen by lot, 0: by the smallest cells
    SAMPLES,  # 0: one block of each path, by lot or all in turn; else so many samples
    AVERAGE,  # 1: average over the blocked cells
    WHOLE,  # 1: paths are traced whole, 0: to the blocked cell
    SIDE,  # that the last value was looked for from
    LENGTH,  # of the path at each of the PATHS levels
    BLOCKED,  # number of its blocked cell
    PATH,  # row and column of each of its cells
    INTS,
) = places(SIDES, 1, 1, 1, 1, 1, 1, PATHS, PATHS, PATHS * PATH_SIZE)

# ``words``
(
    STATE,  # of the random numbers
    SEED,
    FREE,  # empty cells that are not blocked, a side after the other
    OWN,
    TOUCHED,
    SEEN,
    LEVEL,  # the cells that a path reaches with 0, 1, 2... stones
    WORDS,
) = places(1, 1, SIDES * STRIDE, SIDES * STRIDE, STRIDE, STRIDE, (MAX_SIDE * MAX_SIDE + 1) * STRIDE)


@kernel
def score_moves(memory: Handle, cells: Any, columns: int, mover: int, scores: Any) -> None:
    """Write the score of each move: max(Ev(B, mover), 1 - Ev(B, opponent)) after it.

    ``cells``: int32[n]; ``mover``: 0 Black, 1 White; ``scores``: float64[n].
    """
    for i in range(len(cells)):
        row = cells[i] // columns
        column = cells[i] % columns
        _put_stone(memory, row, column, mover)
        scores[i] = max(value(memory, mover), 1.0 - value(memory, 1 - mover))
        _put_stone(memory, row, column, mover)


@part
def _put_stone(memory: Handle, row: int, column: int, mover: int) -> None:
    """Put a stone of a player on an empty cell, or take it away again."""
    ints = int_view(memory)
    words = word_view(memory)
    rows = ints[ROWS]
    columns = ints[ROWS + 1]
    for side in range(SIDES):
        down, across = (row, column) if side < 2 else (rows - 1 - row, columns - 1 - column)
        if side & 1:
            down, across = across, down
        line = side * STRIDE + down + 1
        bit = uint64(1) << uint64(across)
        words[FREE + line] ^= bit
        if side & 1 == mover:
            words[OWN + line] ^= bit


@kernel
def value(memory: Handle, player: int) -> float:
    """Return Ev of a player (0 Black, 1 White): P[0], or its average over the blocked cells."""
    ints = int_view(memory)
    side = _upright(memory, player)
    ints[SIDE] = side
    _seed(memory, side)
    if not ints[AVERAGE]:
        return _one_run(memory, side)
    if not ints[SAMPLES]:
        return _average(memory, side)
    total = 0.0
    for _ in range(ints[SAMPLES]):
        total += _one_run(memory, side)
    return total / ints[SAMPLES]


@part
def _upright(memory: Handle, player: int) -> int:
    """Return the side of a player to look from: of both ways up that with the smaller rows."""
    ints = int_view(memory)
    words = word_view(memory)
    turned = player + 2
    for cells in (OWN, FREE):
        for row in range(1, ints[ROWS + player] + 1):
            upright = words[cells + player * STRIDE + row]
            other = words[cells + turned * STRIDE + row]
            if upright != other:
                return player if upright < other else turned
    return player


@part
def _one_run(memory: Handle, side: int) -> float:
    """Return P[0] with one cell of each path blocked by lot."""
    ints = int_view(memory)
    total = ints[CELLS]
    weight = 1.0
    result = 0.0
    blocked = 0
    for level in range(PATHS):
        path = PATH + level * PATH_SIZE
        length = _find(memory, side)
        ints[LENGTH + level] = length
        if length < 0:
            break
        result += weight * (total - length) / total
        weight *= length / total
        if length == 0 or level == PATHS - 1:
            if ints[WHOLE]:
                _trace(memory, side, length, length, path)
            break
        place = _draw(memory, length)
        _trace(memory, side, length, place, path)
        _flip(memory, side, path + 2 * place)
        ints[BLOCKED + level] = place
        blocked += 1
    for level in range(blocked):
        _flip(memory, side, PATH + level * PATH_SIZE + 2 * ints[BLOCKED + level])
    return result


@part
def _average(memory: Handle, side: int) -> float:
    """Return the mean of P[0] over all choices of a cell of each path, level by level."""
    total = int_view(memory)[CELLS]
    length0 = _find(memory, side)
    if length0 <= 0:
        return 0.0 if length0 < 0 else 1.0
    _trace(memory, side, length0, 0, PATH)
    sum0 = 0.0
    for i in range(length0):
        _flip(memory, side, PATH + 2 * i)
        length1 = _find(memory, side)
        if length1 > 0:
            sum1 = 0.0
            _trace(memory, side, length1, 0, PATH + PATH_SIZE)
            for j in range(length1):
                _flip(memory, side, PATH + PATH_SIZE + 2 * j)
                length2 = _find(memory, side)
                if length2 > 0:
                    sum2 = 0.0
                    _trace(memory, side, length2, 0, PATH + 2 * PATH_SIZE)
                    for k in range(length2):
                        _flip(memory, side, PATH + 2 * PATH_SIZE + 2 * k)
                        length3 = _find(memory, side)
                        if length3 >= 0:
                            sum2 += (total - length3) / total
                        _flip(memory, side, PATH + 2 * PATH_SIZE + 2 * k)
                    sum1 += (total - length2) / total + sum2 / total
                _flip(memory, side, PATH + PATH_SIZE + 2 * j)
            sum0 += (total - length1) / total + sum1 / total
        _flip(memory, side, PATH + 2 * i)
    return (total - length0) / total + sum0 / total


@part
def _flip(memory: Handle, side: int, cell: int) -> None:
    """Block a cell of a path, or free it again."""
    ints = int_view(memory)
    words = word_view(memory)
    words[FREE + side * STRIDE + ints[cell]] ^= uint64(1) << uint64(ints[cell + 1])


@part
def _find(memory: Handle, side: int) -> int:
    """Write the cells at each length on the way; return a shortest path's length, -1 if none."""
    ints = int_view(memory)
    words = word_view(memory)
    rows = ints[ROWS + side]
    free = FREE + side * STRIDE
    for row in range(rows + 2):
        words[TOUCHED + row] = uint64(0)
        words[SEEN + row] = uint64(0)
    words[TOUCHED + 1] = ~uint64(0)
    low, high = _flood(memory, side, 1, 1)
    length, level = 0, LEVEL
    while words[SEEN + rows] == uint64(0):
        length += 1
        level += STRIDE
        for row in range(rows + 2):
            words[level + row] = uint64(0)
        first = rows + 1
        last = 0
        for row in range(low, high + 1):
            cells = words[TOUCHED + row] & words[free + row] & ~words[SEEN + row]
            words[TOUCHED + row] = uint64(0)
            words[level + row] = cells
            words[SEEN + row] |= cells
            if cells:
                first = min(first, row)
                last = row
        if last == 0:
            return -1
        low = max(first - 1, 1)
        high = min(last + 1, rows)
        for row in range(low, high + 1):
            words[TOUCHED + row] = _touched(words[level + row - 1], words[level + row]) | (
                words[level + row + 1] | (words[level + row + 1] << uint64(1))
            )
        low, high = _flood(memory, side, low, high)
    return length


@part
def _touched(above: Any, row: Any) -> Any:
    """Return the neighbours, in a row, of cells in it and in the row above."""
    return (row << uint64(1)) | (row >> uint64(1)) | above | (above >> uint64(1))


@part
def _flood(memory: Handle, side: int, low: int, high: int) -> tuple[int, int]:
    """Go on through touched own stones; return the first and last row that are touched."""
    ints = int_view(memory)
    words = word_view(memory)
    rows = ints[ROWS + side]
    own = OWN + side * STRIDE
    row = low
    while row <= high:
        new = words[TOUCHED + row] & words[own + row] & ~words[SEEN + row]
        if new == uint64(0):
            row += 1
            continue
        words[SEEN + row] |= new
        words[TOUCHED + row] |= (new << uint64(1)) | (new >> uint64(1))
        words[TOUCHED + row - 1] |= new | (new << uint64(1))
        words[TOUCHED + row + 1] |= new | (new >> uint64(1))
        low = max(min(low, row - 1), 1)
        high = min(max(high, row + 1), rows)
        row = max(row - 1, 1)
    return low, high


@part
def _trace(memory: Handle, side: int, length: int, last: int, path: int) -> None:
    """Write the cells of a shortest path from its end back to number ``last``, from 0.

    Each is drawn among those that the rest can reach, or is the first of them in row order, as are
    those before ``last`` of a path that is traced whole.
    """
    ints = int_view(memory)
    words = word_view(memory)
    rows = ints[ROWS + side]
    end = 0 if ints[WHOLE] else last
    for row in range(rows + 2):
        words[TOUCHED + row] = uint64(0)
        words[SEEN + row] = uint64(0)
    words[TOUCHED + rows] = ~uint64(0)
    low, high = rows, rows
    for place in range(length - 1, end - 1, -1):
        low, high = _flood(memory, side, low, high)
        level = LEVEL + (place + 1) * STRIDE
        rest = 0
        if ints[RANDOM] and place >= last:
            for row in range(low, high + 1):
                rest += popcount(words[TOUCHED + row] & words[level + row])
            rest = _draw(memory, rest)
        row = low
        cells = words[TOUCHED + low] & words[level + low]
        while popcount(cells) <= rest:
            rest -= popcount(cells)
            row += 1
            cells = words[TOUCHED + row] & words[level + row]
        for _ in range(rest):
            cells &= cells - uint64(1)
        ints[path + 2 * place] = row
        ints[path + 2 * place + 1] = lowest(cells)
        bit = cells & (~cells + uint64(1))
        for old in range(low, high + 1):
            words[TOUCHED + old] = uint64(0)
        words[TOUCHED + row - 1] = bit | (bit << uint64(1))
        words[TOUCHED + row] = (bit << uint64(1)) | (bit >> uint64(1))
        words[TOUCHED + row + 1] = bit | (bit >> uint64(1))
        low = max(row - 1, 1)
        high = min(row + 1, rows)


@part
def _seed(memory: Handle, side: int) -> None:
    """Begin the random numbers of a position: they depend on it, on the side and on the seed."""
    ints = int_view(memory)
    words = word_view(memory)
    words[STATE] = words[SEED]
    for row in range(1, ints[ROWS + side] + 1):
        own = words[OWN + side * STRIDE + row]
        free = words[FREE + side * STRIDE + row]
        words[STATE] ^= own | (free << uint64(32))
        words[STATE] = _mixed(words[STATE] + uint64(0x9E3779B97F4A7C15))


@part
def _draw(memory: Handle, count: int) -> int:
    """Return a random number from 0 to count - 1, count below 2^32."""
    if count == 1:
        return 0
    words = word_view(memory)
    words[STATE] += uint64(0x9E3779B97F4A7C15)
    number = ((_mixed(words[STATE]) >> uint64(32)) * uint64(count)) >> uint64(32)
    return int64(number)  # type: ignore[return-value]


@part
def _mixed(word: Any) -> Any:
    """Spread the bits of a word (the output function of splitmix64)."""
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))
