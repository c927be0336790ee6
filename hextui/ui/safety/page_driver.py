"""Textual's driver of a page in a browser, which ends with the page and bounds its size."""

import os
import signal
from contextlib import suppress
from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver

MOST_COLUMNS, MOST_ROWS = 600, 250
"""More than a screen has; a page may ask for any size."""


class PageDriver(WebDriver):
    """Exchanges keys and output with the server of a page."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        asked = os.environ.get("COLUMNS"), os.environ.get("ROWS")
        super().__init__(app, debug=debug, mouse=mouse, size=size or page_size(*asked))

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Take a message of the server; end when the page has gone."""
        if packet_type == "resize":
            size = page_size(payload.get("width"), payload.get("height"))
            if size is None:
                return
            payload = {**payload, "width": size[0], "height": size[1]}
        elif packet_type == "quit" and hasattr(signal, "SIGHUP"):
            os.kill(os.getpid(), signal.SIGHUP)  # the watchdog hears it
        super().on_meta(packet_type, payload)

    def write(self, data: str) -> None:
        """Write to the server, or nowhere if that has gone."""
        with suppress(OSError):
            super().write(data)

    def write_meta(self, data: dict[str, object]) -> None:
        """Send the server a message, if it is still there."""
        with suppress(OSError):
            super().write_meta(data)


def page_size(columns: object, rows: object) -> tuple[int, int] | None:
    """Return a size as large as a page may be, None for what is no size.

    >>> page_size("20000", 30), page_size(0, 5), page_size(80, None)
    ((600, 30), None, None)
    """
    try:
        width = int(str(columns))
        height = int(str(rows))
    except ValueError:
        return None
    if min(width, height) < 1:
        return None
    return min(width, MOST_COLUMNS), min(height, MOST_ROWS)
