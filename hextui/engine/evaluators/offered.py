"""Evaluators that other packages offer, as entry points of the group ``hextui.evaluators``.

A package is loaded when the name of its evaluator is used, never before. What fails in its code is
an `OfferedEvaluatorError`, one line that names the evaluator.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import cache, wraps
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from hextui.engine.evaluators.base import Evaluator

GROUP = "hextui.evaluators"
_ATTRIBUTES = ("method", "short", "scale", "source", "about")


class OfferedEvaluatorError(ValueError):
    """An evaluator of another package cannot be used; the message is one line."""


@cache
def entries() -> dict[str, EntryPoint]:
    """Return the entry points by the names of the evaluators; loads no package."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@cache
def offered_class(method: str) -> type[Evaluator] | None:
    """Return the class of an evaluator that a package offers, None if none has this name.

    Raises OfferedEvaluatorError if it cannot be loaded, or is no evaluator of this name.
    """
    if method not in entries():
        return None
    try:
        kind = entries()[method].load()
    except (Exception, SystemExit) as error:
        raise _error(method, "cannot be loaded", error) from None
    if not (inspect.isclass(kind) and issubclass(kind, Evaluator)) or inspect.isabstract(kind):
        raise OfferedEvaluatorError(f"evaluator {method}: its entry point names no Evaluator class")
    missing = [name for name in _ATTRIBUTES if not hasattr(kind, name)]
    if missing or kind.method != method:
        what = f"it has no {missing[0]}" if missing else f"its method is {kind.method!r}"
        raise OfferedEvaluatorError(f"evaluator {method}: {what}")
    for name in ("rank", "explain"):
        setattr(kind, name, _naming_failures(method, getattr(kind, name)))
    return kind


def _naming_failures(
    method: str, made: Callable[..., Iterator[Any]]
) -> Callable[..., Iterator[Any]]:
    """Return a generator whose failures name the evaluator; ValueErrors are answers, and stay."""

    @wraps(made)
    def guarded(*given: Any) -> Iterator[Any]:
        try:
            yield from made(*given)
        except ValueError:
            raise
        except Exception as error:
            raise _error(method, "fails", error) from error

    return guarded


def _error(method: str, what: str, error: BaseException) -> OfferedEvaluatorError:
    line = f"{type(error).__name__}: {error}".splitlines()[0]
    return OfferedEvaluatorError(f"evaluator {method} {what}: {line}")
