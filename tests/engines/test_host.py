"""The process of our own engine: what is there is set aside from the collector of garbage."""

import gc
import queue
import threading
import weakref
from typing import Any

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engines.own import host
from hextui.engines.questions import WhoWins


class Answerer:
    """Answers nothing, at once."""

    def answers(self, question, stop):
        return iter(())

    def close(self):
        pass


class Outbox:
    """Takes the numbers of questions that are finished."""

    def __init__(self):
        self.finished = queue.SimpleQueue()

    def finish(self, number, problem, *, stopped):
        self.finished.put(number)


def test_once_a_board_what_is_loaded_isfreeze_objects(monkeypatch):
    done: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(host, "freeze_objects", lambda: done.put("set aside"))
    outbox: Any = Outbox()
    answerer: Any = Answerer
    lane = host._Lane(answerer, outbox, lambda number: None)
    for number, board in enumerate((Board(3, 3), Board(3, 3), Board(4, 4))):
        question = WhoWins(Position.empty(board), Limit())
        lane.put(host._Asked(number, question, threading.Event()))
        assert outbox.finished.get(timeout=60) == number
        if number != 1:
            assert done.get(timeout=60) == "set aside"
    lane.put(None)
    assert done.empty()


def test_what_isfreeze_objects_is_passed_over_and_garbage_is_not_kept():
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
        host.freeze_objects()  # what was garbage since is found, though it was set aside
        assert gone() is None
    finally:
        gc.unfreeze()
