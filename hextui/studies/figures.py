"""Figures as plain data, so that files and the terminal draw the same ones."""

from dataclasses import dataclass

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Points:
    """A cloud of points."""

    label: str
    x: Numbers
    y: Numbers


@dataclass(frozen=True)
class Line:
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


@dataclass(frozen=True)
class Figure:
    """A figure: ``name`` is its file's, without ending; ``y_range`` None fits the data.

    All bars of a figure have the same places.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    points: tuple[Points, ...] = ()
    lines: tuple[Line, ...] = ()
    bars: tuple[Bars, ...] = ()
    y_range: tuple[float, float] | None = None
