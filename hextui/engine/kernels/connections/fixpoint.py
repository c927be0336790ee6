"""H-search: the run of the AND rule and the OR rule to the fixpoint."""

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.and_rule import apply_and
from hextui.engine.kernels.connections.or_rule import apply_or_greedy, apply_or_sets
from hextui.engine.kernels.connections.slots import slot_at
from hextui.engine.kernels.connections.state import PENDING_A, PENDING_B, SLOT_QUEUED, pool_of
from hextui.engine.kernels.views import Handle, int_view


@part
def to_fixpoint(state: Handle) -> None:
    """Apply both rules until nothing new follows, a pool is full, or STOP is set."""
    pool = pool_of(state)
    ints = int_view(state)
    while True:
        if pool.overflow or pool.stop:
            _clear_queues(state)
            return
        if pool.full_head < pool.full_tail:
            row = ints[pool.full_queue + pool.full_head]
            pool.full_head += 1
            apply_and(state, row)
            continue
        pool.full_head = 0
        pool.full_tail = 0
        if pool.or_head == pool.or_tail:
            return
        slot = ints[pool.or_queue + pool.or_head]
        pool.or_head += 1
        if pool.or_head == pool.or_queue_limit:
            pool.or_head = 0
        ints[slot_at(state, slot) + SLOT_QUEUED] = 0
        if pool.or_size:
            apply_or_sets(state, slot)
        else:
            apply_or_greedy(state, slot)


@part
def _clear_queues(state: Handle) -> None:
    """Forget what was queued, so that an interrupted search can be undone."""
    pool = pool_of(state)
    ints = int_view(state)
    for i in range(pool.full_head, pool.full_tail):
        ints[pool.state + ints[pool.full_queue + i]] &= ~(PENDING_A | PENDING_B)
    pool.full_head = 0
    pool.full_tail = 0
    while pool.or_head != pool.or_tail:
        slot = ints[pool.or_queue + pool.or_head]
        ints[slot_at(state, slot) + SLOT_QUEUED] = 0
        pool.or_head += 1
        if pool.or_head == pool.or_queue_limit:
            pool.or_head = 0
