"""Batches and openings on workers: the same lines in the same order, whichever worker is first."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO, TextIOWrapper

import pytest

from hextui.runs import workers

LINES = "#5,c3\nbad\n#4,a1b2\n-\n#3,b2\n#9,a1\n"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many workers each command has opened; they are threads."""
    numbers: list[int] = []

    def processes(number: int) -> ThreadPoolExecutor:
        numbers.append(number)
        return ThreadPoolExecutor(number)

    monkeypatch.setattr(workers, "processes", processes)
    return numbers


@pytest.fixture
def answers(run, opened: list[int], monkeypatch: pytest.MonkeyPatch):
    """Run a command with the lines as its input."""

    def answers(*words: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(LINES.encode())))
        code, out, err = run(*words)
        assert (code, err) == (0, "")
        return re.sub(r'"seconds": [^,]*', "", out).splitlines()

    return answers


@pytest.mark.parametrize(
    "words",
    [
        ("rank", "--batch", "--evaluator", "resistance"),
        ("rank", "--batch", "--evaluator", "resistance", "--explain", "a2"),
        ("solve", "--batch", "--fresh", "--nodes", "50", "--threads", "1"),
        ("solve", "--batch", "--method", "mustplay"),
    ],
)
def test_workers_print_what_one_process_prints(answers, words: tuple[str, ...]) -> None:
    alone = answers(*words)
    assert len(alone) == LINES.count("\n")
    assert "error" in json.loads(alone[1].replace(", ,", ","))
    for number in ("1", "3"):
        assert answers(*words, "--workers", number) == alone


def test_workers_are_for_a_batch(run) -> None:
    for words in (("rank", "#3,b2"), ("solve", "#3,b2")):
        code, out, err = run(*words, "--workers", "2")
        assert (code, out) == (2, "")
        assert err == "hextui: --workers and --cluster are for --batch\n"


def test_workers_judge_openings_as_one_process_does(answers, opened: list[int]) -> None:
    words = ("openings", "4", "--judge", "--fresh", "--json")
    alone = answers(*words)
    assert opened == []
    assert answers(*words, "--workers", "3") == alone
    assert opened == [3]


def test_openings_are_decided_in_one_process(run) -> None:
    code, out, err = run("openings", "4", "--workers", "2")
    assert (code, out) == (2, "")
    assert "--workers and --cluster are for --judge" in err
