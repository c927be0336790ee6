"""What every evaluator has: options, a name made from them, a scale, a source, `rank`, `explain`.

Nothing here and in the evaluators' own files imports numpy or numba when it is loaded: what
computes lies in other files and is imported by the methods, so that names are listed at once.
"""

import enum
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from hextui.engine.board import Color
from hextui.engine.explanation import Explanation, Facts, Note, Remark
from hextui.engine.guards import check_empty
from hextui.engine.ranking import Ranking

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench

_WHOLE = re.compile(r"[0-9]{1,18}", re.ASCII)
# no exponent that would take long to write out
_FRACTION = re.compile(r"[0-9]{1,18}/[0-9]{1,18}|[0-9.]{1,20}(e-?[0-9]{1,2})?", re.ASCII | re.I)


class Source(NamedTuple):
    """Where a method is published; ``where`` is the equation, or the name that it has there."""

    authors: str
    year: int
    title: str
    where: str
    link: str


def honjo(where: str) -> Source:
    """Return a place in the paper of 2010 as a source."""
    return Source(
        authors="M. Honjo, I. Suzuki, M. Yamamoto, M. Furukawa",
        year=2010,
        title="A proposal of Hex strategies with networks of positions",
        where=where,
        link="https://hdl.handle.net/2115/51049",
    )


class BestValues(enum.Enum):
    """Which values are good for the side to move; HIGH_FOR_BLACK: White minimises them."""

    HIGH = enum.auto()
    LOW = enum.auto()
    HIGH_FOR_BLACK = enum.auto()  # Black maximises the value, White minimises it


@dataclass(frozen=True)
class Scale:
    """What an evaluator's values mean: up to ``high``, in a ``unit``.

    Where values are shown on another scale, ``short`` is its unit in a few letters, ``of`` converts
    a value and ``text`` writes it; the order stays, and so do infinite values (proved ones).
    """

    unit: str
    better: BestValues = BestValues.HIGH
    high: float = math.inf
    short: str = ""
    of: Callable[[float], float] = float
    text: Callable[[float], str] = "{:.3g}".format


def log_odds(probability: float) -> float:
    """Return log10(p / (1 - p)) of a probability p, and an infinite number as it is.

    >>> round(log_odds(0.99998), 2), round(log_odds(0.00002), 2), log_odds(0.5)
    (4.7, -4.7, 0.0)
    """
    if math.isinf(probability):
        return probability
    if probability in (0.0, 1.0):
        return math.copysign(math.inf, probability - 0.5)
    return math.log10(probability / (1 - probability))


def log_odds_text(probability: float) -> str:
    """Return the logarithm of a probability's odds in three figures.

    >>> log_odds_text(0.99998), log_odds_text(0.5), log_odds_text(float("-inf"))
    ('4.70', '0.00', '-inf')
    """
    odds = log_odds(probability)
    return f"{odds:#.3g}" if math.isfinite(odds) else str(odds)


def per_cent_text(probability: float) -> str:
    """Return a probability in per cent, to a tenth; one above 0 never looks like 0.

    >>> [per_cent_text(probability) for probability in (0.71032, 0.084, 0.0002, 0.0, 0.9999, 1.0)]
    ['71.0', '8.4', '<0.1', '0', '>99.9', '100']
    """
    if probability in (0, 1):
        return f"{100 * probability:.0f}"
    if not 0.0005 <= probability < 0.9995:
        return "<0.1" if probability < 0.5 else ">99.9"
    return f"{100 * probability:.1f}"


RATIO = Scale("ratio of White's figure to Black's", BestValues.HIGH_FOR_BLACK)
PROBABILITY = Scale(
    "per cent", high=1.0, short="%", of=lambda probability: 100 * probability, text=per_cent_text
)
LOG_ODDS = Scale("log10 odds", high=1.0, short="lg", of=log_odds, text=log_odds_text)
"""On large boards every score of ``blocking`` is above 0.9999: a random opponent hardly ever meets
four paths. The logarithm of its odds separates such scores: 4.7 means 50,000 to 1."""


FRESH = "Searches each position after a move from scratch."
PLAIN = "Ignores virtual links."
SEED = "Makes other random choices."


