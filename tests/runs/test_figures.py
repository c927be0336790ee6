"""Figures of reports: what can be drawn."""

from pathlib import Path

import pytest

from hextui.runs.proportions import Interval
from hextui.runs.reports import Bars, Figure, draw


def test_an_interval_that_ends_before_its_estimate(tmp_path: Path) -> None:
    """Percentiles of few draws may, by rounding or because the draws are skewed."""
    pytest.importorskip("matplotlib")
    bars = Bars("mean", ["a", "b"], [Interval(0.5, 0.5 + 1e-12, 0.6), Interval(0.5, 0.1, 0.4)])
    svg, png = draw(Figure("bars", "title", "x", "y", bars=(bars,)), tmp_path)
    assert svg.stat().st_size > 0
    assert png.stat().st_size > 0
