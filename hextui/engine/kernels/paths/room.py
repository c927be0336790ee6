"""Memory of a path count: one flat int array and one flat word array, as in connections/state.py.

``survey`` chooses the nodes and pairs of nodes that paths of length d to d + slack can use, the
caller writes the carrier of each chosen pair, ``reduce_groups`` replaces own groups by links
among their neighbours and lists the directed links, then the kernels of counting.py count.

Chosen nodes have *local* numbers: cells and edges by their distance to the second edge (which
is so local 0), then the groups in the order of their first cells.
"""

import numpy as np
from numpy.typing import NDArray

from hextui.engine.kernels.places import lay_out, places

# the header of ``ints``
(
    # sizes and state
    CELLS,
    NODES,
    NODE_WORDS,
    MASK_LIMIT,
    STATE_LIMIT,
    CANDIDATE_LIMIT,
    NEXT_LIMIT,
    ROW_LIMIT,
    DISTANCE,  # links from edge to edge, CUT if there is no path
    SLACK,
    REACH,  # longest path that counts, distance + slack
    LOCALS,  # chosen cells and edges
    MEMBERS,  # chosen nodes: those, then groups
    START,  # local number of the first edge
    PAIRS,
    VIRTUAL,  # whether any directed link has a carrier
    MASKS,
    INDEX_WORDS,  # words of 64 masks in the index
    STATES,
    CANDIDATES,  # words used by the masks of states
    NEXTS,
    TABLE_SIZE,
    STOP,  # set from outside: end the count early, as at a limit
    # where the arrays begin
    KIND,
    CAPTAIN,
    FROM_FIRST,
    FROM_SECOND,
    LOCAL_OF,
    MEMBER,
    QUEUE,
    PAIR,
    SLOT,
    FIRST,
    HEAD,
    VIA,
    BUCKET,
    FRAME,
    ORDER,
    SUB_FIRST,
    SUB_HEAD,
    STATE,
    NEXT,
    TABLE,
    CANDIDATE_WORD,
    # where the arrays of ``words`` begin
    LINKED,
    CHOSEN,
    CARRIER,
    BEHIND,
    AHEAD,
    THROUGH,
    REFUSED,
    FRAME_MASK,
    MASK,
    INDEX,
    ROW,
    ENDING,
    CANDIDATE,
    LABEL,
    WAYS_TO,
    WAYS_ON,
    HEADER,
) = range(61)

# fields of a frame of the depth-first search for masks
FRAME_NODE, FRAME_LINK, FRAME_REST, FRAME_FIELDS = range(4)

# fields of a state of the search for refused paths
(
    STATE_NODE,
    STATE_REST,
    STATE_BEFORE,
    STATE_MASKS,
    STATE_MASKS_END,
    STATE_NEXT,
    STATE_NEXT_END,
    STATE_PLACE,
    STATE_FIELDS,
) = range(9)

SMALLEST_TABLE = 1024

# what kernels write at the start of ``words``, as float64
LEVELS = 3
(
    RESULT_RAW,  # n_0, n_1, n_2
    RESULT_REFUSED,  # how many of them the S_n rule refuses
    RESULT_EXACT,  # 1 or 0 a level
    RESULTS,
) = places(LEVELS, LEVELS, LEVELS)

CUT = -1

# slack that chooses every node and pair: for the whole network
WHOLE = -1

ROW_WORDS_PER_MASK = 16
MASK_WORDS_PER_STATE = 4
NEXT_PER_STATE = 8


def allocate(
    cells: int, width: int, mask_limit: int, state_limit: int
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the ints and words for networks of a board of ``cells`` cells.

    ``width``: words of a set of cells, so many as they need or more.
    ``mask_limit``: most paths of lower levels to compare with. ``state_limit``: most states of
    the search for refused paths. The arrays are laid out for the worst case; untouched pages
    cost no memory. Raises ValueError if the limits ask for too much.
    """
    nodes = cells + 2
    node_words = (nodes + 63) // 64
    pair_limit = nodes * (nodes - 1) // 2
    mask_words = mask_limit // 64 + 1
    table_limit = SMALLEST_TABLE
    while table_limit < 2 * state_limit:
        table_limit *= 4

    sizes = np.zeros(HEADER, np.int64)
    sizes[CELLS], sizes[NODES], sizes[NODE_WORDS] = cells, nodes, node_words
    sizes[MASK_LIMIT], sizes[STATE_LIMIT] = mask_limit, state_limit
    sizes[CANDIDATE_LIMIT] = MASK_WORDS_PER_STATE * state_limit
    sizes[NEXT_LIMIT] = NEXT_PER_STATE * state_limit
    sizes[ROW_LIMIT] = ROW_WORDS_PER_MASK * mask_limit
    arrays = (
        (KIND, nodes),
        (CAPTAIN, nodes),
        (FROM_FIRST, nodes),
        (FROM_SECOND, nodes),
        (LOCAL_OF, nodes),
        (MEMBER, nodes),
        (QUEUE, 2 * nodes + 3),
        (PAIR, 2 * pair_limit + 2),
        (SLOT, nodes * nodes),
        (FIRST, LEVELS * nodes + 3),
        (HEAD, 2 * pair_limit),
        (VIA, 2 * pair_limit),
        (BUCKET, 2 * pair_limit),
        (FRAME, (nodes + 1) * FRAME_FIELDS),
        (ORDER, mask_limit),
        (SUB_FIRST, LEVELS * nodes + 1),
        (SUB_HEAD, 2 * pair_limit),
        (STATE, state_limit * STATE_FIELDS),
        (NEXT, NEXT_PER_STATE * state_limit),
        (TABLE, table_limit),
        (CANDIDATE_WORD, MASK_WORDS_PER_STATE * state_limit),
    )
    word_arrays = (
        (LINKED, nodes * node_words),
        (CHOSEN, node_words),
        (CARRIER, (pair_limit + 1) * width),
        (BEHIND, LEVELS * nodes),
        (AHEAD, LEVELS * nodes),
        (THROUGH, LEVELS * cells),
        (REFUSED, LEVELS * cells),
        (FRAME_MASK, (nodes + 1) * width),
        (MASK, (mask_limit + 1) * width),
        (INDEX, cells * mask_words),
        (ROW, ROW_WORDS_PER_MASK * mask_limit),
        (ENDING, LEVELS * nodes * mask_words),
        (CANDIDATE, MASK_WORDS_PER_STATE * state_limit),
        (LABEL, state_limit),
        (WAYS_TO, state_limit),
        (WAYS_ON, state_limit),
    )
    size, word_size = lay_out(sizes, arrays, HEADER), lay_out(sizes, word_arrays, RESULTS)
    if max(size, word_size) > np.iinfo(np.int32).max:
        raise ValueError("the limits of the path count ask for too much memory")
    ints = np.empty(size, np.int32)
    ints[:HEADER] = sizes
    return ints, np.empty(word_size, np.uint64)
