"""Connections that are known beforehand: offered to the lists where a stone makes them hold.

The templates of a board come with its state. Each is a full connection of a cell or stone with an
edge that the rules do not find (docs/methods.md#virtual-connections). It needs one own stone that
helps, and that no cell of its carrier is gone.
"""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.lists import offer_full
from hextui.engine.kernels.connections.slots import slot_of_pair
from hextui.engine.kernels.connections.state import RULE_TEMPLATE, pool_of
from hextui.engine.kernels.views import Handle, int_view, word_view


@part
def offer_templates(state: Handle, stone: int) -> None:
    """Offer the templates that need an own stone on this cell, which has one."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    for i in range(ints[pool.templates_at + stone], ints[pool.templates_at + stone + 1]):
        template = pool.template_carrier + i * W
        lost = uint64(0)
        for w in range(W):
            lost |= words[template + w] & words[pool.gone + w]
        if lost:
            continue
        a = ints[pool.captain + ints[pool.template_end + 2 * i]]
        b = ints[pool.captain + ints[pool.template_end + 2 * i + 1]]
        if a < 0:
            continue
        candidate = pool.carrier + pool.rows * W
        for w in range(W):
            words[candidate + w] = words[template + w] & words[pool.empties + w]
        offer_full(state, slot_of_pair(state, a, b), RULE_TEMPLATE, 0)
