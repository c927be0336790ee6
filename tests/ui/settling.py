"""Whether an app has something left to do: its loop is idle, no thread works, all is painted.

Textual guesses that from the CPU time: on a busy machine it goes on too early, and on an idle one
it waits longer than needed. Here the event loop says so.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, TypeVar, TypeVarTuple
from unittest.mock import patch
from weakref import WeakSet

from textual.app import App

T = TypeVar("T")
Given = TypeVarTuple("Given")

PATIENCE = 20  # seconds after which nothing more will come, on a busy machine too
_STEP = 0.001  # seconds between two looks at what nobody tells of


class IdleSelector(selectors.DefaultSelector):
    """Tells those who wait for it that a loop has nothing to do but to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[asyncio.Future[None]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for a file to be ready, unless somebody waits for just this."""
        if timeout == 0 or not self.waiting:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            for future in self.waiting:
                if not future.done():
                    future.set_result(None)
            self.waiting.clear()
        return ready


class WatchedLoop(asyncio.SelectorEventLoop):
    """Knows when it is idle, and which threads work for it."""

    def __init__(self) -> None:
        self._idle_selector = IdleSelector()
        self._in_threads: WeakSet[asyncio.Future[Any]] = WeakSet()
        self.threads_matter = True
        super().__init__(self._idle_selector)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Given], T], *args: *Given
    ) -> asyncio.Future[T]:
        """Put something off to a thread, as `asyncio.to_thread` and workers do, and remember it."""
        future = super().run_in_executor(executor, func, *args)
        self._in_threads.add(future)
        return future

    async def idle(self) -> None:
        """Wait until nothing is ready to be called and no thread works."""
        while True:
            future = self.create_future()
            self._idle_selector.waiting.append(future)
            await future
            if not self.threads_matter or all(work.done() for work in self._in_threads):
                return
            await asyncio.sleep(_STEP)


class WatchedLoops(asyncio.DefaultEventLoopPolicy):
    """Makes such loops."""

    def new_event_loop(self) -> WatchedLoop:
        """Return a new loop."""
        return WatchedLoop()


def _loop() -> WatchedLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, WatchedLoop)
    return loop


@contextmanager
def threads_go_on() -> Iterator[None]:
    """Wait for no thread: it waits for the test, or the screen is looked at while it works."""
    _loop().threads_matter = False
    try:
        yield
    finally:
        _loop().threads_matter = True


async def idle(*_: float) -> None:
    """Wait in place of `textual.pilot.wait_for_idle`."""
    async with asyncio.timeout(PATIENCE):
        await _loop().idle()


async def rest(app: App[Any]) -> None:
    """Wait until an app has nothing left to do; what live analysis will answer is not waited for.

    Neither are timers: a message that goes away by itself is still there.
    """
    async with asyncio.timeout(PATIENCE):
        while app.is_running and app.screen_stack:
            await _loop().idle()
            await app.animator.wait_for_idle()
            if not app.screen_stack:
                return
            painted = asyncio.Event()
            app.screen.call_after_refresh(painted.set)
            await _loop().idle()
            if painted.is_set():
                return
            await asyncio.sleep(_STEP)  # a timer will paint


def run_alone(work: Coroutine[Any, Any, None]) -> None:
    """Run a user of the app to its end in a process of its own, which may be killed."""
    asyncio.set_event_loop_policy(WatchedLoops())
    with patch("textual.app.wait_for_idle", idle), patch("textual.pilot.wait_for_idle", idle):
        asyncio.run(work)
