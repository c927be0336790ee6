"""Tests of the screen go on when there is nothing left to do."""

import pytest

from . import settling


@pytest.fixture(autouse=True)
def no_guesses(monkeypatch):
    """Have Textual's pilot know when an app rests, where it would guess."""
    monkeypatch.setattr("textual.app.wait_for_idle", settling.idle)
    monkeypatch.setattr("textual.pilot.wait_for_idle", settling.idle)
