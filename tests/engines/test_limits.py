"""Timeouts: by the clock, without the time in which we did not run."""

import pytest

from hextui.engines.limits import Timeout


def test_what_counts_for_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    timeout = Timeout(3.0)
    for passed, left, step in (
        (0.0, 3.0, 1.0),
        (0.5, 2.5, 1.0),
        (3600.0, 1.5, 1.0),
        (0.7, 0.8, 0.8),
    ):
        now += passed
        assert (timeout.update(), timeout.next_wait()) == (pytest.approx(left), pytest.approx(step))
    now += 3600.0
    assert timeout.update() == 0.0
