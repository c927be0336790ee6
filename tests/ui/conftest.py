"""Tests of the screen go on when there is nothing left to do."""

import asyncio

import pytest
from textual.pilot import Pilot

from . import resting


@pytest.fixture(autouse=True)
def no_guesses(monkeypatch):
    """Have Textual know when an app rests, where it would guess."""
    monkeypatch.setattr("textual.app.wait_for_idle", resting.rest_of_active_app)
    monkeypatch.setattr("textual.pilot.wait_for_idle", resting.rest_of_active_app)
    monkeypatch.setattr(Pilot, "_wait_for_screen", lambda pilot, *_: resting.rest(pilot.app))
    monkeypatch.setattr(asyncio.BaseEventLoop, "run_in_executor", resting.run_in_executor)
