"""Evaluators that other packages offer, as entry points of the group ``hextui.evaluators``.

What fails in their code is an `OfferedEvaluatorError`, one line that names the evaluator.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any

from hextui.engine.evaluators.base import Evaluator
from hextui.entry_points import entries_of, load, one_line

GROUP = "hextui.evaluators"
_ATTRIBUTES = ("method", "short", "scale", "source", "about")


class OfferedEvaluatorError(ValueError):
    """An evaluator of another package cannot be used; the message is one line."""


@cache
def offered_class(method: str) -> type[Evaluator] | None:
    """Return the class of an evaluator that a package offers, None if none has this name.

    Raises OfferedEvaluatorError if it cannot be loaded, or is no evaluator of this name.
    """
    entry = entries_of(GROUP).get(method)
    if entry is None:
        return None
    try:
        kind = load(entry)
    except ValueError as error:
        raise OfferedEvaluatorError(f"evaluator {method} {error}") from None
    if problem := _problem(kind, method):
        raise OfferedEvaluatorError(f"evaluator {method}: {problem}")
    for name in ("rank", "explain"):
        setattr(kind, name, _naming_failures(method, getattr(kind, name)))
    return kind  # type: ignore[no-any-return]


def _problem(kind: Any, method: str) -> str:
    """Return why something is no evaluator of this name; '' if it is one."""
    if not (inspect.isclass(kind) and issubclass(kind, Evaluator)) or inspect.isabstract(kind):
        return "its entry point names no Evaluator class"
    for name in _ATTRIBUTES:
        if not hasattr(kind, name):
            return f"it has no {name}"
    return "" if kind.method == method else f"its method is {kind.method!r}"


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
            line = f"evaluator {method} fails: {one_line(error)}"
            raise OfferedEvaluatorError(line) from error

    return guarded
