"""When garbage is looked for: not at the start of the workstation."""

import gc

import pytest

from hextui import garbage


@pytest.fixture(autouse=True)
def _as_it_was():
    yield
    gc.unfreeze()
    gc.enable()


def found_garbage():
    """Make garbage, much and in circles; tell whether Python looks for any by itself."""
    before = gc.get_stats()[0]["collections"]
    for _ in range(10_000):
        circle = []
        circle.append(circle)
    return gc.get_stats()[0]["collections"] > before


def test_nothing_is_looked_for_until_the_first_screen_is_there():
    before = gc.get_threshold()
    with garbage.put_off():
        assert not found_garbage()
        garbage.pause()  # a key came early
        garbage.go_on()
        assert not found_garbage()
        garbage.begin()
        assert gc.get_freeze_count()
        assert found_garbage()
    assert gc.get_threshold() == before


def test_a_start_that_fails_leaves_all_as_it_was():
    before = gc.get_threshold()
    with pytest.raises(ZeroDivisionError), garbage.put_off():
        raise ZeroDivisionError
    assert gc.get_threshold() == before
    assert found_garbage()


def test_only_a_workstation_spares_what_is_there():
    garbage.begin()
    garbage.spare_imports()
    assert not gc.get_freeze_count()


def test_a_pause_ends():
    garbage.pause()
    assert not found_garbage()
    garbage.go_on()
    assert found_garbage()