@dataclass(frozen=True)
class Evaluator(ABC):
    """Ranks every legal move of the side to move, and explains why.

    A frozen dataclass whose fields are its options, from which `name` is made: one without a
    default stands first, as in ``k-paths:2``; a bool is a word; others are ``seed=7``. Their types
    are annotated with a sentence on what they do.
    """

    method: ClassVar[str]  # the name without options
    short: ClassVar[str]  # the method in a few letters, for the head of a column
    listed: ClassVar[tuple[str, ...]] = ("",)  # the options of each name that is listed
    scale: ClassVar[Scale]
    source: ClassVar[Source]
    improves: ClassVar[bool] = False  # whether rankings get better the longer it may go on
    weighs_swap: ClassVar[bool] = False  # whether rankings have a swap among the moves

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the evaluator with the options behind a name's colon; may raise ValueError."""
        words = text.split(",") if text else []
        given = dict(word.strip().partition("=")[::2] for word in words)
        options: dict[str, Any] = {}
        for field in fields(cls):
            if field.default is MISSING:
                numbers = [word for word in given if word.isdigit()]
                if len(numbers) != 1:
                    raise ValueError(
                        f"{field.name} is missing: write :0, :1, :2... behind the name"
                    )
                given.pop(numbers[0])
                options[field.name] = int(numbers[0])
            elif field.name in given:
                kind = getattr(field.type, "__origin__", field.type)
                options[field.name] = _read(field.name, kind, given.pop(field.name))
        if given:
            raise ValueError(_unknown_option(next(iter(given)), cls.options()))
        return cls(**options)

    @classmethod
    def options(cls) -> dict[str, str]:
        """Return what each option does, in a sentence, by its name."""
        return {f.name: getattr(f.type, "__metadata__", ("",))[0] for f in fields(cls)}

    @property
    def name(self) -> str:
        """The name with the options that are not the default: ``k-paths:1,raw``."""
        options = []
        for field in fields(self):
            value = getattr(self, field.name)
            if field.default is MISSING:
                options.append(str(value))
            elif value is True:
                options.append(field.name)
            elif value != field.default:
                text = f"{float(value):g}" if isinstance(value, Fraction | float) else value
                options.append(f"{field.name}={text}")
        return f"{self.method}:{','.join(options)}" if options else self.method

    @property
    @abstractmethod
    def about(self) -> str:
        """What it measures, in at most 28 characters."""

    @abstractmethod
    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        """Yield rankings of the bench's position that improve, the last one final."""

    def explain(self, bench: "Workbench", move: int) -> Iterator[Ranking | Explanation]:
        """Yield rankings as `rank` does, and last why the move, an empty cell, has its value."""
        check_empty(bench.position, move)
        last = None
        for last in self.rank(bench):
            yield last
        assert last is not None, "every evaluator yields a final ranking"
        yield explanation_of(bench, move, last, self.facts(bench, move, last))

    def explained(self, bench: "Workbench", move: int) -> Explanation:
        """Return why the move has its value; raises ValueError as `explain` does."""
        *_, explanation = self.explain(bench, move)
        assert isinstance(explanation, Explanation)
        return explanation

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        """Return the terms and pictures of a move's value; ``ranking`` is the final one."""
        return Facts()

    def worth(self, bench: "Workbench", ranking: Ranking) -> float:
        """Return the value of the bench's position for the side to move; more is better.

        ``ranking`` is its final one. Comparable on one board with the same side to move.
        """
        best = ranking.moves[0].value
        if self.scale.better is BestValues.LOW:
            return -best
        if self.scale.better is BestValues.HIGH_FOR_BLACK and bench.position.to_move is Color.WHITE:
            return inverse(best)
        return best

    def turned(self, worth: float) -> float:
        """Return what a position of this worth to one side is worth to the other."""
        if self.scale.better is BestValues.HIGH_FOR_BLACK:
            return inverse(worth)
        return 1 - worth if self.scale.high == 1.0 else -worth

    def with_seed(self, seed: int) -> Self:
        """Return the evaluator with another seed; itself if it draws nothing by lot."""
        drawn = any(field.name == "seed" for field in fields(self))
        return replace(self, **{"seed": seed}) if drawn else self


def explanation_of(bench: "Workbench", move: int, ranking: Ranking, facts: Facts) -> Explanation:
    """Return the explanation of a move of a final ranking, by its facts."""
    if not ranking.exact:
        facts = replace(facts, notes=(Note(Remark.CAPPED), *facts.notes))
    ranked = ranking.by_cell[move]
    count = len(ranking.moves)
    return Explanation(
        evaluator=ranking.evaluator,
        before=bench.position,
        move=move,
        value=ranked.value,
        rank=ranked.rank,
        moves=count,
        best=ranking.moves[0].cell,
        facts=facts,
    )


def _unknown_option(name: str, options: Iterable[str]) -> str:
    listed = ", ".join(options) or "none"
    return f"unknown option {name!r}; its options: {listed}"


def _read(name: str, kind: Any, text: str) -> Any:
    if kind is bool:
        return True
    if kind in (int, int | None):
        if not _WHOLE.fullmatch(text):
            raise ValueError(f"{name} is a whole number, not {text[:40]!r}")
        return int(text)
    if kind in (Fraction, float):
        try:
            if _FRACTION.fullmatch(text):
                return kind(Fraction(text))
        except (ValueError, ZeroDivisionError):
            pass
        raise ValueError(f"{name} is a fraction (0.01, 1/100, 1e-2), not {text[:40]!r}")
    return kind(text)


def inverse(ratio: float) -> float:
    """Return 1 / ratio: 0 and inf change places.

    >>> inverse(4.0), inverse(0.0)
    (0.25, inf)
    """
    return 1 / ratio if ratio else math.inf
