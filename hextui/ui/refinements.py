"""What the workstation does by hand because it was measured to matter; nothing else does so.

**Garbage.** Looking for it while modules are imported makes the first screen a seventh later
(``tests/benchmarks/test_bench_start.py``). So that begins with the first screen, and what is there
by then is not searched again. While keys come only what is new is searched, and only between them:
looking through all took 16 to 24 ms at 5 of 160 keys (same test as below).

**Painting at once.** Textual has each widget that has changed tell the screen, which then waits for
a timer. What a key changes is painted some milliseconds sooner without them
(``tests/benchmarks/test_bench_latency.py``). That needs private parts of Textual: where a version
has not got them, it paints by its timer. Keys that come faster than the screen follows are not
painted one by one, so that a key that was held down does not go on after it was let go.

**Memory.** Textual remembers two colours of each of a thousand widgets, and with them how those
that are gone looked: 80 MiB after 10,000 random keys. They are let go when a screen ends.
"""

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from textual.screen import Screen

_OF_SCREEN = ("_compositor", "_compositor_refresh", "_layout_required", "_repaint_required")
_OF_COMPOSITOR = ("update_widgets", "visible_widgets")
_BREATH, _REST = 0.05, 0.5  # seconds without a key after which new garbage is looked for, and all
_MOST_NEW = 20_000  # objects, some 2 MB, that may be made without looking
_NEW = 1  # the generation of what no key's breath has been looked through for yet

_LONGEST = 0.05  # seconds that the screen stays as it is while keys wait

_put_off = False  # since the start of the program
_painted = 0.0  # when something was painted at once, by the clock


@contextmanager
def garbage_put_off() -> Iterator[None]:
    """Look for no garbage until ``look_for_garbage``, or until the end of this."""
    global _put_off
    _put_off = True
    gc.disable()
    try:
        yield
    finally:
        _put_off = False
        gc.enable()


def look_for_garbage() -> None:
    """Look for garbage from now on, among what is made from now on, if that was put off."""
    global _put_off
    if _put_off:
        _put_off = False
        gc.freeze()
        gc.enable()


class KeysFirst:
    """Puts off looking for garbage while keys come, or until there may be much of it."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.TimerHandle] = []

    def key_came(self) -> None:
        """Look for none now. To be called in the loop that keys are heard in."""
        if _put_off:
            return
        if gc.get_count()[0] < _MOST_NEW:
            gc.disable()
        else:
            gc.enable()
        self._stop_waiting()
        later = asyncio.get_running_loop().call_later
        self._waiting = [later(_BREATH, gc.collect, _NEW), later(_REST, gc.enable)]

    def no_more_keys(self) -> None:
        """Look for garbage again, now and for good."""
        self._stop_waiting()
        gc.enable()

    def _stop_waiting(self) -> None:
        for handle in self._waiting:
            handle.cancel()
        self._waiting = []


def let_go(screen: Screen[Any]) -> None:
    """Forget how the widgets of screens that have ended looked, if this Textual remembers it."""
    remembered: Any = getattr(getattr(screen, "_styles_cache", None), "get_inner_outer", None)
    if hasattr(remembered, "cache_clear"):
        remembered.cache_clear()


def paint(screen: Screen[Any]) -> None:
    """Paint at once what has changed on a screen, if this Textual can.

    While keys wait, once in a while will do: what the last of them changes is painted at once.
    """
    global _painted
    if not paints_at_once(screen) or not screen.is_current or screen._layout_required:
        return
    now = time.monotonic()
    if screen.app.message_queue_size and now < _painted + _LONGEST:
        return
    _painted = now
    compositor = screen._compositor
    changed = {w for w in compositor.visible_widgets if getattr(w, "_repaint_regions", None)}
    if changed:
        compositor.update_widgets(changed)
        for widget in changed:
            widget._repaint_required = False  # nor need it tell the screen any more
        screen._compositor_refresh()


def paints_at_once(screen: Screen[Any]) -> bool:
    """Whether the private parts are there that ``paint`` needs."""
    return all(hasattr(screen, name) for name in _OF_SCREEN) and all(
        hasattr(screen._compositor, name) for name in _OF_COMPOSITOR
    )
