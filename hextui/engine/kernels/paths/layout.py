"""Memory of a path count: one flat int array and one flat word array, as in connections/state.py.

``survey`` chooses the nodes and pairs that paths of length d to d + slack can use,
``reduce_groups`` replaces own groups by links, then counting.py counts. Chosen nodes have *local*
numbers: cells and edges by their distance to the second edge (local 0), then groups by their first
cells.
"""

import numpy as np
from numpy.typing import NDArray

from hextui.engine.kernels.memory import int_record, lay_out, places, record_of

NETWORK = int_record(
    """
    # sizes and state
    cells nodes node_words mask_limit step_limit row_limit
    distance  # links from edge to edge, CUT if there is no path
    slack
    reach  # longest path that counts, distance + slack
    locals  # chosen cells and edges
    members  # chosen nodes: those, then groups
    start  # local number of the first edge
    pairs
    virtual  # whether any directed link has a carrier
    mode  # what is counted otherwise: CARRIERS, DISJOINT, PARALLEL
    paths  # whose masks were kept, or were too small
    masks
    index_words  # words of 64 masks in the index
    steps
    # where the arrays begin
    kind captain from_first from_second local_of member queue pair slot first head via bucket frame
    on_path last order row_of candidate_word
    # where the arrays of ``words`` begin
    linked chosen carrier behind ahead through refused frame_mask ways mask index row ending
    candidate
    """
)
"""The header of ``ints``: sizes, state, and where the arrays begin."""
HEADER = NETWORK.itemsize // 4

net_of = record_of(NETWORK)

# fields of a frame of the depth-first search for paths
FRAME_NODE, FRAME_LINK, FRAME_REST, FRAME_MASKS, FRAME_MASKS_END, FRAME_FIELDS = range(6)

# what kernels write at the start of ``words``, as float64
LEVELS = 10
COUNTED = 3
"""Of so many of the levels paths are counted without a list."""
COSTS = 3
"""Links have costs 0, 1 and 2."""
(
    RESULT_RAW,  # n_0, n_1, n_2...
    RESULT_REFUSED,  # how many of them the S_n rule refuses
    RESULT_EXACT,  # 1 or 0 a level
    RESULTS,
) = places(LEVELS, LEVELS, LEVELS)

CUT = -1

# slack that chooses every node and pair: for the whole network
WHOLE = -1

# bits of ``mode``: all cells that a path uses count, not those alone that it passes; only paths
# whose links use nothing twice are paths; and pairs may have several links
CARRIERS = 1
DISJOINT = 2
PARALLEL = 4

ROW_WORDS_PER_MASK = 16


def most_links(nodes: int) -> int:
    """Return for how many links there is room: up to four a pair of nodes."""
    return 2 * nodes * (nodes - 1)


def allocate(
    cells: int, width: int, mask_limit: int, step_limit: int
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the ints and words for networks of a board; raises ValueError if they are too large.

    ``mask_limit``: most paths of lower levels to compare with. ``step_limit``: most steps of the
    search for paths. Laid out for the worst case; untouched pages cost no memory.
    """
    nodes = cells + 2
    node_words = (nodes + 63) // 64
    pair_limit = most_links(nodes)
    mask_words = mask_limit // 64 + 1

    sizes: dict[str, int] = dict.fromkeys(NETWORK.names or (), 0)
    sizes["cells"] = cells
    sizes["nodes"] = nodes
    sizes["node_words"] = node_words
    sizes["mask_limit"], sizes["step_limit"] = mask_limit, step_limit
    sizes["row_limit"] = ROW_WORDS_PER_MASK * mask_limit
    arrays = (
        ("kind", nodes),
        ("captain", nodes),
        ("from_first", nodes),
        ("from_second", nodes),
        ("local_of", nodes),
        ("member", nodes),
        ("queue", 2 * nodes + 3),
        ("pair", 2 * pair_limit + 2),
        ("slot", nodes * nodes),
        ("first", COSTS * nodes + 3),
        ("head", 2 * pair_limit),
        ("via", 2 * pair_limit),
        ("bucket", 2 * pair_limit),
        ("frame", (nodes + 1) * FRAME_FIELDS),
        ("on_path", nodes),
        ("last", nodes),
        ("order", mask_limit),
        ("row_of", 2 * pair_limit),
        ("candidate_word", (nodes + 1) * mask_words),
    )
    word_arrays = (
        ("linked", nodes * node_words),
        ("chosen", node_words),
        ("carrier", (pair_limit + 1) * width),
        ("behind", COUNTED * nodes),
        ("ahead", COUNTED * nodes),
        ("through", LEVELS * cells),
        ("refused", LEVELS * cells),
        ("frame_mask", (nodes + 1) * width),
        ("ways", 2 * (nodes + 1)),
        ("mask", (mask_limit + 1) * width),
        ("index", cells * mask_words),
        ("row", ROW_WORDS_PER_MASK * mask_limit),
        ("ending", LEVELS * nodes * mask_words),
        ("candidate", (nodes + 1) * mask_words),
    )
    size = lay_out(sizes, arrays, HEADER)
    word_size = lay_out(sizes, word_arrays, RESULTS)
    if max(size, word_size) > np.iinfo(np.int32).max:
        raise ValueError("the limits of the path count ask for too much memory")
    ints = np.empty(size, np.int32)
    ints[:HEADER] = list(sizes.values())
    return ints, np.empty(word_size, np.uint64)
