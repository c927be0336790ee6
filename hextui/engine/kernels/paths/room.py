"""Memory of a path count: one flat int array and one flat word array, as in connections/state.py.

``survey`` chooses the nodes and pairs of nodes that paths of length d to d + slack can use, the
caller writes the carrier of each chosen pair, ``reduce_groups`` replaces own groups by links
among their neighbours and lists the directed links, then the kernels of counting.py count.

Chosen nodes have *local* numbers: cells and edges by their distance to the second edge (which
is so local 0), then the groups in the order of their first cells.
"""

import numpy as np
from numpy.typing import NDArray

# --- header of ``ints``: sizes and state -------------------------------------------------------
CELLS = 0
NODES = 1
NODE_WORDS = 2
MASK_LIMIT = 3
STATE_LIMIT = 4
CANDIDATE_LIMIT = 5
NEXT_LIMIT = 6
ROW_LIMIT = 7
DISTANCE = 8  # links from edge to edge, CUT if there is no path
SLACK = 9
REACH = 10  # longest path that counts, distance + slack
LOCALS = 11  # chosen cells and edges
MEMBERS = 12  # chosen nodes: those, then groups
START = 13  # local number of the first edge
PAIRS = 14
VIRTUAL = 15  # whether any directed link has a carrier
MASKS = 16
INDEX_WORDS = 17  # words of 64 masks in the index
STATES = 18
CANDIDATES = 19  # words used by the masks of states
NEXTS = 20
TABLE_SIZE = 21
STOP = 22  # set from outside: end the count early, as at a limit
# --- header of ``ints``: where the arrays begin ------------------------------------------------
KIND = 23
CAPTAIN = 24
FROM_FIRST = 25
FROM_SECOND = 26
LOCAL_OF = 27
MEMBER = 28
QUEUE = 29
PAIR = 30
SLOT = 31
FIRST = 32
HEAD = 33
VIA = 34
BUCKET = 35
FRAME = 36
ORDER = 37
SUB_FIRST = 38
SUB_HEAD = 39
STATE = 40
NEXT = 41
TABLE = 42
CANDIDATE_WORD = 43
# --- header of ``ints``: where the arrays of ``words`` begin -----------------------------------
LINKED = 44
CHOSEN = 45
CARRIER = 46
BEHIND = 47
AHEAD = 48
THROUGH = 49
REFUSED = 50
FRAME_MASK = 51
MASK = 52
INDEX = 53
ROW = 54
ENDING = 55
CANDIDATE = 56
LABEL = 57
WAYS_TO = 58
WAYS_ON = 59
HEADER = 60

# fields of a frame of the depth-first search for masks
FRAME_NODE = 0
FRAME_LINK = 1
FRAME_REST = 2
FRAME_FIELDS = 3

# fields of a state of the search for refused paths
STATE_NODE = 0
STATE_REST = 1
STATE_BEFORE = 2
STATE_MASKS = 3
STATE_MASKS_END = 4
STATE_NEXT = 5
STATE_NEXT_END = 6
STATE_PLACE = 7
STATE_FIELDS = 8

SMALLEST_TABLE = 1024

# what kernels write at the start of ``words``, as float64
RESULT_RAW = 0  # n_0, n_1, n_2
RESULT_REFUSED = 3  # how many of them the S_n rule refuses
RESULT_EXACT = 6  # 1 or 0 a level
RESULTS = 9

CUT = -1
LEVELS = 3

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
    size = HEADER
    for offset, length in (
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
    ):
        sizes[offset] = size
        size += length
    word_size = RESULTS
    for offset, length in (
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
    ):
        sizes[offset] = word_size
        word_size += length
    if max(size, word_size) > np.iinfo(np.int32).max:
        raise ValueError("the limits of the path count ask for too much memory")
    ints = np.empty(size, np.int32)
    ints[:HEADER] = sizes
    return ints, np.empty(word_size, np.uint64)
