"""Figures as plain data; ``drawing`` draws them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it imports numpy, which --help does without
    from hextui.studies.intervals import Interval

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
