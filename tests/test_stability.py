"""What docs/stability.md promises: nothing that a released version offered is missing.

That earlier files are read is in test_fixtures.py.
"""

from pathlib import Path

from tests.public_surface import stable

PROMISED = Path(__file__).with_name("stable.txt")


def test_nothing_promised_is_missing() -> None:
    promised = PROMISED.read_text("utf-8").splitlines()
    assert len(promised) > 1000
    assert sorted(set(promised) - set(stable())) == []
