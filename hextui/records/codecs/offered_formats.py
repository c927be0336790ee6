"""Record formats that other packages offer, as entry points of the group ``hextui.formats``.

The name of an entry point is the format's name and, behind a dot, the ending of its files. A
package is loaded when one of them is used. What fails in its code is a RecordError, one line that
names the format.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any

from hextui.entry_points import entries_of, load, one_line
from hextui.records.codecs.codec import Codec
from hextui.records.record_text import RecordError

GROUP = "hextui.formats"


def offered_endings() -> tuple[str, ...]:
    """Return the endings of files in offered formats; loads no package.

    >>> ".sgf" in offered_endings()
    False
    """
    return tuple(f".{name}" for name in entries_of(GROUP))


@cache
def offered_codec(name: str) -> Codec | None:
    """Return a format that a package offers, None if none has this name.

    Raises RecordError if it cannot be loaded, or is no format of this name.
    """
    entry = entries_of(GROUP).get(name)
    if entry is None:
        return None
    try:
        kind = load(entry)
    except ValueError as error:
        raise RecordError(f"format {name} {error}") from None
    if not (inspect.isclass(kind) and issubclass(kind, Codec)):
        raise RecordError(f"format {name}: its entry point names no Codec class")
    if getattr(kind, "name", None) != name:
        raise RecordError(f"format {name}: its name is {getattr(kind, 'name', None)!r}")
    for method in ("read", "write"):
        setattr(kind, method, _naming_failures(name, getattr(kind, method)))
    setattr(kind, "split", _naming_failures_of_each(name, kind.split))  # noqa: B010
    return kind()


def _naming_failures(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method whose failures name the format; RecordErrors are answers, and stay."""

    @wraps(method)
    def guarded(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except RecordError:
            raise
        except Exception as error:
            raise RecordError(f"format {name} fails: {one_line(error)}") from error

    return guarded


def _naming_failures_of_each(
    name: str, method: Callable[..., Iterator[Any]]
) -> Callable[..., Iterator[Any]]:
    """Return a generator whose failures name the format."""

    @wraps(method)
    def guarded(*given: Any) -> Iterator[Any]:
        try:
            yield from method(*given)
        except RecordError:
            raise
        except Exception as error:
            raise RecordError(f"format {name} fails: {one_line(error)}") from error

    return guarded
