"""When Python looks for garbage in the workstation: not while the user waits for the screen.

Looking through all objects takes up to 0.1 s, most of them what the imports have left, which is
never garbage. So it is put off until the first screen is there, what is there by then is left alone
for good, and nothing is looked for while a key is painted. Where no workstation was started, as in
commands and tests, all this but the last changes nothing.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (2000, 10, 50)
"""The thresholds of the workstation: all objects are looked through seldom."""


@contextmanager
def put_off() -> Iterator[None]:
    """Start a workstation: look for nothing until `begin`. At its end all is as it was."""
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def begin() -> None:
    """Look for garbage from now on, but never among what is there: the first screen is."""
    if not gc.get_threshold()[0]:
        gc.freeze()
        gc.set_threshold(*_SELDOM)


def spare_imports() -> None:
    """Leave alone for good what has been imported since `begin`."""
    if gc.get_freeze_count():
        gc.freeze()


def pause() -> None:
    """Look for nothing until `go_on`: a key is to be painted."""
    gc.disable()


def go_on() -> None:
    """Look for garbage again."""
    gc.enable()
