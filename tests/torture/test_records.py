"""A share of the attack with altered records."""

import pytest

from tests.torture import records


def fail(done: records.Done) -> None:
    assert not done.failures, "\n".join(f"seed {seed}: {wrong}" for seed, wrong in done.failures)


def test_altered_records() -> None:
    fail(records.run(range(1000)))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 110_000, 10_000))
def test_many_altered_records(first: int) -> None:
    fail(records.run(range(first, first + 10_000)))


def test_the_attack_finds_what_does_not_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hextui.records.codecs.sgf_syntax._name", lambda word: word.lstrip("xyz"))
    done = records.run(range(1000))
    assert done.failures
    assert all("smallest case" in wrong for _, wrong in done.failures)
