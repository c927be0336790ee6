"""The collector of garbage rests while large records are made in threads."""

import gc

import pytest

from hextui.ui.safety.collector import collector_at_rest


def test_it_rests_until_the_last_one_is_done():
    before = gc.get_threshold()
    first, second = collector_at_rest(), collector_at_rest()
    first.__enter__()
    second.__enter__()
    assert gc.get_threshold()[0] == 0
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] == 0
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before


def test_it_works_again_after_an_error():
    before = gc.get_threshold()
    with pytest.raises(ZeroDivisionError), collector_at_rest():
        raise ZeroDivisionError
    assert gc.get_threshold() == before
