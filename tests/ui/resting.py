"""Whether an app has something left to do.

Textual guesses that from the processor's time (`textual._wait`): on a busy machine it goes on too
early, and on an idle one it waits longer than needed. Here its private parts are asked.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

from textual._context import active_app
from textual.app import App
from textual.message_pump import MessagePump

PATIENCE = 20  # seconds after which nothing more will come, on a busy machine too
_STEP = 0.001  # seconds between two looks


_run_in_executor = asyncio.BaseEventLoop.run_in_executor
_in_threads: WeakSet[asyncio.Future] = WeakSet()
_threads_matter = True


def run_in_executor(loop: asyncio.BaseEventLoop, *work) -> asyncio.Future:
    """Put something off to a thread, as `asyncio.to_thread` and workers do, and remember it."""
    future = _run_in_executor(loop, *work)
    _in_threads.add(future)
    return future


@contextmanager
def threads_go_on() -> Iterator[None]:
    """Wait for no thread: it waits for the test, or the screen is looked at while it works."""
    global _threads_matter
    _threads_matter = False
    try:
        yield
    finally:
        _threads_matter = True


async def rest(app: App, patience: float = PATIENCE) -> None:
    """Wait until an app has nothing left to do; what live analysis will answer is not waited for.

    Neither are timers: a message that goes away by itself is still there.
    """
    end = time.monotonic() + patience
    await asyncio.sleep(0)
    while app.is_running and (left := left_to_do(app)):
        assert time.monotonic() < end, left
        await asyncio.sleep(_STEP)


async def rest_of_active_app(*_: float) -> None:
    """Wait in place of `textual._wait.wait_for_idle`."""
    await rest(active_app.get())


def left_to_do(app: App) -> str:
    """Return what an app has left to do, '' for nothing."""
    loop: Any = asyncio.get_running_loop()
    if loop._ready:
        return f"to be called: {loop._ready}"
    if _threads_matter and (threads := _at_work(loop)):
        return f"threads at work: {threads}"
    if app._resize_event is not None:
        return f"{app._resize_event}"
    for pump in (app, *app._registry):
        if pump._running and not _waits(pump):
            return f"messages of {pump}: {list(pump._message_queue.values)}"
    if app.screen._callbacks:  # those of a covered screen are called when it is shown again
        return f"to be called after {app.screen} is painted: {app.screen._callbacks}"
    if _is_to_be_painted(app):
        return f"{app.screen} to be painted"
    if app.animator._animations:
        return f"animations: {app.animator._animations}"
    return ""


def _waits(pump: MessagePump) -> bool:
    """Tell whether a pump waits for its next message."""
    queue = pump._message_queue
    left = queue.values or pump._pending_message or pump._next_callbacks
    return not left and any(not waiter.done() for waiter in queue.ready_event._waiters)


def _at_work(loop: asyncio.AbstractEventLoop) -> list[asyncio.Future]:
    return [work for work in _in_threads if work.get_loop() is loop and not work.done()]


def _is_to_be_painted(app: App) -> bool:
    screen = app.screen
    return bool(
        app._batch_count
        or screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
    )
