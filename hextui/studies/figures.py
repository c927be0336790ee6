"""Figures as plain data, so that files and the terminal draw the same ones."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the screen draws figures and has no numpy
    from hextui.studies.intervals import Interval

DIGITS = 5
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Points:
    """A cloud of points."""

    label: str
    x: Numbers
    y: Numbers


@dataclass(frozen=True)
class Curve:
    """A line through points; ``low`` and ``high``, if any, are a band around it."""

    label: str
    x: Numbers
    y: Numbers
    low: Numbers = ()
    high: Numbers = ()


@dataclass(frozen=True)
class Bars:
    """Values with intervals, one a place on the axis; ``label`` is the series' name."""

    label: str
    places: tuple[str, ...]
    values: Numbers
    low: Numbers
    high: Numbers

    @classmethod
    def of(cls, label: str, places: tuple[str, ...], found: "Sequence[Interval]") -> "Bars":
        """Return a series of values with their intervals, one a place."""
        return cls(
            label,
            places,
            tuple(one.value for one in found),
            tuple(one.low for one in found),
            tuple(one.high for one in found),
        )


@dataclass(frozen=True)
class Figure:
    """A figure: ``name`` is its file's, without ending; ``y_range`` None fits the data.

    All bars of a figure have the same places. ``square``: both axes show ``y_range``, at one
    scale.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    points: tuple[Points, ...] = ()
    lines: tuple[Curve, ...] = ()
    bars: tuple[Bars, ...] = ()
    y_range: tuple[float, float] | None = None
    square: bool = False


def write_figures(figures: Sequence[Figure]) -> str:
    """Return figures as JSON; numbers are rounded to what a drawing shows."""
    documents = [asdict(figure) for figure in figures]
    return json.dumps(_rounded(documents), separators=(",", ":")) + "\n"


def read_figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of such a text; raises ValueError if it is something else."""
    try:
        return tuple(_figure(document) for document in json.loads(text))
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no figures: {error}") from None


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def _figure(document: dict[str, Any]) -> Figure:
    series = {"points": Points, "lines": Curve, "bars": Bars}
    values = {name: value for name, value in document.items() if name not in series}
    for name, kind in series.items():
        values[name] = tuple(
            kind(**{key: tuple(v) if isinstance(v, list) else v for key, v in each.items()})
            for each in document[name]
        )
    if values["y_range"] is not None:
        values["y_range"] = tuple(values["y_range"])
    return Figure(**values)
