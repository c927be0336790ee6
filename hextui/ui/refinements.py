"""What the workstation does by hand because it was measured to matter; nothing else does so.

**Garbage.** Looking for it while modules are imported makes the first screen a seventh later
(``tests/benchmarks/test_bench_start.py``). So that begins with the first screen, and what is there
by then is not searched again. Nor is any looked for while keys come: all that lives longer took
16 to 24 ms at 5 of 160 keys, and the rest 2 to 4 ms at each tenth (same test as below).

**Painting at once.** Textual has each widget that has changed tell the screen, which then waits for
a timer. What a key changes is painted some milliseconds sooner without them
(``tests/benchmarks/test_bench_latency.py``). That needs private parts of Textual: where a version
has not got them, it paints by its timer.

**Memory.** Textual remembers two colours of each of a thousand widgets, and with them how those
that are gone looked: 80 MiB after 10,000 random keys. They are let go when a screen ends.
"""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from textual.screen import Screen

_OF_SCREEN = ("_compositor", "_compositor_refresh", "_layout_required")
_OF_COMPOSITOR = ("update_widgets", "visible_widgets")
_REST = 0.5  # seconds without a key after which garbage is looked for
_MOST_NEW = 50_000  # objects, some 5 MB, that may be made without looking

_put_off = False  # since the start of the program


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
        self._rest: asyncio.TimerHandle | None = None

    def key_came(self) -> None:
        """Look for none now. To be called in the loop that keys are heard in."""
        if _put_off:
            return
        if gc.get_count()[0] < _MOST_NEW:
            gc.disable()
        else:
            gc.enable()
        self._stop_waiting()
        self._rest = asyncio.get_running_loop().call_later(_REST, gc.enable)

    def no_more_keys(self) -> None:
        """Look for garbage again, now and for good."""
        self._stop_waiting()
        gc.enable()

    def _stop_waiting(self) -> None:
        if self._rest is not None:
            self._rest.cancel()


def let_go(screen: Screen[Any]) -> None:
    """Forget how the widgets of screens that have ended looked, if this Textual remembers it."""
    remembered: Any = getattr(getattr(screen, "_styles_cache", None), "get_inner_outer", None)
    if hasattr(remembered, "cache_clear"):
        remembered.cache_clear()


def paint(screen: Screen[Any]) -> None:
    """Paint at once what has changed on a screen, if this Textual can."""
    if not paints_at_once(screen) or not screen.is_current or screen._layout_required:
        return
    compositor = screen._compositor
    changed = {w for w in compositor.visible_widgets if getattr(w, "_repaint_regions", None)}
    if changed:
        compositor.update_widgets(changed)
        screen._compositor_refresh()


def paints_at_once(screen: Screen[Any]) -> bool:
    """Whether the private parts are there that ``paint`` needs."""
    return all(hasattr(screen, name) for name in _OF_SCREEN) and all(
        hasattr(screen._compositor, name) for name in _OF_COMPOSITOR
    )
