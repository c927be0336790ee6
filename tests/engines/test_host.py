"""The process of our own engine: what is loaded is excluded from garbage collection."""

import gc
import queue
import threading
import weakref
from typing import Any

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines import host
from hextui.engines.messages import Ask
from hextui.engines.questions import WhoWins


class Nothing:
    """An answerer without answers."""

    def answers(self, question, stop):
        return iter(())

    def close(self):
        pass


def test_objects_are_frozen_once_a_board(monkeypatch):
    done: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(host, "freeze_objects", lambda: done.put("frozen"))
    finished: queue.SimpleQueue[int] = queue.SimpleQueue()
    make: Any = Nothing
    finish = lambda self, number, problem, stopped: finished.put(number)  # noqa: E731
    writer: Any = type("", (), {"finish": finish})()
    stops = {number: threading.Event() for number in range(3)}
    lane = host.HostLane(make, writer, stops)
    for number, board in enumerate((Board(3, 3), Board(3, 3), Board(4, 4))):
        lane.waiting.put(Ask(number, 0, WhoWins(Position.empty(board), Limit())))
        assert finished.get(timeout=60) == number
        if number != 1:
            assert done.get(timeout=60) == "frozen"
    lane.waiting.put(None)
    assert done.empty()
    assert not stops


def test_frozen_objects_are_not_visited_and_garbage_is_not_kept():
    class Ring:
        itself: "Ring"

    ring = Ring()
    ring.itself = ring
    gone = weakref.ref(ring)
    try:
        host.freeze_objects()
        assert gc.get_freeze_count() > 0
        assert gone() is not None
        del ring
        host.freeze_objects()  # what has become garbage is found, though it was frozen
        assert gone() is None
    finally:
        gc.unfreeze()
