"""Values, counts and evaluators in few columns."""

from pathlib import PurePath

from hextui.engine.evaluators import class_of
from hextui.engine.evaluators.base import per_cent_text
from hextui.engine.evaluators.onnx_policy import OnnxPolicy
from hextui.settings.engine_config import engine_in

BAR = 5  # columns of a bar


def bar(share: float) -> str:
    """Return a bar of up to five columns, in halves.

    >>> bar(1.0), bar(0.5), bar(0.0)
    ('█████', '██▌', '')
    """
    halves = round(2 * BAR * share)
    return "█" * (halves // 2) + "▌" * (halves % 2)


def short_name(name: str) -> str:
    """Return a short form of an evaluator's name.

    >>> short_name("contribution-own:2"), short_name("engine(katahex)")
    ('own:2', 'katahex')
    >>> short_name("minimax(k-paths:1)"), short_name("onnx(/home/ann/eleven.onnx)")
    ('mm(paths:1)', 'eleven')
    """
    if (engine := engine_in(name)) is not None:
        return engine
    outer, bracket, inner = name.partition("(")
    if outer == OnnxPolicy.method:
        return PurePath(inner.removesuffix(")")).stem
    if bracket and inner.endswith(")"):
        return f"{'mm' if outer == 'minimax' else outer}({short_name(inner[:-1])})"
    evaluator = class_of(name)
    return evaluator.short + name.removeprefix(evaluator.method) if evaluator else name


def number(value: float) -> str:
    """Return a value in three figures; ``inf`` and ``-inf`` for infinite ones.

    >>> number(0.98765), number(12.3456), number(123456), number(float("-inf"))
    ('0.988', '12.3', '1.23e+05', '-inf')
    """
    return f"{value:#.3g}".removesuffix(".")


def percent(share: float) -> str:
    """Return a share of 1 in per cent.

    >>> percent(0.5916), percent(0.0071), percent(0.0001), percent(1.0)
    ('59.2%', '0.7%', '<0.1%', '100%')
    """
    return f"{per_cent_text(share)}%"


def short_count(count: int) -> str:
    """Return how many there are in at most five characters.

    >>> short_count(999), short_count(12_345), short_count(99_950), short_count(4_560_000)
    ('999', '12.3k', '100k', '4.6m')
    """
    if count < 1000:
        return str(count)
    thousands = count / 1000
    if thousands < 999.5:
        return f"{thousands:.1f}k" if thousands < 99.95 else f"{thousands:.0f}k"
    return f"{thousands / 1000:.1f}m"
