"""The names of the evaluators, and making one from its name.

A name is a method, and after a colon its options, separated by commas:
``k-paths:1``, ``k-paths:1,raw,x=1e-4``, ``shortest-path:seed=7``, ``resistance:plain``,
``blocking:average,samples=50``.
"""

import re
from collections.abc import Callable
from fractions import Fraction

from hextui.engine.evaluator_names import NAMES
from hextui.engine.evaluators.base import Evaluator, TieOrder, Ties
from hextui.engine.evaluators.blocking import Blocking
from hextui.engine.evaluators.contribution import Contribution, View
from hextui.engine.evaluators.k_mixed import DEFAULT_Y, KMixed
from hextui.engine.evaluators.k_paths import DEFAULT_X, KPaths
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.patterns import Patterns
from hextui.engine.evaluators.resistance import Resistance
from hextui.engine.evaluators.shortest_path import ShortestPath
from hextui.engine.evaluators.tree_evaluator import USUAL, TreeEvaluator
from hextui.engine.evaluators.two_distance import TwoDistance
from hextui.engine.limit import Limit
from hextui.engine.search.lookers import MOST_THREADS

_WHOLE = re.compile(r"[0-9]{1,18}", re.ASCII)
# no exponent that would take long to write out
_FRACTION = re.compile(r"[0-9]{1,18}/[0-9]{1,18}|[0-9.]{1,20}(e-?[0-9]{1,2})?", re.ASCII | re.I)


class _Options:
    """The options of one name; what nobody takes is an error."""

    def __init__(self, text: str) -> None:
        words = [word.strip() for word in text.split(",")] if text else []
        self._words = dict(word.partition("=")[::2] for word in words)

    def flag(self, name: str) -> bool:
        return self._words.pop(name, None) is not None

    def text(self, name: str, default: str) -> str:
        return self._words.pop(name, default)

    def whole(self, name: str) -> int | None:
        text = self._words.pop(name, None)
        if text is not None and not _WHOLE.fullmatch(text):
            raise ValueError(f"{name} is a whole number, not {text[:40]!r}")
        return None if text is None else int(text)

    def seed(self) -> int:
        return self.whole("seed") or 0

    def fraction(self, name: str, default: Fraction) -> Fraction:
        text = self._words.pop(name, None)
        if text is None:
            return default
        try:
            if _FRACTION.fullmatch(text):
                return Fraction(text)
        except (ValueError, ZeroDivisionError):
            pass
        raise ValueError(f"{name} is a fraction (0.01, 1/100, 1e-2), not {text[:40]!r}")

    def level(self) -> int:
        found = [word for word in self._words if word.isdigit()]
        if len(found) != 1:
            raise ValueError("k is missing: write :0, :1, :2... behind the name")
        self._words.pop(found[0])
        return int(found[0])

    def done(self) -> None:
        if self._words:
            raise ValueError(f"unknown option {next(iter(self._words))!r}")


def _k_paths(options: _Options) -> Evaluator:
    return KPaths(
        k=options.level(),
        x=options.fraction("x", DEFAULT_X),
        raw=options.flag("raw"),
        nodes=options.flag("nodes"),
        fresh=options.flag("fresh"),
        order=TieOrder(Ties(options.text("ties", "first")), options.seed()),
    )


def _blocking(options: _Options) -> Evaluator:
    average, samples = options.flag("average"), options.whole("samples")
    if samples == 0:
        raise ValueError("samples are 1 or more")
    return Blocking(options.seed(), average, samples or 0)


def _contribution(view: View) -> Callable[[_Options], Evaluator]:
    return lambda options: Contribution(view, options.level())


def _search(options: _Options) -> Evaluator:
    nodes, seconds = options.whole("nodes"), options.fraction("seconds", Fraction(0))
    threads = options.whole("threads")
    if nodes == 0 or (nodes and seconds):
        raise ValueError("nodes are 1 or more, and stand without seconds")
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"1 to {MOST_THREADS} threads, not {threads}")
    limit = Limit(seconds=float(seconds)) if seconds else Limit(nodes=nodes) if nodes else USUAL
    return TreeEvaluator(limit, threads or 1)


_MAKERS: dict[str, Callable[[_Options], Evaluator]] = {
    "shortest-path": lambda options: ShortestPath(
        options.seed(),
        Ties(options.text("ties", "random")),
        options.flag("nodes"),
        options.flag("fresh"),
    ),
    "k-paths": _k_paths,
    "k-mixed": lambda options: KMixed(
        options.level(),
        float(options.fraction("y", Fraction(DEFAULT_Y))),
        options.flag("fresh"),
    ),
    "contribution-own": _contribution("own"),
    "contribution-opponent": _contribution("opponent"),
    "contribution-both": _contribution("both"),
    "resistance": lambda options: Resistance(links=not options.flag("plain")),
    "two-distance": lambda options: TwoDistance(links=not options.flag("plain")),
    "blocking": _blocking,
    "search": _search,
    "network": lambda options: NetworkPolicy(),
    "patterns": lambda options: Patterns(),
}


def names() -> tuple[str, ...]:
    """Return the names of all evaluators with their default options."""
    return NAMES


def evaluator(name: str) -> Evaluator:
    """Return the evaluator with this name and options.

    Raises ValueError, with a line that says what is wrong, for a name that is none.
    """
    method, _, text = name.strip().partition(":")
    make = _MAKERS.get(method)
    if make is None:
        raise ValueError(f"no evaluator {name!r}; there are {', '.join(NAMES)}")
    try:
        options = _Options(text)
        made = make(options)
        options.done()
    except ValueError as error:
        raise ValueError(f"evaluator {name!r}: {error}") from None
    return made
